/* The clocks of a table's panel: what is left of each, by the server's clock. */
"use strict";

(() => {
  let clockAhead = 0; // milliseconds

  const showLeft = () => {
    for (const left of document.querySelectorAll("time.left")) {
      const seconds = Math.ceil((Date.parse(left.dateTime) - Date.now() - clockAhead) / 1000);
      const shown = Math.abs(seconds);
      left.textContent = `${seconds < 0 ? "−" : ""}${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, "0")}`;
      left.classList.toggle("stop", seconds <= 0);
    }
  };

  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    const sent = Date.parse(detail.xhr.getResponseHeader("Date"));
    if (sent) clockAhead = sent - Date.now();
  });
  document.addEventListener("htmx:afterSwap", showLeft);
  setInterval(showLeft, 1000);
  showLeft();
})();
