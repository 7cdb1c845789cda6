/* The verdict: what is foul, then every payment in paying order, ticked off as its chips are pushed; why, what a cap left
   unpaid, the hands and what they came to. Confirming posts it, or what was really paid where that was something else. */
import { SIGNS } from "./cards.js";
import { h, money, say, signed } from "./dom.js";
import { forget, keypad, pressAt, refused, ruled, typedCents } from "./keypad.js";

const AT = "verdict";
const UNHURRIED_MS = 3000; // so long the server's word is waited for before the dealer is offered to go on without it

/* What an earlier press will answer has that press as its name. */
const keyOf = (id) => (typeof id === "object" ? id.$from : id);
const isChinese = ({ shown }) => shown.table.game === "chinese-poker";
const isMisdeal = ({ shown }) => shown.hand.verdict.status === "misdeal";

/* ---- ticks ---- */

/* Ticks are for one verdict: cards that were entered again take them away. */
const ticked = ({ draft, shown: { hand } }) => {
  const isOfThis = draft.hand === keyOf(hand.id) && draft.ticked_of === hand.revision;
  return new Set(isOfThis ? draft.ticked : []);
};

const moves = (payment) => payment.amount_cents > 0 || payment.returned_cents > 0 || payment.result !== undefined;
const toPush = ({ shown }) => shown.hand.verdict.payments.filter(moves);

const unticked = (model) => {
  const done = ticked(model);
  return toPush(model).filter(({ id }) => !done.has(id));
};

const untickedWords = (count) => say(ngettext("%(count)s not ticked", "%(count)s not ticked", count), { count });

/* ---- lines ---- */

const withRule = ({ text, rule }) => [text, " ", h("span", { class: "rule muted" }, rule)];

const reasons = (lines, name) => h("ul", { class: name }, lines.map((line) => h("li", {}, withRule(line))));

/* What is said of a seat stands together, the fouls before what was declared. */
const bySeat = (lines) => [...Map.groupBy(lines, ({ seat }) => seat).values()];

const fouls = ({ fouls: found, announced = [] }) => {
  const told = (name) => (lines) => h("li", { class: name }, lines.map((each) => h("p", {}, withRule(each))));
  const rows = [...bySeat(found).map(told("foul")), ...bySeat(announced).map(told("announced"))];
  return rows.length ? h("ul", { class: "verdict-first", key: "first" }, rows) : null;
};

const person = (number, name) => [h("span", { class: "place" }, number), " ", h("span", { class: "name" }, name)];

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
const whoIs = (payment) =>
  payment.net_cents === 0 ? h("span", { class: "who" }, h("span", { class: "party" }, person(payment.position, payment.name))) : whoPays(payment);

const amountWords = (payment) => (payment.result === "push" ? payment.result_words : money(payment.amount_cents));

const also = (payment) => {
  const said = [];
  if (payment.owed_cents !== payment.amount_cents) {
    const owed = say(gettext("of %(owed)s owed: the stacks cap it"), { owed: money(payment.owed_cents) });
    said.push(h("span", { class: "also warn" }, owed, " ", h("span", { class: "rule" }, "CP-52")));
  }
  if (payment.result_words && payment.result !== "push") said.push(h("span", { class: "also muted" }, payment.result_words));
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
    { key: payment.id, class: `payment${isDone ? " ticked" : ""}${isNext ? " turn" : ""}`, "aria-current": isNext ? "step" : null },
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
      h("span", { class: "said" }, whoIs(payment), also(payment).map((each) => [" ", each])),
      " ",
      h("strong", { class: "amount" }, amountWords(payment)),
    ),
    why(payment),
  );
};

const payments = (model) => {
  const { verdict } = model.shown.hand;
  const [next] = unticked(model);
  const done = ticked(model);
  return verdict.payments.length
    ? h("ol", { class: "payments", key: "payments" }, verdict.payments.map((payment) => line(payment, done, next)))
    : h("p", { class: "nobody", key: "payments" }, gettext("Nobody owes anything."));
};

const bank = ({ bank: share }) => {
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

const nothing = ({ nothing: pairs }) =>
  pairs.map((pair) =>
    h("details", { class: "nothing", key: `nothing-${pair.text}` }, h("summary", {}, pair.text), reasons(pair.why, "lines small")),
  );

/* ---- hands and results ---- */

const faces = (cards) =>
  h(
    "span",
    { class: "cards", role: "img", "aria-label": cards.join(" ") },
    cards.map((card) =>
      card === "Jk"
        ? h("span", { class: "card joker", "aria-hidden": "true" }, card, h("small", {}, SIGNS.k))
        : h("span", { class: `card ${card.at(-1)}`, "aria-hidden": "true" }, card.slice(0, -1), h("small", {}, SIGNS[card.at(-1)])),
    ),
  );

const declared = ({ rows }) =>
  rows
    .filter((row) => row.declared.length)
    .map((row) =>
      h(
        "section",
        { class: "declared", key: `declared-${row.seat}` },
        h("h3", {}, say(gettext("%(seat)s %(name)s, %(result)s: laid out"), row)),
        h("ul", { class: "lines" }, row.declared.map((cards) => h("li", {}, faces(cards)))),
      ),
    );

const made = (words, result) =>
  h("td", {}, words ?? "", result ? [h("br", {}), h("span", { class: "muted small" }, result)] : null);

const chineseRow = (row) =>
  h(
    "tr",
    {},
    h("th", { scope: "row" }, person(row.seat, row.name)),
    row.front ? [made(row.front), made(row.middle), made(row.back)] : h("td", { colspan: 3 }, row.result),
    h("td", { class: "number" }, row.points > 0 ? `+${row.points}` : String(row.points).replace("-", "−")),
    h("td", { class: "money" }, h("strong", {}, signed(row.net_cents))),
  );

const paiGowRow = (button) => (row) =>
  h(
    "tr",
    {},
    h("th", { scope: "row" }, person(row.seat, row.name), row.seat === button ? h("span", { class: "tag" }, gettext("bank")) : null),
    made(row.front, row.front_result),
    made(row.back, row.back_result),
    row.result ? made(row.result, row.set_as) : made(row.set_as),
  );

const results = (model) => {
  const { verdict, button } = model.shown.hand;
  if (!verdict.rows.length) return null;
  const heads = isChinese(model)
    ? [gettext("Seat"), gettext("Front"), gettext("Middle"), gettext("Back"), gettext("Points"), gettext("Net")]
    : [gettext("Seat"), gettext("Front"), gettext("Back"), gettext("Result")];
  const classes = { [gettext("Points")]: "number", [gettext("Net")]: "money" };
  return h(
    "div",
    { class: "scroll results", key: "results", tabindex: "0", role: "group", "aria-label": gettext("Hands and results") },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, heads.map((words) => h("th", { scope: "col", class: classes[words] }, words)))),
      h("tbody", {}, verdict.rows.map(isChinese(model) ? chineseRow : paiGowRow(button))),
    ),
  );
};

/* ---- the views ---- */

const head = (words, about, tone = "") =>
  h("header", { class: "verdict-head", key: "head" }, h("h2", { class: tone }, words), about ? h("p", { class: "muted" }, about) : null);

const isHurried = ({ online, queue, shown, now }) => {
  const press = queue.waiting.find(({ key }) => key === keyOf(shown.hand.revision));
  return online && Boolean(press) && now - Date.parse(press.pressed_at) < UNHURRIED_MS;
};

/* The device enters the hand and the server works it out; without a network the dealer pays by the cards as they lie. */
const waitingHand = (model) => {
  const { hand } = model.shown;
  const places = hand.positions.length;
  const entered = say(ngettext("%(places)s hand is entered and kept on this tablet.", "%(places)s hands are entered and kept on this tablet.", places), { places });
  return h(
    "section",
    { class: "panel verdict waits", key: "waits", role: "status" },
    head(gettext("Entered, not worked out yet"), null, "warn"),
    h("p", {}, entered),
    model.online
      ? h("p", {}, gettext("The server has it and has not answered yet."))
      : h("p", {}, gettext("There is no network. Who pays whom is worked out when it is back; nothing of the hand is lost.")),
    h("p", { class: "muted" }, gettext("If the table cannot wait, pay by the cards as they lie and go on. The verdict is shown as soon as it is there, to compare with what you paid.")),
    refused(model, AT),
  );
};

const backWords = (model) => {
  const { wagers, bank: shares, collection_words: fee } = model.shown.hand;
  if (isChinese(model)) return [say(gettext("The collection goes back: %(fee)s"), { fee })];
  const back = [...wagers.map((each) => ({ ...each, name: `${each.position} ${each.name}` })), ...shares].map(({ name, amount_cents }) =>
    say(gettext("%(name)s takes back %(amount)s"), { name, amount: money(amount_cents) }),
  );
  return [...back, withRule({ text: gettext("The collection stays and counts for the next deal"), rule: "PG-04" })];
};

const misdeal = (model) => {
  const { verdict } = model.shown.hand;
  return h(
    "section",
    { class: "panel verdict misdeal", key: "misdeal" },
    head(verdict.headline, null, "stop"),
    reasons(verdict.reasons, "lines misdeal-why"),
    h("h3", {}, gettext("Nothing is paid; what was put up goes back")),
    h("ul", { class: "lines back" }, backWords(model).map((words) => h("li", {}, words))),
    refused(model, AT),
  );
};

const headline = (model) => {
  const { verdict } = model.shown.hand;
  if (!verdict.dice) return head(verdict.headline);
  return head(verdict.headline, say(gettext("Action begins at %(action)s"), verdict.dice));
};

const notTicked = (model) => {
  const left = unticked(model);
  if (!model.ui.confirming || !left.length) return null;
  return h(
    "p",
    { class: "ask", role: "alert", key: "ask" },
    h("strong", {}, untickedWords(left.length)),
    ": ",
    left.map(({ payer, payee, position }) => (position ? String(position) : `${payer} → ${payee}`)).join(", "),
    ". ",
    gettext("Were these paid too?"),
  );
};

const settled = (model) => {
  const { verdict } = model.shown.hand;
  return h(
    "section",
    { class: "panel verdict", key: "verdict" },
    headline(model),
    fouls(verdict),
    refused(model, AT),
    payments(model),
    bank(verdict),
    nothing(verdict),
    declared(verdict),
    results(model),
    notTicked(model),
  );
};

/* ---- paid differently ---- */

const dueOf = (payment) => payment.net_cents ?? payment.amount_cents;
const isWager = (payment) => payment.net_cents !== undefined;
const realOf = ({ ui }, payment) => ui.paid.amounts[payment.id] ?? dueOf(payment);
const changed = (model) => model.shown.hand.verdict.payments.filter((payment) => realOf(model, payment) !== dueOf(payment));

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
    h("button", { type: "button", "data-act": "verdict.paid_way", "data-turned": turned ? "yes" : "", "aria-pressed": String(isTurned === turned) }, words);
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
      confirm: { act: "verdict.paid_set", data: { "data-id": payment.id }, words: (amount) => say(gettext("%(amount)s moved"), { amount }) },
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
      { type: "button", class: "tick", "data-act": "verdict.paid_open", "data-id": payment.id, "aria-expanded": String(isOpen) },
      h("span", { class: "said" }, whoIs(payment), " ", isChanged ? h("span", { class: "also warn" }, realWords(payment, cents)) : null),
      " ",
      isChanged
        ? [h("s", { class: "muted" }, money(payment.amount_cents)), " ", h("strong", { class: "amount warn" }, money(Math.abs(cents)))]
        : h("strong", { class: "amount" }, amountWords(payment)),
    ),
    isOpen ? paidForm(model, payment) : null,
  );
};

const paidDifferently = (model) =>
  h(
    "section",
    { class: "panel verdict", key: "paid" },
    head(gettext("What was really paid"), gettext("Tap what was paid otherwise. It is posted as it happened, and floor hears of it.")),
    refused(model, AT),
    h("ol", { class: "payments" }, model.shown.hand.verdict.payments.map((payment) => paidLine(model, payment))),
    h(
      "label",
      { class: "paid-note" },
      gettext("Note for floor (optional)"),
      h("input", { name: "note", maxlength: "300", autocomplete: "off", value: model.ui.paid.note, "data-act": "verdict.paid_note" }),
    ),
  );

/* What was opened for one verdict is not meant for the next. */
const isPaidOpen = ({ ui, shown: { hand } }) => ui.paid?.hand === keyOf(hand.id) && ui.paid.revision === hand.revision;

export const verdictView = (model) => {
  if (model.shown.hand.is_waiting || !model.shown.hand.verdict) return waitingHand(model);
  if (isMisdeal(model)) return misdeal(model);
  return isPaidOpen(model) ? paidDifferently(model) : settled(model);
};

/* ---- the foot ---- */

const side = (act, words) => h("button", { type: "button", key: act, "data-act": act }, words);
const step = (act, words, more) => h("button", { type: "button", class: "primary next", key: act, "data-act": act, ...more }, words);

const again = () =>
  h(
    "button",
    { type: "button", key: "edit", "data-act": "verdict.edit", "aria-label": gettext("Enter the cards again") },
    h("span", { class: "in-full" }, gettext("Enter the cards again")),
    h("span", { class: "in-short" }, gettext("Cards again")),
  );


const waitingFoot = (model) => {
  if (isHurried(model)) return [again(), step("verdict.wait", gettext("Working out the payments"), { disabled: true })];
  return [again(), step("verdict.go_on", gettext("Go on without the verdict"))];
};

const paidFoot = (model) => {
  const count = changed(model).length;
  const words = count
    ? say(ngettext("Record %(count)s paid differently", "Record %(count)s paid differently", count), { count })
    : gettext("Nothing differs yet");
  return [side("verdict.paid_close", gettext("Back to the verdict")), step("verdict.paid_settle", words, { disabled: !count })];
};

export const verdictFoot = (model) => {
  if (model.shown.hand.is_waiting || !model.shown.hand.verdict) return waitingFoot(model);
  if (isMisdeal(model)) return [again(), step("verdict.settle", gettext("Confirm the misdeal"))];
  if (isPaidOpen(model)) return paidFoot(model);
  const left = unticked(model).length;
  if (model.ui.confirming && left) {
    return [side("verdict.keep_ticking", gettext("Go on ticking")), step("verdict.settle", gettext("All paid: confirm"))];
  }
  const words = [h("span", {}, gettext("Paid: confirm")), left ? h("small", { class: "left" }, untickedWords(left)) : null];
  return [again(), side("verdict.paid", gettext("Paid differently")), step(left ? "verdict.ask" : "verdict.settle", words)];
};

/* ---- actions ---- */

const paymentOf = ({ model }, { id }) => model.shown.hand.verdict.payments.find((payment) => payment.id === id);

const close = (ui) => {
  delete ui.paid;
  delete ui.confirming;
  forget(ui);
};

const settle = async (context, more = {}) => {
  const { hand } = context.model.shown;
  const as = say(gettext("Hand %(number)s: paid"), { number: hand.number });
  if (await pressAt(context, AT, "hand.settle", { hand_id: hand.id, revision: hand.revision, ...more }, as)) close(context.ui);
};

/* Lines as hand.settle takes them. A payment that went the other way is two: nothing from the one, something from the other. */
const paidLines = (model) =>
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

export const actions = {
  "verdict.tick": async (context, { id }) => {
    const { model } = context;
    const { hand } = model.shown;
    const done = ticked(model);
    if (!done.delete(id)) done.add(id);
    context.buzz();
    if (!unticked(model).length) delete context.ui.confirming;
    await context.setDraft({ hand: keyOf(hand.id), ticked_of: hand.revision, ticked: [...done] });
  },
  "verdict.edit": ({ ui }) => {
    close(ui);
    ui.editing = true;
  },
  "verdict.ask": ({ ui, buzz }) => {
    buzz();
    ui.confirming = true;
  },
  "verdict.keep_ticking": ({ ui }) => {
    delete ui.confirming;
  },
  "verdict.settle": (context) => settle(context),
  "verdict.go_on": (context) => settle(context),
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
  "verdict.paid_settle": (context) => {
    const note = context.ui.paid.note.trim();
    return settle(context, { paid: paidLines(context.model), ...(note ? { note } : {}) });
  },
};
