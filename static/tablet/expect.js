/* The table as it will be once the presses that wait are answered: the state with each of them laid on it, in order.
   Only what the device can know is changed; what a hand pays is the server's to say. */
import { filled } from "./later.js";

const same = (one, other) => one !== null && JSON.stringify(one) === JSON.stringify(other);
const later = (press, field) => ({ $from: press.key, field });

const isChinese = (state) => state.table.game === "chinese-poker";
const lastNumber = ({ hand, last_hand }) => hand?.number ?? last_hand?.number ?? 0;
const everybody = (state) => [...state.seats.filter((seat) => seat.sitting), ...state.standing];
const whoIs = (state, sitting) => everybody(state).find((each) => same(each.sitting, sitting));
const nameOf = (state, sitting) => whoIs(state, sitting)?.name ?? "";
const handOf = (state, { hand_id = null }) => (same(state.hand?.id ?? null, hand_id) ? state.hand : null);

const hold = (state, { seat: number, minutes, patron_number, description }, { pressed_at }) => {
  const place = state.seats.find((seat) => seat.number === number);
  const until = new Date(Date.parse(pressed_at) + minutes * 60_000).toISOString();
  if (place) Object.assign(place, { held_for: description || patron_number, held_until_at: until });
};

const EMPTY = {
  sitting: null,
  name: "",
  stack_cents: 0,
  money_behind_cents: 0,
  is_new: false,
  is_absent: false,
  in_hand: false,
  may_buy_short: false,
};

/* A turn of the bank that is nobody's yet. */
const NOBODY = { seat: null, sitting: null, name: "", has_accepted: false, is_offered: false };

const sitDown = (state, { seat: number, patron_number, description }, press) => {
  const name = description || patron_number || gettext("somebody new");
  const place = state.seats.find((seat) => seat.number === number);
  const sitting = { ...EMPTY, sitting: later(press, "sitting"), name };
  if (!place) state.standing.push({ sitting: sitting.sitting, name, stack_cents: 0, in_hand: false });
  else if (!place.sitting) {
    Object.assign(place, sitting, { is_new: isChinese(state) && lastNumber(state) > 0, held_for: null });
  }
};

const buyIn = (state, { sitting_id, amount_cents }) => {
  const who = whoIs(state, sitting_id);
  if (!who) return;
  who.stack_cents += amount_cents;
  if ("may_buy_short" in who) who.may_buy_short = amount_cents >= (state.session.full_buy_in_cents ?? 0);
};

const cashOut = (state, { sitting_id }) => {
  const who = whoIs(state, sitting_id);
  if (who) Object.assign(who, EMPTY);
  state.standing = state.standing.filter((each) => each.sitting);
};

const setAbsent =
  (isAbsent) =>
  (state, { sitting_id }) => {
    const who = whoIs(state, sitting_id);
    if (who) who.is_absent = isAbsent;
  };

/* ---- a hand ---- */

/* The button of the next hand where it is known: named by the dealer, accepted as the bank, or standing where it
   stood. After a hand that is not worked out yet nobody knows whether it has moved. */
const nextButton = (state, { button_seat }) => {
  const accepted = state.bank_turn?.has_accepted ? state.bank_turn.seat : null;
  return button_seat ?? accepted ?? state.seats.find((seat) => seat.has_button)?.number ?? null;
};

const start = (state, values, press) => {
  if (state.hand) return;
  const button = nextButton(state, values);
  const dealt = state.seats.filter(
    (seat) => seat.sitting && seat.stack_cents > 0 && !(isChinese(state) && seat.is_absent),
  );
  const numbers = dealt.map((seat) => seat.number);
  const fromButton = (number) => (button !== null && number <= button ? number + state.table.seats : number);
  for (const seat of dealt) seat.in_hand = true;
  for (const seat of state.seats) seat.has_button = seat.number === button;
  state.hand = {
    id: later(press, "hand"),
    number: lastNumber(state) + 1,
    stage: "dealt",
    stage_words: gettext("Dealt, not sent yet"),
    started_at: press.pressed_at,
    button,
    positions: numbers.sort((one, other) => fromButton(one) - fromButton(other)),
    first_hand: null,
    action: null,
    collection_words: state.session.player_fee_words,
    wagers_open: !isChinese(state),
    wagers: [],
    bank: [],
    dice: null,
    incidents: [],
    marks: [],
    revision: 0,
    entered: [],
    verdict: null,
    is_waiting: false,
  };
};

const wager = (state, { position, sitting_id, sitting, amount_cents, put_down_by_dealer }, press) => {
  const who = sitting_id ?? sitting;
  state.hand.wagers.push({
    id: { ...later(press, "wagers"), at: 0 },
    position,
    sitting: who,
    name: nameOf(state, who),
    amount_cents,
    by_dealer: Boolean(put_down_by_dealer),
  });
};

const setBank = (state, shares) => {
  state.hand.bank = shares.map((share) => ({ ...share, name: nameOf(state, share.sitting) }));
};

const closeWagers = (state, { wagers, bank, dice }, press) => {
  for (const each of wagers) wager(state, each, press);
  if (bank.length) setBank(state, bank);
  Object.assign(state.hand, { dice, wagers_open: false });
};

const record = (state, { hands }, press) => {
  Object.assign(state.hand, { entered: hands, revision: later(press, "revision"), verdict: null, is_waiting: true });
};

const over = (status, words) => (state) => {
  const { id, number } = state.hand;
  state.hand = null;
  state.last_hand = {
    id,
    number,
    status,
    status_words: words(),
    misdeal_words: "",
    undo_asked: false,
    may_ask_undo: false,
  };
  state.chips_wait = number;
  for (const each of everybody(state)) each.in_hand = false;
  for (const seat of state.seats) seat.has_button = false;
  if (state.bank_turn) {
    const waits = gettext("Whose turn the bank is, the server says once the last hand has reached it.");
    Object.assign(state.bank_turn, NOBODY, { waits_because: waits });
  }
};

const mark =
  (kind) =>
  (state, { seat, natural = "" }) => {
    const words = {
      declared: state.session.naturals.find((each) => each.kind === natural)?.words ?? gettext("declared"),
      surrendered: gettext("surrendered"),
      "house-way": gettext("house way"),
    }[kind];
    state.hand.marks = [
      ...state.hand.marks.filter((each) => each.seat !== seat),
      { seat, kind, value: natural, words },
    ];
  };

/* What is said of a seat beside a mark of it: that its player has left, that time was called. */
const said =
  (kind, words) =>
  (state, { seat }, { pressed_at }) => {
    const seconds = kind === "clock-called" ? state.session.clock_seconds : null;
    const until = seconds ? new Date(Date.parse(pressed_at) + seconds * 1000).toISOString() : null;
    state.hand.marks.push({ seat, kind, value: "", words: words(), until_at: until });
  };

const SET = ["set", "set-by-clock"];

/* The room marks who has set; with the last one all have (CP-03, PG-23). The Player/Dealer sets after them. */
const set = (kind, words) => (state, values, press) => {
  const { hand } = state;
  said(kind, words)(state, values, press);
  const isSet = (number) => hand.marks.some((each) => each.seat === number && SET.includes(each.kind));
  const others = hand.positions.filter((number) => isChinese(state) || number !== hand.button);
  hand.stage = others.every(isSet) ? "all-set" : "setting";
};

/* A mark taken back; of who had set, somebody is to set again. */
const withdraw = (state, { seat, mark: kind }) => {
  state.hand.marks = state.hand.marks.filter((each) => each.seat !== seat || each.kind !== kind);
  if (SET.includes(kind)) state.hand.stage = "setting";
};

const stopClock = (state, { seat }) => {
  state.hand.marks = state.hand.marks.filter((each) => each.seat !== seat || each.kind !== "clock-called");
};

const noted = ({ hand }, { kind, seat = null, cards = "", count = null }, { as }) => {
  hand.incidents = [...(hand.incidents ?? []), { kind, seat, cards, count, words: as }];
};

/* A change that needs the hand it is about. */
const inHand = (change) => (state, values, press) => handOf(state, values) && change(state, values, press);

/* ---- round the hand ---- */

const offer = (state) => state.bank_turn && (state.bank_turn.is_offered = true);

const answerOffer = (state, { seat, accepts }) => {
  const turn = state.bank_turn;
  if (!turn || turn.seat !== seat) return;
  if (accepts) Object.assign(turn, { has_accepted: true, is_offered: false });
  else {
    const waits = gettext("Declined. Whose turn comes next, the server says once it has heard of it.");
    Object.assign(turn, NOBODY, { waits_because: waits });
  }
};

const call = (state, { reason }, press) => {
  const waits = { answered_at: null, answered_by: null, called_at: press.pressed_at, called_by: press.user.name };
  state.calls.push({ id: later(press, "call"), reason, reason_words: press.as, note: "", ...waits });
};

const CHANGES = {
  "sitting.start": sitDown,
  "sitting.buy_in": buyIn,
  "sitting.cash_out": cashOut,
  "sitting.absent": setAbsent(true),
  "sitting.return": setAbsent(false),
  "session.deal_in": (state, _values, { user, pressed_at }) => {
    state.session.dealer = { ...user, since_at: pressed_at };
  },
  "bank.offer": offer,
  "bank.answer": answerOffer,
  "seat.hold": hold,
  "seat.release": (state, { seat: number }) =>
    Object.assign(state.seats.find((seat) => seat.number === number) ?? {}, { held_for: null, held_until_at: null }),
  "hand.start": start,
  "hand.wager": inHand(wager),
  "hand.bank": inHand((state, { shares }) => setBank(state, shares)),
  "hand.take_back_wager": inHand(
    (state, { wager: id }) => (state.hand.wagers = state.hand.wagers.filter((each) => !same(each.id, id))),
  ),
  "hand.take_back_bank": inHand((state) => (state.hand.bank = [])),
  "hand.open_dice": inHand((state, { dice }) => Object.assign(state.hand, { dice, wagers_open: false })),
  "hand.close_wagers": inHand(closeWagers),
  "hand.declare": inHand(mark("declared")),
  "hand.surrender": inHand(mark("surrendered")),
  "hand.ask_house_way": inHand(mark("house-way")),
  "hand.mark_left": inHand(said("left", () => gettext("left"))),
  "hand.mark_set": inHand(set("set", () => gettext("set"))),
  "hand.set_by_clock": inHand(set("set-by-clock", () => gettext("set for the player"))),
  "hand.withdraw_mark": inHand(withdraw),
  "clock.call": inHand(said("clock-called", () => gettext("time called"))),
  "clock.stop": inHand(stopClock),
  "hand.record": inHand(record),
  "incident.add": inHand(noted),
  "hand.settle": inHand(over("settled", () => gettext("Paid, not worked out yet"))),
  "hand.misdeal": inHand(over("misdeal", () => gettext("Misdeal, not sent yet"))),
  "hand.ask_undo": (state) => state.last_hand && (state.last_hand.undo_asked = true),
  "floor.call": call,
  "floor.answer": (state, { call_id }, { user, pressed_at }) =>
    Object.assign(state.calls.find((each) => same(each.id, call_id)) ?? {}, {
      answered_at: pressed_at,
      answered_by: user.name,
    }),
  "floor.close": (state, { call_id }) => (state.calls = state.calls.filter((each) => !same(each.id, call_id))),
};

/* A press that the server has done, but whose answer was lost, is in the state already: it is not laid on it again, and
   those after it find what it was answered. A state kept by an older version of the app names none. */
export const expected = (state, waiting) => {
  const done = state.last_presses ?? {};
  const left = waiting.filter(({ key }) => !(key in done));
  if (!left.length) return state;
  const answers = new Map(Object.entries(done).map(([key, body]) => [key, { ok: true, body }]));
  const shown = structuredClone(state);
  for (const press of left) {
    if (shown.session) CHANGES[press.verb]?.(shown, filled(press.values, answers), press);
  }
  return shown;
};
