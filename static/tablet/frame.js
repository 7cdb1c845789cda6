/* The frame round the view of the hand's stage: the strip on top, what has to be said of the table, and the foot. */
import { callWords } from "./calls.js";
import { ago, h, say } from "./dom.js";

/* Which view the hand needs. */
export const stageOf = ({ shown, ui }) => {
  const { session, hand } = shown;
  if (!session) return "closed";
  if (!hand) return "between";
  if (hand.wagers_open) return "wagers";
  if ((hand.verdict || hand.is_waiting) && !ui.editing) return "verdict";
  return "cards";
};

export const closedView = () =>
  h(
    "section",
    { class: "panel closed" },
    h("h2", {}, gettext("The table is closed")),
    h("p", {}, gettext("Floor opens it.")),
  );

const count = (one, many, number) => say(ngettext(one, many, number), { count: number });

/* What became of the presses: in words, the rest of the sentence, and the colour that goes with it. */
export const sentState = (model) => {
  const { waiting: unsent, refused, compare, oldest_at, sent_word } = model.queue;
  if (refused.length) {
    return [count("%(count)s refused", "%(count)s refused", refused.length), gettext("look at it"), "stop"];
  }
  if (unsent.length) {
    const age = say(gettext("oldest %(age)s"), { age: ago(oldest_at, model.now) });
    return [count("%(count)s not sent", "%(count)s not sent", unsent.length), sent_word || age, "warn"];
  }
  if (compare.length) {
    return [count("%(count)s hand to compare", "%(count)s hands to compare", compare.length), "", "note"];
  }
  return model.online ? [gettext("all sent"), "", "act"] : [gettext("no network"), gettext("all sent"), "warn"];
};

/* The table, what is played there and for what; where its rules are posted, a tap opens the sheet by its number. */
const place = ({ table, session }) => {
  const title = h("h1", {}, `${table.label} · ${table.game_words}`);
  if (!session) return h("div", { class: "strip-table" }, title, h("p", { class: "strip-terms" }, table.room));
  const words = [session.terms_words, session.jackpot_words, session.rules_title].filter(Boolean).join(" · ");
  const number = session.sheet_number;
  if (!number) return h("div", { class: "strip-table" }, title, h("p", { class: "strip-terms" }, words));
  const sheet = h("span", { class: "strip-sheet" }, say(gettext("Sheet %(number)s"), { number }));
  return h(
    "a",
    { class: "strip-table", href: "/tablet/rules/" },
    title,
    h("p", { class: "strip-terms" }, sheet, ` · ${words}`),
  );
};

export const strip = (model) => {
  const { session, hand, me } = model.shown;
  const [sent, more, tone] = sentState(model);
  const isDark = document.documentElement.dataset.theme === "dark";
  const layerButton = (name, attributes, ...children) =>
    h("button", { type: "button", "data-act": "app.layer", "data-layer": name, ...attributes }, children);
  return h(
    "header",
    { class: "strip" },
    place(model.shown),
    h(
      "p",
      { class: "strip-hand" },
      hand ? h("strong", {}, say(gettext("Hand %(number)s"), { number: hand.number })) : null,
      h(
        "span",
        { class: "age" },
        hand ? ago(hand.started_at, model.now) : session ? gettext("between hands") : gettext("closed"),
      ),
    ),
    layerButton(
      "waiting",
      { class: `strip-sent ${tone}` },
      h("span", {}, sent, more ? h("span", { class: "visually-hidden" }, ",") : null),
      more ? [" ", h("small", {}, more)] : null,
    ),
    layerButton("sign-in", { class: "strip-who" }, me.name),
    h(
      "button",
      {
        type: "button",
        class: "strip-theme",
        "data-act": "app.theme",
        "aria-label": isDark ? gettext("Light theme") : gettext("Dark theme"),
      },
      isDark ? "☀" : "☾",
    ),
  );
};

/* What has to be said about the table as it is shown; its line is kept free. */
export const note = (model) => {
  const { chips_wait: number } = model.shown;
  if (model.ui.failure) return h("p", { class: "table-note stop", role: "alert" }, model.ui.failure);
  if (!number) return h("p", { class: "table-note" });
  const words = gettext("Chips as before: hand %(number)s is paid, but not worked out yet.");
  return h("p", { class: "table-note warn" }, say(words, { number }));
};

/* A view's foot gives `{ secondary, next }`, or elements of which the one of class `next` is the next step. */
export const foot = (model, given) => {
  const isPlain = given && !(given instanceof Node) && !Array.isArray(given);
  const nodes = isPlain ? [] : [given].flat(Infinity).filter((node) => node instanceof Node);
  const next = isPlain ? given.next : nodes.filter((node) => node.matches(".next"));
  const secondary = isPlain ? given.secondary : nodes.filter((node) => !node.matches(".next"));
  const floor = model.shown.session
    ? h(
        "button",
        {
          type: "button",
          class: `foot-call${model.shown.calls.length ? " warn" : ""}`,
          "data-act": "app.layer",
          "data-layer": "calls",
        },
        callWords(model),
      )
    : null;
  return h(
    "footer",
    { class: "foot" },
    h("div", { class: "foot-side" }, floor, secondary),
    h("div", { class: "foot-next" }, next),
  );
};
