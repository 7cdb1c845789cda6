/* What can go wrong with a hand or at the table, what has to be said of each, and whether the rules make a misdeal of it.
   Pure; the server decides (CP-40 to CP-43, PG-41 to PG-43, PG-47). */
import { JOKER } from "./cards.js";

const PAI_GOW = "pai-gow-poker";
const EXPOSED_LIMIT = 5; // so many cards of one hand exposed by the dealer are a misdeal (CP-40)
const STUB = 4;
const HAND = { "chinese-poker": 13, [PAI_GOW]: 7 };
const OF_CARDS = ["exposed", "boxed", "dealer-exposed"];

/* What is noted where a misdeal is called for a reason: what else was seen is noted by itself first. */
const NOTED_AS = {
  "dealer-exposed": "dealer-exposed",
  "wrong-count": "wrong-count",
  "wrong-seat": "wrong-seat",
  "joker-or-ace-exposed": "exposed",
  "cards-exposed": "exposed",
  "wrong-stub": "wrong-stub",
};

/* In the order in which they stand on the screen; `count`, `cards` and `seat` are what is asked for. */
const CAUSES = [
  { kind: "wrong-count", words: () => gettext("Wrong number of cards"), count: true, seat: true, isOfHand: true },
  { kind: "wrong-stub", words: () => gettext("Stub is not four"), count: true, isOfHand: true, game: PAI_GOW },
  { kind: "dealer-exposed", words: () => gettext("Exposed by the dealer"), seat: true, isOfHand: true },
  { kind: "exposed", words: () => gettext("Card exposed"), cards: true },
  { kind: "boxed", words: () => gettext("Card boxed"), cards: true },
  { kind: "wrong-seat", words: () => gettext("To the wrong player"), seat: true, isOfHand: true },
  { kind: "shown", words: () => gettext("Hand shown"), seat: true },
  { kind: "discussed", words: () => gettext("Hand discussed"), seat: true },
  { kind: "switched", words: () => gettext("Cards switched or passed"), seat: true },
  { kind: "held-out", words: () => gettext("Cards held out"), seat: true },
  { kind: "below-table", words: () => gettext("Cards below the table"), seat: true },
  { kind: "bet-removed", words: () => gettext("Bet removed"), seat: true, game: PAI_GOW },
  { kind: "other", words: () => gettext("Something else"), seat: true },
];

export const causesOf = ({ table: { game }, hand }) =>
  CAUSES.filter((cause) => (!cause.game || cause.game === game) && (hand || !cause.isOfHand)).map((cause) => {
    if (cause.kind !== "dealer-exposed") return cause;
    return game === PAI_GOW ? { ...cause, seat: false, cards: true } : { ...cause, count: true };
  });

export const causeOf = (shown, { kind }) => causesOf(shown).find((cause) => cause.kind === kind);

/* The number that would be right, which nobody has to note. */
export const rightCount = ({ table: { game } }, kind) => ({ "wrong-count": HAND[game], "wrong-stub": STUB })[kind] ?? 0;

export const firstCount = (shown, kind) => Math.max(1, rightCount(shown, kind) - 1);

const isSet = ({ hand }, seat) =>
  hand.marks.some((mark) => mark.seat === seat && ["set", "set-by-clock"].includes(mark.kind));

const notedCards = ({ hand }) =>
  (hand.incidents ?? [])
    .filter(({ kind }) => OF_CARDS.includes(kind))
    .flatMap(({ cards }) => cards.split(" ").filter(Boolean));

const notedCount = ({ hand }, seat) =>
  (hand.incidents ?? [])
    .filter((each) => each.kind === "dealer-exposed" && each.seat === seat)
    .reduce((sum, { count }) => sum + (count ?? 0), 0);

const exposedCode = (shown, cards) => {
  const all = new Set([...notedCards(shown), ...cards]);
  if ([...all].some((card) => card === JOKER || card[0] === "A")) return "joker-or-ace-exposed";
  return all.size > 1 ? "cards-exposed" : null;
};

/* The misdeal that this is, by its code; null for what is noted and played on. */
export const misdealOf = (shown, { kind, seat, count, cards }) => {
  if (!shown.hand) return null;
  if (kind === "wrong-count" || kind === "wrong-stub") return kind;
  if (shown.table.game === PAI_GOW) return OF_CARDS.includes(kind) && cards.length ? exposedCode(shown, cards) : null;
  if (kind === "dealer-exposed") return notedCount(shown, seat) + count >= EXPOSED_LIMIT ? kind : null;
  return kind === "wrong-seat" && !isSet(shown, seat) ? kind : null;
};

export const RULES = {
  "dealer-exposed": "CP-40",
  "wrong-seat": "CP-42",
  "joker-or-ace-exposed": "PG-41",
  "cards-exposed": "PG-42",
  "wrong-stub": "PG-43",
};
export const ruleOf = ({ table: { game } }, code) =>
  code === "wrong-count" && game === PAI_GOW ? "PG-43" : (RULES[code] ?? "CP-41");

export const isNotedWith = (code, kind) => NOTED_AS[code] === kind;
