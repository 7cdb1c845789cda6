/* Entering a hand, one screen: the seats as tabs, the current one's segments as slots, a key for every card, and what the cards
   make as soon as it is known. What is entered is the draft on the device; nothing is sent before "See who pays". */
import {
  bears,
  handNames,
  JOKER,
  naturalName,
  orderOf,
  parseCard,
  RANKS,
  SEGMENTS,
  segmentName,
  SIGNS,
  SUITS,
} from "./cards.js";
import { ago, h, say } from "./dom.js";
import {
  asRecorded,
  CHINESE,
  entry,
  fill,
  foulsOf,
  holes,
  keep,
  lastHand,
  nextSeat,
  offerOf,
  put,
  seatOf,
  segmentsOf,
  shownIn,
  undo,
  winsOf,
  withSeat,
} from "./entered.js";

const MOST_CARDS = 20;

const AT = "picker";

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

const misdeal = async (context) => {
  const ui = shownIn(context);
  const { seat, count } = ui.asks;
  const model = entry(context.model);
  const values = { hand_id: model.hand.id, code: "wrong-count", seat, count };
  const as = say(gettext("Misdeal: %(who)s has %(count)s cards"), { who: numbered(model, seat), count });
  const answer = await context.press("hand.misdeal", values, { as });
  ui.asks = null;
  if (!answer.waiting && !answer.ok) refuse(context, answer.body);
};

/* ---- words ---- */

const numbered = (model, number) =>
  say(model.game === CHINESE ? gettext("seat %(number)s") : gettext("position %(number)s"), { number });
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
const withRule = ({ text: words, rule }) => `${words} (${rule})`;

const nameOf = (model, shown, number) => {
  const seat = shown.seats.find((each) => each.number === number);
  if (seat?.sitting) return seat.name;
  return shown.hand.wagers?.find((wager) => wager.position === number)?.name ?? gettext("backline");
};

const RANK_NAMES = () => ({
  ...{ A: gettext("ace"), K: gettext("king"), Q: gettext("queen"), J: gettext("jack"), T: gettext("ten"), 9: gettext("nine") },
  ...{ 8: gettext("eight"), 7: gettext("seven"), 6: gettext("six"), 5: gettext("five"), 4: gettext("four"), 3: gettext("three") },
  2: gettext("two"),
});
const SUIT_NAMES = () => ({ s: gettext("spades"), h: gettext("hearts"), d: gettext("diamonds"), c: gettext("clubs") });

const cardName = (card) => {
  if (card === JOKER) return gettext("joker");
  return say(gettext("%(rank)s of %(suit)s"), { rank: RANK_NAMES()[card[0]], suit: SUIT_NAMES()[card[1]] });
};

/* ---- the view ---- */

const suitClass = (card) => (card === JOKER ? "joker" : card[1]);

const face = (card) => [
  h("span", { class: "rank", "aria-hidden": "true" }, card === JOKER ? "Jk" : card[0]),
  h("small", { "aria-hidden": "true" }, SIGNS[card[1]]),
];

const SHOWN_BY_DRAFT = ["declared", "surrendered", "house-way"];

/* What a tab says below the name, each with its tone: what is announced, a foul, what was marked, how far it is. */
const tabWords = (model, seat, now) => {
  const words = [];
  if (seat.declares) words.push([naturalName(seat.declares), "act"]);
  if (seat.surrenders) words.push([gettext("surrenders"), "warn"]);
  if (seat.house_way) words.push([gettext("house way"), "muted"]);
  if (foulsOf(model, seat).length) words.push([gettext("foul"), "stop"]);
  for (const mark of model.hand.marks) {
    if (mark.seat !== seat.number || SHOWN_BY_DRAFT.includes(mark.kind)) continue;
    const left = mark.until_at ? ` ${ago(new Date(now).toISOString(), Date.parse(mark.until_at))}` : "";
    words.push([mark.words + left, mark.kind === "set" ? "muted" : "warn"]);
  }
  if (seat.isFull) return words.length ? [["✓", "act"], ...words] : [[gettext("✓ complete"), "muted"]];
  if (seat.count || !words.length) {
    words.push([say(gettext("%(count)s of %(size)s"), { count: seat.count, size: seat.cards.length }), "muted"]);
  }
  return words;
};

const tabs = (model, { shown, now }) =>
  h(
    "div",
    { class: "seat-tabs", role: "group", "aria-label": gettext("Seats") },
    model.seats.map((seat) =>
      h(
        "button",
        {
          type: "button",
          class: "seat-tab",
          key: `tab-${seat.number}`,
          "data-act": "picker.seat",
          "data-number": seat.number,
          "aria-pressed": String(seat === model.current),
        },
        h("span", { class: "seat-tab-name" }, `${seat.number} ${nameOf(model, shown, seat.number)}`),
        h("span", { class: "seat-tab-words" }, tabWords(model, seat, now).map(([words, tone]) => h("span", { class: tone }, words))),
      ),
    ),
  );

const slot = (seat, index, nextHole) => {
  const card = seat.cards[index];
  if (!card) return h("span", { class: `card empty${index === nextHole ? " is-next" : ""}`, key: `slot-${index}` });
  return h(
    "button",
    {
      type: "button",
      class: `card ${suitClass(card)}`,
      key: `slot-${index}`,
      "data-act": "picker.take",
      "data-slot": index,
      "aria-label": say(gettext("Take out the %(card)s"), { card: cardName(card) }),
    },
    face(card),
  );
};

/* What stands beside a segment: its name in words and how it stands to the one before it. */
const made = (names, order, fouls, segment, before) => {
  const isFoul = fouls.some(({ code }) => code.startsWith(`${before}-`) && code.endsWith(`-${segment}`));
  const words = before && {
    beats: [say(gettext("beats %(segment)s"), { segment: segmentName(before) }), "act"],
    equals: [say(gettext("equals %(segment)s"), { segment: segmentName(before) }), "act"],
    loses: [say(gettext("below %(segment)s"), { segment: segmentName(before) }), "stop"],
  }[order[segment]];
  const rule = isFoul ? fouls.find(({ code }) => code.startsWith(`${before}-`)).rule : "";
  return h(
    "p",
    { class: "made" },
    h("span", { class: "made-name" }, names[segment] ?? ""),
    words
      ? h("span", { class: isFoul ? "stop" : words[1] }, isFoul ? say(gettext("foul, %(words)s (%(rule)s)"), { words: words[0], rule }) : words[0])
      : null,
  );
};

const pileWords = ({ surrenders, house_way, looked_at }) => {
  if (looked_at) return gettext("looked at");
  if (surrenders) return gettext("surrenders");
  return house_way ? gettext("house way") : gettext("set by the clock");
};

const segmentRows = (model, seat, fouls) => {
  const [nextHole] = holes(seat);
  if (seat.isPile) {
    const slots = seat.cards.map((_, index) => slot(seat, index, nextHole));
    return h(
      "div",
      { class: "segment is-pile", key: "pile" },
      h("h3", { class: "segment-name" }, gettext("pile")),
      h("div", { class: "slots" }, slots),
      h("p", { class: "made" }, h("span", { class: "made-name" }, pileWords(seat))),
    );
  }
  const segments = segmentsOf(model, seat);
  const names = handNames(model.game, segments, model.parameters);
  const order = orderOf(model.game, segments, model.parameters);
  let from = 0;
  return SEGMENTS[model.game].map(([segment, size], place) => {
    const slots = Array.from({ length: size }, (_, index) => slot(seat, from + index, nextHole));
    const isCurrent = nextHole >= from && nextHole < from + size;
    from += size;
    return h(
      "div",
      { class: `segment${isCurrent ? " is-current" : ""}`, key: segment },
      h("h3", { class: "segment-name" }, segmentName(segment)),
      h("div", { class: "slots" }, slots),
      made(names, order, fouls, segment, SEGMENTS[model.game][place - 1]?.[0]),
    );
  });
};

const button = (act, words, data = {}, more = "") =>
  h("button", { type: "button", class: more, "data-act": `picker.${act}`, ...data }, words);

const declareButton = (seat, kind) => button("ask", gettext("Declare"), { "data-ask": "declare", "data-number": seat.number, "data-natural": kind });

const offer = (model, seat, kind) => {
  const values = { who: capital(numbered(model, seat.number)), natural: naturalName(kind) };
  const words = seat.isFull ? gettext("%(who)s has %(natural)s.") : gettext("The last 13 cards make %(natural)s.");
  return [h("p", { class: "act" }, say(words, values)), declareButton(seat, kind)];
};

const foulSaid = (model, seat, fouls) => {
  const values = { who: capital(numbered(model, seat.number)), why: fouls.map(withRule).join(". ") };
  const words = h("p", { class: "stop" }, say(gettext("%(who)s fouls. %(why)s"), values));
  return seat === model.current ? words : [words, button("seat", gettext("Look"), { "data-number": seat.number })];
};

const aboutSeat = (model, seat) => {
  if (!seat) return null;
  const kind = offerOf(model, seat);
  if (kind) return offer(model, seat, kind);
  const fouls = foulsOf(model, seat);
  return fouls.length ? foulSaid(model, seat, fouls) : null;
};

const aboutLastHand = (model) => {
  if (!lastHand(model)) return null;
  const { current: seat } = model;
  if (seat.isPile || seat.declares) return button("rest", gettext("Fill in the last 13"));
  return h("p", { class: "muted" }, gettext("The last 13 cards are known: tap front and middle, the back fills itself."));
};

const refusal = ({ message, rule, fields }) => {
  const all = [...new Set([message, ...Object.values(fields ?? {})])].join(" ");
  return h("p", { class: "refusal", role: "alert" }, rule ? `${all} (${rule})` : all);
};

/* One line about the current seat or the one just finished; its place is kept while there is nothing to say. */
const saysLine = (model, { ui }) => {
  const finished = seatOf(model, ui.picker?.finished);
  const said =
    (ui.refusal?.at === AT && refusal(ui.refusal)) ||
    aboutSeat(model, model.current) ||
    (finished !== model.current && aboutSeat(model, finished)) ||
    aboutLastHand(model);
  return h("div", { class: "picker-says", role: "status" }, said || null);
};

const key = (card, used, isShut) =>
  h(
    "button",
    {
      type: "button",
      class: `card key ${suitClass(card)}${used.has(card) ? " used" : ""}`,
      key: card,
      "data-act": "picker.card",
      "data-card": card,
      "aria-label": cardName(card),
      disabled: used.has(card) || isShut,
    },
    face(card),
  );

const usedCards = (model) => new Set(model.seats.flatMap((seat) => seat.cards));

const keyboard = (model) => {
  const used = usedCards(model);
  const isShut = model.current.isFull;
  return h(
    "div",
    { class: "card-keys", role: "group", "aria-label": gettext("Cards") },
    [...SUITS].map((suit) =>
      h(
        "div",
        { class: "key-row", key: suit },
        [...RANKS].map((rank) => key(rank + suit, used, isShut)),
      ),
    ),
  );
};

/* A player's hand that was looked at is no misdeal but a foul (PG-43). */
const mayFoul = (model, { seat }) => model.game !== CHINESE && seat !== model.hand.button;

const choices = (model, asks) => {
  if (asks.kind === "declare") {
    return model.parameters.naturals.map(({ kind }) =>
      button("choose", naturalName(kind), { "data-natural": kind, "aria-pressed": String(kind === asks.natural) }, "choice"),
    );
  }
  if (asks.kind === "misdeal") {
    return [
      h("span", {}, say(gettext("%(who)s has"), { who: capital(numbered(model, asks.seat)) })),
      button("count", "−", { "data-by": -1, "aria-label": gettext("One card fewer") }, "step"),
      h("strong", { class: "step-count" }, asks.count),
      button("count", "+", { "data-by": 1, "aria-label": gettext("One card more") }, "step"),
      asks.wasLookedAt ? null : h("span", {}, gettext("cards. Everything goes back.")),
      mayFoul(model, asks) &&
        button("looked", gettext("Looked at: foul"), { "aria-pressed": String(asks.wasLookedAt) }, "choice"),
    ];
  }
  const words = {
    surrender: gettext("%(who)s gives up its hand and is compared with nobody."),
    "house-way": gettext("All seven cards go in one pile and are set the house way."),
  };
  return h("p", {}, say(words[asks.kind], { who: capital(numbered(model, asks.seat)) }));
};

/* What can be said of the seat, or, once one of it was tapped, what has to be known before it is confirmed. */
const toolButtons = (model, { shown, ui }) => {
  if (ui.picker?.asks) return choices(model, ui.picker.asks);
  const { current: seat } = model;
  const at = { "data-number": seat.number };
  const buttons = [];
  if (model.game !== CHINESE) {
    buttons.push(
      seat.house_way || seat.looked_at
        ? button("withdraw", seat.looked_at ? gettext("Take back") : gettext("Not the house way"), at)
        : button("ask", gettext("House way"), { ...at, "data-ask": "house-way" }),
    );
  } else if (seat.declares || seat.surrenders) {
    buttons.push(button("withdraw", gettext("Take back"), at));
    const words = seat.declares ? gettext("declares %(natural)s") : gettext("surrenders");
    buttons.push(h("span", { class: "muted" }, say(words, { natural: naturalName(seat.declares) })));
  } else {
    if (model.parameters.naturals.length) buttons.push(button("ask", gettext("Declare"), { ...at, "data-ask": "declare" }));
    if (shown.session.may_surrender) buttons.push(button("ask", gettext("Surrender"), { ...at, "data-ask": "surrender" }));
  }
  return buttons;
};

const tools = (model, shown) => {
  const joker = model.game === CHINESE ? null : key(JOKER, usedCards(model), model.current.isFull);
  return h("div", { class: "tools" }, joker, h("div", { class: "tools-rest", key: "tools" }, toolButtons(model, shown)));
};

export const pickerView = (model) => {
  const entered = entry(model);
  const { current: seat } = entered;
  const who = `${capital(numbered(entered, seat.number))} · ${nameOf(entered, model.shown, seat.number)}`;
  return h(
    "div",
    { class: `picker ${entered.game}` },
    tabs(entered, model),
    h("h2", { class: "visually-hidden" }, who),
    h("div", { class: `segments${seat.isFull || seat.isPile ? "" : " is-open"}` }, segmentRows(entered, seat, foulsOf(entered, seat))),
    saysLine(entered, model),
    keyboard(entered),
    tools(entered, model),
  );
};

/* ---- the foot ---- */

/* The next step while something is asked: whose, and what. */
const confirmWords = (model, { kind, seat, natural, count, wasLookedAt }) => {
  const texts = {
    declare: gettext("%(who)s declares %(natural)s"),
    surrender: gettext("%(who)s surrenders"),
    "house-way": gettext("%(who)s: house way"),
    misdeal: wasLookedAt ? gettext("Foul: %(count)s cards") : gettext("Misdeal: %(count)s cards"),
  };
  const who = capital(numbered(model, seat));
  return say(texts[kind], { who, count, natural: natural && naturalName(natural) });
};

const nextStep = (model) => {
  const { unfinished, current, size } = model;
  if (!unfinished.length) return button("record", gettext("See who pays"), {}, "primary next");
  const other = nextSeat(model);
  if (other) return button("next", say(gettext("Next: %(seat)s"), { seat: numbered(model, other.number) }), {}, "primary next");
  const left = size - current.count;
  const words = ngettext("%(seat)s: %(left)s card to go", "%(seat)s: %(left)s cards to go", left);
  const values = { seat: capital(numbered(model, current.number)), left };
  return button("next", say(words, values), { disabled: true }, "primary next");
};

export const pickerFoot = (model) => {
  const entered = entry(model);
  const asks = model.ui.picker?.asks;
  if (asks) {
    const tone = asks.kind === "declare" || asks.kind === "house-way" ? "primary" : "danger";
    return {
      secondary: button("back", gettext("Back")),
      next: button("confirm", confirmWords(entered, asks), {}, `${tone} next`),
    };
  }
  const hasCards = entered.seats.some((seat) => seat.count);
  return {
    secondary: [
      button("undo", gettext("Undo"), { disabled: !hasCards }),
      button("ask", gettext("Misdeal"), { "data-ask": "misdeal", "data-number": entered.current.number }, "danger"),
    ],
    next: nextStep(entered),
  };
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
  const count = seat.count && !seat.isFull ? seat.count : model.size - 1;
  const best = natural ?? winsOf(model, seat)[0] ?? first?.kind;
  delete context.ui.refusal;
  shownIn(context).asks = { kind, seat: seat.number, natural: best, count, wasLookedAt: false };
};

const SAID = {
  declare: ({ natural }) => ({ declares: natural, surrenders: false }),
  surrender: () => ({ declares: null, surrenders: true }),
  "house-way": () => ({ house_way: true, looked_at: undefined }),
  misdeal: ({ count }) => ({ house_way: false, looked_at: count }),
};

/* In a hand that is marked, what a seat announces is marked too, before the hands are opened (CP-20, CP-35, PG-22). */
const ANNOUNCES = {
  declare: ["hand.declare", ({ natural }) => ({ natural })],
  surrender: ["hand.surrender", () => ({})],
  "house-way": ["hand.ask_house_way", () => ({})],
};

const pressMark = async (context, verb, values, as) => {
  const answer = await context.press(verb, { hand_id: context.model.shown.hand.id, ...values }, { as });
  if (!answer.waiting && !answer.ok) refuse(context, answer.body);
  return Boolean(answer.waiting || answer.ok);
};

const confirm = (context) => {
  const ui = shownIn(context);
  const { asks } = ui;
  const isMisdeal = asks.kind === "misdeal" && !asks.wasLookedAt;
  if (isMisdeal) return misdeal(context);
  ui.asks = null;
  const model = entry(context.model);
  if (asks.kind === "misdeal" || !model.hand.marks.length) return saySo(context, asks);
  const [verb, values] = ANNOUNCES[asks.kind];
  const as = confirmWords(model, asks);
  return pressMark(context, verb, { seat: asks.seat, ...values(asks) }, as).then((isDone) => isDone && saySo(context, asks));
};

const saySo = (context, asks) => {
  const model = entry(context.model);
  const seat = seatOf(model, asks.seat);
  const rest = asks.kind === "declare" && seat === model.current && !seat.isFull && lastHand(model);
  const changes = SAID[asks.kind](asks);
  if (changes.looked_at) changes.cards = seat.cards.filter(Boolean).slice(0, changes.looked_at);
  keep(context, model, { seats: withSeat(seat, changes) });
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
  const as = say(gettext("%(who)s takes back: %(words)s"), { who: capital(numbered(model, seat.number)), words: mark.words });
  const values = { seat: seat.number, mark: mark.kind };
  return pressMark(context, "hand.withdraw_mark", values, as).then((isDone) => isDone && unsay());
};

const take = (context, { slot: index }) => {
  const model = entry(context.model);
  const { current: seat } = model;
  keep(context, model, { seats: withSeat(seat, { cards: seat.cards.with(Number(index), null) }) });
};

const stepCount = (context, { by }) => {
  const { asks } = shownIn(context);
  const { size } = entry(context.model);
  const step = Number(by);
  const count = asks.count + step === size ? size + step : asks.count + step; // the right number is no misdeal
  asks.count = Math.min(MOST_CARDS, Math.max(0, count));
};

/* Local ones answer nothing, so that a quick second tap is not taken for a double one. */
export const actions = {
  "picker.card": (context, { card }) => void put(context, card),
  "picker.take": take,
  "picker.seat": (context, { number }) => goTo(context, Number(number)),
  "picker.undo": undo,
  "picker.ask": ask,
  "picker.choose": (context, { natural }) => void (shownIn(context).asks.natural = natural),
  "picker.count": stepCount,
  "picker.looked": (context) => {
    const { asks } = shownIn(context);
    asks.wasLookedAt = !asks.wasLookedAt;
  },
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
