"""The money floor: accounts, transactions and entries. Knows amounts, and nothing of cards, games or tables."""
