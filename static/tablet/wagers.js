/* Wagers and bank of a Pai Gow hand: tap a spot, tap an amount, and the next player comes by themselves; then the bank
   and its Kum-Kum partners. With the dice all of it is kept in `draft` until "No more bets" sends it in one press. */
import { DICE, diceOf, dicePart } from "./dice.js";
import { h, money, say } from "./dom.js";
import { actions as keypadActions, forget, idOf, keypad, people, personOf, pressAt, refused, ruled, typedCents } from "./keypad.js";

const SPOTS = [1, 2, 3, 4, 5, 6, 7];
const AT = "wagers";

/* ---- what lies on the table: what the server has, and the draft ---- */

const sum = (entries) => entries.reduce((all, each) => all + each.amount_cents, 0);
const isOf = (who) => (entry) => idOf(entry.sitting) === who;
const isAt = (position, who) => (entry) => entry.position === position && isOf(who)(entry);

const drafted = ({ draft }) => draft.wagers ?? [];
const shares = ({ draft }) => draft.bank ?? [];
const lying = ({ shown }) => shown.hand.wagers;

const bankerOf = (shown) => shown.seats.find((seat) => seat.number === shown.hand.button);
const seatAt = (shown, position) => shown.seats.find((seat) => seat.number === position);
const onSpot = (model, position) => [...lying(model), ...drafted(model)].filter((each) => each.position === position);
const hasBank = (model) => model.shown.hand.bank.length > 0 || shares(model).some(
  isOf(idOf(bankerOf(model.shown).sitting)),
);

/* Spots of players who have not wagered yet and are there to do so, from the Player/Dealer's left round. */
const waiting = (model) => {
  const { hand, ...shown } = model.shown;
  return SPOTS.map((step) => ((hand.button - 1 + step) % SPOTS.length) + 1)
    .filter((position) => position !== hand.button)
    .map((position) => seatAt(shown, position))
    .filter((seat) => seat.sitting && !seat.is_absent && seat.stack_cents > 0)
    .filter(
      (seat) => !onSpot(model, seat.number).some(
        isOf(idOf(seat.sitting)),
      ) && !(model.draft.passed ?? []).includes(seat.number),
    );
};

/* What an amount is asked for: what was tapped, else the next player, else the bank; null when only dice are left. */
const targetOf = (model) => {
  const { target } = model.ui;
  if (target && (!target.who || personOf(model.shown, target.who))) return target;
  const [next] = waiting(model);
  if (next) return { kind: "wager", position: next.number, who: idOf(next.sitting) };
  return hasBank(model) ? null : { kind: "bank", who: idOf(bankerOf(model.shown).sitting) };
};

const isBank = (target) => target.kind === "bank";
const entriesFor = (model, target) => (isBank(target) ? shares(model) : drafted(model));
const isTarget = (target) => (isBank(target) ? isOf(target.who) : isAt(target.position, target.who));
const enteredFor = (model, target) => entriesFor(model, target).find(isTarget(target));

/* Chips somebody has for this, beside what they have put down already. The collection is the server's to take. */
const leftFor = (model, target) => {
  const person = personOf(model.shown, target.who);
  const mine = [...drafted(model), ...shares(model)].filter(isOf(target.who));
  return person.stack_cents - sum(mine) + (enteredFor(model, target)?.amount_cents ?? 0);
};

const reaches = (person, position) => person.seat !== null && Math.abs(person.seat - position) <= 1;

/* Why an amount cannot be, as far as this device knows; null when it can. */
const whyNot = (model, target, cents) => {
  const { table_min_cents: least, chip_denominations: chips } = model.shown.session;
  const smallest = chips?.length ? Math.min(...chips) : 0;
  const left = leftFor(model, target);
  if (!cents) return null;
  if (!isBank(target) && cents < least) return ruled(
    say(gettext("The table minimum is %(least)s"), { least: money(least) }),
    "PG-05",
  );
  if (smallest && cents % smallest) return ruled(
    say(gettext("The smallest chip of this game is %(chip)s"), { chip: money(smallest) }),
    "PG-05",
  );
  if (cents > left) return say(
    gettext("%(name)s has %(left)s left"),
    { name: personOf(model.shown, target.who).name, left: money(left) },
  );
  return null;
};

const noteOn = (model, target, cents) => {
  const { table_max_cents: most } = model.shown.session;
  const person = personOf(model.shown, target.who);
  if (isBank(target)) return ruled(gettext("The bank has no maximum"), "PG-05");
  if (cents > most) {
    const values = { over: money(cents - most), most: money(most) };
    return ruled(say(gettext("%(over)s over the maximum of %(most)s has no action and goes back"), values), "PG-05");
  }
  return reaches(person, target.position) ? "" : ruled(gettext("The dealer puts this wager down"), "PG-06");
};

/* ---- the seven spots ---- */

const spot = (model, position, target) => {
  const { shown, draft } = model;
  const seat = seatAt(shown, position);
  const isBanks = position === shown.hand.button;
  const here = isBanks ? [...shown.hand.bank, ...shares(model)] : onSpot(model, position);
  const isOn = target !== null && (isBanks ? isBank(target) : target.position === position);
  const flags = [!seat.sitting && !here.length && "free", isBanks && "spot-bank", here.length > 0 && "has-bet"];
  const isOwn = here.some(isOf(idOf(seat.sitting)));
  const others = here.length - (isOwn ? 1 : 0);
  const behind = isOwn ? say(gettext("+%(others)s more"), { others }) : gettext("backline");
  const about = isBanks
    ? gettext("bank")
    : seat.is_absent
      ? gettext("absent")
      : (draft.passed ?? []).includes(position)
        ? gettext("no wager")
        : "";
  return h(
    "button",
    {
      type: "button",
      key: `spot-${position}`,
      class: ["spot", ...flags.filter(Boolean)].join(" "),
      "data-act": "wagers.spot",
      "data-position": position,
      "aria-pressed": String(isOn),
    },
    h(
      "span",
      { class: "spot-name" },
      h("span", { class: "seat-number" }, position),
      " ",
      seat.sitting ? seat.name : gettext("empty"),
    ),
    h("strong", { class: "spot-amount" }, here.length ? money(sum(here)) : "–"),
    h("span", { class: "spot-about small" }, [about, others > 0 ? behind : ""].filter(Boolean).join(" · ")),
  );
};

/* ---- the amount ---- */

const lastOf = ({ shown }, target) =>
  (isBank(target) ? shown.last_stakes.bank : shown.last_stakes.wagers).find(isTarget(target))?.amount_cents;

/* Amounts taken by one tap, each only once and none that cannot be. */
const usualAmounts = (model, target) => {
  const { table_min_cents: least, table_max_cents: most } = model.shown.session;
  const last = lastOf(model, target);
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

const amounts = (model, target) => {
  const entered = enteredFor(model, target);
  return h(
    "div",
    { class: "quick" },
    usualAmounts(model, target).map(([cents, words]) =>
      h(
        "button",
        {
          type: "button",
          key: String(cents),
          "data-act": "wagers.amount",
          "data-cents": cents,
          "aria-pressed": String(entered?.amount_cents === cents),
        },
        h("strong", {}, money(cents)),
        h("span", { class: "small" }, words),
      ),
    ),
    h("button", { type: "button", key: "other", "data-act": "wagers.other" }, gettext("Other …")),
    entered
      ? h("button", { type: "button", key: "off", "data-act": "wagers.off" }, gettext("Take off"))
      : isBank(target)
        ? null
        : h("button", { type: "button", key: "pass", "data-act": "wagers.pass" }, gettext("No wager")),
  );
};

const typing = (model, target) => {
  const name = `wager-${target.position ?? "bank"}-${target.who}`;
  const preset = enteredFor(model, target)?.amount_cents ?? null;
  const cents = typedCents(model.ui, name, preset);
  return [
    keypad(model, {
      name,
      label: gettext("Amount"),
      preset_cents: preset,
      blocked: whyNot(model, target, cents),
      note: noteOn(model, target, cents),
      confirm: {
        act: "wagers.typed",
        data: { "data-name": name },
        words: (amount) => say(gettext("Put down %(amount)s"), { amount }),
      },
    }),
    h("button", { type: "button", class: "quiet", key: "quick", "data-act": "wagers.other" }, gettext("Quick amounts")),
  ];
};

/* ---- whose it is ---- */

/* Who else has money here; one tap chooses theirs, to change it or take it off. */
const others = (model, target) => {
  const mine = isBank(target) ? shares(model) : drafted(model).filter((each) => each.position === target.position);
  return mine.map(
    (each) => ({ ...each, who: idOf(each.sitting), name: personOf(model.shown, each.sitting)?.name ?? "" }),
  );
};

const person = (each, isOn, about) =>
  h(
    "button",
    {
      type: "button",
      key: `who-${idOf(each.sitting)}`,
      "data-act": "wagers.who",
      "data-who": idOf(each.sitting),
      "aria-pressed": String(isOn),
    },
    h("span", { class: "standing-name" }, each.name),
    h("span", { class: "seat-stack" }, about),
  );

const chooser = (model, target) => {
  const { shown } = model;
  const placed = others(model, target);
  const banker = bankerOf(shown);
  const chosen = target.who && !placed.some((each) => each.who === target.who) ? personOf(shown, target.who) : null;
  const more = target.isChoosing ? people(shown).filter((each) => idOf(each.sitting) !== idOf(banker.sitting)) : [];
  const left = more.filter((each) => idOf(each.sitting) !== target.who && !placed.some(isOf(idOf(each.sitting))));
  return h(
    "div",
    { class: "choices whose", role: "group", "aria-label": gettext("Whose") },
    placed.map((each) => person(each, each.who === target.who, money(each.amount_cents))),
    chosen ? person(chosen, true, "") : null,
    left.map((each) => person(each, false, money(each.stack_cents))),
    target.isChoosing ? null : h(
      "button",
      { type: "button", key: "more", class: "quiet", "data-act": "wagers.more" },
      isBank(target) ? gettext("Kum-Kum partner …") : gettext("Backline …"),
    ),
  );
};

/* What was put down one by one before, through another screen: it can be taken back from here. */
const placedBefore = (model, target) =>
  isBank(target)
    ? model.shown.hand.bank.length
      ? h(
        "div",
        { class: "sheet-row" },
        h("span", {}, say(gettext("Bank of %(amount)s lies there"), { amount: money(sum(model.shown.hand.bank)) })),
        h("button", { type: "button", "data-act": "wagers.take_back_bank" }, gettext("Take it back")),
      )
      : null
    : lying(model)
        .filter((each) => each.position === target.position)
        .map((each) =>
          h(
            "div",
            { class: "sheet-row", key: each.id },
            h(
              "span",
              {},
              say(
                each.by_dealer
                  ? gettext(
                      "%(name)s, %(amount)s, put down by the dealer",
                    )
                  : gettext("%(name)s, %(amount)s"),
                { name: each.name, amount: money(each.amount_cents) },
              ),
            ),
            h(
              "button",
              { type: "button", "data-act": "wagers.take_back", "data-wager": idOf(each.id) },
              gettext("Take it back"),
            ),
          ),
        );

const titleOf = (shown, target) => {
  const name = target.who ? personOf(shown, target.who).name : null;
  if (!isBank(target)) {
    return name
      ? say(gettext("Spot %(position)s · %(name)s"), { position: target.position, name })
      : say(gettext("Spot %(position)s · who wagers?"), target);
  }
  const isBankers = idOf(bankerOf(shown).sitting) === target.who;
  return isBankers ? say(gettext("Bank · %(name)s"), { name }) : say(gettext("Bank partner · %(name)s"), { name });
};

const amountPart = (model, target) => {
  if (target === null) {
    return h(
      "section",
      { class: "bet", key: "bet", "aria-label": gettext("Amount") },
      h("h3", {}, gettext("All wagers are down")),
      h("p", { class: "muted" }, gettext("Tap a spot to change it. Then the dice.")),
    );
  }
  const note = target.who && !target.isTyping
    ? noteOn(
        model,
        target,
        enteredFor(model, target)?.amount_cents ?? 0,
      )
    : "";
  return h(
    "section",
    { class: "bet", key: "bet", "aria-label": gettext("Amount") },
    h(
      "div",
      { class: "bet-head" },
      h("h3", {}, titleOf(model.shown, target)),
      target.who
        ? h(
            "span",
            { class: "muted" },
            say(gettext("%(left)s left"), { left: money(leftFor(model, target)) }),
          )
        : null,
      h("span", { class: "bet-note small muted" }, note),
    ),
    placedBefore(model, target),
    !target.who ? null : target.isTyping ? typing(model, target) : amounts(model, target),
    target.isTyping ? null : chooser(model, target),
  );
};

/* ---- the view ---- */

/* The last hand's stakes that can be put down again: who is there, has the chips, and does not hold the bank now. */
const again = (model) => {
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

const repeat = (model) => {
  const { wagers } = again(model);
  if (!wagers.length || drafted(model).length || lying(model).length) return null;
  const values = { count: wagers.length, amount: money(sum(wagers)) };
  return h(
    "button",
    { type: "button", class: "repeat", "data-act": "wagers.repeat" },
    say(gettext("Repeat last wagers: %(count)s, %(amount)s"), values),
  );
};

export const wagersView = (model) => {
  const target = targetOf(model);
  return h(
    "section",
    { class: "panel wagers", key: "wagers" },
    h(
      "div",
      { class: "wagers-head" },
      h("h2", {}, gettext("Wagers")),
      h(
        "span",
        { class: "muted" },
        say(
          gettext("%(count)s down, %(amount)s"),
          {
            count: lying(model).length + drafted(model).length,
            amount: money(sum([...lying(model), ...drafted(model)])),
          },
        ),
      ),
      repeat(model),
    ),
    refused(model, AT),
    h(
      "div",
      { class: "spots", role: "group", "aria-label": gettext("Spots") },
      SPOTS.map((position) => spot(model, position, target)),
    ),
    amountPart(model, target),
    target?.isTyping ? null : dicePart(model),
  );
};

const missing = (model) => {
  if (!lying(model).length && !drafted(model).length) return gettext("Put down a wager");
  if (!hasBank(model)) return gettext("Put up the bank");
  return diceOf(model).length < DICE ? gettext("Tap the dice") : null;
};

export const wagersFoot = (model) => {
  const lacks = missing(model);
  return {
    secondary: null,
    next: h(
      "button",
      { type: "button", class: "primary next", "data-act": "wagers.close", disabled: Boolean(lacks) },
      lacks ?? gettext("No more bets"),
    ),
  };
};

/* ---- actions ---- */

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

const stakes = (entries) =>
  entries.map(
    ({ position, sitting, amount_cents }) => (position ? {
      position,
      sitting,
      amount_cents,
    } : { sitting, amount_cents }),
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
  if (bank.length && !(await pressAt(
    context,
    AT,
    "hand.bank",
    { hand_id: hand.id, shares: stakes(bank) },
    words,
  ))) return;
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
    else ui.target = {
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
  "wagers.take_back": (context, { wager }) => {
    const { id: hand_id, wagers } = context.model.shown.hand;
    const { id, name } = wagers.find((each) => idOf(each.id) === wager);
    const as = say(gettext("Wager of %(name)s taken back"), { name });
    return pressAt(context, AT, "hand.take_back_wager", { hand_id, wager: id }, as);
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
