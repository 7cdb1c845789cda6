/* The verdict: what is foul, then every payment in paying order, ticked off as its chips are pushed; why, what a cap left
   unpaid, the hands and what they came to. Confirming posts it, or what was really paid where that was something else. */
import { h, money, say } from "./dom.js";
import { pressAt, refused } from "./keypad.js";
import { actions as paidActions, changed, close, isPaidOpen, paidDifferently, paidLines } from "./paid.js";
import {
  bank,
  fouls,
  head,
  keyOf,
  nothing,
  payments,
  reasons,
  ticked,
  unticked,
  untickedWords,
  withRule,
} from "./payments.js";
import { declared, isChinese, results } from "./results.js";

const AT = "verdict";
const UNHURRIED_MS = 3000; // so long the server's word is waited for before the dealer is offered to go on without it

const isMisdeal = ({ shown }) => shown.hand.verdict.status === "misdeal";

/* ---- the views ---- */

const isHurried = ({ online, queue, shown, now }) => {
  const press = queue.waiting.find(({ key }) => key === keyOf(shown.hand.revision));
  return online && Boolean(press) && now - Date.parse(press.pressed_at) < UNHURRIED_MS;
};

/* The device enters the hand and the server works it out; without a network the dealer pays by the cards as they lie. */
const waitingHand = (model) => {
  const { hand } = model.shown;
  const places = hand.positions.length;
  const entered = say(
    ngettext(
      "%(places)s hand is entered and kept on this tablet.",
      "%(places)s hands are entered and kept on this tablet.",
      places,
    ),
    { places },
  );
  return h(
    "section",
    { class: "panel verdict waits", key: "waits", role: "status" },
    head(gettext("Entered, not worked out yet"), null, "warn"),
    h("p", {}, entered),
    model.online
      ? h("p", {}, gettext("The server has it and has not answered yet."))
      : h(
          "p",
          {},
          gettext("There is no network. Who pays whom is worked out when it is back; nothing of the hand is lost."),
        ),
    h(
      "p",
      { class: "muted" },
      gettext(
        "If the table cannot wait, pay by the cards as they lie and go on. The verdict is shown as soon as it is there, to compare with what you paid.",
      ),
    ),
    refused(model, AT),
  );
};

const backWords = (model) => {
  const { wagers, bank: shares, collection_words: fee } = model.shown.hand;
  if (isChinese(model)) return [say(gettext("The collection goes back: %(fee)s"), { fee })];
  const back = [...wagers.map((each) => ({ ...each, name: `${each.position} ${each.name}` })), ...shares].map(
    ({ name, amount_cents }) => say(gettext("%(name)s takes back %(amount)s"), { name, amount: money(amount_cents) }),
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
    h(
      "ul",
      { class: "lines back" },
      backWords(model).map((words) => h("li", {}, words)),
    ),
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

export const verdictView = (model) => {
  if (model.shown.hand.is_waiting || !model.shown.hand.verdict) return waitingHand(model);
  if (isMisdeal(model)) return misdeal(model);
  return isPaidOpen(model) ? paidDifferently(model) : settled(model);
};

/* ---- the foot ---- */

const side = (act, words) => h("button", { type: "button", key: act, "data-act": act }, words);
const step = (act, words, more) =>
  h("button", { type: "button", class: "primary next", key: act, "data-act": act, ...more }, words);

/* On a narrow screen the key says it in short. */
const sideInShort = (act, words, short) =>
  h(
    "button",
    { type: "button", key: act, "data-act": act, "aria-label": words },
    h("span", { class: "in-full" }, words),
    h("span", { class: "in-short" }, short),
  );

const again = () => sideInShort("verdict.edit", gettext("Enter the cards again"), gettext("Cards again"));

const waitingFoot = (model) => {
  if (isHurried(model)) return [again(), step("verdict.wait", gettext("Working out the payments"), { disabled: true })];
  return [again(), step("verdict.go_on", gettext("Go on without the verdict"))];
};

const paidFoot = (model) => {
  const count = changed(model).length;
  const words = count
    ? say(ngettext("Record %(count)s paid differently", "Record %(count)s paid differently", count), { count })
    : gettext("Nothing differs yet");
  return [
    side("verdict.paid_close", gettext("Back to the verdict")),
    step("verdict.paid_settle", words, { disabled: !count }),
  ];
};

export const verdictFoot = (model) => {
  if (model.shown.hand.is_waiting || !model.shown.hand.verdict) return waitingFoot(model);
  if (isMisdeal(model)) return [again(), step("verdict.settle", gettext("Confirm the misdeal"))];
  if (isPaidOpen(model)) return paidFoot(model);
  const left = unticked(model).length;
  if (model.ui.confirming && left) {
    return [
      side("verdict.keep_ticking", gettext("Go on ticking")),
      step("verdict.settle", gettext("All paid: confirm")),
    ];
  }
  const words = [
    h("span", {}, gettext("Paid: confirm")),
    left ? h("small", { class: "left" }, untickedWords(left)) : null,
  ];
  return [
    again(),
    sideInShort("verdict.paid", gettext("Paid differently"), gettext("Differently")),
    step(left ? "verdict.ask" : "verdict.settle", words),
  ];
};

/* ---- actions ---- */

const settle = async (context, more = {}) => {
  const { hand } = context.model.shown;
  const as = say(gettext("Hand %(number)s: paid"), { number: hand.number });
  if (await pressAt(context, AT, "hand.settle", { hand_id: hand.id, revision: hand.revision, ...more }, as))
    close(context.ui);
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
    requestAnimationFrame(() => document.querySelector(".payment.turn")?.scrollIntoView({ block: "nearest" }));
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
  ...paidActions,
  "verdict.paid_settle": (context) => {
    const note = context.ui.paid.note.trim();
    return settle(context, { paid: paidLines(context.model), ...(note ? { note } : {}) });
  },
};
