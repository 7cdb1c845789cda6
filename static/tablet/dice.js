/* The dice of Pai Gow Poker: three faces tapped, and where they send the first hand and the action. */
import { h, say } from "./dom.js";

const SPOTS = 7;
const FACES = [1, 2, 3, 4, 5, 6];
export const DICE = 3;

/* Where the first hand goes and where action begins, as three dice count out from the Player/Dealer's spot (PG-10). */
export const countOut = (banker, dice) => {
  const total = dice.reduce((sum, face) => sum + face, 0);
  const first_hand = ((banker - 1 + total - 1) % SPOTS) + 1;
  return { total, first_hand, action: first_hand === banker ? (banker % SPOTS) + 1 : first_hand };
};

export const diceOf = ({ draft }) => draft.dice ?? [];

const pips = (face) =>
  h(
    "span",
    { class: `die die-${face}`, "aria-hidden": "true" },
    Array.from({ length: face }, () => h("i", {})),
  );

const thrown = (model) => {
  const faces = diceOf(model);
  if (faces.length < DICE)
    return say(ngettext("%(left)s die to tap", "%(left)s dice to tap", DICE - faces.length), {
      left: DICE - faces.length,
    });
  const throwOf = countOut(model.shown.hand.button, faces);
  return say(gettext("%(total)s: first hand to %(first_hand)s, action from %(action)s"), throwOf);
};

export const dicePart = (model) => {
  const faces = diceOf(model);
  return h(
    "section",
    { class: "dice", key: "dice", "aria-label": gettext("Dice") },
    h(
      "div",
      { class: "dice-head" },
      h("h3", {}, gettext("Dice")),
      h("strong", { class: `dice-words ${faces.length === DICE ? "note" : "muted"}` }, thrown(model)),
    ),
    h(
      "div",
      { class: "dice-thrown" },
      [0, 1, 2].map((place) =>
        h(
          "button",
          {
            type: "button",
            key: `die-${place}`,
            class: "die-slot",
            "data-act": "wagers.clear_die",
            "data-place": place,
            disabled: faces[place] === undefined,
            "aria-label": faces[place]
              ? say(gettext("Die %(place)s shows %(face)s: clear"), { place: place + 1, face: faces[place] })
              : say(gettext("Die %(place)s"), { place: place + 1 }),
          },
          faces[place] ? pips(faces[place]) : null,
        ),
      ),
    ),
    h(
      "div",
      { class: "dice-faces" },
      FACES.map((face) =>
        h(
          "button",
          {
            type: "button",
            key: `face-${face}`,
            "data-act": "wagers.die",
            "data-face": face,
            "aria-label": say(gettext("A die shows %(face)s"), { face }),
            disabled: faces.length >= DICE,
          },
          pips(face),
        ),
      ),
    ),
  );
};
