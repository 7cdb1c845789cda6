/* The big keypads: amounts of money, and card numbers. What is typed is `ui.keypad = { name, text, isPreset }`; one is
   in use at a time, by the name of what it is for. A physical keyboard and a card reader type into the same field.
   Beside them: how a person is found again, and a press that shows its refusal where it was pressed. */
import { h, money } from "./dom.js";

export const isPaiGow = ({ table }) => table.game === "pai-gow-poker";

const MOST_DIGITS = 7;

/* Somebody who sat down without network has no id yet, but the name of the press that will give one. */
export const idOf = (sitting) => (typeof sitting === "string" ? sitting : JSON.stringify(sitting));

/* Everybody at the table, the seated first in seat order; `seat` is null on the backline. */
export const people = ({ seats, standing }) => [
  ...seats.filter((seat) => seat.sitting).map((seat) => ({ ...seat, seat: seat.number })),
  ...standing.map((each) => ({ ...each, seat: null })),
];

export const personOf = (shown, id) => people(shown).find((each) => idOf(each.sitting) === idOf(id));

/* Press, and keep a refusal with the place it was pressed at. Resolves to whether it was not refused. */
export const pressAt = async (context, at, verb, values, as) => {
  delete context.ui.refusal;
  context.buzz();
  const answer = await context.press(verb, values, { as });
  if (answer.waiting || answer.ok) return true;
  const { message, rule, fields } = answer.body ?? {};
  context.ui.refusal = { at, message, rule, fields };
  return false;
};

export const ruled = (words, rule) => [words, rule ? h("span", { class: "rule muted" }, ` (${rule})`) : null];

/* What was refused at this place; the words of some refusals end with the rule already. */
export const refused = ({ ui }, at) => {
  const said = ui.refusal;
  if (!said || said.at !== at) return null;
  const rule = said.rule && said.message.includes(said.rule) ? null : said.rule;
  return h("p", { class: "refusal", role: "alert", key: `refusal-${at}` }, ruled(said.message, rule));
};

/* What stands on a keypad: what was typed there, else what it begins with. */
const textOf = (ui, name, preset = "") => (ui.keypad?.name === name ? ui.keypad.text : preset);

const asText = (cents) => (cents ? String(cents / 100) : "");

/* Cents of what is typed; null for what is no amount. */
const asCents = (text) => {
  const clean = text.replace(/[$,\s]/g, "");
  return /^\d+(\.\d{1,2})?$/.test(clean) ? Math.round(Number(clean) * 100) : null;
};

export const typedCents = (ui, name, presetCents) => asCents(textOf(ui, name, asText(presetCents)));
export const typedText = (ui, name) => textOf(ui, name).trim();

export const forget = (ui) => {
  delete ui.keypad;
};

const pad = (name, preset, corner) =>
  h(
    "div",
    { class: "pad", role: "group", "aria-label": gettext("Keypad") },
    [..."123456789", corner, "0", "back"].map((key) =>
      h(
        "button",
        {
          type: "button",
          class: "pad-key",
          key,
          "data-act": "keypad.press",
          "data-name": name,
          "data-key": key,
          "data-preset": preset,
          "aria-label": key === "back" ? gettext("Delete") : null,
        },
        key === "back" ? "⌫" : key,
      ),
    ),
  );

/* What was typed so far, under its label, and where it is typed without the keys. */
const field = (label, ...inside) =>
  h("label", { class: "keypad-field" }, h("span", {}, label), h("span", { class: "keypad-amount" }, ...inside));

const typing = (name, more) =>
  h("input", { autocomplete: "off", "data-act": "keypad.type", "data-name": name, ...more });

const shownAmount = (text) => {
  const cents = asCents(text);
  return cents === null || text.includes(".") ? text : money(cents).slice(1);
};

/* An amount with its keys. `preset_cents` stands there until something is typed, `quick` are `{cents, words, why}`
   taken by one tap (with `why` they cannot be), `blocked` says why the amount cannot be, `note` what to know about it;
   `confirm` is the button `{act, words, data}` that takes the amount. */
export const keypad = ({ ui, shown }, options) => {
  const { name, label, preset_cents = null, quick = [], blocked = null, note = null, confirm } = options;
  const text = textOf(ui, name, asText(preset_cents));
  const cents = asCents(text);
  const isReady = Boolean(cents) && !blocked;
  const hasSmallChips = (shown.session?.chip_denominations ?? []).some((chip) => chip % 100);
  return h(
    "div",
    { class: "keypad", key: `keypad-${name}` },
    field(
      label,
      h("span", { "aria-hidden": "true" }, "$"),
      typing(name, { value: shownAmount(text), inputmode: "none", size: "8", placeholder: "0" }),
    ),
    quick.length
      ? h(
          "div",
          { class: "quick" },
          quick.map((each) =>
            h(
              "button",
              {
                type: "button",
                key: String(each.cents),
                "data-act": "keypad.set",
                "data-name": name,
                "data-cents": each.cents,
                "aria-pressed": String(each.cents === cents),
                disabled: Boolean(each.why),
              },
              h("strong", {}, money(each.cents)),
              h("span", { class: "small" }, each.words),
            ),
          ),
        )
      : null,
    pad(name, asText(preset_cents), hasSmallChips ? "." : "00"),
    h("p", { class: `keypad-note small ${blocked ? "warn" : "muted"}` }, blocked ?? note ?? ""),
    h(
      "button",
      {
        type: "button",
        class: "primary keypad-confirm",
        ...(isReady ? { "data-act": confirm.act, ...confirm.data } : { "aria-disabled": "true" }),
      },
      cents ? confirm.words(money(cents)) : gettext("Type an amount"),
    ),
  );
};

/* A card number with its keys; letters come from a keyboard or a card reader. `confirm` is the button that takes it. */
export const numberPad = ({ ui }, { name, label, confirm }) =>
  h(
    "div",
    { class: "keypad", key: `keypad-${name}` },
    field(label, typing(name, { name, value: textOf(ui, name), size: "12" })),
    pad(name, "", "clear"),
    confirm,
  );

const TWO_POINTS_OR_THREE_DECIMALS = /\..*\.|\.\d{3}/;
const fits = (text) => text.replace(/\D/g, "").length <= MOST_DIGITS && !TWO_POINTS_OR_THREE_DECIMALS.test(text);

export const actions = {
  "keypad.press": ({ ui, buzz }, { name, key, preset }) => {
    buzz();
    const isFirst = ui.keypad?.name !== name || ui.keypad.isPreset;
    const before = ui.keypad?.name === name ? ui.keypad.text : preset;
    const typed = isFirst ? key : before + key;
    const text = { back: before.slice(0, -1), clear: "" }[key] ?? typed;
    if (fits(text)) ui.keypad = { name, text };
  },
  "keypad.set": ({ ui, buzz }, { name, cents }) => {
    buzz();
    ui.keypad = { name, text: asText(Number(cents)), isPreset: true };
  },
  "keypad.type": ({ ui }, { name }, event) => {
    ui.keypad = { name, text: event.target.value };
  },
};
