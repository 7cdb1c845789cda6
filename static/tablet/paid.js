/* What was really paid where that was not what the verdict says: it is posted as it happened, and floor hears of it. */
import { h, money, say } from "./dom.js";
import { forget, keypad, refused, typedCents } from "./keypad.js";
import { amountWords, head, keyOf, whoIs } from "./payments.js";

const AT = "verdict";

const dueOf = (payment) => payment.net_cents ?? payment.amount_cents;
const isWager = (payment) => payment.net_cents !== undefined;
const realOf = ({ ui }, payment) => ui.paid.amounts[payment.id] ?? dueOf(payment);
export const changed = (model) =>
  model.shown.hand.verdict.payments.filter((payment) => realOf(model, payment) !== dueOf(payment));

/* Below zero a payment went the other way: from who should have been paid. */
const realWords = (payment, cents) => {
  if (!cents) return gettext("nothing moved");
  const amount = money(Math.abs(cents));
  const isAsDue = Math.sign(cents) === Math.sign(dueOf(payment) || (isWager(payment) ? -1 : 1));
  const [from, to] = isAsDue ? [payment.payer, payment.payee] : [payment.payee, payment.payer];
  return say(gettext("%(amount)s, %(from)s → %(to)s"), { amount, from, to });
};

const paidForm = (model, payment) => {
  const { payer, payee, owed_cents: owed } = payment;
  const name = `paid-${payment.id}`;
  const isTurned = model.ui.paid.turned;
  const way = (words, turned) =>
    h(
      "button",
      {
        type: "button",
        "data-act": "verdict.paid_way",
        "data-turned": turned ? "yes" : "",
        "aria-pressed": String(isTurned === turned),
      },
      words,
    );
  return h(
    "div",
    { class: "paid-form" },
    h(
      "div",
      { class: "ways", role: "group", "aria-label": gettext("Which way the chips went") },
      way(say(gettext("%(payer)s paid %(payee)s"), { payer, payee }), false),
      way(say(gettext("%(payer)s paid %(payee)s"), { payer: payee, payee: payer }), true),
      h("button", { type: "button", "data-act": "verdict.paid_none", "data-id": payment.id }, gettext("Nothing moved")),
    ),
    keypad(model, {
      name,
      label: gettext("What really moved"),
      preset_cents: Math.abs(realOf(model, payment)) || null,
      quick: owed ? [{ cents: owed, words: gettext("owed") }] : [],
      confirm: {
        act: "verdict.paid_set",
        data: { "data-id": payment.id },
        words: (amount) => say(gettext("%(amount)s moved"), { amount }),
      },
    }),
  );
};

const paidLine = (model, payment) => {
  const isOpen = model.ui.paid.open === payment.id;
  const cents = realOf(model, payment);
  const isChanged = cents !== dueOf(payment);
  return h(
    "li",
    { key: payment.id, class: `payment paid${isChanged ? " changed" : ""}` },
    h(
      "button",
      {
        type: "button",
        class: "tick",
        "data-act": "verdict.paid_open",
        "data-id": payment.id,
        "aria-expanded": String(isOpen),
      },
      h(
        "span",
        { class: "said" },
        whoIs(payment),
        " ",
        isChanged ? h("span", { class: "also warn" }, realWords(payment, cents)) : null,
      ),
      " ",
      isChanged
        ? [
            h("s", { class: "muted" }, money(payment.amount_cents)),
            " ",
            h("strong", { class: "amount warn" }, money(Math.abs(cents))),
          ]
        : h("strong", { class: "amount" }, amountWords(payment)),
    ),
    isOpen ? paidForm(model, payment) : null,
  );
};

export const paidDifferently = (model) =>
  h(
    "section",
    { class: "panel verdict", key: "paid" },
    head(
      gettext("What was really paid"),
      gettext("Tap what was paid otherwise. It is posted as it happened, and floor hears of it."),
    ),
    refused(model, AT),
    h(
      "ol",
      { class: "payments" },
      model.shown.hand.verdict.payments.map((payment) => paidLine(model, payment)),
    ),
    h(
      "label",
      { class: "paid-note" },
      gettext("Note for floor (optional)"),
      h("input", {
        name: "note",
        maxlength: "300",
        autocomplete: "off",
        value: model.ui.paid.note,
        "data-act": "verdict.paid_note",
      }),
    ),
  );

/* What was opened for one verdict is not meant for the next. */
export const isPaidOpen = ({ ui, shown: { hand } }) =>
  ui.paid?.hand === keyOf(hand.id) && ui.paid.revision === hand.revision;

/* ---- actions ---- */

/* Lines as hand.settle takes them. A payment that went the other way is two: nothing from the one, something from the other. */
export const paidLines = (model) =>
  changed(model).flatMap((payment) => {
    const { id, payer, payee } = payment;
    const cents = realOf(model, payment);
    if (isWager(payment)) return [{ wager: id, net_cents: cents }];
    const other = { payer: payee, payee: payer, paid_cents: Math.abs(cents) };
    return cents < 0 ? [{ payer, payee, paid_cents: 0 }, other] : [{ payer, payee, paid_cents: cents }];
  });

const setPaid = ({ ui }, payment, cents) => {
  const asDue = Math.sign(dueOf(payment) || (isWager(payment) ? -1 : 1));
  ui.paid.amounts[payment.id] = cents ? cents * asDue * (ui.paid.turned ? -1 : 1) : 0;
  ui.paid.open = null;
  forget(ui);
};

/* Close what was opened for the verdict. */
export const close = (ui) => {
  delete ui.paid;
  delete ui.confirming;
  forget(ui);
};

const paymentOf = ({ model }, { id }) => model.shown.hand.verdict.payments.find((payment) => payment.id === id);

export const actions = {
  "verdict.paid": ({ ui, model }) => {
    const { hand } = model.shown;
    delete ui.confirming;
    ui.paid = { hand: keyOf(hand.id), revision: hand.revision, open: null, turned: false, amounts: {}, note: "" };
  },
  "verdict.paid_close": ({ ui }) => close(ui),
  "verdict.paid_open": ({ ui, model }, { id }) => {
    forget(ui);
    const payment = paymentOf({ model }, { id });
    const isAsDue = Math.sign(realOf(model, payment)) * Math.sign(dueOf(payment)) >= 0;
    Object.assign(ui.paid, { open: ui.paid.open === id ? null : id, turned: !isAsDue });
    requestAnimationFrame(() => document.querySelector(".paid-form")?.scrollIntoView({ block: "nearest" }));
  },
  "verdict.paid_way": ({ ui }, { turned }) => {
    ui.paid.turned = turned === "yes";
  },
  "verdict.paid_set": (context, { id }) => {
    const payment = paymentOf(context, { id });
    const cents = typedCents(context.ui, `paid-${id}`, Math.abs(realOf(context.model, payment)) || null);
    if (cents !== null) setPaid(context, payment, cents);
  },
  "verdict.paid_none": (context, { id }) => setPaid(context, paymentOf(context, { id }), 0),
  "verdict.paid_note": ({ ui }, _data, event) => {
    ui.paid.note = event.target.value;
  },
};
