/* Cards as they are shown and tapped: rank and suit by letter, shape and colour, and their names for who hears them. */
import { JOKER, SIGNS } from "./cards.js";
import { h, say } from "./dom.js";

const RANK_NAMES = () => ({
  A: gettext("ace"),
  K: gettext("king"),
  Q: gettext("queen"),
  J: gettext("jack"),
  T: gettext("ten"),
  9: gettext("nine"),
  8: gettext("eight"),
  7: gettext("seven"),
  6: gettext("six"),
  5: gettext("five"),
  4: gettext("four"),
  3: gettext("three"),
  2: gettext("two"),
});
const SUIT_NAMES = () => ({ s: gettext("spades"), h: gettext("hearts"), d: gettext("diamonds"), c: gettext("clubs") });

export const cardName = (card) => {
  if (card === JOKER) return gettext("joker");
  return say(gettext("%(rank)s of %(suit)s"), { rank: RANK_NAMES()[card[0]], suit: SUIT_NAMES()[card[1]] });
};

export const suitClass = (card) => (card === JOKER ? "joker" : card[1]);

export const face = (card) => [
  h("span", { class: "rank", "aria-hidden": "true" }, card === JOKER ? "Jk" : card[0]),
  h("small", { "aria-hidden": "true" }, SIGNS[card[1]]),
];

/* A key that stands for a card. */
export const cardKey = (act, card, { isUsed = false, isShut = false, isPressed = null } = {}) =>
  h(
    "button",
    {
      type: "button",
      class: `card key ${suitClass(card)}${isUsed ? " used" : ""}`,
      key: card,
      "data-act": act,
      "data-card": card,
      "aria-label": cardName(card),
      "aria-pressed": isPressed === null ? null : String(isPressed),
      disabled: isUsed || isShut,
    },
    face(card),
  );
