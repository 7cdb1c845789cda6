/* Between two hands: what the last one came to, who the next is dealt to, the first button or the Player/Dealer, the
   bank on its way round, and one large next step. */
import { h, say } from "./dom.js";
import { idOf, isPaiGow, pressAt, refused } from "./keypad.js";

const AT = "between";
const PLAYERS = 2;

const listed = (names) => new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(names);
const named = (seats) => listed(seats.map((seat) => seat.name));

/* Who the next hand is dealt to: in Pai Gow Poker the spot of somebody absent goes on for the wagers of others. */
const dealtIn = (shown) =>
  shown.seats.filter((seat) => seat.sitting && seat.stack_cents > 0 && (isPaiGow(shown) || !seat.is_absent));

/* ---- who begins ---- */

/* Whether the dealer names a seat with the deal: the first button, or who has the bank where it does not go round. */
const mustName = (shown) =>
  isPaiGow(shown) ? !shown.bank_turn?.in_use : !shown.last_hand && !shown.seats.some((seat) => seat.has_button);

/* The seat named so far: the one tapped, else whose turn it would be. */
const namedSeat = ({ shown, ui }) => {
  const seats = dealtIn(shown).map((seat) => seat.number);
  const turn = shown.bank_turn?.seat;
  return [ui.button, turn].find((number) => seats.includes(number)) ?? seats[0];
};

const missing = ({ shown }) => {
  const seats = dealtIn(shown);
  const turn = shown.bank_turn;
  const without = shown.seats.filter((seat) => seat.sitting && seat.stack_cents === 0);
  if (seats.length < PLAYERS) {
    if (without.length)
      return say(gettext("A hand needs two players with chips. Tap %(names)s to buy in."), { names: named(without) });
    if (seats.length)
      return say(gettext("A hand needs two players; only %(names)s is ready. Tap a seat to sit somebody down."), {
        names: named(seats),
      });
    return gettext("A hand needs two players with chips. Tap a seat to sit somebody down.");
  }
  if (turn?.in_use && !turn.has_accepted) {
    return turn.seat ? say(gettext("The bank waits for the answer of %(name)s."), turn) : turn.waits_because;
  }
  return null;
};

/* ---- parts of the view ---- */

const outcome = ({ last_hand: last, session }) => {
  if (!last)
    return say(gettext("First hand of %(rules)s at %(terms)s."), {
      rules: session.rules_title,
      terms: session.terms_words,
    });
  const values = { number: last.number, status: last.status_words.toLowerCase() };
  const said = say(gettext("Hand %(number)s is %(status)s."), values);
  const misdeal = last.misdeal_words;
  return misdeal ? `${said} ${misdeal[0].toUpperCase()}${misdeal.slice(1)}.` : said;
};

const UNDO_REASONS = () => [
  gettext("A card was entered wrong"),
  gettext("Paid wrong"),
  gettext("Set to the wrong seat"),
  gettext("It was a misdeal"),
];

const undo = ({ shown, ui }) => {
  const last = shown.last_hand;
  if (last?.undo_asked) return h("p", { class: "warn" }, say(gettext("Floor is asked to undo hand %(number)s."), last));
  if (!last?.may_ask_undo) return null;
  if (!ui.undoing) {
    return h(
      "button",
      { type: "button", class: "quiet", "data-act": "between.undoing" },
      say(gettext("Ask floor to undo hand %(number)s …"), last),
    );
  }
  return h(
    "div",
    { class: "choices stacked", role: "group", "aria-label": gettext("Why is it to be undone?") },
    h("p", { class: "muted small" }, gettext("Why is it to be undone?")),
    UNDO_REASONS().map((reason) =>
      h("button", { type: "button", "data-act": "between.undo", "data-reason": reason }, reason),
    ),
    h("button", { type: "button", class: "quiet", "data-act": "between.undoing" }, gettext("Leave it as it is")),
  );
};

const seatKeys = (model) => {
  const chosen = namedSeat(model);
  return h(
    "div",
    {
      class: "choices seats-to-name",
      role: "group",
      "aria-label": isPaiGow(model.shown) ? gettext("Player/Dealer") : gettext("First button"),
    },
    dealtIn(model.shown).map((seat) =>
      h(
        "button",
        {
          type: "button",
          key: `name-${seat.number}`,
          "data-act": "between.name",
          "data-number": seat.number,
          "aria-pressed": String(seat.number === chosen),
        },
        h("span", { class: "seat-number" }, seat.number),
        " ",
        h("span", { class: "standing-name" }, seat.name),
      ),
    ),
  );
};

const part = (key, title, ...rest) =>
  h("section", { class: "between-part", key, "aria-label": title }, h("h3", {}, title), ...rest);

const answers = (turn) =>
  h(
    "div",
    { class: "bank-answers" },
    turn.is_offered || turn.has_accepted
      ? null
      : h(
          "button",
          { type: "button", class: "big", "data-act": "between.offer" },
          turn.seat ? gettext("Offer the bank") : gettext("Offer it again"),
        ),
    turn.seat && !turn.has_accepted
      ? h(
          "button",
          { type: "button", class: "primary big", "data-act": "between.answer", "data-accepts": "true" },
          gettext("Accepts"),
        )
      : null,
    turn.seat
      ? h(
          "button",
          { type: "button", class: "big", "data-act": "between.answer", "data-accepts": "false" },
          turn.has_accepted ? gettext("Hands it back") : gettext("Declines"),
        )
      : null,
  );

const turnWords = (turn) => {
  if (!turn.seat) return turn.waits_because;
  if (turn.has_accepted) return say(gettext("%(name)s in seat %(seat)s has accepted the bank."), turn);
  if (turn.is_offered) return say(gettext("Offered to %(name)s in seat %(seat)s."), turn);
  return say(gettext("It is the turn of %(name)s in seat %(seat)s."), turn);
};

const MINUTE_MS = 60_000;

/* How long a timed game still goes on without another bank, by the device's own clock: it runs without network, too. */
const timed = ({ due_at: due }, now) => {
  if (!due) return null;
  const minutes = Math.max(0, Math.ceil((Date.parse(due) - now) / MINUTE_MS));
  const words = ngettext(
    "Somebody else takes the bank within %(minutes)s minute, or the game ends.",
    "Somebody else takes the bank within %(minutes)s minutes, or the game ends.",
    minutes,
  );
  return h("p", { class: minutes <= 10 ? "warn" : "muted", key: "timed" }, say(words, { minutes }));
};

/* The bank on its way round: whose turn it is, who was passed by and why, and how long a timed game still goes on. */
const bank = ({ shown, now }) => {
  const turn = shown.bank_turn;
  if (!turn || !shown.seats.some((seat) => seat.sitting)) return null;
  return part(
    "bank",
    gettext("Bank"),
    h("p", { class: "bank-turn", role: "status" }, turnWords(turn)),
    turn.passed_by.map((each) =>
      h(
        "p",
        { class: "muted", key: `passed-${each.seat}` },
        say(gettext("Seat %(seat)s is passed by: %(words)s."), each),
      ),
    ),
    timed(turn, now),
    answers(turn),
  );
};

const naming = (model) => {
  if (!mustName(model.shown) || dealtIn(model.shown).length < PLAYERS) return null;
  return isPaiGow(model.shown)
    ? part("name", gettext("Player/Dealer of the next hand"), seatKeys(model))
    : part(
        "name",
        gettext("First button"),
        h("p", { class: "muted" }, gettext("It moves by itself after each settled hand.")),
        seatKeys(model),
      );
};

const absentees = ({ shown }) =>
  shown.seats
    .filter((seat) => seat.is_absent)
    .map((seat) =>
      h(
        "div",
        { class: "sheet-row apart", key: `absent-${idOf(seat.sitting)}` },
        h("span", {}, say(gettext("%(name)s in seat %(number)s is absent"), seat)),
        h("button", { type: "button", "data-act": "between.back", "data-number": seat.number }, gettext("Is back")),
      ),
    );

const whoPlays = (model) => {
  const { shown } = model;
  const lacks = missing(model);
  const fresh = isPaiGow(shown) ? [] : dealtIn(shown).filter((seat) => seat.is_new);
  return part(
    "who",
    gettext("Next hand"),
    lacks
      ? h("p", { class: "lacks warn", id: "lacks" }, lacks)
      : h("p", { class: "dealt-in" }, say(gettext("Dealt to %(names)s."), { names: named(dealtIn(shown)) })),
    fresh.length && shown.last_hand
      ? h(
          "p",
          { class: "muted" },
          say(gettext("New: %(names)s, neither first hand nor button"), { names: named(fresh) }),
          h("span", { class: "rule" }, " (CP-62)"),
        )
      : null,
    absentees(model),
  );
};

export const betweenView = (model) =>
  h(
    "section",
    { class: "panel between", key: "between" },
    h("div", { class: "between-head" }, h("h2", {}, outcome(model.shown)), undo(model)),
    refused(model, AT),
    whoPlays(model),
    bank(model),
    naming(model),
  );

export const betweenFoot = (model) => {
  const lacks = missing(model);
  return {
    secondary: null,
    next: h(
      "button",
      {
        type: "button",
        class: "primary next",
        "data-act": "between.deal",
        disabled: Boolean(lacks),
        "aria-describedby": lacks ? "lacks" : null,
      },
      gettext("Deal the next hand"),
    ),
  };
};

/* ---- actions ---- */

export const actions = {
  "between.name": ({ ui, buzz }, { number }) => {
    buzz();
    ui.button = Number(number);
  },
  "between.deal": async (context) => {
    const { shown } = context.model;
    const named = mustName(shown) ? { button_seat: namedSeat(context.model) } : {};
    const isDealt = await pressAt(
      context,
      AT,
      "hand.start",
      { session_id: shown.session.id, ...named },
      gettext("Deal the next hand"),
    );
    if (isDealt) {
      delete context.ui.button;
      delete context.ui.undoing;
      delete context.ui.target;
    }
  },
  "between.offer": (context) =>
    pressAt(context, AT, "bank.offer", { session_id: context.model.shown.session.id }, gettext("Offer the bank")),
  "between.answer": (context, { accepts }) => {
    const { session, bank_turn: turn } = context.model.shown;
    const doesAccept = accepts === "true";
    const words = doesAccept ? gettext("%(name)s accepts the bank") : gettext("%(name)s declines the bank");
    return pressAt(
      context,
      AT,
      "bank.answer",
      { session_id: session.id, seat: turn.seat, accepts: doesAccept },
      say(words, turn),
    );
  },
  "between.back": (context, { number }) => {
    const seat = context.model.shown.seats.find((each) => each.number === Number(number));
    return pressAt(context, AT, "sitting.return", { sitting_id: seat.sitting }, say(gettext("%(name)s is back"), seat));
  },
  "between.undoing": ({ ui }) => {
    ui.undoing = !ui.undoing;
  },
  "between.undo": async (context, { reason }) => {
    const last = context.model.shown.last_hand;
    const isAsked = await pressAt(
      context,
      AT,
      "hand.ask_undo",
      { hand_id: last.id, reason },
      say(gettext("Ask floor to undo hand %(number)s"), last),
    );
    if (isAsked) delete context.ui.undoing;
  },
};
