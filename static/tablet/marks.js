/* What is said of a seat's hand while it is out: declared, surrendered, the house way, left, the clock. */
import { h, say } from "./dom.js";
import { isPaiGow, ruled } from "./keypad.js";

const ANNOUNCED = ["declared", "surrendered", "house-way"];
const MAY_BE_TAKEN_BACK = [...ANNOUNCED, "left", "set", "set-by-clock"];

const mark = (words, act, data = {}) => h("button", { type: "button", "data-act": act, ...data }, words);

const declaring = (model) =>
  h(
    "div",
    { class: "choices stacked", role: "group", "aria-label": gettext("Declares") },
    model.shown.session.naturals.map(
      (natural) => mark(natural.words, "seats.declare", { "data-natural": natural.kind }),
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

const clock = ({ shown }, marks) => {
  const isRunning = marks.some((each) => each.kind === "clock-called");
  if (!shown.me?.on_the_floor) return h(
    "p",
    { class: "muted" },
    ruled(gettext("Floor calls time on a player: call floor"), "CP-64"),
  );
  return isRunning ? mark(gettext("Stop the clock"), "seats.clock_stop") : mark(
    say(gettext("Call time, %(seconds)s s"), { seconds: shown.session.clock_seconds }),
    "seats.clock_call",
  );
};

export const inTheHand = (model, seat) => {
  const { hand, ...shown } = model.shown;
  const marks = hand.marks.filter((each) => each.seat === seat.number);
  const has = (kinds) => marks.some((each) => kinds.includes(each.kind));
  const isBank = isPaiGow(shown) && seat.number === hand.button;
  if (isBank || hand.wagers_open) return null;
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
    ),
    has(["set", "set-by-clock"]) ? null : clock(model, marks),
  );
};
