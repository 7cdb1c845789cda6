/* What is said of a seat's hand while it is out: declared, surrendered, the house way, left, the clock. */
import { ago, h, say } from "./dom.js";
import { isPaiGow, ruled } from "./keypad.js";

const ANNOUNCED = ["declared", "surrendered", "house-way"];
const MAY_BE_TAKEN_BACK = [...ANNOUNCED, "left", "set", "set-by-clock"];

/* What was marked and, of a clock, how long it still runs. */
export const markWords = ({ words, until_at }, now) => {
  if (!until_at) return words;
  const isUp = Date.parse(until_at) <= now;
  return isUp
    ? say(gettext("%(words)s: time is up"), { words })
    : `${words} ${ago(new Date(now).toISOString(), Date.parse(until_at))}`;
};

const mark = (words, act, data = {}) => h("button", { type: "button", "data-act": act, ...data }, words);

const declaring = (model) =>
  h(
    "div",
    { class: "choices stacked", role: "group", "aria-label": gettext("Declares") },
    model.shown.session.naturals.map((natural) =>
      mark(natural.words, "seats.declare", { "data-natural": natural.kind }),
    ),
    mark(gettext("Declares nothing"), "seats.declaring"),
  );

const announcing = (model) => {
  const { shown, ui } = model;
  if (ui.sheet.declaring) return declaring(model);
  const { naturals, may_surrender } = shown.session;
  if (isPaiGow(shown)) return mark(gettext("House way"), "seats.house_way");
  return [
    naturals.length ? mark(gettext("Declares …"), "seats.declaring") : null,
    may_surrender && !ui.sheet.surrendering ? mark(gettext("Surrenders …"), "seats.surrendering") : null,
    may_surrender && ui.sheet.surrendering
      ? h(
          "button",
          { type: "button", class: "danger", "data-act": "seats.surrender" },
          gettext("Yes, surrenders the hand"),
        )
      : null,
  ];
};

/* Floor calls time and stops it; the dealer sees it run and, once it is up, has the hand set for the player (CP-64). */
const clock = ({ shown, now }, marks) => {
  const called = marks.find((each) => each.kind === "clock-called");
  const isFloor = shown.me?.on_the_floor;
  if (!called && !isFloor)
    return h("p", { class: "muted" }, ruled(gettext("Floor calls time on a player: call floor"), "CP-64"));
  const seconds = shown.session.clock_seconds;
  return h(
    "div",
    { class: "sheet-row apart", key: "clock" },
    called
      ? h("strong", { class: "warn", role: "timer" }, markWords(called, now))
      : mark(say(gettext("Call time, %(seconds)s s"), { seconds }), "seats.clock_call"),
    called && isFloor ? mark(gettext("Stop the clock"), "seats.clock_stop") : null,
  );
};

/* Setting, where the room marks it: the player has, or it is done for who has left or whose time is up. */
const setting = ({ now }, marks) => {
  const isLate = marks.some(
    ({ kind, until_at }) => kind === "left" || (kind === "clock-called" && Date.parse(until_at) <= now),
  );
  const isOver = marks.some(({ kind }) => ["declared", "surrendered"].includes(kind));
  return [
    mark(gettext("Has set"), "seats.has_set"),
    isLate && !isOver ? mark(gettext("Set it for the player"), "seats.set_by_clock") : null,
  ];
};

export const inTheHand = (model, seat) => {
  const { hand, ...shown } = model.shown;
  const marks = hand.marks.filter((each) => each.seat === seat.number);
  const has = (kinds) => marks.some((each) => kinds.includes(each.kind));
  const isBank = isPaiGow(shown) && seat.number === hand.button;
  if (isBank || hand.wagers_open) return null;
  const isSet = has(["set", "set-by-clock"]);
  return h(
    "section",
    { class: "sheet-part", "aria-label": gettext("In this hand") },
    h("h3", {}, gettext("In this hand")),
    marks
      .filter((each) => MAY_BE_TAKEN_BACK.includes(each.kind))
      .map((each) =>
        h(
          "div",
          { class: "sheet-row apart", key: each.kind },
          h("strong", { class: "warn" }, each.words),
          mark(gettext("Take it back"), "seats.take_back", { "data-mark": each.kind }),
        ),
      ),
    h(
      "div",
      { class: "sheet-row" },
      has(ANNOUNCED) ? null : announcing(model),
      has(["left"]) || model.ui.sheet.declaring ? null : mark(gettext("Has left"), "seats.left"),
      isSet || model.ui.sheet.declaring ? null : setting(model, marks),
    ),
    isSet ? null : clock(model, marks),
  );
};
