/* What lies on the table of a Pai Gow hand before the dice, from state and draft: wagers by spot, the bank, who is to be
   asked next, and what an amount may be. */
import { money, say } from "./dom.js";
import { idOf, personOf, ruled } from "./keypad.js";

export const SPOTS = [1, 2, 3, 4, 5, 6, 7];

/* ---- what lies on the table: what the server has, and the draft ---- */

export const sum = (entries) => entries.reduce((all, each) => all + each.amount_cents, 0);
export const isOf = (who) => (entry) => idOf(entry.sitting) === who;
export const isAt = (position, who) => (entry) => entry.position === position && isOf(who)(entry);

export const drafted = ({ draft }) => draft.wagers ?? [];
export const shares = ({ draft }) => draft.bank ?? [];
export const lying = ({ shown }) => shown.hand.wagers;

export const bankerOf = (shown) => shown.seats.find((seat) => seat.number === shown.hand.button);
export const seatAt = (shown, position) => shown.seats.find((seat) => seat.number === position);
export const onSpot = (model, position) =>
  [...lying(model), ...drafted(model)].filter((each) => each.position === position);
export const hasBank = (model) =>
  model.shown.hand.bank.length > 0 || shares(model).some(isOf(idOf(bankerOf(model.shown).sitting)));

/* Spots of players who have not wagered yet and are there to do so, from the Player/Dealer's left round. */
const waiting = (model) => {
  const { hand, ...shown } = model.shown;
  return SPOTS.map((step) => ((hand.button - 1 + step) % SPOTS.length) + 1)
    .filter((position) => position !== hand.button)
    .map((position) => seatAt(shown, position))
    .filter((seat) => seat.sitting && !seat.is_absent && seat.stack_cents > 0)
    .filter(
      (seat) =>
        !onSpot(model, seat.number).some(isOf(idOf(seat.sitting))) && !(model.draft.passed ?? []).includes(seat.number),
    );
};

/* What an amount is asked for: what was tapped, else the next player, else the bank; null when only dice are left. */
export const targetOf = (model) => {
  const { target } = model.ui;
  if (target && (!target.who || personOf(model.shown, target.who))) return target;
  const [next] = waiting(model);
  if (next) return { kind: "wager", position: next.number, who: idOf(next.sitting) };
  return hasBank(model) ? null : { kind: "bank", who: idOf(bankerOf(model.shown).sitting) };
};

export const isBank = (target) => target.kind === "bank";
export const entriesFor = (model, target) => (isBank(target) ? shares(model) : drafted(model));
export const isTarget = (target) => (isBank(target) ? isOf(target.who) : isAt(target.position, target.who));
export const enteredFor = (model, target) => entriesFor(model, target).find(isTarget(target));

/* Chips somebody has for this, beside what they have put down already. The collection is the server's to take. */
export const leftFor = (model, target) => {
  const person = personOf(model.shown, target.who);
  const mine = [...drafted(model), ...shares(model)].filter(isOf(target.who));
  return person.stack_cents - sum(mine) + (enteredFor(model, target)?.amount_cents ?? 0);
};

const reaches = (person, position) => person.seat !== null && Math.abs(person.seat - position) <= 1;

/* Why an amount cannot be, as far as this device knows; null when it can. */
export const whyNot = (model, target, cents) => {
  const { table_min_cents: least, chip_denominations: chips } = model.shown.session;
  const smallest = chips?.length ? Math.min(...chips) : 0;
  const left = leftFor(model, target);
  if (!cents) return null;
  if (!isBank(target) && cents < least)
    return ruled(say(gettext("The table minimum is %(least)s"), { least: money(least) }), "PG-05");
  if (smallest && cents % smallest)
    return ruled(say(gettext("The smallest chip of this game is %(chip)s"), { chip: money(smallest) }), "PG-05");
  if (cents > left)
    return say(gettext("%(name)s has %(left)s left"), {
      name: personOf(model.shown, target.who).name,
      left: money(left),
    });
  return null;
};

export const noteOn = (model, target, cents) => {
  const { table_max_cents: most } = model.shown.session;
  const person = personOf(model.shown, target.who);
  if (isBank(target)) return ruled(gettext("The bank has no maximum"), "PG-05");
  if (cents > most) {
    const values = { over: money(cents - most), most: money(most) };
    return ruled(say(gettext("%(over)s over the maximum of %(most)s has no action and goes back"), values), "PG-05");
  }
  return reaches(person, target.position) ? "" : ruled(gettext("The dealer puts this wager down"), "PG-06");
};

const lastOf = ({ shown }, target) =>
  (isBank(target) ? shown.last_stakes.bank : shown.last_stakes.wagers).find(isTarget(target))?.amount_cents;

/* Amounts taken by one tap, each only once and none that cannot be. */
export const usualAmounts = (model, target) => {
  const { table_min_cents: least, table_max_cents: most } = model.shown.session;
  const last = lastOf(model, target);
  const entered = enteredFor(model, target);
  const all = sum(
    [...lying(model), ...drafted(model)].map((each) => ({ amount_cents: Math.min(each.amount_cents, most) })),
  );
  const usual = isBank(target)
    ? [
        [last, gettext("as last")],
        [all, gettext("covers all")],
        [2 * all, gettext("twice that")],
      ]
    : [
        [entered && entered.amount_cents + least, gettext("minimum more")],
        [last, gettext("as last")],
        [least, gettext("minimum")],
        [2 * (last ?? least), gettext("twice")],
        [5 * least, gettext("five times")],
        [most, gettext("maximum")],
      ];
  const fitting = usual.filter(
    ([cents]) => cents && !whyNot(model, target, cents) && (isBank(target) || cents <= most),
  );
  return fitting.filter(([cents], place) => fitting.findIndex(([other]) => other === cents) === place);
};

/* The last hand's stakes that can be put down again: who is there, has the chips, and does not hold the bank now. */
export const again = (model) => {
  const { shown } = model;
  const isThere = (each) => {
    const found = personOf(shown, each.sitting);
    return found && !found.is_absent && found.stack_cents >= each.amount_cents;
  };
  const { wagers, bank } = shown.last_stakes;
  const isSameBanker = bank.length > 0 && idOf(bank[0].sitting) === idOf(bankerOf(shown).sitting);
  return {
    wagers: wagers.filter((each) => each.position !== shown.hand.button && isThere(each)),
    bank: isSameBanker && isThere(bank[0]) ? bank.filter(isThere) : [],
  };
};
