"""A house with any number of days behind it, for the reports: the rows that they read, written in bulk by the server itself.

Room, people, tables and rules are made as everywhere. The days are inserted as the superuser, with triggers off and without
indexes until the end. Ids are as random as real ones: the MD5 of what a row is. Digests and balances are not the ledger's own and
records hold no cards, so that nothing but reports can be made of it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date, timedelta

import psycopg
from psycopg import sql

from casino.staff.models import Role
from tables.models import Patron, RuleSetVersion
from tables.models.rooms import Game
from tables.services.sessions import table_add
from tests.bench.database import databases, drop_database, open_database, start_server
from tests.people import hire, make_cast

LAST_DAY = date(2026, 11, 29)
PATRONS, DEALERS = 200, 12
DAYS_AT_ONCE = 60
BUILT = "built"

_FILLED = (
    *("ledger_book", "ledger_account", "ledger_balance", "ledger_transaction", "ledger_entry"),
    *(
        "tables_command",
        "tables_tablesession",
        "tables_sitting",
        "tables_dealershift",
        "tables_hand",
        "tables_handrecord",
    ),
    *("tables_incident", "tables_tableexception", "tables_resettlement", "tables_reversal", "tables_waiver"),
    "tables_dispute",
)

# One row a session and one a hand, of which everything else is made. A session has four seats, is open from 10:00 for 18 hours,
# and changes dealers every hour. ``number`` counts sessions and hands through all days.
_STAGE = """
    CREATE FUNCTION pg_temp.id(kind text, number bigint) RETURNS uuid IMMUTABLE LANGUAGE sql
        AS $$ SELECT md5(kind || number::text)::uuid $$;  -- all of it immutable, or the function would not be inlined
    CREATE TEMP TABLE play AS
    SELECT row_number() OVER (ORDER BY day, place.number) - 1 AS number, day, place.id AS table_id,
        row_number() OVER (PARTITION BY day ORDER BY place.number) AS place,
        (day::date + time '10:00') AT TIME ZONE 'America/Los_Angeles' AS opened_at
    FROM generate_series({last}::date - {days} + 1, {last}::date, interval '1 day') day
    CROSS JOIN (SELECT id, number FROM tables_table WHERE number > 100) place;
    CREATE UNIQUE INDEX ON play (number);
    CREATE TEMP TABLE person AS SELECT id, row_number() OVER (ORDER BY number) - 1 AS number FROM tables_patron
        WHERE number LIKE 'H%';
    CREATE TEMP TABLE dealer AS SELECT id, badge_number, row_number() OVER (ORDER BY badge_number) - 1 AS number
        FROM staff_user WHERE badge_number LIKE '8%';
    CREATE TEMP VIEW dealt AS
    SELECT play.*, hand, play.number * {hands} + hand AS hand_number,
        opened_at + interval '10 min' + hand * (interval '17 hours' / {hands}) AS at
    FROM play CROSS JOIN generate_series(1, {hands}) hand;
    CREATE TEMP VIEW moved AS
    SELECT number, table_id, line AS sequence, 'buy-in' AS kind, 'sitting' AS command_of, number AS command_number,
        'cash' AS source, number AS source_number, 'stack' AS target, number * 4 + line % 4 AS target_number,
        10000 AS cents, opened_at + line * interval '20 seconds' AS at, NULL::bigint AS reverses
    FROM play CROSS JOIN generate_series(1, 4 * {buy_ins}) line
    UNION ALL
    SELECT number, table_id, 4 * {buy_ins} + (hand - 1) * 8 + line,
        CASE WHEN line < 5 THEN 'collection' WHEN line = 8 THEN 'note' WHEN line = 7 AND hand % 50 = 0 THEN 'waiver'
            ELSE 'payment' END,
        CASE WHEN line < 5 THEN 'hand.start' WHEN line = 7 AND hand % 50 = 0 THEN 'collection.waive' ELSE 'hand.settle' END,
        hand_number,
        CASE WHEN line = 7 AND hand % 50 = 0 THEN 'drop' ELSE 'stack' END,
        CASE WHEN line < 5 THEN number * 4 + line - 1 WHEN line = 7 AND hand % 50 = 0 THEN number
            ELSE number * 4 + (line + hand) % 4 END,
        CASE WHEN line < 5 THEN 'drop' ELSE 'stack' END,
        CASE WHEN line < 5 THEN number ELSE number * 4 + (line + hand + 1) % 4 END,
        CASE WHEN line < 5 OR line = 7 AND hand % 50 = 0 THEN 200 ELSE 100 * (1 + hand_number * 7 % 40) END,
        at + CASE WHEN line < 5 THEN interval '0' ELSE interval '90 seconds' END, NULL
    FROM dealt CROSS JOIN generate_series(1, 8) line
    UNION ALL
    SELECT number, table_id, 4 * {buy_ins} + 8 * {hands} + line, 'cash-out', 'sitting', number, 'stack', number * 4 + line - 1,
        'cash', number, 9000, opened_at + interval '1070 min' + line * interval '20 seconds', NULL
    FROM play CROSS JOIN generate_series(1, 4) line
    UNION ALL
    SELECT number, table_id, 4 * {buy_ins} + 8 * {hands} + 5, 'reversal', 'transaction.reverse', number,
        'stack', number * 4 + 1, 'cash', number, 10000, opened_at + interval '1075 min', number * {a_session} + 1
    FROM play WHERE place = 1;
"""

_A_PART = " number BETWEEN %(first)s AND %(last)s"

# In the order of the foreign keys.
_ROWS = (
    """INSERT INTO ledger_book (id, name, opened_at)
    SELECT pg_temp.id('book', number), 'Book ' || number, opened_at FROM play WHERE""",
    """INSERT INTO ledger_account (id, kind, name, guarded, created_at)
    SELECT pg_temp.id(name, number), kind, name || ' ' || number, false, opened_at
    FROM play, (VALUES ('cash', 'outside-cash'), ('chips', 'outside-chips'), ('drop', 'drop-box')) account (name, kind) WHERE""",
    """INSERT INTO ledger_account (id, kind, name, guarded, created_at)
    SELECT pg_temp.id('stack', number * 4 + seat), 'stack', 'Stack ' || seat, true, opened_at
    FROM play, generate_series(0, 3) seat WHERE""",
    """INSERT INTO ledger_balance (account_id, balance_cents, version)
    SELECT pg_temp.id('stack', number * 4 + seat), 0, {a_session} FROM play, generate_series(0, 3) seat WHERE""",
    """INSERT INTO tables_command
        (key, verb, occurred_at, recorded_at, request, fingerprint, answer, actor_id, device_id, table_id, approver_id)
    SELECT pg_temp.id(verb, hand_number), verb, at + later, at + later, '{{"hand": "one", "revision": 1}}',
        decode(repeat('5a', 32), 'hex'), '{{"status": "done", "revision": 1, "number": 1}}', {dealer}, NULL, table_id, NULL
    FROM dealt, (VALUES ('hand.start', interval '0'), ('hand.settle', interval '90 seconds'),
        ('collection.waive', interval '90 seconds')) done (verb, later)
    WHERE (verb <> 'collection.waive' OR hand %% 50 = 0) AND""",
    """INSERT INTO tables_command
        (key, verb, occurred_at, recorded_at, request, fingerprint, answer, actor_id, device_id, table_id, approver_id)
    SELECT pg_temp.id(verb, number), verb, opened_at + later, opened_at + later, '{{}}', decode(repeat('5a', 32), 'hex'), '{{}}',
        {floor}, NULL, table_id, {manager}
    FROM play, (VALUES ('sitting', interval '1 min'), ('hand.resettle', interval '9 hours'),
        ('transaction.reverse', interval '1075 min')) done (verb, later) WHERE""",
    """INSERT INTO tables_tablesession (id, point_value_cents, collection_cents, bank_collection_cents, button_seat, hands_dealt,
        opened_at, closed_at, book_id, cash_account_id, chips_account_id, dealer_id, drop_account_id, opened_by_id, rules_id,
        table_id, chip_denominations, clock_seconds, offers_required, rotation_pack)
    SELECT pg_temp.id('session', number), 500, 200, 0, 1, {hands}, opened_at, opened_at + interval '18 hours',
        pg_temp.id('book', number), pg_temp.id('cash', number), pg_temp.id('chips', number), NULL, pg_temp.id('drop', number),
        {floor}, {rules}, table_id, '{{}}', 60, false, false
    FROM play WHERE""",
    """INSERT INTO tables_sitting (id, started_at, ended_at, patron_id, seat_id, stack_id, session_id, is_new, money_behind_cents)
    SELECT pg_temp.id('sitting', play.number * 4 + seat), opened_at + interval '1 min', opened_at + interval '1079 min',
        person.id, NULL, pg_temp.id('stack', play.number * 4 + seat), pg_temp.id('session', play.number), false, 0
    FROM play CROSS JOIN generate_series(0, 3) seat JOIN person ON person.number = (play.number * 4 + seat) %% {patrons}
    WHERE play.""",
    """INSERT INTO tables_dealershift (started_at, ended_at, dealer_id, session_id)
    SELECT opened_at + hour * interval '1 hour', opened_at + (hour + 1) * interval '1 hour', dealer.id,
        pg_temp.id('session', play.number)
    FROM play CROSS JOIN generate_series(0, 17) hour JOIN dealer ON dealer.number = (place + hour) %% {dealers} WHERE play.""",
    """INSERT INTO tables_handrecord (id, revision, text, sha256, command_id, hand_id) OVERRIDING SYSTEM VALUE
    SELECT hand_number, 1, '{{}}', decode(repeat('5a', 32), 'hex'), pg_temp.id('hand.settle', hand_number),
        pg_temp.id('hand', hand_number) FROM dealt WHERE""",
    """INSERT INTO tables_handrecord (id, revision, text, sha256, command_id, hand_id) OVERRIDING SYSTEM VALUE
    SELECT 1000000000 + number, 2, '{{}}', decode(repeat('5a', 32), 'hex'), pg_temp.id('hand.resettle', number),
        pg_temp.id('hand', number * {hands} + 1) FROM play WHERE""",
    """INSERT INTO tables_hand (id, number, status, button_seat, started_at, ended_at, void_reason, final_record_id, rules_id,
        session_id, stage, misdeal_code)
    SELECT pg_temp.id('hand', hand_number), hand, 'settled', 1 + hand %% 4, at, at + interval '90 seconds', '',
        CASE hand WHEN 1 THEN 1000000000 + number ELSE hand_number END, {rules}, pg_temp.id('session', number), 'opened', ''
    FROM dealt WHERE""",
    """INSERT INTO tables_resettlement (reason_code, reason, in_window, moved_cents, limit_cents, number, status_before,
        status_after, after_id, approver_id, before_id, command_id, hand_id)
    SELECT 'cards', 'read wrong', false, 500, 100000, 1, 'settled', 'settled', 1000000000 + number, {manager},
        number * {hands} + 1, pg_temp.id('hand.resettle', number), pg_temp.id('hand', number * {hands} + 1)
    FROM play WHERE""",
    """INSERT INTO tables_waiver (payer, amount_cents, reason, command_id, hand_id, sitting_id)
    SELECT 'player', 200, 'new here', pg_temp.id('collection.waive', hand_number), pg_temp.id('hand', hand_number),
        pg_temp.id('sitting', number * 4 + (8 + hand) %% 4) FROM dealt WHERE hand %% 50 = 0 AND""",
    """INSERT INTO tables_incident (id, kind, cards, note, consequence, happened_at, recorded_at, command_id, hand_id, session_id)
    SELECT pg_temp.id('incident', hand_number), 'other', '', 'a card fell', 'none', at, at, pg_temp.id('hand.start', hand_number),
        pg_temp.id('hand', hand_number), pg_temp.id('session', number) FROM dealt WHERE hand %% 100 = 1 AND""",
    """INSERT INTO tables_tableexception (id, kind, words, raised_at, command_id, hand_id, session_id)
    SELECT pg_temp.id('exception', hand_number), 'paid-differently', 'not as the rules have it', at,
        pg_temp.id('hand.settle', hand_number), pg_temp.id('hand', hand_number), pg_temp.id('session', number)
    FROM dealt WHERE hand %% 100 = 2 AND""",
    """INSERT INTO tables_dispute (id, about, raised_at, command_id, hand_id, session_id)
    SELECT pg_temp.id('dispute', hand_number), 'the payment', at, pg_temp.id('hand.settle', hand_number),
        pg_temp.id('hand', hand_number), pg_temp.id('session', number) FROM dealt WHERE hand %% 200 = 3 AND""",
    """INSERT INTO ledger_transaction (id, sequence, kind, key, command, reference, rule, actor, device, occurred_at, recorded_at,
        reason, entry_count, previous_digest, digest, book_id, reverses_id, approver, evidence, reason_code)
    SELECT pg_temp.id('transaction', number * {a_session} + sequence), sequence, kind,
        pg_temp.id(command_of, command_number) || '/' || number || '/' || sequence,
        pg_temp.id(command_of, command_number), 'hand:' || pg_temp.id('hand', command_number), '',
        CASE WHEN reverses IS NULL THEN '8000' ELSE '1001' END, '', at, at, CASE WHEN reverses IS NULL THEN '' ELSE 'wrong' END,
        CASE kind WHEN 'note' THEN 0 ELSE 2 END, decode(repeat('5a', 32), 'hex'), decode(repeat('5a', 32), 'hex'),
        pg_temp.id('book', number), pg_temp.id('transaction', reverses),
        CASE WHEN reverses IS NULL THEN '' ELSE '4001' END,
        CASE kind WHEN 'note' THEN decode(repeat('5a', 32), 'hex') END, CASE WHEN reverses IS NULL THEN '' ELSE 'amount' END
    FROM moved WHERE""",
    """INSERT INTO ledger_entry (line, amount_cents, balance_after_cents, account_version, account_id, transaction_id)
    SELECT line, cents * (2 * line - 3), CASE WHEN name = 'stack' THEN 10000 END, CASE WHEN name = 'stack' THEN sequence END,
        pg_temp.id(name, owner), pg_temp.id('transaction', number * {a_session} + sequence)
    FROM moved CROSS JOIN LATERAL (VALUES (1, source, source_number), (2, target, target_number)) entry (line, name, owner)
    WHERE kind <> 'note' AND""",
    """INSERT INTO tables_reversal (reason_code, reason, in_window, moved_cents, limit_cents, approver_id, command_id, sitting_id,
        transaction_id)
    SELECT 'amount', 'wrong', false, 10000, 100000, {manager}, pg_temp.id('transaction.reverse', number),
        pg_temp.id('sitting', number * 4 + 1), pg_temp.id('transaction', number * {a_session} + 1)
    FROM play WHERE place = 1 AND""",
)


@dataclass(frozen=True)
class History:
    """How much is behind a house: days up to ``LAST_DAY``, tables, hands at each a day, times that each patron buys in."""

    days: int
    tables: int = 4
    hands: int = 206
    buy_ins: int = 2

    @property
    def hands_in_all(self) -> int:
        """How many hands that makes."""
        return self.days * self.tables * self.hands

    @property
    def first_day(self) -> date:
        """The first of its gaming days."""
        return LAST_DAY - timedelta(days=self.days - 1)

    @property
    def _name(self) -> str:
        stamp = hashlib.sha256("".join((_STAGE, *_ROWS)).encode()).hexdigest()[:8]
        return f"house_{stamp}_{self.days}_{self.tables}_{self.hands}_{self.buy_ins}"

    def opened(self) -> str:
        """The name of its database, which Django then uses; built where it is missing, half-built, or built otherwise."""
        name = self._name
        for other in databases():
            if other.startswith("house_") and not other.startswith(name[:15]):
                drop_database(other)
        if not _is_built(name):
            print(f"Making {self.hands_in_all:,} hands of {self.days} days, once.", flush=True)
            open_database(name, afresh=True)
            self._build(name)
        open_database(name)
        return name

    def _build(self, name: str) -> None:
        values = self._make_house()
        with psycopg.connect(start_server().url("superuser", name), autocommit=True) as superuser:
            superuser.execute("SET session_replication_role = replica")
            superuser.execute("SET synchronous_commit = off")
            superuser.execute("SET maintenance_work_mem = '1GB'")
            superuser.execute("SET jit = off")
            superuser.execute(sql.SQL(_STAGE).format(**values))
            superuser.execute("ANALYZE play")
            _switch_off_indexes(superuser)
            sessions = DAYS_AT_ONCE * self.tables
            for first in range(0, self.days * self.tables, sessions):
                for statement in _ROWS:
                    part = {"first": first, "last": first + sessions - 1}
                    superuser.execute(sql.SQL(statement + _A_PART).format(**values), part)
            for table in _FILLED:
                superuser.execute(sql.SQL("REINDEX TABLE {}").format(sql.Identifier(table)))
            superuser.execute("VACUUM ANALYZE")
            superuser.execute(sql.SQL("COMMENT ON DATABASE {} IS {}").format(sql.Identifier(name), BUILT))

    def _make_house(self) -> dict[str, sql.Literal]:
        """The people and places of it, and what the statements name."""
        cast = make_cast()
        for number in range(101, 101 + self.tables):
            table_add(room_id=cast.room.pk, number=number, game=Game.CHINESE_POKER)
        dealers = [hire(f"8{number:03}", f"Dealer {number}", Role.DEALER, room=cast.room) for number in range(DEALERS)]
        Patron.objects.bulk_create(
            Patron(room=cast.room, number=f"H{number}", name=f"Patron H{number}") for number in range(PATRONS)
        )
        rules = RuleSetVersion.objects.create(slug="history", version=1, game=Game.CHINESE_POKER, parameters={})
        values: dict[str, object] = {
            "last": LAST_DAY,
            "days": self.days,
            "hands": self.hands,
            "buy_ins": self.buy_ins,
            "a_session": 4 * self.buy_ins + 8 * self.hands + 5,
            "floor": cast.ada.pk,
            "manager": cast.max.pk,
            "dealer": dealers[0].pk,
            "rules": rules.pk,
            "patrons": PATRONS,
            "dealers": DEALERS,
        }
        return {key: sql.Literal(value) for key, value in values.items()}


def _switch_off_indexes(superuser: psycopg.Connection) -> None:
    """Until they are made anew: to do that once is far quicker than to keep them while rows come."""
    superuser.execute(
        "UPDATE pg_index SET indisready = false, indisvalid = false WHERE indrelid = ANY(%s::regclass[])",
        [list(_FILLED)],
    )


def _is_built(name: str) -> bool:
    with psycopg.connect(start_server().url("superuser", "postgres")) as connection:
        found = connection.execute(
            "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s", [name]
        ).fetchone()
    return found is not None and found[0] == BUILT
