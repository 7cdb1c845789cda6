/* What went wrong, as somebody at the table saw it: a cause, whose hand it was, which or how many cards. It is noted as an
   incident or, where the rules make one of it, called as a misdeal. `ui.seen` is what is said so far. */
import { causeOf, causesOf, firstCount, isNotedWith, misdealOf, rightCount, ruleOf } from "./causes.js";
import { JOKER, RANKS, SUITS } from "./cards.js";
import { h, say } from "./dom.js";
import { entry, keep, seatOf, withSeat } from "./entered.js";
import { cardKey } from "./faces.js";
import { isPaiGow, personOf, pressAt, refused, ruled } from "./keypad.js";

const AT = "seen";
const MOST_CARDS = 53;

const handKey = (hand) => (hand ? JSON.stringify(hand.id) : null);

/* What was begun for one hand is not meant for the next. */
const seenOf = ({ ui, shown }) => (ui.seen && shown.session && ui.seen.hand === handKey(shown.hand) ? ui.seen : null);

const place = (shown, number) =>
  say(isPaiGow(shown) ? gettext("position %(number)s") : gettext("seat %(number)s"), { number });

const nameOf = (shown, number) => shown.seats.find((seat) => seat.number === number)?.name ?? "";

/* Whose hand it can be: of a hand that is out who has one, else who sits there. */
const places = ({ hand, seats }) =>
  hand
    ? [...hand.positions].sort((one, other) => one - other)
    : seats.filter((seat) => seat.sitting).map((seat) => seat.number);

/* A player's hand that was looked at before its cards were counted is a foul and no misdeal (PG-43). */
const mayBeFoul = (shown, { kind, seat }) =>
  kind === "wrong-count" && isPaiGow(shown) && seat !== shown.hand.button && !shown.hand.wagers_open;

/* ---- the view ---- */

const choice = (act, words, isOn, data, more = {}) =>
  h(
    "button",
    {
      type: "button",
      key: JSON.stringify(data),
      "data-act": `seen.${act}`,
      "aria-pressed": String(isOn),
      ...data,
      ...more,
    },
    words,
  );

/* All of them, or the one that was tapped where its cards are to be tapped next and take the room. */
const causes = (shown, seen) => {
  const cause = causeOf(shown, seen);
  return h(
    "div",
    { class: "choices causes", key: "causes", role: "group", "aria-label": gettext("What was seen") },
    (cause?.cards ? [cause] : causesOf(shown)).map(({ kind, words }) =>
      choice("kind", words(), kind === seen.kind, { "data-kind": kind }),
    ),
    cause?.cards
      ? h(
          "button",
          { type: "button", key: "other", class: "quiet", "data-act": "seen.other" },
          gettext("Something else …"),
        )
      : null,
  );
};

const whose = (shown, seen) =>
  h(
    "div",
    { class: "choices whose-hand", key: "whose", role: "group", "aria-label": gettext("Whose hand") },
    places(shown).map((number) =>
      choice(
        "seat",
        [
          h("span", { class: "seat-number" }, number),
          " ",
          h("span", { class: "standing-name" }, nameOf(shown, number)),
        ],
        number === seen.seat,
        { "data-seat": number },
      ),
    ),
  );

const step = (sign, by, words) =>
  h("button", { type: "button", class: "step", "data-act": "seen.count", "data-by": by, "aria-label": words }, sign);

const counting = (shown, seen) =>
  h(
    "div",
    { class: "sheet-row counting", key: "count" },
    step("−", -1, gettext("One card fewer")),
    h("strong", { class: "step-count" }, seen.count),
    step("+", 1, gettext("One card more")),
    h("span", {}, ngettext("card", "cards", seen.count)),
    mayBeFoul(shown, seen) ? choice("looked", gettext("Looked at: foul"), seen.wasLookedAt, {}) : null,
  );

const keyboard = (shown, seen) =>
  h(
    "div",
    { class: "picker", key: "cards" },
    h(
      "div",
      { class: "card-keys", role: "group", "aria-label": gettext("Cards that were seen") },
      [...SUITS].map((suit) =>
        h(
          "div",
          { class: "key-row", key: suit },
          [...RANKS].map((rank) => cardKey("seen.card", rank + suit, { isPressed: seen.cards.includes(rank + suit) })),
        ),
      ),
      isPaiGow(shown) ? cardKey("seen.card", JOKER, { isPressed: seen.cards.includes(JOKER) }) : null,
    ),
  );

/* Who switches cards or holds them out fouls the hand where floor says so (PG-21). */
const mayRuleFoul = ({ shown }, { kind, seat }) =>
  shown.me.on_the_floor && isPaiGow(shown) && shown.hand && seat !== null && ["switched", "held-out"].includes(kind);

const outcome = (model, seen) => {
  const { shown } = model;
  if (!seen.kind)
    return h("p", { class: "muted", key: "outcome" }, gettext("Tap what was seen; the rules say what comes of it."));
  const code = misdealOf(shown, seen);
  if (seen.wasLookedAt)
    return h(
      "p",
      { class: "warn", key: "outcome" },
      ruled(gettext("The hand is a foul, and the deal stands."), "PG-43"),
    );
  if (code)
    return h(
      "p",
      { class: "stop", key: "outcome" },
      ruled(gettext("A misdeal: nothing is paid, and what was put up goes back."), ruleOf(shown, code)),
    );
  return h(
    "p",
    { class: "muted", key: "outcome" },
    shown.hand ? gettext("It is written down, and the hand plays on.") : gettext("It is written down."),
  );
};

const noted = ({ hand }) =>
  hand?.incidents?.length
    ? h(
        "p",
        { class: "muted small", key: "noted" },
        gettext("Noted of this hand:"),
        " ",
        hand.incidents.map(({ words, seat, cards }) => [words, seat, cards].filter(Boolean).join(" ")).join(" · "),
      )
    : null;

export const seenView = (model) => {
  const seen = seenOf(model);
  if (!seen) return null;
  const { shown } = model;
  const cause = causeOf(shown, seen);
  return h(
    "section",
    { class: "panel sheet seen", key: "seen", "aria-labelledby": "seen-title" },
    h("header", { class: "sheet-head" }, h("h2", { id: "seen-title" }, gettext("What went wrong?"))),
    refused(model, AT),
    causes(shown, seen),
    outcome(model, seen),
    cause?.seat ? whose(shown, seen) : null,
    cause?.count ? counting(shown, seen) : null,
    cause?.cards ? keyboard(shown, seen) : null,
    mayRuleFoul(model, seen) ? choice("foul", ruled(gettext("The hand is a foul"), "PG-21"), seen.isFoul, {}) : null,
    h(
      "label",
      { class: "seen-note", key: "note" },
      seen.kind === "other" ? gettext("What it was") : gettext("Note (optional)"),
      h("input", {
        maxlength: "300",
        autocomplete: "off",
        value: seen.note,
        "data-act": "seen.note",
        "data-live": true,
      }),
    ),
    noted(shown),
  );
};

/* ---- the foot ---- */

/* What is still to be said; null when it can be confirmed. */
const missing = (shown, seen) => {
  const cause = causeOf(shown, seen);
  if (!cause) return gettext("Tap what was seen");
  if (cause.isOfHand && cause.seat && seen.seat === null) return gettext("Tap whose hand it was");
  if (cause.cards && isPaiGow(shown) && shown.hand && !seen.cards.length) return gettext("Tap the cards");
  return seen.kind === "other" && !seen.note.trim() ? gettext("Write what it was") : null;
};

/* Short words of it, for the button and for the list of what waits. */
const inWords = (shown, seen) => {
  const { words, count, cards, seat } = causeOf(shown, seen);
  const more = [
    count && say(ngettext("%(count)s card", "%(count)s cards", seen.count), seen),
    cards && seen.cards.join(" "),
    seat && seen.seat !== null && place(shown, seen.seat),
  ];
  return [words(), ...more.filter(Boolean)].join(", ");
};

const confirmWords = (seen, code) => {
  if (seen.wasLookedAt) return say(gettext("Foul: %(count)s cards"), seen);
  if (code === "wrong-count") return say(gettext("Misdeal: %(count)s cards"), seen);
  return code ? gettext("Call the misdeal") : gettext("Note it");
};

export const seenFoot = (model) => {
  const { shown } = model;
  const seen = seenOf(model);
  const lacks = missing(shown, seen);
  const code = lacks ? null : misdealOf(shown, seen);
  const tone = code || seen.wasLookedAt ? "danger" : "primary";
  return {
    secondary: h("button", { type: "button", "data-act": "seen.back" }, gettext("Back")),
    next: h(
      "button",
      { type: "button", class: `${tone} next`, "data-act": "seen.confirm", disabled: Boolean(lacks) },
      lacks ?? confirmWords(seen, code),
    ),
  };
};

/* ---- actions ---- */

const open = ({ ui, model }, { kind = null, seat, sitting }) => {
  const { shown } = model;
  const number = seat === undefined ? null : Number(seat);
  const cards = shown.hand && number !== null && !shown.hand.wagers_open ? seatOf(entry(model), number) : null;
  const entered = cards && cards.count && !cards.isFull ? cards.count : null;
  const count = kind === "wrong-count" && entered ? entered : firstCount(shown, kind);
  delete ui.refusal;
  ui.sheet = null;
  ui.seen = {
    hand: handKey(shown.hand),
    kind,
    seat: number,
    sitting,
    count,
    cards: [],
    note: "",
    wasLookedAt: false,
    isFoul: false,
  };
};

/* The right number is nothing to note. */
const stepCount = ({ ui, model }, { by }) => {
  const { seen } = ui;
  const right = rightCount(model.shown, seen.kind);
  const next = seen.count + Number(by);
  const count = next === right ? right + Number(by) : next;
  seen.count = Math.min(MOST_CARDS, Math.max(0, count));
};

/* Who it was about, where they sit or stand at the table. */
const people = (shown, { seat, sitting }) => {
  const found = sitting ? personOf(shown, sitting) : shown.seats.find(({ number }) => number === seat);
  return found?.sitting ? [found.sitting] : [];
};

const details = (shown, seen) => {
  const cause = causeOf(shown, seen);
  const note = seen.note.trim();
  return {
    ...(cause.seat && seen.seat !== null ? { seat: seen.seat } : {}),
    ...(cause.count ? { count: seen.count } : {}),
    ...(cause.cards && seen.cards.length ? { cards: seen.cards.join(" ") } : {}),
    ...(note ? { note } : {}),
  };
};

const note = (context, seen) => {
  const { shown } = context.model;
  const values = {
    session_id: shown.session.id,
    kind: seen.kind,
    ...(shown.hand ? { hand_id: shown.hand.id } : {}),
    ...details(shown, seen),
    sitting_ids: people(shown, seen),
    ...(seen.isFoul && mayRuleFoul(context.model, seen) ? { consequence: "foul" } : {}),
  };
  return pressAt(context, AT, "incident.add", values, inWords(shown, seen));
};

const callMisdeal = async (context, seen, code) => {
  const { shown } = context.model;
  const isOne = isNotedWith(code, seen.kind);
  if (!isOne && !(await note(context, seen))) return false;
  const values = { hand_id: shown.hand.id, code, ...(isOne ? details(shown, seen) : {}) };
  return pressAt(
    context,
    AT,
    "hand.misdeal",
    values,
    say(gettext("Misdeal: %(words)s"), { words: inWords(shown, seen) }),
  );
};

/* A foul by its count is the cards that are entered: those seen so far are the whole hand. */
const foulByCount = (context, { seat: number, count }) => {
  const model = entry(context.model);
  const seat = seatOf(model, number);
  const cards = seat.cards.filter(Boolean).slice(0, count);
  context.ui.editing = true;
  keep(context, model, { current: number, seats: withSeat(seat, { house_way: false, looked_at: count, cards }) });
  return true;
};

export const actions = {
  "seen.open": open,
  "seen.back": ({ ui }) => {
    delete ui.seen;
    delete ui.refusal;
  },
  "seen.kind": ({ ui, model, buzz }, { kind }) => {
    buzz();
    Object.assign(ui.seen, { kind, count: firstCount(model.shown, kind), wasLookedAt: false, isFoul: false });
  },
  "seen.other": ({ ui }) => {
    ui.seen.kind = null;
  },
  "seen.seat": ({ ui, buzz }, { seat }) => {
    buzz();
    const number = Number(seat);
    Object.assign(ui.seen, { seat: ui.seen.seat === number ? null : number, wasLookedAt: false, isFoul: false });
  },
  "seen.count": (context, data) => void stepCount(context, data),
  "seen.card": ({ ui, buzz }, { card }) => {
    buzz();
    const { cards } = ui.seen;
    ui.seen.cards = cards.includes(card) ? cards.filter((each) => each !== card) : [...cards, card];
  },
  "seen.looked": ({ ui }) => {
    ui.seen.wasLookedAt = !ui.seen.wasLookedAt;
  },
  "seen.foul": ({ ui }) => {
    ui.seen.isFoul = !ui.seen.isFoul;
  },
  "seen.note": ({ ui }, _data, event) => {
    ui.seen.note = event.target.value;
  },
  "seen.confirm": async (context) => {
    const { seen } = context.ui;
    const { shown } = context.model;
    const code = misdealOf(shown, seen);
    const isDone = seen.wasLookedAt
      ? foulByCount(context, seen)
      : code
        ? await callMisdeal(context, seen, code)
        : await note(context, seen);
    if (isDone && context.ui.seen === seen) delete context.ui.seen;
  },
};
