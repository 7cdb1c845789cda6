/* Floor, called from the table: why, since when and who is on the way; and the approval of a supervisor who has come, by badge
   and PIN on this screen. */
import { ago, h, say } from "./dom.js";
import { pressAt, refused } from "./keypad.js";

const AT = "calls";
const APPROVAL = "approval";

const REASONS = [
  ["decision", () => gettext("Decision"), () => gettext("Something is to be ruled on")],
  ["fill", () => gettext("Fill"), () => gettext("Chips or cards are needed")],
  ["dispute", () => gettext("Dispute"), () => gettext("Somebody disagrees")],
  ["service", () => gettext("Service"), () => gettext("Drinks, cleaning, a chair")],
];

/* What the button that opens this layer says. */
export const callWords = ({ shown, now }) => {
  const [call] = shown.calls;
  if (!call) return gettext("Call floor");
  const age = ago(call.called_at, now);
  if (!call.answered_at) return say(gettext("Floor called %(age)s"), { age });
  return say(gettext("%(name)s is on the way, %(age)s"), { name: call.answered_by, age: ago(call.answered_at, now) });
};

/* ---- approval ---- */

/* Asks for badge and PIN of a second person for `what`, in words; `onDone` is the action that takes the form. They are sent
   with one press and kept nowhere: without a network it is refused. */
const approvalView = (model, { what, onDone, data = {} }) =>
  h(
    "form",
    { class: "approval", key: `approval-${onDone}`, "data-act": onDone, ...data, autocomplete: "off" },
    h("h3", {}, what),
    h(
      "p",
      { class: "muted small" },
      gettext("A supervisor gives badge and PIN here. They are sent with this alone and not kept."),
    ),
    refused(model, APPROVAL),
    model.online
      ? null
      : h(
          "p",
          { class: "warn", key: "offline" },
          gettext("There is no network. An approval is given when it is back."),
        ),
    h(
      "div",
      { class: "approval-fields", key: "fields" },
      h(
        "label",
        {},
        gettext("Badge number"),
        h("input", { name: "badge", required: true, autocomplete: "off", inputmode: "numeric" }),
      ),
      h(
        "label",
        {},
        gettext("PIN"),
        h("input", { name: "pin", type: "password", required: true, autocomplete: "off", inputmode: "numeric" }),
      ),
    ),
    h(
      "div",
      { class: "approval-ways", key: "ways" },
      h("button", { type: "button", "data-act": "calls.stop_approval" }, gettext("Not now")),
      h("button", { class: "primary", disabled: !model.online }, gettext("Approve")),
    ),
  );

/* Press with the badge and PIN typed into the form of `event`. Resolves to whether it was done. */
const approved = async (context, event, { verb, values, as }) => {
  const { badge, pin } = event.target.elements;
  const second = { approver_badge: badge.value.trim(), approver_pin: pin.value };
  pin.value = "";
  if (!context.model.online) {
    context.ui.refusal = {
      at: APPROVAL,
      message: gettext("There is no network. An approval is given when it is back."),
    };
    return false;
  }
  const answer = await context.press(verb, { ...values, ...second }, { as });
  if (answer.ok) return true;
  const unanswered = {
    message: gettext("The server has not answered yet. The approval goes out as long as this page stays open."),
  };
  const { message, rule } = answer.body ?? unanswered;
  context.ui.refusal = { at: APPROVAL, message, rule };
  return false;
};

/* ---- calls ---- */

const answerWords = (call, now) =>
  call.answered_at
    ? say(gettext("%(name)s is on the way, %(age)s"), { name: call.answered_by, age: ago(call.answered_at, now) })
    : gettext("Nobody has answered yet");

const button = (act, words, id, more = {}) =>
  h("button", { type: "button", "data-act": act, "data-id": id, ...more }, words);

const ways = (call, { on_the_floor: isFloor }) => {
  if (isFloor && !call.answered_at) return button("calls.answer", gettext("I am here"), call.id, { class: "primary" });
  if (isFloor || call.answered_at) return button("calls.close", gettext("Done: close the call"), call.id);
  return button("calls.approve_close", gettext("A supervisor is here"), call.id);
};

const running = (model) => (call) =>
  h(
    "li",
    { class: `call${call.answered_at ? " answered" : ""}`, key: call.id },
    h(
      "div",
      { class: "call-about" },
      h("strong", {}, call.reason_words),
      h("span", { class: call.answered_at ? "act" : "warn" }, answerWords(call, model.now)),
      call.note ? h("span", { class: "muted" }, call.note) : null,
    ),
    h(
      "span",
      { class: "call-age", role: "timer", "aria-label": gettext("Since the call") },
      ago(call.called_at, model.now),
    ),
    model.ui.approving === call.id
      ? approvalView(model, {
          what: gettext("The call is answered here"),
          onDone: "calls.close_approved",
          data: { "data-id": call.id },
        })
      : ways(call, model.shown.me),
  );

const callForm = (model) => {
  const { ui, shown } = model;
  const open = new Set(shown.calls.map(({ reason }) => reason));
  return h(
    "div",
    { class: "call-form", key: "form" },
    h(
      "label",
      { class: "call-note" },
      gettext("Note (optional)"),
      h("input", { maxlength: "300", autocomplete: "off", value: ui.call_note ?? "", "data-act": "calls.note" }),
    ),
    h(
      "div",
      { class: "reasons", role: "group", "aria-label": gettext("Call floor for") },
      REASONS.map(([reason, words, about]) =>
        h(
          "button",
          {
            type: "button",
            key: reason,
            class: "reason",
            "data-act": "calls.call",
            "data-reason": reason,
            disabled: open.has(reason),
          },
          h("strong", {}, words()),
          h("span", { class: "small" }, open.has(reason) ? gettext("Called") : about()),
        ),
      ),
    ),
  );
};

export const callsView = (model) => {
  const { calls, session } = model.shown;
  const isApproving = calls.some(({ id }) => id === model.ui.approving);
  return h(
    "section",
    { class: "sheet calls", "aria-labelledby": "calls-title" },
    h(
      "header",
      { class: "sheet-head" },
      h(
        "div",
        {},
        h("h2", { id: "calls-title" }, gettext("Call floor")),
        h(
          "p",
          { class: "sheet-about muted" },
          gettext("One press calls; the floor sees the table, the reason and how long you wait."),
        ),
      ),
      h("button", { type: "button", "data-act": "app.close" }, gettext("Close")),
    ),
    refused(model, AT),
    calls.length ? h("ul", { class: "running", key: "running" }, calls.map(running(model))) : null,
    session && !isApproving ? callForm(model) : null,
  );
};

/* ---- actions ---- */

const named = ({ shown }, id) => shown.calls.find((call) => call.id === id)?.reason_words ?? "";

const closing = (context, id) => ({
  verb: "floor.close",
  values: { call_id: id },
  as: say(gettext("Call closed, %(reason)s"), { reason: named(context.model, id) }),
});

export const actions = {
  "calls.note": ({ ui }, _data, event) => {
    ui.call_note = event.target.value;
  },
  "calls.call": async (context, { reason }) => {
    const { ui, model } = context;
    const { session, hand } = model.shown;
    const note = ui.call_note?.trim();
    const values = { session_id: session.id, reason, ...(note ? { note } : {}), ...(hand ? { hand_id: hand.id } : {}) };
    const words = REASONS.find(([name]) => name === reason)[1]();
    if (
      !(await pressAt(context, AT, "floor.call", values, say(gettext("Floor called: %(reason)s"), { reason: words })))
    )
      return;
    delete ui.call_note;
    ui.layer = null;
  },
  "calls.answer": (context, { id }) =>
    pressAt(
      context,
      AT,
      "floor.answer",
      { call_id: id },
      say(gettext("Call answered, %(reason)s"), { reason: named(context.model, id) }),
    ),
  "calls.close": (context, { id }) => {
    const { verb, values, as } = closing(context, id);
    return pressAt(context, AT, verb, values, as);
  },
  "calls.approve_close": ({ ui }, { id }) => {
    delete ui.refusal;
    ui.approving = id;
  },
  "calls.stop_approval": ({ ui }) => {
    delete ui.refusal;
    delete ui.approving;
  },
  "calls.close_approved": async (context, { id }, event) => {
    if (await approved(context, event, closing(context, id))) delete context.ui.approving;
  },
};
