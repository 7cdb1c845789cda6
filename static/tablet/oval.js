/* The table as its people sit. The dealer stands at the bottom, seat 1 is on the dealer's left, and the seats go round
   clockwise from there. */
import { countOut } from "./dice.js";
import { h, money, say } from "./dom.js";
import { idOf, isPaiGow } from "./keypad.js";
import { markWords } from "./marks.js";

/* Where the cards go first and where action begins: as the server said, or by the dice that were just tapped. */
const throwOf = ({ shown, draft }) => {
  const { hand } = shown;
  if (!hand) return {};
  if (hand.first_hand) return hand;
  const dice = hand.wagers_open && draft.dice ? draft.dice : hand.dice;
  return isPaiGow(shown) && dice?.length === 3 ? countOut(hand.button, dice) : {};
};

const wageredOn = ({ shown, draft }, number) => {
  const { hand } = shown;
  if (!hand || !isPaiGow(shown)) return 0;
  const own = hand.wagers_open ? (draft.wagers ?? []) : [];
  return [...hand.wagers, ...own]
    .filter((each) => each.position === number)
    .reduce((sum, each) => sum + each.amount_cents, 0);
};

/* In words what there is to know of a seat, the most pressing first: the line is cut where the seat ends. */
const tagsOf = (model, seat) => {
  const { hand, ...shown } = model.shown;
  const all = (hand?.marks ?? []).filter((mark) => mark.seat === seat.number);
  const marks = [...all.filter((mark) => mark.until_at), ...all.filter((mark) => !mark.until_at)];
  const wagered = wageredOn(model, seat.number);
  const tags = [
    [wagered, say(gettext("bet %(amount)s"), { amount: money(wagered) }), "act"],
    ...marks.map((mark) => [true, markWords(mark, model.now), mark.kind === "set" ? "muted" : "warn"]),
    [seat.is_absent, gettext("absent"), "warn"],
    [seat.is_new, gettext("new"), "note"],
    [seat.sitting && hand && !seat.in_hand && !isPaiGow(shown), gettext("no hand"), "muted"],
  ];
  return tags
    .filter(([holds]) => holds)
    .map(([, words, tone], place) => [place ? " · " : "", h("span", { class: tone }, words)]);
};

/* What lies at a seat and moves on: the button or the bank, and where the cards and the action begin. */
const pucksOf = (model, seat) => {
  const { first_hand, action } = throwOf(model);
  const [isFirst, isAction] = [first_hand === seat.number, action === seat.number];
  const pucks = [
    [seat.has_button, isPaiGow(model.shown) ? gettext("bank") : gettext("button"), ""],
    [isFirst && isAction, gettext("first, action"), " puck-note"],
    [isFirst && !isAction, gettext("first hand"), " puck-note"],
    [isAction && !isFirst, gettext("action"), " puck-note"],
  ].filter(([lies]) => lies);
  return h(
    "span",
    { class: "pucks" },
    pucks.map(([, words, tone]) => [h("span", { class: `puck${tone}` }, words), " "]),
  );
};

const seatButton = (model, seat) => {
  const { ui, shown } = model;
  const isTaken = Boolean(seat.sitting);
  const isOpen = ui.sheet?.kind === "seat" && ui.sheet.number === seat.number;
  const flags = [isTaken ? "taken" : "free", seat.in_hand && "in-hand", seat.is_absent && "away"];
  const classes = ["seat", `seat-${seat.number}`, ...flags.filter(Boolean)];
  const held = seat.held_for ? say(gettext("held for %(name)s"), { name: seat.held_for }) : gettext("empty");
  return h(
    "button",
    {
      type: "button",
      key: `seat-${seat.number}`,
      class: classes.join(" "),
      "data-act": "seats.open",
      "data-number": seat.number,
      "aria-expanded": String(isOpen),
      disabled: !shown.session,
    },
    h("span", { class: "seat-name" }, h("span", { class: "seat-number" }, seat.number), " ", isTaken ? seat.name : ""),
    h("span", { class: isTaken ? "seat-stack" : "seat-state muted" }, isTaken ? money(seat.stack_cents) : held),
    h("span", { class: "seat-tags" }, tagsOf(model, seat)),
    pucksOf(model, seat),
  );
};

const middle = ({ shown }) => {
  const { session, hand } = shown;
  if (!session) return h("div", { class: "oval-middle muted" }, gettext("closed"));
  const due = !isPaiGow(shown) && hand ? hand.collection_words : session.player_fee_words;
  return h(
    "div",
    { class: "oval-middle" },
    h("span", { class: "muted small" }, gettext("Collection")),
    h("strong", {}, due),
    isPaiGow(shown)
      ? h("span", { class: "muted small" }, say(gettext("bank %(fee)s"), { fee: session.bank_fee_words }))
      : null,
  );
};

const backline = ({ shown, ui }) =>
  h(
    "ul",
    { class: "standing", "aria-label": gettext("Backline") },
    shown.standing.map((each) =>
      h(
        "li",
        { key: idOf(each.sitting) },
        h(
          "button",
          {
            type: "button",
            "data-act": "seats.open_standing",
            "data-sitting": idOf(each.sitting),
            "aria-expanded": String(ui.sheet?.kind === "standing" && ui.sheet.sitting === idOf(each.sitting)),
          },
          h("span", { class: "standing-name" }, each.name),
          h("span", { class: "seat-stack" }, money(each.stack_cents)),
        ),
      ),
    ),
    h(
      "li",
      { key: "stand" },
      h("button", { type: "button", class: "quiet", "data-act": "seats.stand" }, gettext("Add to the backline")),
    ),
  );

export const ovalView = (model) => {
  const { seats, session, table } = model.shown;
  return h(
    "div",
    { class: "oval-place" },
    h(
      "div",
      { class: `oval oval-${table.seats}` },
      seats.map((seat) => seatButton(model, seat)),
      middle(model),
      h(
        "span",
        { class: "oval-dealer muted small" },
        session?.dealer ? say(gettext("dealer %(name)s"), { name: session.dealer.name }) : gettext("no dealer"),
      ),
    ),
    session && isPaiGow(model.shown) ? backline(model) : null,
  );
};
