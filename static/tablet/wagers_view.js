/* Wagers and bank as they are put down: the seven spots, what an amount is asked for, and the dice. */
import { DICE, diceOf, dicePart } from "./dice.js";
import { h, money, say } from "./dom.js";
import { idOf, keypad, people, personOf, refused, typedCents } from "./keypad.js";
import {
  again,
  bankerOf,
  drafted,
  enteredFor,
  hasBank,
  isBank,
  isOf,
  leftFor,
  lying,
  noteOn,
  onSpot,
  seatAt,
  shares,
  SPOTS,
  sum,
  targetOf,
  usualAmounts,
  whyNot,
} from "./stakes.js";

export const AT = "wagers";

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

/* What the keypad's amount is for. */
export const amountName = ({ position, who }) => `wager-${position ?? "bank"}-${who}`;

const typing = (model, target) => {
  const name = amountName(target);
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
  return mine.map((each) => ({
    ...each,
    who: idOf(each.sitting),
    name: personOf(model.shown, each.sitting)?.name ?? "",
  }));
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
    target.isChoosing
      ? null
      : h(
          "button",
          { type: "button", key: "more", class: "quiet", "data-act": "wagers.more" },
          isBank(target) ? gettext("Kum-Kum partner …") : gettext("Backline …"),
        ),
  );
};

/* A wager that lies there is changed by taking it back and putting down another. */
const changeKeys = ({ id, position, sitting }) => {
  const data = { "data-position": position, "data-who": idOf(sitting), "data-wager": id ? idOf(id) : null };
  const key = (act, words) => h("button", { type: "button", "data-act": act, ...data }, words);
  return [
    key("wagers.change", gettext("Change")),
    key("wagers.take_back", id ? gettext("Take it back") : gettext("Take off")),
  ];
};

/* What somebody has wagered so far, for the sheet of their seat or of their place on the backline. */
export const wagersOf = (model, { sitting }) => {
  if (!model.shown.hand?.wagers_open) return null;
  const mine = [...lying(model), ...drafted(model)].filter(isOf(idOf(sitting)));
  if (!mine.length) return null;
  return h(
    "section",
    { class: "sheet-part", key: "wagers", "aria-label": gettext("Wagers") },
    h("h3", {}, gettext("Wagers")),
    mine.map((each) =>
      h(
        "div",
        { class: "sheet-row", key: `${each.position}-${each.id ? idOf(each.id) : ""}` },
        h("span", {}, say(gettext("Spot %(position)s: %(amount)s"), { ...each, amount: money(each.amount_cents) })),
        changeKeys(each),
      ),
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
                  ? gettext("%(name)s, %(amount)s, put down by the dealer")
                  : gettext("%(name)s, %(amount)s"),
                { name: each.name, amount: money(each.amount_cents) },
              ),
            ),
            changeKeys(each),
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
  const note =
    target.who && !target.isTyping ? noteOn(model, target, enteredFor(model, target)?.amount_cents ?? 0) : "";
  return h(
    "section",
    { class: "bet", key: "bet", "aria-label": gettext("Amount") },
    h(
      "div",
      { class: "bet-head" },
      h("h3", {}, titleOf(model.shown, target)),
      target.who
        ? h("span", { class: "muted" }, say(gettext("%(left)s left"), { left: money(leftFor(model, target)) }))
        : null,
      h("span", { class: "bet-note small muted" }, note),
    ),
    placedBefore(model, target),
    !target.who ? null : target.isTyping ? typing(model, target) : amounts(model, target),
    target.isTyping ? null : chooser(model, target),
  );
};

/* ---- the view ---- */

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
        say(gettext("%(count)s down, %(amount)s"), {
          count: lying(model).length + drafted(model).length,
          amount: money(sum([...lying(model), ...drafted(model)])),
        }),
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
