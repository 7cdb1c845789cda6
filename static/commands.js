/* Sending commands. Each press gets a key, is kept on the device before it is sent, and is sent again under the same
   key until it is answered: done once, whatever the network does. */
import { newKey } from "./tablet/later.js";

const QUEUE = "backline.unsent";
const RETRY_MS = 1500;

const unsent = () => JSON.parse(localStorage.getItem(QUEUE) || "[]");
const keep = (commands) => localStorage.setItem(QUEUE, JSON.stringify(commands));

/* Who is signed in. A press goes out under the badge that made it and no other. */
const me = () => document.querySelector("meta[name=actor]");
const isMine = (command) => command.actor === me().content;

const csrf = () => document.querySelector("meta[name=csrf]").content;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

const words = (name) => document.querySelector("#words").dataset[name];

const status = (text, isWarning) => {
  const place = document.querySelector("#sent");
  place.textContent = text;
  place.classList.toggle("warn", isWarning);
};

/* Once nothing of one's own waits: all sent, or what others have left here. */
const nothingWaits = () => {
  const held = unsent().filter((command) => !isMine(command));
  if (held.length) status(words("held").replace("%n", held[0].name).replace("%s", held.length), true);
  else status(words("sent"), false);
};

/* One try. Answers {ok, body} once the server has said yes or no; throws while it cannot be reached, or cannot do it
   now and perhaps says why. */
const attempt = async (command) => {
  const response = await fetch(`/api/v1/do/${command.verb}/`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": command.key, "X-CSRFToken": csrf() },
    body: JSON.stringify({ ...command.values, occurred_at: command.occurred_at }),
  });
  if (response.status >= 500 || response.status === 429) {
    const { message } = await response.json().catch(() => ({})); // whatever a proxy answers
    throw new Error(message ? `: ${message}` : "");
  }
  return { ok: response.ok, status: response.status, body: await response.json() };
};

let sending = Promise.resolve();

const deliver = async (command) => {
  for (;;) {
    let answer;
    try {
      answer = await attempt(command);
    } catch (failure) {
      const why = failure instanceof TypeError ? "" : failure.message;
      status(words("unsent").replace("%s", unsent().filter(isMine).length) + why, true);
      await pause(RETRY_MS);
      continue;
    }
    if (answer.status === 401) {
      location.reload();
      return answer;
    }
    keep(unsent().filter((each) => each.key !== command.key));
    if (!unsent().some(isMine)) nothingWaits();
    return answer;
  }
};

/* Commands go out in the order in which they were pressed. */
const send = (verb, values) => {
  const pressed = { actor: me().content, name: me().dataset.name, occurred_at: new Date().toISOString() };
  const command = { key: newKey(), verb, values, ...pressed };
  keep([...unsent(), command]);
  const answer = sending.then(() => deliver(command));
  sending = answer.then(() => undefined);
  return answer;
};

/* What a reload or a crash left unsent goes first. What is refused now stays on the state line, to be seen; what
   somebody else pressed waits for them. */
const resume = async () => {
  if (unsent().length) nothingWaits();
  const left = unsent().filter(isMine);
  const refused = [];
  for (const command of left) {
    sending = sending
      .then(() => deliver(command))
      .then((answer) => {
        if (!answer.ok) refused.push(answer.body.message);
      });
  }
  await sending;
  if (refused.length) status(refused.join(" "), true);
  return left.length;
};

/* Dollars as typed, in cents. What is no amount is sent as it was typed, for the server to refuse. */
const cents = (text) => {
  const dollars = Number(text.replace(/[$,]/g, ""));
  return Number.isFinite(dollars) ? Math.round(dollars * 100) : text;
};

/* How a field is read: data-kind says cents (typed in dollars), cents-list (several), number, flag, list (a value of each
   ticked box), or text. */
const READ = {
  cents,
  "cents-list": (text) => text.split(/[\s;]+/).filter(Boolean).map(cents),
  number: Number,
  flag: (text) => text === "true",
};

/* Fields of a form as values. What may be left out is left out where nothing is typed. */
const valuesOf = (form) => {
  const values = {};
  for (const field of form.elements) {
    if (!field.name || ((field.type === "radio" || field.type === "checkbox") && !field.checked)) continue;
    const text = field.value.trim();
    const { kind } = field.dataset;
    if (kind === "list") values[field.name] = [...(values[field.name] ?? []), text];
    else if (text !== "" || (field.required && !kind)) values[field.name] = kind ? READ[kind](text) : text;
  }
  return values;
};

/* With the PIN of a second person, which is kept nowhere: sent once a press, under one key until it was answered. */
const sendWithPin = async (form, values) => {
  form.dataset.key ||= newKey();
  const pressed = { key: form.dataset.key, verb: form.dataset.verb, values, occurred_at: new Date().toISOString() };
  form.elements.approver_pin.value = "";
  try {
    const answer = await attempt(pressed);
    if (answer.status === 401) location.reload();
    delete form.dataset.key;
    return answer;
  } catch (failure) {
    const why = failure instanceof TypeError ? "" : failure.message;
    return { ok: false, body: { message: words("unasked") + why } };
  }
};

const refuse = (form, body) => {
  let place = form.querySelector(".refusal");
  if (!place) {
    place = document.createElement("p");
    place.className = "refusal";
    place.setAttribute("role", "alert");
    form.prepend(place);
  }
  place.textContent = body.rule ? `${body.message} (${body.rule})` : body.message;
  place.scrollIntoView({ block: "nearest" }); // a long form's button is a screen away from its head
};

/* A form with data-verb sends a command; done, the page shows the new state, unless somebody else sees to that. */
const isSeenTo = (form) => !form.dispatchEvent(new CustomEvent("backline:done", { bubbles: true, cancelable: true }));

export const wire = (onDone) => {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.dataset.verb) return;
    event.preventDefault();
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    const values = valuesOf(form);
    const answer = await (values.approver_pin ? sendWithPin(form, values) : send(form.dataset.verb, values));
    delete form.dataset.busy;
    if (!answer.ok) refuse(form, answer.body);
    else if (!isSeenTo(form)) onDone(answer.body, form);
  });
  resume().then((count) => count && onDone(null, null));
};
