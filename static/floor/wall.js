/* The wall screen: the time of each room, and everything as large as it goes, twice the usual size where the map allows. */
"use strict";

(() => {
  const MOST = 2;
  const LEAST = 1;
  const STEP = 0.05;

  const root = document.documentElement;
  let fitted = "";

  const showTime = () => {
    for (const time of document.querySelectorAll(".wall-clock")) {
      const options = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: time.dataset.zone };
      const text = new Intl.DateTimeFormat("en", options).format();
      if (time.textContent !== text) time.textContent = text;
    }
  };

  const isOver = () => root.scrollHeight > root.clientHeight || root.scrollWidth > root.clientWidth;

  const fit = () => {
    for (let scale = MOST; scale >= LEAST; scale -= STEP) {
      root.style.setProperty("--wall", scale.toFixed(2));
      if (!isOver()) return;
    }
  };

  /* Measured anew only when tables have come, gone or moved. */
  const show = () => {
    showTime();
    const places = [...document.querySelectorAll(".room li")].map((each) => each.className).join("/");
    if (places !== fitted) fit();
    fitted = places;
  };

  document.addEventListener("htmx:afterSwap", show);
  document.addEventListener("htmx:responseError", ({ detail }) => {
    if (detail.xhr.status === 403) location.reload(); // a screen that floor has ended shows nothing any more
  });
  addEventListener("resize", fit);
  document.fonts.ready.then(fit);
  setInterval(showTime, 1000);
  show();
})();
