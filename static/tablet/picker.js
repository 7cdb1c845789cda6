/* Entering a hand, one screen. What is entered is the draft on the device; nothing is sent before "See who pays". */
import { bears, parseCard, SEGMENTS } from "./cards.js";
import { say } from "./dom.js";
import {
  asRecorded,
  CHINESE,
  entry,
  fill,
  holes,
  keep,
  lastHand,
  nextSeat,
  put,
  seatOf,
  shownIn,
  sizesOf,
  undo,
  winsOf,
  withSeat,
} from "./entered.js";
import { pressAt } from "./keypad.js";
import { AT, capital, confirmWords, numbered, SHOWN_BY_DRAFT } from "./picker_view.js";

export { pickerFoot, pickerView } from "./picker_view.js";

const SET = ["set", "set-by-clock"];

const refuse = (context, { message, rule, fields }) => {
  context.ui.refusal = { at: AT, message, rule, fields };
};

const record = async (context) => {
  const model = entry(context.model);
  const { hand } = model;
  delete context.ui.refusal;
  const values = { hand_id: hand.id, hands: model.seats.map(asRecorded(model)) };
  const answer = await context.press("hand.record", values, { as: say(gettext("Cards of hand %(number)s"), hand) });
  if (!answer.waiting && !answer.ok) {
    refuse(context, answer.body);
    return;
  }
  shownIn(context).finished = null;
  delete context.ui.editing;
  if (answer.ok) await context.setDraft({ revision: answer.body.revision });
};

/* ---- actions ---- */

const goTo = (context, number) => {
  const model = entry(context.model);
  shownIn(context).finished = null;
  keep(context, model, { current: number });
};

const goOn = (context) => {
  const next = nextSeat(entry(context.model));
  if (next) goTo(context, next.number);
};

const ask = (context, { ask: kind, number, natural }) => {
  const model = entry(context.model);
  const seat = seatOf(model, Number(number));
  const [first] = model.parameters.naturals ?? [];
  const best = natural ?? winsOf(model, seat)[0] ?? first?.kind;
  delete context.ui.refusal;
  shownIn(context).asks = {
    kind,
    seat: seat.number,
    natural: best,
    sizes: sizesOf(model, seat).map(([, size]) => size),
  };
};

const SAID = {
  declare: ({ natural }) => ({ declares: natural, surrenders: false }),
  surrender: () => ({ declares: null, surrenders: true }),
  "house-way": () => ({ house_way: true, looked_at: undefined }),
  sizes: ({ sizes }, { game }) => ({
    sizes: sizes.every((size, place) => size === SEGMENTS[game][place][1]) ? undefined : sizes,
  }),
};

/* In a hand that is marked, what a seat announces is marked too, before the hands are opened (CP-20, CP-35, PG-22). */
const ANNOUNCES = {
  declare: ["hand.declare", ({ natural }) => ({ natural })],
  surrender: ["hand.surrender", () => ({})],
  "house-way": ["hand.ask_house_way", () => ({})],
};

const pressMark = (context, verb, values, as) =>
  pressAt(context, AT, verb, { hand_id: context.model.shown.hand.id, ...values }, as);

const confirm = (context) => {
  const ui = shownIn(context);
  const { asks } = ui;
  ui.asks = null;
  const model = entry(context.model);
  if (!ANNOUNCES[asks.kind] || !model.hand.marks.length) return saySo(context, asks);
  const [verb, values] = ANNOUNCES[asks.kind];
  const as = confirmWords(model, asks);
  return pressMark(context, verb, { seat: asks.seat, ...values(asks) }, as).then(
    (isDone) => isDone && saySo(context, asks),
  );
};

const saySo = (context, asks) => {
  const model = entry(context.model);
  const seat = seatOf(model, asks.seat);
  const rest = asks.kind === "declare" && seat === model.current && !seat.isFull && lastHand(model);
  keep(context, model, { seats: withSeat(seat, SAID[asks.kind](asks, model)) });
  if (rest && bears(asks.natural, rest)) fillRest(context);
};

/* The last hand of a full deck as a pile, in which no card's place says anything. */
const fillRest = (context) => {
  const model = entry(context.model);
  const { current: seat } = model;
  const rest = lastHand(model).filter((card) => !seat.cards.includes(card));
  fill(context, model, rest, holes(seat));
};

/* Take back what was said of a seat; what was marked of it is withdrawn, which the room may refuse by now. */
const withdraw = (context, { number }) => {
  const model = entry(context.model);
  const seat = seatOf(model, Number(number));
  const unsay = () => {
    const changes = { declares: null, surrenders: false, house_way: false, looked_at: undefined };
    keep(context, entry(context.model), { seats: withSeat(seat, changes) });
  };
  const mark = model.hand.marks.find((each) => each.seat === seat.number && SHOWN_BY_DRAFT.includes(each.kind));
  if (!mark || seat.looked_at) return unsay();
  const as = say(gettext("%(who)s takes back: %(words)s"), {
    who: capital(numbered(model, seat.number)),
    words: mark.words,
  });
  const values = { seat: seat.number, mark: mark.kind };
  return pressMark(context, "hand.withdraw_mark", values, as).then((isDone) => isDone && unsay());
};

const take = (context, { slot: index }) => {
  const model = entry(context.model);
  const { current: seat } = model;
  keep(context, model, { seats: withSeat(seat, { cards: seat.cards.with(Number(index), null) }) });
};

/* What one segment has more, the last one has less. */
const stepSize = (context, { place, by }) => {
  const { asks } = shownIn(context);
  const [one, last] = [Number(place), asks.sizes.length - 1];
  const sizes = asks.sizes.with(one, asks.sizes[one] + Number(by)).with(last, asks.sizes[last] - Number(by));
  if (sizes.every((size) => size >= 0)) asks.sizes = sizes;
};

/* Where hands are marked as they are set, those that nobody has marked yet (CP-03, PG-23). */
const markRest = async (context) => {
  const { game, hand, seats } = entry(context.model);
  const isMarked = ({ number }) => hand.marks.some(({ seat, kind }) => seat === number && SET.includes(kind));
  const isLeft = (seat) => !isMarked(seat) && (game === CHINESE || seat.number !== hand.button);
  for (const { number } of seats.filter(isLeft)) {
    if (
      !(await pressMark(
        context,
        "hand.mark_set",
        { seat: number },
        say(gettext("Seat %(number)s has set"), { number }),
      ))
    )
      return;
  }
};

/* Local ones answer nothing, so that a quick second tap is not taken for a double one. */
export const actions = {
  "picker.card": (context, { card }) => void put(context, card),
  "picker.take": take,
  "picker.seat": (context, { number }) => goTo(context, Number(number)),
  "picker.undo": undo,
  "picker.ask": ask,
  "picker.choose": (context, { natural }) => void (shownIn(context).asks.natural = natural),
  "picker.size": (context, data) => void stepSize(context, data),
  "picker.all_set": markRest,
  "picker.back": (context) => void (shownIn(context).asks = null),
  "picker.confirm": confirm,
  "picker.withdraw": withdraw,
  "picker.rest": fillRest,
  "picker.next": goOn,
  "picker.record": record,
};

/* ---- keyboard and scanner: a rank, then a suit; Backspace takes back, Enter is the next step ---- */

let isRecording = false;

const enter = async (context) => {
  if (entry(context.model).unfinished.length) goOn(context);
  else if (!isRecording) {
    isRecording = true;
    try {
      await record(context);
    } finally {
      isRecording = false;
    }
  }
  context.draw();
};

const typeCard = (context, letter) => {
  const ui = shownIn(context);
  const { game } = context.model.shown.table;
  const card = parseCard(ui.rank + letter, game);
  if (card) {
    ui.rank = "";
    put(context, card);
  } else if (letter === "0" && ui.rank === "1") ui.rank = "T";
  else if (/^[2-9tjqka1]$/i.test(letter)) ui.rank = letter.toUpperCase();
  else return false;
  return true;
};

export const onKey = (context, event) => {
  const ui = shownIn(context);
  const isElsewhere = event.target !== document.body && !event.target.closest?.(".card-keys");
  if (event.key === "Tab") ui.isTyping = false;
  else if (event.key === "Backspace") {
    if (ui.rank) ui.rank = "";
    else undo(context);
    context.draw();
  } else if (event.key === "Enter" && !event.repeat && !ui.asks && (ui.isTyping || !isElsewhere)) {
    ui.rank = "";
    enter(context);
  } else if (event.key === " " && ui.isTyping) {
    // A scanner's blank between two cards must not press the key that has the focus.
  } else if (event.key.length === 1 && !ui.asks && typeCard(context, event.key)) {
    ui.isTyping = true;
    context.draw();
  } else return;
  if (event.key !== "Tab") event.preventDefault();
};
