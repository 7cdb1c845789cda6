/* The card picker: fills front, middle and back in order, greys what is used, moves to the next seat by itself.
   What was entered is kept on the device until the hand is over, so that a reload loses nothing. */
"use strict";

const Picker = (() => {
  const DRAFT = "backline.draft";
  const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠", k: "★" };

  let hand = null;
  let draft = null;

  const byId = (id) => document.getElementById(id);
  const words = (name) => byId("words").dataset[name];

  const blank = () => ({ cards: [], pile: false, declares: "", surrenders: false });

  const entered = (item) => {
    const cards = Object.keys(hand.segments).flatMap((segment) => (item[segment] || "").split(" ").filter(Boolean));
    return {
      cards: item.cards === undefined ? cards : item.cards.split(" ").filter(Boolean),
      pile: item.cards !== undefined,
      declares: item.declares || "",
      surrenders: Boolean(item.surrenders),
    };
  };

  const restore = () => {
    const kept = JSON.parse(localStorage.getItem(DRAFT) || "null");
    if (kept && kept.hand === hand.hand && kept.revision === hand.revision) return kept;
    const fresh = { hand: hand.hand, revision: hand.revision, current: hand.seats[0].number, seats: {} };
    for (const seat of hand.seats) fresh.seats[seat.number] = blank();
    for (const item of hand.entered) {
      if (fresh.seats[item[hand.seat_key]]) fresh.seats[item[hand.seat_key]] = entered(item);
    }
    return fresh;
  };

  const keep = () => localStorage.setItem(DRAFT, JSON.stringify(draft));
  const current = () => draft.seats[draft.current];
  const isPile = (seat) => seat.pile || Boolean(seat.declares) || seat.surrenders;
  const isFull = (seat) => seat.cards.length >= hand.size;
  const unfinished = () => hand.seats.filter((seat) => !isFull(draft.seats[seat.number]));

  /* Cards of a seat by segment, filled in order; a pile is one segment. */
  const split = (seat) => {
    if (isPile(seat)) return [["cards", hand.size, seat.cards]];
    let from = 0;
    return Object.entries(hand.segments).map(([segment, size]) => {
      const cards = seat.cards.slice(from, from + size);
      from += size;
      return [segment, size, cards];
    });
  };

  const face = (card) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `card ${card === "Jk" ? "joker" : card[1]}`;
    button.dataset.remove = card;
    button.setAttribute("aria-label", `${card} ✕`);
    button.append(card === "Jk" ? "Jk" : card[0]);
    const sign = document.createElement("small");
    sign.textContent = SIGNS[card[1]];
    button.append(sign);
    return button;
  };

  const drawSegments = () => {
    const place = byId("segments");
    place.replaceChildren();
    for (const [segment, size, cards] of split(current())) {
      const row = document.createElement("div");
      row.className = "segment";
      const label = document.createElement("span");
      label.className = "segment-name";
      label.textContent = segment === "cards" ? words("pile") : segment;
      const slots = document.createElement("span");
      slots.className = "cards";
      for (const card of cards) slots.append(face(card));
      for (let slot = cards.length; slot < size; slot += 1) {
        const empty = document.createElement("span");
        empty.className = "card empty";
        slots.append(empty);
      }
      row.append(label, slots);
      place.append(row);
    }
  };

  const drawTabs = () => {
    const place = byId("seat-tabs");
    place.replaceChildren();
    for (const seat of hand.seats) {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.dataset.seat = seat.number;
      tab.setAttribute("aria-pressed", String(seat.number === draft.current));
      tab.textContent = `${seat.number} ${seat.name}${isFull(draft.seats[seat.number]) ? " ✓" : ""}`;
      place.append(tab);
    }
  };

  const draw = () => {
    const seat = current();
    const used = new Set(Object.values(draft.seats).flatMap((each) => each.cards));
    for (const key of document.querySelectorAll("#picker [data-card]")) {
      key.disabled = used.has(key.dataset.card) || isFull(seat);
      key.classList.toggle("used", used.has(key.dataset.card));
    }
    const info = hand.seats.find((each) => each.number === draft.current);
    byId("picker-title").textContent = `${info.number} ${info.name}`;
    if (byId("declares")) byId("declares").value = seat.declares;
    if (byId("surrenders")) byId("surrenders").checked = seat.surrenders;
    if (byId("pile")) byId("pile").checked = seat.pile;
    drawSegments();
    drawTabs();
    const left = unfinished();
    const next = byId("next");
    next.disabled = left.length > 0 && left[0].number === draft.current && left.length === 1;
    if (!left.length) next.textContent = words("see");
    else if (left.every((each) => each.number === draft.current)) {
      const togo = hand.size - seat.cards.length;
      next.textContent = words("still").replace("%s", draft.current).replace("%n", togo);
    } else next.textContent = words("nextSeat").replace("%s", left.find((each) => each.number !== draft.current).number);
    keep();
  };

  const press = (card) => {
    const seat = current();
    if (isFull(seat)) return;
    seat.cards.push(card);
    if (isFull(seat)) {
      const left = unfinished();
      if (left.length) draft.current = left[0].number;
    }
    draw();
  };

  /* Undo takes back the last card, also across seats. */
  const undo = () => {
    const order = hand.seats.map((seat) => seat.number);
    let at = order.indexOf(draft.current);
    while (at >= 0 && !draft.seats[order[at]].cards.length) at -= 1;
    if (at < 0) return;
    draft.current = order[at];
    draft.seats[order[at]].cards.pop();
    draw();
  };

  /* The hands as the hand record wants them. */
  const hands = () =>
    hand.seats.map(({ number }) => {
      const seat = draft.seats[number];
      const item = { [hand.seat_key]: number };
      for (const [segment, , cards] of split(seat)) item[segment] = cards.join(" ");
      if (seat.declares) item.declares = seat.declares;
      if (seat.surrenders) item.surrenders = true;
      return item;
    });

  const forget = () => localStorage.removeItem(DRAFT);

  const open = () => {
    const data = byId("picker-data");
    hand = data ? JSON.parse(data.textContent) : null;
    if (!hand) return;
    draft = restore();
    for (const natural of hand.naturals) {
      if (byId("declares")) byId("declares").add(new Option(natural.words, natural.kind));
    }
    draw();
  };

  const next = () => {
    const left = unfinished();
    if (!left.length) return true;
    const other = left.find((seat) => seat.number !== draft.current);
    if (other) draft.current = other.number;
    draw();
    return false;
  };

  const wire = () => {
    document.addEventListener("click", (event) => {
      const target = event.target.closest("button");
      if (!target || !hand) return;
      if (target.dataset.card && !target.disabled) press(target.dataset.card);
      else if (target.dataset.remove) {
        current().cards = current().cards.filter((card) => card !== target.dataset.remove);
        draw();
      } else if (target.dataset.seat) {
        draft.current = Number(target.dataset.seat);
        draw();
      } else if (target.id === "undo") undo();
    });
    document.addEventListener("change", (event) => {
      if (!hand) return;
      if (event.target.id === "declares") current().declares = event.target.value;
      else if (event.target.id === "surrenders") current().surrenders = event.target.checked;
      else if (event.target.id === "pile") current().pile = event.target.checked;
      else return;
      draw();
    });
  };

  return { open, wire, next, hands, forget, handId: () => hand && hand.hand };
})();
