/* The floor's pages: what polls is swapped only when it changed, ages run by themselves, forms are never touched while
   somebody types in them. */
import { wire } from "./commands.js";

(() => {
  const SLOW_S = 180; // a hand's, where its table does not say what is usual there
  const STUCK_S = 360;
  const words = document.querySelector("#words").dataset;
  const fresh = document.querySelector("#fresh");
  const etags = new Map();
  let clockAhead = 0; // milliseconds that the server's clock is ahead of this device's

  /* Ages. The server sends the instant, so that its answer stays the same while nothing happens. */
  const clock = (seconds) => {
    const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
    const hours = Math.floor(seconds / 3600);
    return hours ? `${hours}:${parts.join(":")}` : parts.join(":").replace(/^0/, "");
  };

  /* No longer than it has to be: 42 s, 7 min, 1 h 05. */
  const short = (seconds, isWhole) => {
    const minutes = Math.floor(seconds / 60);
    if (minutes < 1 && !isWhole) return words.seconds.replace("%s", seconds);
    if (minutes < 60) return words.minutes.replace("%m", minutes);
    return words.hours.replace("%h", Math.floor(minutes / 60)).replace("%m", String(minutes % 60).padStart(2, "0"));
  };

  /* A hand's age says in words and colour when it is longer than hands take at its table; on a tile a bar does. */
  const showPace = (age, seconds) => {
    const stuckAt = Number(age.dataset.stuck ?? STUCK_S);
    const level = seconds >= stuckAt ? "stuck" : seconds >= Number(age.dataset.slow ?? SLOW_S) ? "slow" : "";
    const bar = age.closest(".tile")?.querySelector(".age-bar > span");
    age.textContent = level && !bar ? `${clock(seconds)} ${words[level]}` : clock(seconds);
    age.classList.toggle("warn", level === "slow");
    age.classList.toggle("stop", level === "stuck");
    if (!bar) return;
    bar.className = level;
    bar.style.inlineSize = `${Math.min(100, (100 * seconds) / stuckAt)}%`;
  };

  const showAges = () => {
    for (const age of document.querySelectorAll("time.age")) {
      const seconds = Math.max(0, Math.floor((Date.now() + clockAhead - Date.parse(age.dateTime)) / 1000));
      const { classList: kinds } = age;
      if (kinds.contains("pace")) showPace(age, seconds);
      else if (kinds.contains("short")) age.textContent = short(seconds, false);
      else if (kinds.contains("minutes")) age.textContent = short(seconds, true);
      else age.textContent = clock(seconds);
    }
  };

  /* What is swapped begins at its left again; a map stays where it was scrolled to. */
  const scrolled = new Map();
  const keepScroll = () => {
    for (const frame of document.querySelectorAll(".map-scroll")) scrolled.set(frame.id, frame.scrollLeft);
  };
  const putScroll = () => {
    for (const frame of document.querySelectorAll(".map-scroll")) frame.scrollLeft = scrolled.get(frame.id) ?? 0;
  };

  /* Polling. */
  const showFresh = (isFresh) => {
    const text = isFresh ? words.fresh : words.stale;
    if (fresh.textContent !== text) fresh.textContent = text;
    fresh.classList.toggle("stop", !isFresh);
  };

  document.addEventListener("htmx:configRequest", ({ detail }) => {
    const etag = etags.get(detail.path);
    if (etag) detail.headers["If-None-Match"] = etag;
  });

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const path = detail.pathInfo.requestPath;
    keepScroll();
    const asked = new URL(path, location.href).pathname;
    if (new URL(detail.xhr.responseURL).pathname !== asked) {
      detail.shouldSwap = false;
      location.reload(); // sent elsewhere: nobody is signed in any more
    } else if (detail.xhr.status === 304) {
      detail.shouldSwap = false;
    } else if (detail.xhr.status === 200) {
      etags.set(path, detail.xhr.getResponseHeader("ETag"));
    }
  });

  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    const answered = detail.xhr.status === 200 || detail.xhr.status === 304;
    showFresh(answered);
    const sent = Date.parse(detail.xhr.getResponseHeader("Date"));
    if (answered && sent) clockAhead = sent - Date.now();
  });

  /* The forms belong to a session and a hand; when the table has moved on they are fetched anew, unless in use. */
  const isInUse = (actions) =>
    actions.contains(document.activeElement) ||
    actions.querySelector(".acts > details[open]") ||
    [...actions.querySelectorAll("input:not([type=hidden])")].some((field) => field.value !== field.defaultValue);

  const followTable = () => {
    const actions = document.querySelector("#actions");
    const now = document.querySelector("#facts [data-actions]")?.dataset.actions;
    if (!actions || now === undefined || now === actions.dataset.for) return;
    if (isInUse(actions)) document.querySelector("#changed").hidden = false;
    else htmx.ajax("GET", location.pathname, { target: "#actions", select: "#actions", swap: "outerHTML" });
  };

  document.addEventListener("htmx:afterSwap", () => {
    putScroll();
    showAges();
    followTable();
  });

  setInterval(showAges, 1000);
  showAges();
  showFresh(true);
  wire(() => location.reload());
})();
