/* Wagers and bank of a Pai Gow hand: tap a spot, tap an amount, and the next player comes by themselves; then the bank
   and its Kum-Kum partners. With the dice all of it is kept in `draft` until "No more bets" sends it in one press. */
import { DICE, diceOf } from "./dice.js";
import { say } from "./dom.js";
import { actions as keypadActions, forget, idOf, personOf, pressAt, typedCents } from "./keypad.js";

import {
  again,
  bankerOf,
  drafted,
  enteredFor,
  entriesFor,
  isAt,
  isBank,
  isOf,
  isTarget,
  lying,
  seatAt,
  shares,
  targetOf,
} from "./stakes.js";
import { amountName, AT } from "./wagers_view.js";

export { wagersFoot, wagersView } from "./wagers_view.js";

/* What is typed belongs to the hand; one started without network is known by the press that starts it. */
const keep = (context, patch) => {
  const { id } = context.model.shown.hand;
  return context.setDraft({ hand: typeof id === "string" ? id : id.$from, ...patch });
};

const without = (entries, target) => entries.filter((entry) => !isTarget(target)(entry));

/* The Player/Dealer's share stands first (PG-07). */
const inOrder = (shown, entries) => {
  const isBankers = isOf(idOf(bankerOf(shown).sitting));
  return [...entries.filter(isBankers), ...entries.filter((each) => !isBankers(each))];
};

const put = async (context, cents) => {
  const { model, ui } = context;
  const target = targetOf(model);
  const { sitting } = personOf(model.shown, target.who);
  const entry = { sitting, amount_cents: cents, ...(isBank(target) ? {} : { position: target.position }) };
  const had = entriesFor(model, target);
  const place = had.findIndex(isTarget(target));
  const entries = place < 0 ? [...had, entry] : had.with(place, entry);
  delete ui.target;
  delete ui.refusal;
  forget(ui);
  context.buzz();
  await keep(context, isBank(target) ? { bank: inOrder(model.shown, entries) } : { wagers: entries });
};

const aim = ({ ui, model }, patch) => {
  ui.target = { ...targetOf(model), ...patch };
  forget(ui);
};

const wagerAt = ({ position, who }) => ({ position: Number(position), who });

const takeBack = (context, wager) => {
  const { id: hand_id, wagers } = context.model.shown.hand;
  const { id, name } = wagers.find((each) => idOf(each.id) === wager);
  const as = say(gettext("Wager of %(name)s taken back"), { name });
  return pressAt(context, AT, "hand.take_back_wager", { hand_id, wager: id }, as);
};

const stakes = (entries) =>
  entries.map(({ position, sitting, amount_cents }) =>
    position
      ? {
          position,
          sitting,
          amount_cents,
        }
      : { sitting, amount_cents },
  );

/* With something put down one by one already the rest goes the same way, and the dice last. */
const closeOneByOne = async (context, words) => {
  const { model } = context;
  const { hand } = model.shown;
  const [wagers, bank] = [drafted(model), shares(model)];
  for (const { position, sitting, amount_cents } of wagers) {
    const isDone = await pressAt(
      context,
      AT,
      "hand.wager",
      { hand_id: hand.id, position, sitting_id: sitting, amount_cents },
      words,
    );
    if (!isDone) return;
    await keep(context, { wagers: drafted(model).filter((each) => !isAt(position, idOf(sitting))(each)) });
  }
  if (bank.length && !(await pressAt(context, AT, "hand.bank", { hand_id: hand.id, shares: stakes(bank) }, words)))
    return;
  if (bank.length) await keep(context, { bank: [] });
  await pressAt(context, AT, "hand.open_dice", { hand_id: hand.id, dice: diceOf(model) }, words);
};

export const actions = {
  ...keypadActions,
  "wagers.spot": (context, { position }) => {
    const { ui, model, buzz } = context;
    const { shown } = model;
    const number = Number(position);
    const seat = seatAt(shown, number);
    buzz();
    forget(ui);
    if (number === shown.hand.button) ui.target = { kind: "bank", who: idOf(seat.sitting) };
    else
      ui.target = {
        kind: "wager",
        position: number,
        who: seat.sitting ? idOf(seat.sitting) : null,
        isChoosing: !seat.sitting,
      };
  },
  "wagers.who": (context, { who }) => aim(context, { who, isChoosing: false, isTyping: false }),
  "wagers.more": (context) => aim(context, { isChoosing: true }),
  "wagers.other": (context) => aim(context, { isTyping: !context.ui.target?.isTyping }),
  "wagers.amount": (context, { cents }) => put(context, Number(cents)),
  "wagers.typed": async (context, { name }) => {
    const cents = typedCents(
      context.ui,
      name,
      enteredFor(context.model, targetOf(context.model))?.amount_cents ?? null,
    );
    if (cents) await put(context, cents);
  },
  "wagers.off": async (context) => {
    const { model } = context;
    const target = targetOf(model);
    const entries = without(entriesFor(model, target), target);
    context.ui.target = target;
    await keep(context, isBank(target) ? { bank: entries } : { wagers: entries });
  },
  "wagers.pass": async (context) => {
    const { position } = targetOf(context.model);
    delete context.ui.target;
    await keep(context, { passed: [...(context.draft.passed ?? []), position] });
  },
  "wagers.repeat": async (context) => {
    delete context.ui.target;
    context.buzz();
    await keep(context, again(context.model));
  },
  "wagers.die": async (context, { face }) => {
    context.buzz();
    await keep(context, { dice: [...diceOf(context.model), Number(face)].slice(0, DICE) });
  },
  "wagers.clear_die": async (context, { place }) => {
    await keep(context, { dice: diceOf(context.model).toSpliced(Number(place), 1) });
  },
  "wagers.take_back": (context, data) => {
    const { ui, model } = context;
    const at = wagerAt(data);
    ui.target = { kind: "wager", ...at };
    if (data.wager) return takeBack(context, data.wager);
    return keep(context, { wagers: drafted(model).filter((each) => !isAt(at.position, at.who)(each)) });
  },
  "wagers.change": async (context, data) => {
    const { ui, model } = context;
    const { position, who } = wagerAt(data);
    const there = data.wager ? lying(model).filter(({ id }) => idOf(id) === data.wager) : drafted(model);
    const before = there.find(isAt(position, who));
    ui.sheet = null;
    ui.target = { kind: "wager", position, who, isTyping: true };
    ui.keypad = { name: amountName(ui.target), text: String(before.amount_cents / 100), isPreset: true };
    if (data.wager && !(await takeBack(context, data.wager))) {
      delete ui.target;
      forget(ui);
    }
  },
  "wagers.take_back_bank": (context) =>
    pressAt(context, AT, "hand.take_back_bank", { hand_id: context.model.shown.hand.id }, gettext("Bank taken back")),
  "wagers.close": async (context) => {
    const { model } = context;
    const { hand } = model.shown;
    const words = say(gettext("No more bets, hand %(number)s"), hand);
    delete context.ui.target;
    if (lying(model).length || hand.bank.length) return closeOneByOne(context, words);
    const [wagers, bank] = [stakes(drafted(model)), stakes(shares(model))];
    const values = { hand_id: hand.id, wagers, bank, dice: diceOf(model) };
    return pressAt(context, AT, "hand.close_wagers", values, words);
  },
};
