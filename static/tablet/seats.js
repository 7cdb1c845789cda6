/* What the sheet of a seat, or of a person on the backline, does. */
import { money, say } from "./dom.js";
import { actions as keypadActions, forget, idOf, personOf, pressAt, typedCents, typedText } from "./keypad.js";
import { seatOf } from "./sheet.js";

export { ovalView } from "./oval.js";
export { seatFoot, seatSheet } from "./sheet.js";

/* Below the table, on a narrow screen, the sheet comes into sight by itself. */
const bringIntoSight = () =>
  requestAnimationFrame(() => document.querySelector(".sheet")?.scrollIntoView({ block: "nearest" }));

const open = ({ ui }, what) => {
  const { by } = ui.sheet ?? {};
  const isSame = ["kind", "number", "sitting"].every((name) => ui.sheet?.[name] === what[name]);
  forget(ui);
  delete ui.refusal;
  ui.sheet = isSame ? null : { by, ...what };
  bringIntoSight();
};

const close = ({ ui }) => {
  forget(ui);
  delete ui.refusal;
  ui.sheet = null;
};

/* Who the open sheet is about, and where a refusal of theirs is shown. */
const whose = ({ ui, model }) => {
  const { shown } = model;
  if (ui.sheet.kind === "standing") return { person: personOf(shown, ui.sheet.sitting), at: ui.sheet.sitting };
  return { person: seatOf(shown, ui.sheet.number), at: `seat-${ui.sheet.number}` };
};

/* Press something about the person of the sheet, and leave the sheet when it was not refused. */
const pressed = async (context, verb, values, as) => {
  const sheetThen = context.ui.sheet;
  const { at } = sheetThen.kind === "stand" ? { at: "stand" } : whose(context);
  const isDone = await pressAt(context, at, verb, values, as);
  if (isDone && context.ui.sheet === sheetThen) close(context);
};

const aboutPerson =
  (verb, words, values = () => ({})) =>
  async (context, data) => {
    const { person } = whose(context);
    await pressed(
      context,
      verb,
      { sitting_id: person.sitting, ...values(context, data, person) },
      say(words(), { name: person.name, amount: money(person.stack_cents) }),
    );
  };

const aboutHand =
  (verb, words, values = () => ({})) =>
  async (context, data) => {
    const { hand } = context.model.shown;
    const { number } = context.ui.sheet;
    await pressed(context, verb, { hand_id: hand.id, seat: number, ...values(data) }, say(words(), { number }));
  };

/* The one flag of the sheet that opens a further question, and closes it again. */
const question =
  (name) =>
  ({ ui }) => {
    ui.sheet = { ...ui.sheet, [name]: !ui.sheet[name] };
  };

const who = ({ ui }) =>
  ui.sheet.by === "description"
    ? {
        description: ui.sheet.description ?? "",
      }
    : { patron_number: typedText(ui, "card") };

/* Nothing was typed that says who it is. */
const lacks = ({ ui }) => {
  const at = ui.sheet.kind === "stand" ? "stand" : `seat-${ui.sheet.number}`;
  ui.refusal = { at, message: gettext("Type a card number, or describe who it is.") };
};

const sits = async (context, values) => {
  const { ui, model } = context;
  const name = values.description || values.patron_number;
  if (!name) return lacks(context);
  const number = ui.sheet.number;
  const session_id = model.shown.session.id;
  if (number === undefined)
    await pressed(
      context,
      "sitting.start",
      { session_id, ...values },
      say(gettext("%(name)s stands on the backline"), { name }),
    );
  else
    await pressed(
      context,
      "sitting.start",
      { session_id, seat: number, ...values },
      say(gettext("%(name)s sits down in seat %(number)s"), { name, number }),
    );
};

export const actions = {
  ...keypadActions,
  "seats.open": (context, { number }) => open(context, { kind: "seat", number: Number(number) }),
  "seats.open_standing": (context, { sitting }) => open(context, { kind: "standing", sitting }),
  "seats.stand": (context) => open(context, { kind: "stand" }),
  "seats.close": close,
  "seats.by": ({ ui }, { by }) => {
    ui.sheet = { ...ui.sheet, by };
  },
  "seats.describe": ({ ui }, _data, event) => {
    ui.sheet = { ...ui.sheet, description: event.target.value.trim() };
  },
  "seats.sit": (context) => sits(context, who(context)),
  "seats.sit_held": (context) =>
    sits(context, { description: seatOf(context.model.shown, context.ui.sheet.number).held_for }),
  "seats.hold": async (context, { minutes }) => {
    const { number } = context.ui.sheet;
    const values = {
      session_id: context.model.shown.session.id,
      seat: number,
      minutes: Number(minutes),
      ...who(context),
    };
    const name = values.description || values.patron_number;
    if (!name) return lacks(context);
    await pressed(context, "seat.hold", values, say(gettext("Hold seat %(number)s for %(name)s"), { number, name }));
  },
  "seats.means": ({ ui }, { means }) => {
    ui.sheet = { ...ui.sheet, means };
  },
  "seats.buy_in": async (context) => {
    const { person } = whose(context);
    const { ui, model } = context;
    const cents = typedCents(ui, `buy-in-${idOf(person.sitting)}`, model.shown.session.full_buy_in_cents);
    if (!cents) return;
    const values = { sitting_id: person.sitting, amount_cents: cents, means: ui.sheet.means ?? "cash" };
    await pressed(
      context,
      "sitting.buy_in",
      values,
      say(gettext("Buy-in, %(name)s, %(amount)s"), { name: person.name, amount: money(cents) }),
    );
  },
  "seats.leaving": question("leaving"),
  "seats.cash_out": aboutPerson(
    "sitting.cash_out",
    () => gettext("Cash-out, %(name)s, %(amount)s"),
    (_context, { means }) => ({ means }),
  ),
  "seats.absent": aboutPerson("sitting.absent", () => gettext("%(name)s is absent")),
  "seats.back": aboutPerson("sitting.return", () => gettext("%(name)s is back")),
  "seats.declaring": question("declaring"),
  "seats.declare": aboutHand(
    "hand.declare",
    () => gettext("Seat %(number)s declares"),
    ({ natural }) => ({ natural }),
  ),
  "seats.surrendering": question("surrendering"),
  "seats.surrender": aboutHand("hand.surrender", () => gettext("Seat %(number)s surrenders")),
  "seats.house_way": aboutHand("hand.ask_house_way", () => gettext("Seat %(number)s asks for the house way")),
  "seats.left": aboutHand("hand.mark_left", () => gettext("The player of seat %(number)s has left")),
  "seats.take_back": aboutHand(
    "hand.withdraw_mark",
    () => gettext("Seat %(number)s: mark taken back"),
    (data) => ({ mark: data.mark }),
  ),
  "seats.has_set": aboutHand("hand.mark_set", () => gettext("Seat %(number)s has set")),
  "seats.set_by_clock": aboutHand("hand.set_by_clock", () => gettext("Seat %(number)s is set for the player")),
  "seats.clock_call": aboutHand("clock.call", () => gettext("Time called on seat %(number)s")),
  "seats.clock_stop": aboutHand("clock.stop", () => gettext("Clock of seat %(number)s stopped")),
};
