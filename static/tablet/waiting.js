/* What is not sent yet, what was refused on arrival and what became of it, and hands paid before their verdict was
   there. */
import { ago, clock, h, money, say } from "./dom.js";

const button = (act, data, words, more = "") =>
  h("button", { type: "button", class: more, "data-act": act, ...data }, words);

const pressedWords = ({ shown }, { pressed_at, user }) =>
  say(gettext("pressed at %(time)s by %(name)s"), { time: clock(pressed_at, shown.table.time_zone), name: user.name });

/* ---- not sent ---- */

const unsentView = (model) => {
  const { waiting, oldest_at, sent_word, needs } = model.queue;
  if (!waiting.length) {
    return h("p", { class: "muted" }, gettext("Everything pressed on this tablet is with the server."));
  }
  const values = { count: waiting.length, age: ago(oldest_at, model.now) };
  return [
    h("p", {}, say(gettext("%(count)s not sent, oldest %(age)s. They go out by themselves, in this order."), values)),
    sent_word ? h("p", { class: "warn" }, sent_word) : null,
    needs && needs.user_id !== model.shown.me.user_id ? absentView(model, needs) : null,
    h(
      "ol",
      { class: "presses" },
      waiting.map((press) =>
        h(
          "li",
          { key: press.key },
          h("span", {}, press.as),
          h("span", { class: "muted small" }, pressedWords(model, press)),
        ),
      ),
    ),
  ];
};

const absentView = ({ ui }, user) =>
  ui.handing === user.user_id
    ? h(
        "div",
        { class: "row middle" },
        h(
          "p",
          {},
          say(gettext("Nothing that %(name)s pressed will be done; floor gets it all to look at."), {
            name: user.name,
          }),
        ),
        button("waiting.hand_all", { "data-user": user.user_id }, gettext("Hand it all to floor"), "danger"),
        button("waiting.hand_all_not", {}, gettext("Wait on")),
      )
    : button(
        "waiting.hand_all_ask",
        { "data-user": user.user_id },
        say(gettext("%(name)s will not come back"), { name: user.name }),
      );

/* ---- refused ---- */

const HANDED = {
  waits: () => gettext("On its way to floor."),
  told: () => gettext("Floor has been told."),
};

const handedWords = ({ handed, handed_message }) => {
  if (handed === "refused")
    return say(gettext("Floor could not be told: %(why)s Tell them yourself."), { why: handed_message });
  return HANDED[handed]?.() ?? gettext("Nobody else knows of it yet.");
};

const refusedView = (model) => {
  const { refused } = model.queue;
  if (!refused.length) return null;
  return h(
    "section",
    { class: "refused" },
    h("h3", {}, gettext("Refused")),
    h(
      "ul",
      { class: "plain" },
      refused.map((row) =>
        h(
          "li",
          { key: row.key, class: "refusal" },
          h("strong", {}, row.as),
          h("p", {}, row.message, row.rule ? h("span", { class: "rule" }, ` (${row.rule})`) : null),
          h("p", { class: "muted small" }, pressedWords(model, row)),
          h("p", { class: row.handed === "told" ? "act" : "warn" }, handedWords(row)),
          h(
            "div",
            { class: "row" },
            button("waiting.seen", { "data-key": row.key }, gettext("Seen")),
            row.handed === null && row.session
              ? button("waiting.tell", { "data-key": row.key }, gettext("Tell floor"))
              : null,
          ),
        ),
      ),
    ),
  );
};

/* ---- hands to compare ---- */

const comparedView = ({ ui }, { hand, as, name }) => {
  const verdict = ui.compared?.[hand];
  return h(
    "li",
    { key: hand, class: "panel" },
    h("strong", {}, `${as} · ${name}`),
    verdict === "none" ? h("p", { class: "warn" }, gettext("The verdict cannot be read now. Try again.")) : null,
    verdict?.payments ? [h("p", {}, verdict.headline), paymentsView(verdict.payments)] : null,
    h(
      "div",
      { class: "row" },
      verdict?.payments
        ? [
            button("waiting.agrees", { "data-hand": hand }, gettext("Paid like that")),
            button(
              "waiting.differs",
              { "data-hand": hand, "data-as": as },
              gettext("Paid otherwise: tell floor"),
              "danger",
            ),
          ]
        : button("waiting.look", { "data-hand": hand }, gettext("Show the verdict")),
    ),
  );
};

const paymentsView = (payments) =>
  h(
    "ol",
    { class: "presses" },
    payments.map((each) =>
      h("li", { key: each.id }, h("span", {}, each.text), h("strong", { class: "money" }, money(each.amount_cents))),
    ),
  );

const compareView = (model) => {
  const { compare } = model.queue;
  if (!compare.length) return null;
  return h(
    "section",
    { class: "compare" },
    h("h3", {}, gettext("Paid before the verdict was there")),
    h("p", { class: "muted" }, gettext("Compare with the chips that were pushed.")),
    h(
      "ul",
      { class: "plain" },
      compare.map((each) => comparedView(model, each)),
    ),
  );
};

export const waitingView = (model) =>
  h(
    "section",
    { class: "layer-body", "aria-labelledby": "waiting-title" },
    h(
      "div",
      { class: "row apart middle" },
      h("h2", { id: "waiting-title" }, gettext("Sent and not sent")),
      button("app.close", {}, gettext("Close")),
    ),
    refusedView(model),
    compareView(model),
    unsentView(model),
  );

export const actions = {
  "waiting.seen": ({ queue }, { key }) => queue.dismiss(key),
  "waiting.tell": ({ queue }, { key }) => queue.tellFloor(key),
  "waiting.hand_all_ask": ({ ui }, { user }) => {
    ui.handing = user;
  },
  "waiting.hand_all_not": ({ ui }) => {
    delete ui.handing;
  },
  "waiting.hand_all": async ({ queue, ui }, { user }) => {
    await queue.handOverAll(user);
    delete ui.handing;
  },
  "waiting.look": async ({ ui }, { hand }) => {
    const response = await fetch(`/tablet/hands/${hand}/verdict/`).catch(() => null);
    ui.compared = { ...ui.compared, [hand]: response?.ok ? await response.json() : "none" };
  },
  "waiting.agrees": ({ queue }, { hand }) => queue.compared(hand),
  "waiting.differs": async ({ queue, model, press }, { hand, as }) => {
    const words = say(gettext("%(as)s: paid before the verdict was there, and not as the verdict says."), { as });
    const values = { session_id: model.shown.session.id, hand_id: hand, kind: "contradiction", words };
    const answer = await press("exception.raise", values, {
      as: say(gettext("To floor: %(as)s was paid otherwise"), { as }),
    });
    if (answer.ok || answer.waiting) await queue.compared(hand);
    else model.ui.refusal = answer.body;
  },
};
