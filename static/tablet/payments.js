/* The payments of a verdict in paying order, what is foul before them, and which of them are ticked off. */
import { h, money, say, signed } from "./dom.js";

/* What an earlier press will answer has that press as its name. */
export const keyOf = (id) => (typeof id === "object" ? id.$from : id);

/* ---- ticks ---- */

/* Ticks are for one verdict: cards that were entered again take them away. */
export const ticked = ({ draft, shown: { hand } }) => {
  const isOfThis = draft.hand === keyOf(hand.id) && draft.ticked_of === hand.revision;
  return new Set(isOfThis ? draft.ticked : []);
};

const moves = (payment) => payment.amount_cents > 0 || payment.returned_cents > 0 || payment.result !== undefined;
const toPush = ({ shown }) => shown.hand.verdict.payments.filter(moves);

export const unticked = (model) => {
  const done = ticked(model);
  return toPush(model).filter(({ id }) => !done.has(id));
};

export const untickedWords = (count) => say(ngettext("%(count)s not ticked", "%(count)s not ticked", count), { count });

/* ---- lines ---- */

export const withRule = ({ text, rule }) => [text, " ", h("span", { class: "rule muted" }, rule)];

export const reasons = (lines, name) =>
  h(
    "ul",
    { class: name },
    lines.map((line) => h("li", {}, withRule(line))),
  );

/* What is said of a seat stands together, the fouls before what was declared. */
const bySeat = (lines) => [...Map.groupBy(lines, ({ seat }) => seat).values()];

export const fouls = ({ fouls: found, announced = [] }) => {
  const told = (name) => (lines) =>
    h(
      "li",
      { class: name },
      lines.map((each) => h("p", {}, withRule(each))),
    );
  const rows = [...bySeat(found).map(told("foul")), ...bySeat(announced).map(told("announced"))];
  return rows.length ? h("ul", { class: "verdict-first", key: "first" }, rows) : null;
};

export const person = (number, name) => [
  h("span", { class: "place" }, number),
  " ",
  h("span", { class: "name" }, name),
];

const whoPays = (payment) =>
  h(
    "span",
    { class: "who" },
    h("span", { class: "party" }, person(payment.payer, payment.payer_name)),
    " ",
    h("span", { class: "to" }, "→"),
    " ",
    h("span", { class: "party" }, person(payment.payee, payment.payee_name)),
  );

/* In Pai Gow Poker a wager that is pushed moves nothing: then its position stands alone. */
export const whoIs = (payment) =>
  payment.net_cents === 0
    ? h("span", { class: "who" }, h("span", { class: "party" }, person(payment.position, payment.name)))
    : whoPays(payment);

export const amountWords = (payment) =>
  payment.result === "push" ? payment.result_words : money(payment.amount_cents);

const also = (payment) => {
  const said = [];
  if (payment.owed_cents !== payment.amount_cents) {
    const owed = say(gettext("of %(owed)s owed: the stacks cap it"), { owed: money(payment.owed_cents) });
    said.push(h("span", { class: "also warn" }, owed, " ", h("span", { class: "rule" }, "CP-52")));
  }
  if (payment.result_words && payment.result !== "push")
    said.push(h("span", { class: "also muted" }, payment.result_words));
  if (payment.returned_cents && payment.result !== "push") {
    const returned = say(gettext("%(amount)s goes back without action"), { amount: money(payment.returned_cents) });
    said.push(h("span", { class: "also note" }, returned));
  }
  return said;
};

const why = (payment) => {
  const points = payment.points;
  const words = points
    ? say(ngettext("%(points)s point", "%(points)s points", Math.abs(points)), { points: Math.abs(points) })
    : gettext("Why");
  return payment.why.length
    ? h("details", { class: "why" }, h("summary", {}, words), reasons(payment.why, "lines small"))
    : h("span", { class: "why-none" });
};

const line = (payment, done, next) => {
  const isDone = done.has(payment.id);
  const isNext = next?.id === payment.id;
  return h(
    "li",
    {
      key: payment.id,
      class: `payment${isDone ? " ticked" : ""}${isNext ? " turn" : ""}`,
      "aria-current": isNext ? "step" : null,
    },
    h(
      "button",
      {
        type: "button",
        class: "tick",
        role: "checkbox",
        "aria-checked": String(isDone),
        "data-act": "verdict.tick",
        "data-id": payment.id,
        disabled: !moves(payment),
      },
      h("span", { class: "box", "aria-hidden": "true" }, isDone ? "✓" : ""),
      h(
        "span",
        { class: "said" },
        whoIs(payment),
        also(payment).map((each) => [" ", each]),
      ),
      " ",
      h("strong", { class: "amount" }, amountWords(payment)),
    ),
    why(payment),
  );
};

export const payments = (model) => {
  const { verdict } = model.shown.hand;
  const [next] = unticked(model);
  const done = ticked(model);
  return verdict.payments.length
    ? h(
        "ol",
        { class: "payments", key: "payments" },
        verdict.payments.map((payment) => line(payment, done, next)),
      )
    : h("p", { class: "nobody", key: "payments" }, gettext("Nobody owes anything."));
};

export const bank = ({ bank: share }) => {
  if (!share) return null;
  const { net_cents, used_cents, amount_cents } = share;
  const back = amount_cents - used_cents;
  const words = { net: signed(net_cents), used: money(used_cents), amount: money(amount_cents) };
  return h(
    "details",
    { class: "bank-net", key: "bank" },
    h(
      "summary",
      {},
      h("strong", {}, say(gettext("Bank %(net)s"), words)),
      " ",
      h("span", { class: "muted" }, say(gettext("%(used)s of %(amount)s had action"), words)),
      " ",
      back ? h("span", { class: "note" }, say(gettext("%(back)s goes back"), { back: money(back) })) : null,
    ),
    reasons(share.why, "lines small"),
  );
};

export const nothing = ({ nothing: pairs }) =>
  pairs.map((pair) =>
    h(
      "details",
      { class: "nothing", key: `nothing-${pair.text}` },
      h("summary", {}, pair.text),
      reasons(pair.why, "lines small"),
    ),
  );

export const head = (words, about, tone = "") =>
  h(
    "header",
    { class: "verdict-head", key: "head" },
    h("h2", { class: tone }, words),
    about ? h("p", { class: "muted" }, about) : null,
  );
