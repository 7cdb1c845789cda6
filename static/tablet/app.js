/* The tablet's page: boots, asks for the table's state, draws the frame round the view of the hand's stage, and gives
   taps and keys to the actions of the views. */
import { actions as betweenActions, betweenFoot, betweenView } from "./between.js";
import { actions as callsActions, callsView } from "./calls.js";
import { clock, h, morph, say } from "./dom.js";
import { expected } from "./expect.js";
import { closedView, foot, note, sentState, stageOf, strip } from "./frame.js";
import { actions as pickerActions, onKey, pickerFoot, pickerView } from "./picker.js";
import { openQueue } from "./queue.js";
import { actions as seatsActions, ovalView, seatFoot, seatSheet } from "./seats.js";
import { actions as seenActions, seenFoot, seenView } from "./seen.js";
import { actions as signInActions, quietTimer, signInView } from "./sign_in.js";
import { openStore } from "./store.js";
import { actions as verdictActions, verdictFoot, verdictView } from "./verdict.js";
import { watchVersions } from "./versions.js";
import { actions as wagersActions, wagersFoot, wagersView } from "./wagers.js";
import { actions as waitingActions, waitingView } from "./waiting.js";

const POLL_MS = 2500;
const TICK_MS = 1000;
const STATE_WITHIN_MS = 10_000;
const DOUBLE_TAP_MS = 400;
const THEME = "backline.theme";
const OLD_QUEUE = "backline.unsent"; // static/commands.js

const app = document.getElementById("app");
const store = await openStore();

/* The last state is what a reload without network draws; drafts are one a table. */
const model = { state: null, shown: null, queue: null, online: navigator.onLine, draft: {}, ui: {}, now: Date.now() };

let etag = null;
let skew = 0; // how far the server's clock is ahead of the device's

const instant = () => Date.now() + skew;
const handKey = (id) => (id !== null && typeof id === "object" ? id.$from : id);
const draftName = () => `draft:${model.state.table.id}`;

/* ---- drawing ---- */

const STAGES = {
  closed: [closedView, () => null],
  between: [betweenView, betweenFoot],
  wagers: [wagersView, wagersFoot],
  cards: [pickerView, pickerFoot],
  verdict: [verdictView, verdictFoot],
};

const LAYERS = { calls: callsView, waiting: waitingView, "sign-in": signInView };

const LAYER_WORDS = {
  calls: () => gettext("Floor"),
  waiting: () => gettext("Sent and not sent"),
  "sign-in": () => gettext("Sign in"),
};

/* What is opened in place of the hand: the sheet of a seat, or what went wrong. */
const over = () => {
  const [sheet, seen] = [seatSheet(model), seenView(model)];
  if (sheet) return [() => sheet, seatFoot];
  return seen && [() => seen, seenFoot];
};

const view = () => {
  if (!model.shown) {
    return h(
      "main",
      { class: "empty" },
      h("h1", {}, gettext("Backline")),
      h("p", {}, gettext("Asking for the table’s state.")),
    );
  }
  const [work, workFoot] = over() ?? STAGES[stageOf(model)];
  return [
    strip(model),
    h(
      "main",
      { class: `board stage-${stageOf(model)}` },
      h("section", { class: "table-side", "aria-label": gettext("The table") }, ovalView(model), note(model)),
      h("section", { class: "work-side", "aria-label": gettext("The hand") }, work(model)),
    ),
    foot(model, workFoot(model)),
  ];
};

const layer = h("dialog", { class: "layer", id: "layer" });
const frame = h("div", { class: "frame" });
const live = h("p", { class: "visually-hidden", role: "status" });
app.replaceChildren(frame, layer, live);

const drawLayer = () => {
  const { layer: name } = model.ui;
  if (!name) {
    if (layer.open) layer.close();
    layer.replaceChildren();
    return;
  }
  layer.dataset.kind = name;
  layer.setAttribute("aria-label", LAYER_WORDS[name]());
  morph(layer, LAYERS[name](model));
  if (!layer.open) layer.showModal();
};

const draw = () => {
  model.now = instant();
  model.queue = queue.model();
  model.shown = model.state && expected(model.state, queue.laid());
  morph(frame, view());
  drawLayer();
  const said = model.shown ? sentState(model)[0] : "";
  if (live.textContent !== said) live.textContent = said;
};

/* ---- the state ---- */

const dropDraft = () => {
  for (const name of Object.keys(model.draft)) delete model.draft[name];
  delete model.ui.editing;
};

/* The draft belongs to the hand that is out; a hand started without network gets its id when the start is answered, to
   this device or, before that, in the state. While its start waits the draft is not held against another hand. */
const matchDraft = () => {
  const hand = handKey(model.draft.hand);
  const now = handKey(model.shown.hand?.id);
  if (hand === undefined || hand === now) return;
  const started = queue.answer(hand)?.body.hand ?? model.state.last_presses?.[hand]?.hand;
  if (started !== undefined && started === now) model.draft.hand = now;
  else if (started !== undefined || !queue.isWaiting(hand)) dropDraft();
};

const keepDraft = () => store.put("kept", draftName(), { ...model.draft });

/* In one turn, so that no drawing in between sees a draft beside a hand that it does not know. */
const take = async (state) => {
  model.state = state;
  model.shown = expected(state, queue.laid());
  matchDraft();
  await Promise.all([store.put("kept", "state", { state, skew }), keepDraft()]);
};

let asking = null;
let next = null;

/* Ask for the state. Who asks while an answer is on its way gets the next one: that one may not hold yet what was
   just done. Resolves to whether the server answered. */
const refresh = () => {
  if (!asking) return (asking = ask().finally(() => (asking = null)));
  next ??= asking.then(() => {
    next = null;
    return refresh();
  });
  return next;
};

/* Told with every question for the state, so that floor sees what a tablet has pressed and not sent. */
const unsent = () => {
  const { waiting, oldest_at: oldest } = queue.model();
  return waiting.length ? `${waiting.length};${oldest}` : "0";
};

const ask = async () => {
  const turn = queue.turn();
  let response;
  let state;
  try {
    const headers = { "X-Unsent": unsent(), ...(etag && { "If-None-Match": etag }) };
    response = await fetch("/tablet/state/", { headers, signal: AbortSignal.timeout(STATE_WITHIN_MS) });
    if (response.status === 200) state = await response.json();
  } catch {
    setOnline(false);
    return false;
  }
  setOnline(response.status < 500);
  if (response.status === 401 || response.status === 403) {
    model.signed_out = true;
    Object.assign(model.ui, { layer: "sign-in" });
  } else if (state) {
    etag = response.headers.get("ETag");
    skew = Date.parse(state.now) - Date.now();
    queue.seen(turn);
    await take(state);
  } else if (response.status === 304) {
    queue.seen(turn);
  }
  draw();
  return Boolean(state) || response.status === 304;
};

/* Back again: what waits goes out at once. */
const setOnline = (isOnline) => {
  const isBack = isOnline && !model.online;
  model.online = isOnline;
  if (isBack) queue.wake();
  draw();
};

/* ---- actions ---- */

/* What an action may use; see the modules that have them. */
export const context = {
  model,
  ui: model.ui,
  draft: model.draft,
  store,
  refresh,
  draw,
  buzz: () => navigator.vibrate?.(12),
  press: (verb, values, options) => queue.press(verb, values, options),
  setDraft: async (patch) => {
    model.draft.hand ??= handKey(model.shown.hand?.id);
    Object.assign(model.draft, patch);
    await keepDraft();
  },
  /* Somebody gave badge and PIN: {me, press_token}, as the server answered. */
  signedIn: async (answer) => {
    if (model.state) model.state = { ...model.state, me: answer.me };
    model.signed_out = false;
    etag = null;
    await queue.signedIn(answer);
    await refresh();
  },
};

const queue = await openQueue(store, {
  me: () => model.state && { user_id: model.state.me.user_id, name: model.state.me.name },
  session: () => model.state?.session?.id ?? null,
  instant: () => new Date(instant()).toISOString(),
  clock: (iso) => clock(iso, model.state.table.time_zone),
  isOnline: () => model.online && navigator.onLine,
  setOnline: (isOnline) => (model.online = isOnline),
  refresh: () => refresh(),
  draw: () => draw(),
});
context.queue = queue;

const actions = {
  "app.layer": (_context, { layer: name }) => {
    model.ui.layer = model.ui.layer === name ? null : name;
  },
  "app.close": () => {
    if (model.signed_out) return;
    model.ui.layer = null;
    delete model.ui.refusal;
  },
  "app.theme": () => {
    const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(THEME, theme);
  },
  ...pickerActions,
  ...seatsActions,
  ...betweenActions,
  ...wagersActions,
  ...verdictActions,
  ...seenActions,
  ...callsActions,
  ...signInActions,
  ...waitingActions,
};

const underWay = new Set();

/* Draws at once what the action changed before it waits for anything, and again when it is done. */
const run = async (name, data, event) => {
  const one = JSON.stringify({ ...data });
  if (underWay.has(one)) return;
  underWay.add(one);
  try {
    const done = actions[name](context, data, event);
    draw();
    if (done instanceof Promise) {
      await done;
      draw();
    }
  } catch (failure) {
    model.ui.failure = say(gettext("The device could not do this: %(why)s"), { why: String(failure) });
    draw();
    throw failure;
  } finally {
    underWay.delete(one);
  }
};

let last = { act: null, isNext: false, at: 0 };

/* The next step changes under the thumb: the second tap of a double tap is not meant for what has come in its place. */
const isStray = (element) => {
  const { act } = element.dataset;
  const isNext = element.matches(".next");
  const isOther = isNext && last.isNext && last.act !== act && Date.now() - last.at < DOUBLE_TAP_MS;
  if (!isOther) last = { act, isNext, at: Date.now() };
  return isOther;
};

/* What an element answers to; a field with `data-live` to every sign typed into it. */
const eventOf = (element) => {
  if (element.nodeName === "FORM") return "submit";
  if (!["INPUT", "SELECT", "TEXTAREA"].includes(element.nodeName)) return "click";
  return "live" in element.dataset ? "input" : "change";
};

const dispatch = (event) => {
  const element = event.target.closest?.("[data-act]");
  if (!element || element.disabled || event.type !== eventOf(element)) return;
  if (event.type === "submit") event.preventDefault();
  if (!isStray(element)) run(element.dataset.act, element.dataset, event);
};

for (const type of ["click", "input", "change", "submit"]) document.addEventListener(type, dispatch);

document.addEventListener("keydown", (event) => {
  const isTyping = document.activeElement?.matches("input, select, textarea");
  const isChord = event.ctrlKey || event.metaKey || event.altKey;
  if (!model.shown || isTyping || isChord || layer.open || over() || stageOf(model) !== "cards") return;
  onKey(context, event);
});

layer.addEventListener("cancel", (event) => {
  event.preventDefault();
  run("app.close", { act: "app.close" }, event);
});

/* ---- the start ---- */

/* What the tablet's first pages left unsent; once, for the floor's pages still keep theirs there. */
const takeOverOld = async () => {
  if (await store.get("kept", "taken-over")) return;
  await queue.takeOver(JSON.parse(localStorage.getItem(OLD_QUEUE) || "[]"));
  await store.put("kept", "taken-over", true);
  localStorage.removeItem(OLD_QUEUE);
};

const isQuiet = () =>
  model.shown && !model.shown.hand && !model.ui.layer && !model.ui.sheet && !model.ui.seen && underWay.size === 0;

document.documentElement.dataset.theme = localStorage.getItem(THEME) ?? "dark";
const kept = await store.get("kept", "state");
if (kept) {
  ({ skew } = kept);
  Object.assign(model.draft, await store.get("kept", `draft:${kept.state.table.id}`));
  model.state = kept.state;
}
await takeOverOld();
draw();
quietTimer(context);
await refresh();
queue.wake();
setInterval(refresh, POLL_MS);
setInterval(draw, TICK_MS);
watchVersions(isQuiet);
