/* What the pages of jobs show now: asked for every two seconds, put in only when it changed, ages run by themselves. */
"use strict";

(() => {
  const EVERY_MS = 2000;
  const place = document.querySelector("[data-seconds]");
  const fresh = document.querySelector("[data-fresh]");
  const { seconds: inSeconds, minutes: inMinutes, hours: inHours, days: inDays, poll } = place.dataset;
  let etag = "";
  let clockAhead = 0; // milliseconds that the server's clock is ahead of this device's

  /* No longer than it has to be: 42 s, 7 min, 1 h 05, 3 d. */
  const short = (seconds) => {
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    if (minutes < 1) return inSeconds.replace("%s", seconds);
    if (hours < 1) return inMinutes.replace("%m", minutes);
    if (hours < 48) return inHours.replace("%h", hours).replace("%m", String(minutes % 60).padStart(2, "0"));
    return inDays.replace("%d", Math.floor(hours / 24));
  };

  const showAges = () => {
    for (const age of place.querySelectorAll("time.age")) {
      age.textContent = short(Math.max(0, Math.floor((Date.now() + clockAhead - Date.parse(age.dateTime)) / 1000)));
    }
  };

  const showFresh = (isFresh) => {
    const text = isFresh ? fresh.dataset.fresh : fresh.dataset.stale;
    if (fresh.textContent !== text) fresh.textContent = text;
    fresh.classList.toggle("stop", !isFresh);
  };

  /* Its buttons stand outside of what is put in, so that nobody's focus is lost; another state has other buttons. */
  const put = (html) => {
    const state = place.querySelector("[data-state]")?.dataset.state;
    const focused = document.activeElement?.href;
    place.innerHTML = html;
    if (place.querySelector("[data-state]")?.dataset.state !== state) location.reload();
    if (focused) [...place.querySelectorAll("a")].find((each) => each.href === focused)?.focus({ preventScroll: true });
    showAges();
  };

  const ask = async () => {
    const answer = await fetch(poll + location.search, { headers: etag ? { "If-None-Match": etag } : {}, cache: "no-store" });
    if (answer.redirected) return location.reload(); // nobody is signed in any more
    const sent = Date.parse(answer.headers.get("Date"));
    if (sent) clockAhead = sent - Date.now();
    if (answer.status === 200) {
      etag = answer.headers.get("ETag") ?? "";
      put(await answer.text());
    }
    return showFresh(answer.status === 200 || answer.status === 304);
  };

  const again = async () => {
    if (!document.hidden) await ask().catch(() => showFresh(false));
    setTimeout(again, EVERY_MS);
  };

  setInterval(showAges, 1000);
  showAges();
  if (poll) {
    showFresh(true);
    setTimeout(again, EVERY_MS);
  }
})();
