/* Signing in, changing dealers, locking: badge and PIN by big keys, on top of whatever is on the screen, so that a hand that
   is being entered stays where it is. The screen locks itself after a quiet time. */
import { h, say } from "./dom.js";

const QUIET_MS = 5 * 60 * 1000;
const LOOK_MS = 5000;
const ANSWER_WITHIN_MS = 10_000;
const DEALERS = "backline.dealers"; // who signed in here last: names and badges, as they are worn
const DEALERS_SHOWN = 4;
const BADGE_MAX = 12;
const PIN_MAX = 12;

/* ---- what is typed ---- */

const typing = (ui) =>
  (ui.sign_in ??= { field: "badge", badge: "", pin: "", refusal: null, is_asking: false, quiet: false });

const dealers = () => JSON.parse(localStorage.getItem(DEALERS) ?? "[]");

const remember = ({ badge, name }) => {
  const others = dealers().filter((each) => each.badge !== badge);
  localStorage.setItem(DEALERS, JSON.stringify([{ badge, name }, ...others].slice(0, DEALERS_SHOWN)));
};

/* ---- the layer ---- */

const place = ({ state, ui }) => state?.table ?? ui.place ?? null;

const GAMES = { "chinese-poker": () => gettext("Chinese Poker"), "pai-gow-poker": () => gettext("Pai Gow Poker") };

const title = ({ state, signed_out: isOut, ui }) => {
  if (ui.sign_in?.quiet) return gettext("Locked");
  return isOut || !state ? gettext("Sign in") : gettext("Next dealer");
};

const standing = (model) => {
  const { state, signed_out: isOut, ui } = model;
  if (ui.sign_in?.quiet) return gettext("Nothing was pressed for five minutes. The hand is as you left it.");
  if (state && !isOut) {
    return say(
      gettext("%(name)s is signed in. Whoever signs in now deals on from here; the hand stays as it is."),
      state.me,
    );
  }
  return gettext("What you enter is recorded under your badge.");
};

const field = (typed, name, label, value, isSecret) =>
  h(
    "label",
    { class: "sign-in-field", "data-field": name, "data-current": typed.field === name },
    label,
    h("input", {
      id: `sign-in-${name}`,
      type: isSecret ? "password" : "text",
      value,
      inputmode: "none",
      autocomplete: "off",
      autofocus: typed.field === name,
      maxlength: isSecret ? PIN_MAX : BADGE_MAX,
      "data-act": "sign_in.typed",
      "data-live": true,
      "data-field": name,
    }),
  );

const key = (label, attributes, ...more) =>
  h("button", { type: "button", class: "sign-in-key", ...attributes }, label, ...more);

const digit = (number) => key(String(number), { "data-act": "sign_in.digit", "data-digit": number });

const keys = (typed) =>
  h(
    "div",
    { class: "sign-in-keys", role: "group", "aria-label": gettext("Keypad") },
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map(digit),
    typed.field === "badge"
      ? key(gettext("PIN"), {
          "data-act": "sign_in.field",
          "data-field": "pin",
          "aria-label": gettext("Go on to the PIN"),
        })
      : key(gettext("Badge"), {
          "data-act": "sign_in.field",
          "data-field": "badge",
          "aria-label": gettext("Back to the badge"),
        }),
    digit(0),
    key("⌫", { "data-act": "sign_in.back", "aria-label": gettext("Delete the last digit") }),
  );

const who = (model, typed) => {
  const here = dealers().filter(({ badge }) => model.signed_out || badge !== model.state?.me.badge);
  return h(
    "div",
    { class: "sign-in-dealers", role: "group", "aria-label": gettext("Dealt here last") },
    here.map(({ badge, name }) =>
      h(
        "button",
        {
          type: "button",
          key: badge,
          "data-act": "sign_in.dealer",
          "data-badge": badge,
          "aria-pressed": String(typed.badge === badge),
        },
        name,
      ),
    ),
  );
};

/* A refusal stands where the words about the sign-in were, so that no key moves under the thumb. */
const said = (model, { refusal: words }) =>
  h(
    "div",
    { class: "sign-in-said" },
    words
      ? h("p", { class: "refusal", role: "alert", key: "refusal" }, words)
      : h("p", { class: "muted small", key: "standing" }, standing(model)),
  );

const heading = (model) => {
  const table = place(model);
  return h(
    "div",
    { class: "sign-in-head" },
    h(
      "div",
      {},
      h("p", { class: "sign-in-table" }, table ? `${table.label} · ${GAMES[table.game]()} · ${table.room}` : " "),
      h("h2", { id: "sign-in-title" }, title(model)),
    ),
    model.signed_out || !model.state
      ? null
      : h("button", { type: "button", "data-act": "sign_in.close" }, gettext("Back")),
  );
};

const notATablet = () =>
  h(
    "section",
    { class: "sign-in-pad", "aria-labelledby": "sign-in-title" },
    h("h2", { id: "sign-in-title" }, gettext("Not a tablet yet")),
    h(
      "p",
      {},
      gettext(
        "This browser is not enrolled. Floor signs in on it, opens the table’s page and makes it the table’s tablet.",
      ),
    ),
    h("p", {}, h("a", { class: "button primary", href: "/sign-in/" }, gettext("Floor sign-in"))),
  );

export const signInView = (model) => {
  const typed = typing(model.ui);
  if (model.ui.place === null) return notATablet();
  return h(
    "form",
    { class: "sign-in-pad", "data-act": "sign_in.go", "aria-labelledby": "sign-in-title" },
    heading(model),
    said(model, typed),
    who(model, typed),
    h(
      "div",
      { class: "sign-in-fields" },
      field(typed, "badge", gettext("Badge number"), typed.badge, false),
      field(typed, "pin", gettext("PIN"), typed.pin, true),
    ),
    keys(typed),
    h(
      "div",
      { class: "sign-in-foot" },
      model.signed_out || !model.state
        ? null
        : h("button", { type: "button", "data-act": "sign_in.lock" }, gettext("Lock the screen")),
      h(
        "button",
        { class: "primary next", disabled: typed.is_asking || !typed.badge || !typed.pin },
        typed.is_asking ? gettext("Signing in") : gettext("Sign in"),
      ),
    ),
  );
};

/* ---- the server ---- */

/* The site's token is in a cookie, where every answer of this site may renew it. */
const siteToken = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";

const within = () => ({ signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });

const ask = async () => (await fetch("/tablet/who/", within())).json();

const post = async (path, values) => {
  const send = () =>
    fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": siteToken() },
      body: JSON.stringify(values),
      ...within(),
    });
  const first = siteToken() ? await send() : null;
  if (first && first.status !== 403) return first;
  await ask();
  return send();
};

/* Badge and PIN. The screen goes on with the new dealer once the state is theirs. */
const go = async (context, typed) => {
  typed.is_asking = true;
  typed.refusal = null;
  context.draw();
  try {
    const response = await post("/tablet/who/", { badge: typed.badge, pin: typed.pin });
    const answer = await response.json();
    if (!response.ok) return refuse(context, refusedWords(answer));
    remember(answer.me);
    await context.signedIn(answer);
  } catch {
    return refuse(
      context,
      gettext("The server cannot be reached, and only it can check a PIN. Try again when it is back."),
    );
  } finally {
    typed.is_asking = false;
  }
  leave(context);
};

const refusedWords = ({ code, message }) =>
  code === "sign-in-refused"
    ? gettext(
        "Badge and PIN do not belong together. Try again, or ask floor. Three wrong PINs in a row lock the badge.",
      )
    : message;

const refuse = (context, words) => {
  byKey(context.ui);
  Object.assign(typing(context.ui), { pin: "", field: "pin", refusal: words });
  context.buzz();
};

const leave = (context) => {
  delete context.ui.sign_in;
  if (context.ui.layer === "sign-in") context.ui.layer = null;
};

/* Ends the sign-in. Only a screen that can reach the server is locked: without it nobody could open it again. */
const lock = async (context, isQuiet) => {
  const { badge } = context.model.state.me;
  const response = await post("/tablet/out/", {});
  if (!response.ok) return;
  context.model.signed_out = true;
  context.ui.sign_in = { ...typing({}), badge, field: "pin", quiet: isQuiet };
  context.ui.layer = "sign-in";
  context.draw();
};

/* ---- what a tap does ---- */

const put = (typed, text) => {
  typed[typed.field] = text.slice(0, typed.field === "pin" ? PIN_MAX : BADGE_MAX);
  typed.refusal = null;
};

/* A focused field keeps what was typed into it, so it lets go before a key of the screen changes it. */
const byKey = (ui) => {
  if (document.activeElement?.matches(".sign-in-field input")) document.activeElement.blur();
  return typing(ui);
};

export const actions = {
  "sign_in.digit": ({ ui }, { digit: number }) => {
    const typed = byKey(ui);
    put(typed, typed[typed.field] + number);
  },
  "sign_in.back": ({ ui }) => {
    const typed = byKey(ui);
    put(typed, typed[typed.field].slice(0, -1));
  },
  "sign_in.field": ({ ui }, { field: name }) => {
    byKey(ui).field = name;
  },
  "sign_in.dealer": ({ ui }, { badge }) => {
    Object.assign(byKey(ui), { badge, pin: "", field: "pin", refusal: null });
  },
  "sign_in.typed": ({ ui }, { field: name }, event) => {
    const typed = typing(ui);
    typed.field = name;
    put(typed, event.target.value.trim());
  },
  "sign_in.go": (context, _data, event) => {
    const typed = typing(context.ui);
    for (const name of ["badge", "pin"]) typed[name] = event.target.querySelector(`#sign-in-${name}`).value.trim();
    return go(context, typed);
  },
  "sign_in.lock": async (context) => {
    try {
      await lock(context, false);
    } catch {
      typing(context.ui).refusal = gettext(
        "The server cannot be reached, so the screen stays open: nobody could unlock it.",
      );
    }
  },
  "sign_in.close": ({ ui }) => {
    delete ui.sign_in;
    ui.layer = null;
  },
};

/* ---- the quiet time ---- */

/* Starts with the page. A screen without the network stays open: it could not check the PIN that opens it. */
export const quietTimer = (context) => {
  let touchedAt = Date.now();
  const touched = () => (touchedAt = Date.now());
  for (const type of ["pointerdown", "keydown"])
    document.addEventListener(type, touched, { capture: true, passive: true });

  setInterval(async () => {
    const { model } = context;
    if (Date.now() - touchedAt < QUIET_MS || !model.online || model.signed_out || !model.state) return;
    try {
      await lock(context, true);
    } catch {
      // The network has just gone; the next look tries again.
    }
  }, LOOK_MS);

  ask()
    .then(({ table }) => {
      context.ui.place = table;
      context.draw();
    })
    .catch(() => undefined); // without the network the kept state says which table it is
};
