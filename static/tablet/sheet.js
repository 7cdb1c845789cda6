/* What a tapped seat, or a person on the backline, offers: sitting down, chips, being away, and what is said in a hand. */
import { clock, h, money, say } from "./dom.js";
import { idOf, isPaiGow, keypad, numberPad, personOf, refused, ruled, typedCents } from "./keypad.js";
import { inTheHand } from "./marks.js";
import { wagersOf } from "./wagers_view.js";

const HOLD_MINUTES = [10, 20, 30];
/* ---- what a seat offers ---- */

export const seatOf = (shown, number) => shown.seats.find((seat) => seat.number === number);

const head = (title, about) =>
  h(
    "header",
    { class: "sheet-head" },
    h("div", {}, h("h2", {}, title), h("p", { class: "sheet-about" }, about)),
    h("button", { type: "button", "data-act": "seats.close" }, gettext("Close")),
  );

const choice = (words, isOn, data, more = {}) =>
  h("button", { type: "button", "aria-pressed": String(isOn), ...data, ...more }, words);

const RULED = {
  out: () => ruled(gettext("A hand is out: chips move on or off the table when it is over"), "CP-61"),
  bets: () => ruled(gettext("With money in a hand nobody leaves before it is over"), "CP-61"),
};

/* Who sits down: by card number, or described. The words typed are kept while the page is drawn again. */
const sitForm = (model, number) => {
  const { ui, shown } = model;
  const seat = number === null ? null : seatOf(shown, number);
  const at = number === null ? "stand" : `seat-${number}`;
  const isDescribed = ui.sheet.by === "description";
  const confirm = h(
    "button",
    { type: "button", class: "primary keypad-confirm", "data-act": "seats.sit" },
    number === null ? gettext("Stand on the backline") : gettext("Sit down"),
  );
  return [
    refused(model, at),
    seat?.held_for
      ? h(
          "button",
          { type: "button", class: "primary big", "data-act": "seats.sit_held" },
          say(gettext("%(name)s sits down"), { name: seat.held_for }),
        )
      : null,
    h(
      "div",
      { class: "choices", role: "group", "aria-label": gettext("Who") },
      choice(gettext("Card number"), !isDescribed, { "data-act": "seats.by", "data-by": "card" }),
      choice(gettext("Description"), isDescribed, { "data-act": "seats.by", "data-by": "description" }),
    ),
    isDescribed
      ? [
          h(
            "label",
            { key: "description" },
            gettext("What to know them by: “blue cap”"),
            h("input", {
              value: ui.sheet.description ?? "",
              maxlength: "120",
              autocomplete: "off",
              "data-act": "seats.describe",
            }),
          ),
          confirm,
        ]
      : numberPad(model, { name: "card", label: gettext("Card number"), confirm }),
    number === null || seat.held_for
      ? null
      : h(
          "div",
          { class: "holds", role: "group", "aria-label": gettext("Hold the seat") },
          h("span", { class: "muted" }, gettext("Hold the seat")),
          HOLD_MINUTES.map((minutes) =>
            h(
              "button",
              { type: "button", "data-act": "seats.hold", "data-minutes": minutes },
              say(gettext("%(minutes)s min"), { minutes }),
            ),
          ),
        ),
  ];
};

/* Amounts that are bought in most: in Chinese Poker counted in full buy-ins, in Pai Gow Poker in table maxima. */
const usualAmounts = (shown, person) => {
  const { full_buy_in_cents: full, table_max_cents: most } = shown.session;
  if (full) {
    const isRefused = person.may_buy_short === false;
    return [
      { cents: full, words: gettext("full") },
      { cents: Math.round(full / 200) * 100, words: gettext("short"), why: isRefused && "CP-60" },
      { cents: 2 * full, words: gettext("two full") },
    ];
  }
  return [most, 2 * most, 5 * most].filter(Boolean).map((cents) => ({ cents, words: gettext("chips") }));
};

/* Why an amount cannot be bought, as far as this device knows. */
const whyNotBought = (shown, person, cents) => {
  const { full_buy_in_cents: full, chip_denominations: chips } = shown.session;
  const smallest = chips?.length ? Math.min(...chips) : 0;
  if (smallest && cents % smallest) {
    return ruled(
      say(gettext("The smallest chip of this game is %(chip)s"), { chip: money(smallest) }),
      full ? "CP-61" : "PG-05",
    );
  }
  return full && cents && cents < full && person.may_buy_short === false ? whyNotShort(full) : null;
};

const whyNotShort = (full) =>
  ruled(
    say(gettext("A short buy comes only right after a full one. A full buy-in is %(full)s"), { full: money(full) }),
    "CP-60",
  );

const buyIn = (model, person) => {
  const { ui, shown } = model;
  const full = shown.session.full_buy_in_cents;
  const name = `buy-in-${idOf(person.sitting)}`;
  const cents = typedCents(ui, name, full);
  const means = ui.sheet.means ?? "cash";
  return h(
    "section",
    { class: "sheet-part", "aria-label": gettext("Buy in") },
    keypad(model, {
      name,
      label: gettext("Buy-in"),
      preset_cents: full,
      quick: usualAmounts(shown, person),
      blocked: whyNotBought(shown, person, cents),
      note: full && person.may_buy_short === false ? whyNotShort(full) : null,
      confirm: { act: "seats.buy_in", words: (amount) => say(gettext("Buy in %(amount)s"), { amount }) },
    }),
    h(
      "div",
      { class: "choices", role: "group", "aria-label": gettext("Paid with") },
      choice(gettext("For cash"), means === "cash", { "data-act": "seats.means", "data-means": "cash" }),
      choice(gettext("Chips carried in"), means === "chips", { "data-act": "seats.means", "data-means": "chips" }),
    ),
  );
};

/* Leaving is asked once more, with how it is paid. */
const cashOut = ({ ui }, person) => {
  const amount = money(person.stack_cents);
  if (!ui.sheet.leaving) {
    return h(
      "button",
      { type: "button", "data-act": "seats.leaving" },
      say(gettext("Cash out %(amount)s"), { amount }),
    );
  }
  return h(
    "div",
    { class: "leaving", role: "group", "aria-label": gettext("Cash out") },
    h(
      "button",
      { type: "button", class: "primary", "data-act": "seats.cash_out", "data-means": "chips" },
      say(gettext("Leaves with %(amount)s in chips"), { amount }),
    ),
    h(
      "button",
      { type: "button", "data-act": "seats.cash_out", "data-means": "cash" },
      say(gettext("Is paid %(amount)s in cash"), { amount }),
    ),
    h("button", { type: "button", class: "quiet", "data-act": "seats.leaving" }, gettext("Stays")),
  );
};

const betweenHands = (model, person) => [
  buyIn(model, person),
  h(
    "div",
    { class: "sheet-row" },
    person.seat === null || model.ui.sheet.leaving
      ? null
      : h(
          "button",
          { type: "button", "data-act": person.is_absent ? "seats.back" : "seats.absent" },
          person.is_absent ? gettext("Is back") : gettext("Is absent"),
        ),
    person.in_hand ? h("p", { class: "muted" }, RULED.bets()) : cashOut(model, person),
  ),
];

/* ---- the sheet ---- */

const about = (shown, person) => [
  h("strong", { class: "seat-stack" }, money(person.stack_cents)),
  person.money_behind_cents
    ? say(gettext(" and %(amount)s behind"), { amount: money(person.money_behind_cents) })
    : null,
  person.has_button ? ` · ${isPaiGow(shown) ? gettext("bank") : gettext("button")}` : null,
  person.is_new ? ruled(gettext(" · new: neither first hand nor button"), "CP-62") : null,
  person.is_absent ? ` · ${gettext("absent")}` : null,
];

/* Something that went wrong, with this seat or person: what it was is asked next. */
const incident = (data) =>
  h(
    "div",
    { class: "sheet-row", key: "incident" },
    h(
      "button",
      { type: "button", class: "quiet", "data-act": "seen.open", ...data },
      gettext("Something went wrong …"),
    ),
  );

const chips = (model, person) =>
  !isPaiGow(model.shown) && person.in_hand ? h("p", { class: "muted" }, RULED.out()) : betweenHands(model, person);

const sheet = (key, ...parts) => h("section", { class: "panel sheet", key, "aria-label": gettext("Seat") }, ...parts);

const standingSheet = (model, person) =>
  sheet(
    "standing",
    head(person.name, [gettext("Backline"), " · ", about(model.shown, person)]),
    refused(model, idOf(person.sitting)),
    wagersOf(model, person),
    chips(model, person),
    incident({ "data-sitting": idOf(person.sitting) }),
  );

const seatTaken = (model, seat) => {
  const person = { ...seat, seat: seat.number };
  const { hand } = model.shown;
  const marks = hand && (seat.in_hand || hand.positions.includes(seat.number)) ? inTheHand(model, seat) : null;
  return sheet(
    `seat-${seat.number}`,
    head(say(gettext("Seat %(number)s · %(name)s"), seat), about(model.shown, person)),
    refused(model, `seat-${seat.number}`),
    marks,
    wagersOf(model, person),
    chips(model, person),
    incident({ "data-seat": seat.number }),
  );
};

const seatFree = (model, seat) => {
  const zone = model.shown.table.time_zone;
  const held = seat.held_for
    ? say(gettext("held for %(name)s until %(time)s"), { name: seat.held_for, time: clock(seat.held_until_at, zone) })
    : gettext("empty");
  const marks = model.shown.hand?.positions.includes(seat.number) ? inTheHand(model, seat) : null;
  return sheet(
    `seat-${seat.number}`,
    head(say(gettext("Seat %(number)s"), seat), held),
    marks,
    sitForm(model, seat.number),
  );
};

/* What a tapped seat or a person on the backline offers; null when who was tapped is gone. */
export const seatSheet = (model) => {
  const { ui, shown } = model;
  if (!ui.sheet || !shown.session) return null;
  if (ui.sheet.kind === "stand")
    return sheet("stand", head(gettext("Backline"), gettext("somebody who wagers standing")), sitForm(model, null));
  if (ui.sheet.kind === "standing") {
    const person = personOf(shown, ui.sheet.sitting);
    return person ? standingSheet(model, person) : null;
  }
  const seat = seatOf(shown, ui.sheet.number);
  return seat.sitting ? seatTaken(model, seat) : seatFree(model, seat);
};

export const seatFoot = ({ shown }) => ({
  secondary: null,
  next: h(
    "button",
    { type: "button", class: "next", "data-act": "seats.close" },
    shown.hand ? gettext("Back to the hand") : gettext("Done"),
  ),
});
