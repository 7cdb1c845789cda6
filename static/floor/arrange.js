/* Arranging the map: each table is dragged, or moved with the arrow keys, and its place goes into a field of the form. */
"use strict";

(() => {
  const form = document.querySelector(".arrange");
  const grid = form.querySelector(".grid");
  const off = form.querySelector(".off");
  const status = document.querySelector("#arranged");
  const COLUMNS = 12;
  const ROWS = 12;
  const DRAG_PX = 6; // less is a press, not a drag

  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  const fieldOf = (piece) => piece.querySelector("input");
  const buttonOf = (piece) => piece.querySelector("button");
  const placeOf = (piece) => (fieldOf(piece).value ? fieldOf(piece).value.split(" ").map(Number) : null);
  const pieces = () => [...form.querySelectorAll(".piece")];
  const at = (column, row) => pieces().find((piece) => fieldOf(piece).value === `${column} ${row}`);

  const put = (piece, place) => {
    fieldOf(piece).value = place ? place.join(" ") : "";
    piece.className = place ? `piece c${place[0]} r${place[1]}` : "piece";
    const home = place ? grid : off;
    if (piece.parentElement !== home) home.append(piece);
  };

  const say = (words, piece, place, other) => {
    const [column, row] = place ?? [];
    status.textContent = words
      .replace("%t", buttonOf(piece).dataset.name)
      .replace("%c", column)
      .replace("%r", row)
      .replace("%o", other ? buttonOf(other).dataset.name : "");
  };

  /* Whoever stands there changes places with the table that comes. */
  const move = (piece, place) => {
    const from = placeOf(piece);
    const other = place && at(...place);
    if (other === piece) return;
    if (other) put(other, from);
    put(piece, place);
    buttonOf(piece).focus();
    say(place ? (other ? form.dataset.swapped : form.dataset.moved) : form.dataset.off, piece, place, other);
  };

  const firstFree = () => {
    for (let row = 1; row <= ROWS; row++)
      for (let column = 1; column <= COLUMNS; column++) if (!at(column, row)) return [column, row];
    return null;
  };

  const onKey = (event) => {
    const piece = event.target.closest(".piece");
    if (!piece) return;
    const from = placeOf(piece);
    if (event.key in STEPS) {
      event.preventDefault();
      const [across, down] = STEPS[event.key];
      const place = from ? [from[0] + across, from[1] + down] : firstFree();
      if (place && place[0] >= 1 && place[0] <= COLUMNS && place[1] >= 1 && place[1] <= ROWS) move(piece, place);
    } else if ((event.key === "Delete" || event.key === "Backspace") && from) {
      event.preventDefault();
      move(piece, null);
    }
  };

  /* ---- by hand ---- */

  const under = (event) => {
    const found = document.elementsFromPoint(event.clientX, event.clientY);
    const cell = found.find((each) => each.matches(".cell"));
    if (cell) return cell.dataset.cell.split(" ").map(Number);
    return found.some((each) => each === off) ? "off" : null;
  };

  const onDown = (event) => {
    const piece = event.target.closest(".piece");
    if (!piece || event.button !== 0) return;
    const button = buttonOf(piece);
    const from = [event.clientX, event.clientY];
    let isDragged = false;
    button.setPointerCapture(event.pointerId);
    const onMove = ({ clientX, clientY }) => {
      const [across, down] = [clientX - from[0], clientY - from[1]];
      isDragged ||= Math.hypot(across, down) >= DRAG_PX;
      piece.classList.toggle("dragged", isDragged);
      if (isDragged) button.style.translate = `${across}px ${down}px`;
    };
    const onUp = (last) => {
      button.removeEventListener("pointermove", onMove);
      button.style.translate = "";
      piece.classList.remove("dragged");
      const place = last.type === "pointerup" && isDragged ? under(last) : null;
      if (place === "off" && placeOf(piece)) move(piece, null);
      else if (Array.isArray(place)) move(piece, place);
    };
    button.addEventListener("pointermove", onMove);
    button.addEventListener("pointerup", onUp, { once: true });
    button.addEventListener("pointercancel", onUp, { once: true });
  };

  form.addEventListener("keydown", onKey);
  form.addEventListener("pointerdown", onDown);
})();
