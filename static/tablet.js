/* The tablet's screen: opens dialogs, sends what is entered, and shows the table's state as it is. */
"use strict";

(() => {
  const POLL_MS = 3000;
  const screen = document.getElementById("screen");
  let etag = null;

  const dialogOpen = () => document.querySelector("dialog[open]") !== null;
  const typing = () => document.activeElement && ["INPUT", "SELECT"].includes(document.activeElement.tagName);

  const show = (html) => {
    screen.innerHTML = html;
    Backline.showStatus();
    Picker.open();
  };

  /* Without force, leaves alone what somebody is in the middle of. */
  const refresh = async (force) => {
    let response;
    try {
      response = await fetch(screen.dataset.url, { headers: etag && !force ? { "If-None-Match": etag } : {} });
    } catch {
      return;
    }
    if (response.redirected || response.status === 403) location.reload();
    if (response.status !== 200) return;
    const html = await response.text();
    if (!force && (dialogOpen() || typing())) return;
    etag = response.headers.get("ETag");
    show(html);
  };

  const { cents } = Backline;

  /* A second tap while the first is under way does nothing. */
  const once = (work) => {
    let isUnderWay = false;
    return async (...values) => {
      if (isUnderWay) return;
      isUnderWay = true;
      try {
        await work(...values);
      } finally {
        isUnderWay = false;
      }
    };
  };

  const sendCards = once(async () => {
    const answer = await Backline.send("hand.record", { hand_id: Picker.handId(), hands: Picker.hands() });
    if (answer.ok) {
      Picker.forget();
      await refresh(true);
      return;
    }
    const place = document.getElementById("picker-refusal");
    place.textContent = answer.body.message;
    place.hidden = false;
  });

  const sendWagers = once(async (form) => {
    const wagers = [];
    for (const row of form.querySelectorAll("[data-wager]")) {
      const text = row.querySelector("input").value.trim();
      if (text) wagers.push({ sitting: row.dataset.sitting, position: Number(row.dataset.position), amount_cents: cents(text) });
    }
    for (const row of form.querySelectorAll("[data-backline]")) {
      const text = row.querySelector("[data-amount]").value.trim();
      if (!text) continue;
      const position = Number(row.querySelector("[data-position]").value);
      wagers.push({ sitting: row.querySelector("select[data-sitting]").value, position, amount_cents: cents(text) });
    }
    const bank = [];
    for (const row of form.querySelectorAll("[data-share]")) {
      const text = row.querySelector("input").value.trim();
      if (text) bank.push({ sitting: row.dataset.sitting, amount_cents: cents(text) });
    }
    const dice = [...form.querySelectorAll(".dice input:checked")].map((input) => Number(input.value));
    const answer = await Backline.send("hand.close_wagers", { hand_id: form.dataset.hand, wagers, bank, dice });
    if (answer.ok) await refresh(true);
    else Backline.refuse(form, answer.body);
  });

  const showVerdict = (visible) => {
    for (const id of ["verdict", "verdict-foot"]) document.getElementById(id).hidden = !visible;
    for (const id of ["picker", "picker-foot"]) document.getElementById(id).hidden = visible;
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.dialog) document.getElementById(button.dataset.dialog).showModal();
    else if ("close" in button.dataset) button.closest("dialog").close();
    else if (button.id === "edit") showVerdict(false);
    else if (button.id === "next" && Picker.next()) sendCards();
    else if (button.id === "misdeal") document.getElementById("misdeal-dialog").showModal();
    else if (button.id === "misdeal-yes") {
      document.getElementById("misdeal-dialog").close();
      sendCards();
    }
  });

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "wagers") return;
    event.preventDefault();
    sendWagers(event.target);
  });

  Picker.wire();
  Picker.open();
  Backline.wire(() => refresh(true));
  setInterval(() => refresh(false), POLL_MS);
})();
