/* What cards make, worked out on the tablet so that a dealer sees it while tapping: the names of hands, fouls, automatic
   wins. A mirror of tables/rules (ranking, joker, chinese, paigow), in the same words; the server's verdict is what counts.
   Pure: cards are texts ("As", "Td", "Jk"), parameters are the rule set's as the state has them. */
import { say } from "./dom.js";

export const RANKS = "AKQJT98765432"; // as the keys stand, the ace first
export const SUITS = "shdc";
export const JOKER = "Jk";
export const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣", k: "★" };

export const SEGMENTS = {
  "chinese-poker": [
    ["front", 3],
    ["middle", 5],
    ["back", 5],
  ],
  "pai-gow-poker": [
    ["front", 2],
    ["back", 5],
  ],
};
export const HAND_SIZES = { "chinese-poker": 13, "pai-gow-poker": 7 };

const CATEGORY = {
  high: 0,
  pair: 1,
  twoPair: 2,
  three: 3,
  straight: 4,
  flush: 5,
  full: 6,
  four: 7,
  straightFlush: 8,
  five: 9,
};
const BY_COUNTS = {
  5: CATEGORY.five,
  41: CATEGORY.four,
  32: CATEGORY.full,
  311: CATEGORY.three,
  3: CATEGORY.three,
  221: CATEGORY.twoPair,
  2111: CATEGORY.pair,
  21: CATEGORY.pair,
  2: CATEGORY.pair,
};
const ACE = 14;
const KING = 13;
const UNRANKED = -1;
const UNBEATEN = 1 << 30;

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
/* A card as somebody typed it: "as", "10H", "jk". Null for what is none, and for a joker where the game has none. */
export const parseCard = (text, game) => {
  const found = /^(10|[2-9tjqka])([shdc])$/i.exec(text);
  if (found) return (found[1] === "10" ? "T" : found[1].toUpperCase()) + found[2].toLowerCase();
  return game === "pai-gow-poker" && /^jk$/i.test(text) ? JOKER : null;
};

export const deckOf = (game) => {
  const cards = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  return game === "pai-gow-poker" ? [...cards, JOKER] : cards;
};

const rankOf = (card) => ACE - RANKS.indexOf(card[0]);

/* ---- strength: category << 20 | five nibbles of ranks, grouped by how often they occur (RK-01 to RK-04) ---- */

const pack = (category, ranks) =>
  ranks.reduce((strength, rank, place) => strength | (rank << (16 - 4 * place)), category << 20);

const grouped = (ranks) => {
  const counts = new Map();
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  const groups = [...counts].sort((one, other) => other[1] - one[1] || other[0] - one[0]);
  const category = BY_COUNTS[groups.map(([, count]) => count).join("")] ?? CATEGORY.high;
  return pack(
    category,
    groups.map(([rank]) => rank),
  );
};

const straightHigh = (ranks) => {
  const ordered = [...new Set(ranks)].sort((one, other) => one - other);
  if (ordered.length !== 5) return null;
  if (ordered[4] - ordered[0] === 4) return ordered[4];
  return ordered[4] === ACE && ordered[3] === 5 ? 5 : null; // the wheel, A 2 3 4 5 (RK-02)
};

const rankFive = (ranks, isSuited, wheel) => {
  const high = straightHigh(ranks);
  if (high !== null) {
    const category = isSuited ? CATEGORY.straightFlush : CATEGORY.straight;
    return pack(category, high === 5 && wheel === "second-highest" ? [KING, 1] : [high]);
  }
  if (isSuited)
    return pack(
      CATEGORY.flush,
      [...ranks].sort((one, other) => other - one),
    );
  return grouped(ranks);
};

const isOneSuit = (cards) => cards.every((card) => card[1] === cards[0][1]);

/* The joker as the best card under its rule: an ace or what completes a straight or flush (RK-07), or wild (RK-08). */
const rankFiveWithJoker = (cards, { joker, wheel }) => {
  const rest = cards.filter((card) => card !== JOKER);
  const ranks = rest.map(rankOf);
  if (rest.length === cards.length) return rankFive(ranks, isOneSuit(cards), wheel);
  const isWild = joker === "wild";
  if (ranks.every((rank) => rank === ranks[0])) return grouped([...ranks, isWild ? ranks[0] : ACE]);
  const isSuited = isOneSuit(rest);
  const completed = [CATEGORY.straight, CATEGORY.flush, CATEGORY.straightFlush];
  let best = 0;
  for (let rank = 2; rank <= ACE; rank += 1) {
    // In the suit of a flush the joker can only be a card that the hand does not hold.
    const strength = rankFive([...ranks, rank], isSuited && !ranks.includes(rank), wheel);
    if (strength > best && (isWild || rank === ACE || completed.includes(strength >> 20))) best = strength;
  }
  return best;
};

const rankFrontOfTwo = (cards, { joker }) => {
  const rest = cards.filter((card) => card !== JOKER).map(rankOf);
  if (rest.length === 1) rest.push(joker === "wild" ? rest[0] : ACE);
  return grouped(rest);
};

/* How strong each segment is; UNRANKED for one that has not its number of cards. */
export const strengthsOf = (game, segments, parameters) =>
  SEGMENTS[game].map(([segment, size]) => {
    const cards = segments[segment];
    if (cards.length !== size) return UNRANKED;
    if (size === 2) return rankFrontOfTwo(cards, parameters);
    return size === 3 ? grouped(cards.map(rankOf)) : rankFiveWithJoker(cards, parameters);
  });

/* ---- names ---- */

const rankWords = () => [
  ...[gettext("two"), gettext("three"), gettext("four"), gettext("five"), gettext("six"), gettext("seven")],
  ...[
    gettext("eight"),
    gettext("nine"),
    gettext("ten"),
    gettext("jack"),
    gettext("queen"),
    gettext("king"),
    gettext("ace"),
  ],
];
const rankPlurals = () => [
  ...[gettext("twos"), gettext("threes"), gettext("fours"), gettext("fives"), gettext("sixes"), gettext("sevens")],
  ...[
    gettext("eights"),
    gettext("nines"),
    gettext("tens"),
    gettext("jacks"),
    gettext("queens"),
    gettext("kings"),
    gettext("aces"),
  ],
];

const ranksIn = (strength) => [16, 12, 8, 4, 0].map((shift) => (strength >> shift) & 15).filter(Boolean);

/* A strength in words. A royal flush has its own name in Pai Gow Poker's back only (RK-05, RK-06). */
const handName = (strength, { royal = false } = {}) => {
  const ranks = ranksIn(strength);
  const [high, next] = ranks;
  const one = (rank) => rankWords()[rank - 2];
  const many = (rank) => rankPlurals()[rank - 2];
  const straight = next === 1 ? 5 : high;
  switch (strength >> 20) {
    case CATEGORY.high:
      if (ranks.length === 2) return say(gettext("%(first)s-%(second)s"), { first: one(high), second: one(next) });
      return say(gettext("high card: %(first)s"), { first: one(high) });
    case CATEGORY.pair:
      return say(gettext("pair of %(first)s"), { first: many(high) });
    case CATEGORY.twoPair:
      return say(gettext("two pair: %(first)s and %(second)s"), { first: many(high), second: many(next) });
    case CATEGORY.three:
      return say(gettext("three of a kind: %(first)s"), { first: many(high) });
    case CATEGORY.straight:
      return say(gettext("straight: %(first)s high"), { first: one(straight) });
    case CATEGORY.flush:
      return say(gettext("flush: %(first)s high"), { first: one(high) });
    case CATEGORY.full:
      return say(gettext("full house: %(first)s over %(second)s"), { first: many(high), second: many(next) });
    case CATEGORY.four:
      return say(gettext("four of a kind: %(first)s"), { first: many(high) });
    case CATEGORY.straightFlush:
      if (royal && high === ACE) return gettext("royal flush");
      return say(gettext("straight flush: %(first)s high"), { first: one(straight) });
    default:
      return say(gettext("five of a kind: %(first)s"), { first: many(high) });
  }
};

/* What each segment makes, in words, by segment; null for one that is not whole. */
export const handNames = (game, segments, parameters) => {
  const strengths = strengthsOf(game, segments, parameters);
  return Object.fromEntries(
    SEGMENTS[game].map(([segment], place) => {
      const royal = game === "pai-gow-poker" && segment === "back";
      return [segment, strengths[place] === UNRANKED ? null : handName(strengths[place], { royal })];
    }),
  );
};

export const segmentName = (segment) =>
  ({ front: gettext("front"), middle: gettext("middle"), back: gettext("back") })[segment];
const capitals = (segment) => ({ front: gettext("Front"), middle: gettext("Middle"), back: gettext("Back") })[segment];

/* How each segment stands to the one before it, where both are whole: {middle: "beats", back: "equals"}. */
export const orderOf = (game, segments, parameters) => {
  const strengths = strengthsOf(game, segments, parameters);
  const order = {};
  SEGMENTS[game].forEach(([segment], place) => {
    const [low, high] = [strengths[place - 1] ?? UNRANKED, strengths[place]];
    if (low === UNRANKED || high === UNRANKED) return;
    if (high > low) order[segment] = "beats";
    else order[segment] = high === low ? "equals" : "loses";
  });
  return order;
};

/* ---- fouls: {code, text, rule}, as tables/rules/*\/words.py says them; a hand may still be on its way ---- */

const sizeFouls = (game, segments, rule, isWhole) =>
  SEGMENTS[game]
    .map(([segment, size]) => [segment, segments[segment].length, size])
    .filter(([, count, size]) => (isWhole ? count !== size : count > size))
    .map(([segment, count, size]) => {
      const values = { who: capitals(segment), count, size };
      const text =
        count === 1
          ? gettext("%(who)s has 1 card, not %(size)s")
          : gettext("%(who)s has %(count)s cards, not %(size)s");
      return { code: "segment-size", text: say(text, values), rule };
    });

const outOfOrder = (code, first, second, names) => {
  const values = { first: capitals(first), second: segmentName(second), hand: names[first], other_hand: names[second] };
  const text =
    names[first] === names[second]
      ? gettext("%(first)s and %(second)s are both %(hand)s, and the other cards of %(second)s are lower")
      : gettext("%(first)s, %(hand)s, beats %(second)s, %(other_hand)s");
  return { code, text: say(text, values), rule: "CP-31" };
};

const chineseOrderFouls = (segments, parameters) => {
  const names = handNames("chinese-poker", segments, parameters);
  const [front, middle, back] = strengthsOf("chinese-poker", segments, parameters);
  if (middle === UNRANKED) return [];
  const fouls = [];
  if (front > middle) fouls.push(outOfOrder("front-beats-middle", "front", "middle", names));
  const backStands = back === UNRANKED ? UNBEATEN : back;
  if (middle > backStands) fouls.push(outOfOrder("middle-beats-back", "middle", "back", names));
  if (middle === backStands && !parameters.middle_may_equal_back) {
    const text = gettext("Middle and back are equal, %(hand)s, and the back must be higher");
    fouls.push({ code: "middle-equals-back", text: say(text, { hand: names.back }), rule: "CP-31" });
  }
  return fouls;
};

export const chineseFouls = (segments, parameters, declares = null) => {
  const cards = [...segments.front, ...segments.middle, ...segments.back];
  const isWhole = cards.length === HAND_SIZES["chinese-poker"];
  if (declares && isWhole && bears(declares, cards)) return [];
  const sizes = sizeFouls("chinese-poker", segments, "CP-31", cards.length >= HAND_SIZES["chinese-poker"]);
  const fouls = sizes.length ? sizes : chineseOrderFouls(segments, parameters);
  if (!declares || !isWhole) return fouls;
  const text = say(gettext("These cards are not %(natural)s"), { natural: naturalPhrase(declares) });
  return [...fouls, { code: "false-declaration", text, rule: "CP-27" }];
};

export const paiGowFouls = (segments, parameters) => {
  const count = segments.front.length + segments.back.length;
  const sizes = sizeFouls("pai-gow-poker", segments, "PG-21", count >= HAND_SIZES["pai-gow-poker"]);
  if (sizes.length || count < HAND_SIZES["pai-gow-poker"]) return sizes;
  const [front, back] = strengthsOf("pai-gow-poker", segments, parameters);
  if (front <= back) return [];
  const text = gettext("Front, %(front)s, beats back, %(back)s");
  const names = handNames("pai-gow-poker", segments, parameters);
  return [{ code: "front-beats-back", text: say(text, names), rule: "PG-21" }];
};

/* ---- automatic wins of thirteen cards (CP-21, CP-24 to CP-26) ---- */

const countsOf = (cards, keyOf) => {
  const counts = {};
  for (const card of cards) counts[keyOf(card)] = (counts[keyOf(card)] ?? 0) + 1;
  return counts;
};

const suitCounts = (cards) => Object.values(countsOf(cards, (card) => card[1])).sort((one, other) => one - other);
const mostOfOneColour = (cards) => Math.max(...Object.values(countsOf(cards, (card) => "hd".includes(card[1]))));

/* Ranks of every straight of a length, the ace low and high; 1 is the ace below the two. */
const straights = (length) =>
  Array.from({ length: ACE - length + 1 }, (_, low) =>
    Array.from({ length }, (__, step) => (low + step === 0 ? ACE : low + step + 1)),
  );
const FIVES = straights(5);
const THREES = straights(3);

/* The counts without a straight's ranks; null where one is missing. */
const without = (counts, ranks) => {
  if (!ranks.every((rank) => counts[rank])) return null;
  const left = [...counts];
  for (const rank of ranks) left[rank] -= 1;
  return left;
};

const isThreeStraights = (cards) => {
  const counts = Array.from({ length: ACE + 1 }, () => 0);
  for (const card of cards) counts[rankOf(card)] += 1;
  return THREES.some((three) => {
    const ten = without(counts, three);
    return (
      ten &&
      FIVES.some((five) => {
        const last = without(ten, five);
        return last && FIVES.some((other) => without(last, other));
      })
    );
  });
};

const BEARS = {
  dragon: (cards) => new Set(cards.map(rankOf)).size === 13,
  "thirteen-colors": (cards) => mostOfOneColour(cards) === 13,
  "twelve-colors": (cards) => mostOfOneColour(cards) === 12,
  "thirteen-suited": (cards) => suitCounts(cards).at(-1) === 13,
  "twelve-suited": (cards) => suitCounts(cards).at(-1) === 12,
  "six-pairs": (cards) => sum(Object.values(countsOf(cards, rankOf)).map((count) => Math.floor(count / 2))) === 6,
  "three-straights": isThreeStraights,
  "three-flushes": (cards) => ["3,5,5", "5,8", "3,10", "13"].includes(suitCounts(cards).join()),
};

/* Whether thirteen cards are this kind of automatic win. */
export const bears = (kind, cards) => BEARS[kind](cards);

/* The automatic wins of the rule set that thirteen cards bear, best first. */
export const automaticWins = (cards, parameters) =>
  cards.length === 13 ? parameters.naturals.map(({ kind }) => kind).filter((kind) => bears(kind, cards)) : [];

export const naturalName = (kind) =>
  ({
    dragon: gettext("dragon"),
    "six-pairs": gettext("six pairs"),
    "three-straights": gettext("three straights"),
    "three-flushes": gettext("three flushes"),
    "thirteen-colors": gettext("thirteen of one colour"),
    "twelve-colors": gettext("twelve of one colour"),
    "thirteen-suited": gettext("thirteen suited"),
    "twelve-suited": gettext("twelve suited"),
  })[kind];

/* As a sentence speaks of it. */
const naturalPhrase = (kind) => (kind === "dragon" ? gettext("a dragon") : naturalName(kind));
