/* A hand as far as it is entered: worked out from state and draft, and changed by keeping the next draft. Nothing is drawn here.

   A seat of the draft holds a card or null for each slot, front to back, so that a card taken out leaves its hole to be filled.
   `typed` remembers in which order slots were filled, for undo. `looked_at` is how many cards a Pai Gow hand has whose wrong count
   was found after somebody had looked at it, which makes it a foul rather than a misdeal (PG-43). `sizes` is how many cards its
   segments were set with, where that is not as it should be. */
import { say } from "./dom.js";
import { automaticWins, bears, chineseFouls, deckOf, HAND_SIZES, paiGowFouls, SEGMENTS } from "./cards.js";

export const CHINESE = "chinese-poker";
const FULL_DECK_SEATS = 4; // so many hands of thirteen leave no card over (CP-01)

const keyOf = (id) => (id !== null && typeof id === "object" ? id.$from : id);

/* What the screen remembers of the picker until it is loaded again. */
export const shownIn = (place) => (place.ui.picker ??= { asks: null, finished: null, rank: "", isTyping: false });

const announced = (hand, number) => {
  const marks = hand.marks.filter(({ seat }) => seat === number);
  const of = (kind) => marks.find((mark) => mark.kind === kind);
  return {
    declares: of("declared")?.value ?? null,
    surrenders: Boolean(of("surrendered")),
    house_way: Boolean(of("house-way")),
    set_by_clock: Boolean(of("set-by-clock")),
  };
};

const padded = (cards, size) => Array.from({ length: size }, (_, slot) => cards[slot] ?? null);

/* A hand as it was entered before, by number. */
const enteredSeats = (game, hand) =>
  Object.fromEntries(
    hand.entered.map((item) => {
      const isPile = item.cards !== undefined;
      const texts = isPile ? [item.cards] : SEGMENTS[game].map(([segment]) => item[segment]);
      const segments = texts.map((text) => text.split(" ").filter(Boolean));
      const counts = segments.map((cards) => cards.length);
      const isRight = isPile || counts.every((count, place) => count === SEGMENTS[game][place][1]);
      const seat = { cards: segments.flat(), sizes: isRight ? undefined : counts };
      if (item.looked_at) return [item.position, { ...seat, looked_at: seat.cards.length }];
      if (game !== CHINESE) return [item.position, { ...seat, house_way: isPile }];
      return [item.seat, { ...seat, declares: item.declares ?? null, surrenders: Boolean(item.surrenders) }];
    }),
  );

/* Everything the views and actions work with, from state and draft alone. */
export const entry = ({ shown, draft }) => {
  const { hand, session, table } = shown;
  const { game } = table;
  const size = HAND_SIZES[game];
  // A revision that is still to be answered was recorded from this draft, and perhaps changed since.
  const isOwn = draft.revision === hand.revision || typeof draft.revision === "object" || !hand.entered.length;
  const isDraft = draft.seats && isOwn;
  const kept = isDraft ? draft.seats : enteredSeats(game, hand);
  const seats = hand.positions.map((number) => {
    const own = kept[number] ?? { cards: [] };
    const said = {
      ...announced(hand, number),
      ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
    };
    const cards = padded(own.cards, own.looked_at || size);
    const count = cards.filter(Boolean).length;
    const isPile = said.surrenders || said.house_way || said.set_by_clock || Boolean(own.looked_at);
    return { ...said, number, cards, count, isFull: count === cards.length, isPile };
  });
  const unfinished = seats.filter((seat) => !seat.isFull);
  const wanted = isDraft ? draft.current : null;
  const current = seats.find((seat) => seat.number === wanted) ?? unfinished[0] ?? seats[0];
  const typed = isDraft ? (draft.typed ?? []) : [];
  return { game, size, hand, session, table, parameters: session.parameters, seats, unfinished, current, typed };
};

export const seatOf = (model, number) => model.seats.find((seat) => seat.number === number);

/* How many cards each segment of a seat takes: as many as it should, or as many as it was set with (CP-31, PG-21). */
export const sizesOf = ({ game }, { sizes }) =>
  SEGMENTS[game].map(([segment, size], place) => [segment, sizes?.[place] ?? size]);

export const segmentsOf = (model, seat) => {
  const { cards } = seat;
  let from = 0;
  return Object.fromEntries(
    sizesOf(model, seat).map(([segment, size]) => {
      const own = cards.slice(from, from + size).filter(Boolean);
      from += size;
      return [segment, own];
    }),
  );
};

/* The cards that nobody else has, where they are exactly the last hand of a full deck; else null. */
export const lastHand = (model) => {
  const { game, seats, unfinished, current, size } = model;
  if (game !== CHINESE || seats.length !== FULL_DECK_SEATS) return null;
  if (unfinished.length !== 1 || unfinished[0] !== current) return null;
  const others = new Set(seats.filter((seat) => seat !== current).flatMap((seat) => seat.cards));
  const left = deckOf(game).filter((card) => !others.has(card));
  return left.length === size ? left : null;
};

/* Why a seat's hand is a foul, as far as it lies; a pile is none, nor is what counts as an automatic win undeclared (CP-20). */
export const foulsOf = (model, seat) => {
  if (seat.looked_at) {
    const values = { who: gettext("The pile"), count: seat.looked_at, size: model.size };
    return [
      { code: "looked-at", text: say(gettext("%(who)s has %(count)s cards, not %(size)s"), values), rule: "PG-43" },
    ];
  }
  if (seat.isPile) return [];
  const segments = segmentsOf(model, seat);
  if (model.game !== CHINESE) return paiGowFouls(segments, model.parameters);
  if (!seat.declares && !model.parameters.naturals_optional && winsOf(model, seat).length) return [];
  return chineseFouls(segments, model.parameters, seat.declares);
};

/* The automatic wins of a seat's cards, best first, also of a last hand that need not be typed. */
export const winsOf = (model, seat) => {
  if (model.game !== CHINESE || seat.surrenders) return [];
  const cards = seat === model.current && !seat.isFull ? (lastHand(model) ?? []) : seat.cards.filter(Boolean);
  return automaticWins(cards, model.parameters);
};

export const offerOf = (model, seat) =>
  seat.declares || seat.set_by_clock || !model.parameters.naturals_optional ? null : (winsOf(model, seat)[0] ?? null);

/* ---- changing it ---- */

const kept = (seat) => {
  const { cards, declares, surrenders, house_way, looked_at, sizes } = seat;
  return { cards, declares, surrenders, house_way, looked_at, sizes };
};

/* Keep the seats as they are now; drawn at once, on the device a moment later. */
export const keep = (context, model, changes) => {
  const seats = Object.fromEntries(model.seats.map((seat) => [seat.number, kept(seat)]));
  delete context.ui.refusal;
  context.setDraft({
    hand: keyOf(model.hand.id),
    revision: model.hand.revision,
    current: model.current.number,
    typed: model.typed,
    ...changes,
    seats: { ...seats, ...changes.seats },
  });
};

export const withSeat = (seat, changes) => ({ [seat.number]: { ...kept(seat), ...changes } });

/* Fill slots of the current seat and, once it is full, move to the next one that is not. */
export const fill = (context, model, cards, slots) => {
  const { current: seat, seats } = model;
  const filled = [...seat.cards];
  slots.forEach((slot, place) => (filled[slot] = cards[place]));
  const isFull = filled.every(Boolean);
  const place = seats.indexOf(seat);
  const next = [...seats.slice(place + 1), ...seats.slice(0, place)].find((each) => !each.isFull);
  const moves = isFull && next;
  const ui = shownIn(context);
  if (moves) ui.finished = seat.number;
  if (isFull) context.buzz();
  keep(context, model, {
    seats: withSeat(seat, { cards: filled }),
    typed: [...model.typed, [seat.number, slots]],
    current: moves ? next.number : seat.number,
  });
};

export const holes = (seat) => seat.cards.flatMap((card, slot) => (card ? [] : [slot]));

export const put = (context, card) => {
  const model = entry(context.model);
  const { current: seat } = model;
  const isUsed = model.seats.some((each) => each.cards.includes(card));
  if (seat.isFull || isUsed) return false;
  const [slot, ...others] = holes(seat);
  const rest = lastHand(model)?.filter((each) => each !== card && !seat.cards.includes(each));
  if (rest && isOneSegment(model, others)) fill(context, model, [card, ...rest], [slot, ...others]);
  else fill(context, model, [card], [slot]);
  return true;
};

/* Whether what is left to fill lies in one segment, so that the cards left over can only lie one way. */
const isOneSegment = (model, slots) => {
  let from = 0;
  return sizesOf(model, model.current).some(([, size]) => {
    const low = from;
    from += size;
    return slots.every((slot) => slot >= low && slot < from);
  });
};

export const undo = (context) => {
  const model = entry(context.model);
  const typed = [...model.typed];
  let step = typed.pop();
  const isStale = ([number, slots]) => !slots.some((slot) => seatOf(model, number)?.cards[slot]);
  while (step && isStale(step)) step = typed.pop();
  step ??= lastEntered(model);
  if (!step) return;
  const [number, slots] = step;
  const seat = seatOf(model, number);
  const cards = seat.cards.map((card, slot) => (slots.includes(slot) ? null : card));
  shownIn(context).finished = null;
  keep(context, model, { seats: withSeat(seat, { cards }), typed, current: number });
};

/* Without a memory of the typing: the last card of the current seat or, where it has none, of those before it. */
const lastEntered = ({ seats, current }) => {
  const until = seats.slice(0, seats.indexOf(current) + 1).reverse();
  const seat = until.find((each) => each.count);
  return seat ? [seat.number, [seat.cards.findLastIndex(Boolean)]] : null;
};

/* ---- the hand record ---- */

const text = (cards) => cards.filter(Boolean).join(" ");

export const asRecorded = (model) => (seat) => {
  const key = model.game === CHINESE ? "seat" : "position";
  const item = { [key]: seat.number };
  const isShown = seat.declares && seat.isFull && bears(seat.declares, seat.cards);
  if (seat.isPile || isShown) item.cards = text(seat.cards);
  else for (const [segment, cards] of Object.entries(segmentsOf(model, seat))) item[segment] = text(cards);
  if (seat.declares) item.declares = seat.declares;
  if (seat.surrenders) item.surrenders = true;
  if (seat.looked_at) item.looked_at = true;
  return item;
};

export const nextSeat = ({ seats, unfinished, current }) => {
  const place = seats.indexOf(current);
  return [...seats.slice(place + 1), ...seats.slice(0, place)].find((seat) => unfinished.includes(seat));
};
