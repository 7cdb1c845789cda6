/* How the entering of a hand looks: the seats as tabs, the current one's segments as slots, a key for every card, and what
   the cards make as soon as it is known; and the next step. */
import { handNames, JOKER, naturalName, orderOf, RANKS, SEGMENTS, segmentName, SUITS } from "./cards.js";
import { h, say } from "./dom.js";
import { CHINESE, entry, foulsOf, holes, lastHand, nextSeat, offerOf, seatOf, segmentsOf, sizesOf } from "./entered.js";
import { cardKey, cardName, face, suitClass } from "./faces.js";
import { markWords } from "./marks.js";

export const AT = "picker";

/* ---- words ---- */

export const numbered = (model, number) =>
  say(model.game === CHINESE ? gettext("seat %(number)s") : gettext("position %(number)s"), { number });
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
const withRule = ({ text: words, rule }) => `${words} (${rule})`;

const nameOf = (shown, number) => {
  const seat = shown.seats.find((each) => each.number === number);
  if (seat?.sitting) return seat.name;
  return shown.hand.wagers?.find((wager) => wager.position === number)?.name ?? gettext("backline");
};

/* ---- the view ---- */

/* Marks that the picker shows, and takes back, as what was said of the seat. */
export const SHOWN_BY_DRAFT = ["declared", "surrendered", "house-way"];

/* What a tab says below the name, each with its tone: what is announced, a foul, what was marked, how far it is. */
const tabWords = (model, seat, now) => {
  const words = [];
  if (seat.declares) words.push([naturalName(seat.declares), "act"]);
  if (seat.surrenders) words.push([gettext("surrenders"), "warn"]);
  if (seat.house_way) words.push([gettext("house way"), "muted"]);
  if (foulsOf(model, seat).length) words.push([gettext("foul"), "stop"]);
  for (const mark of model.hand.marks) {
    if (mark.seat !== seat.number || SHOWN_BY_DRAFT.includes(mark.kind)) continue;
    words.push([markWords(mark, now), mark.kind === "set" ? "muted" : "warn"]);
  }
  if (seat.isFull) return words.length ? words.with(0, [`✓ ${words[0][0]}`, words[0][1]]) : [[gettext("✓ complete"), "muted"]];
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
        h("span", { class: "seat-tab-name" }, `${seat.number} ${nameOf(shown, seat.number)}`),
        h(
          "span",
          { class: "seat-tab-words" },
          tabWords(model, seat, now).map(([words, tone]) => h("span", { class: tone }, words)),
        ),
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
  const words =
    before &&
    {
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
      ? h(
          "span",
          { class: isFoul ? "stop" : words[1] },
          isFoul ? say(gettext("foul, %(words)s (%(rule)s)"), { words: words[0], rule }) : words[0],
        )
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
  return sizesOf(model, seat).map(([segment, size], place) => {
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

/* On a narrow screen the keys push the slots out of sight: the hand in one line stays above them. */
const handLine = (model, seat) => {
  const sizes = seat.isPile ? [seat.cards.length] : sizesOf(model, seat).map(([, size]) => size);
  const inLine = (card) =>
    card ? h("span", { class: suitClass(card) }, face(card)) : h("span", { class: "muted" }, "·");
  let from = 0;
  return h(
    "p",
    { class: "hand-line", key: "hand-line", "aria-hidden": "true" },
    h("span", { class: "muted" }, seat.number),
    sizes.map((size) =>
      h(
        "span",
        { class: "hand-part" },
        Array.from({ length: size }, () => inLine(seat.cards[from++])),
      ),
    ),
  );
};

const button = (act, words, data = {}, more = "") =>
  h("button", { type: "button", class: more, "data-act": `picker.${act}`, ...data }, words);

const declareButton = (seat, kind) =>
  button("ask", gettext("Declare"), { "data-ask": "declare", "data-number": seat.number, "data-natural": kind });

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
  return h(
    "p",
    { class: "muted" },
    gettext("The last 13 cards are known: tap front and middle, the back fills itself."),
  );
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

const key = (card, used, isShut) => cardKey("picker.card", card, { isUsed: used.has(card), isShut });

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

/* How many cards its segments were set with, the last one taking what is left. */
const sizesAsked = (model, { sizes }) =>
  sizesOf(model, { sizes }).map(([segment, size], place) => {
    const name = segmentName(segment);
    const steps = (sign, by, words) =>
      button("size", sign, { "data-place": place, "data-by": by, "aria-label": say(words, { segment: name }) }, "step");
    const isLast = place === sizes.length - 1;
    return h(
      "span",
      { class: "size", key: segment },
      h("span", {}, name),
      isLast ? null : steps("−", -1, gettext("One card fewer in the %(segment)s")),
      h("strong", { class: "step-count" }, size),
      isLast ? null : steps("+", 1, gettext("One card more in the %(segment)s")),
    );
  });

const choices = (model, asks) => {
  if (asks.kind === "declare") {
    return model.parameters.naturals.map(({ kind }) =>
      button(
        "choose",
        naturalName(kind),
        { "data-natural": kind, "aria-pressed": String(kind === asks.natural) },
        "choice",
      ),
    );
  }
  if (asks.kind === "sizes") return sizesAsked(model, asks);
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
    if (model.parameters.naturals.length)
      buttons.push(button("ask", gettext("Declare"), { ...at, "data-ask": "declare" }));
    if (shown.session.may_surrender)
      buttons.push(button("ask", gettext("Surrender"), { ...at, "data-ask": "surrender" }));
  }
  if (!seat.isPile && !seat.declares) {
    const words = seat.sizes
      ? say(gettext("Set %(sizes)s"), { sizes: seat.sizes.join("-") })
      : gettext("Wrong numbers");
    buttons.push(button("ask", words, { ...at, "data-ask": "sizes" }));
  }
  return buttons;
};

const tools = (model, shown) => {
  const joker = model.game === CHINESE ? null : key(JOKER, usedCards(model), model.current.isFull);
  return h(
    "div",
    { class: "tools" },
    joker,
    h("div", { class: "tools-rest", key: "tools" }, toolButtons(model, shown)),
  );
};

export const pickerView = (model) => {
  const entered = entry(model);
  const { current: seat } = entered;
  const who = `${capital(numbered(entered, seat.number))} · ${nameOf(model.shown, seat.number)}`;
  return h(
    "div",
    { class: `picker ${entered.game}` },
    tabs(entered, model),
    h("h2", { class: "visually-hidden" }, who),
    h(
      "div",
      { class: `segments${seat.isFull || seat.isPile ? "" : " is-open"}` },
      segmentRows(entered, seat, foulsOf(entered, seat)),
    ),
    saysLine(entered, model),
    handLine(entered, seat),
    keyboard(entered),
    tools(entered, model),
  );
};

/* ---- the foot ---- */

/* The next step while something is asked: whose, and what. */
export const confirmWords = (model, { kind, seat, natural, sizes }) => {
  const texts = {
    declare: gettext("%(who)s declares %(natural)s"),
    surrender: gettext("%(who)s surrenders"),
    "house-way": gettext("%(who)s: house way"),
    sizes: gettext("%(who)s set %(sizes)s"),
  };
  const who = capital(numbered(model, seat));
  return say(texts[kind], { who, natural: natural && naturalName(natural), sizes: sizes?.join("-") });
};

const nextStep = (model) => {
  const { unfinished, current, size, hand } = model;
  if (!unfinished.length && hand.stage === "setting")
    return button("all_set", gettext("Everybody has set"), {}, "primary next");
  if (!unfinished.length) return button("record", gettext("See who pays"), {}, "primary next");
  const other = nextSeat(model);
  if (other)
    return button("next", say(gettext("Next: %(seat)s"), { seat: numbered(model, other.number) }), {}, "primary next");
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
      h(
        "button",
        {
          type: "button",
          class: "danger",
          "data-act": "seen.open",
          "data-kind": "wrong-count",
          "data-seat": entered.current.number,
        },
        gettext("Misdeal"),
      ),
    ],
    next: nextStep(entered),
  };
};
