"""Where the ledger's books belong: each is a session's, at its table."""

from ledger.places import books_stand

books_stand("SELECT book_id, table_id AS place FROM tables_tablesession")
