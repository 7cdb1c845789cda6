"""What statistics can show of a room's hands: figures that ask a question, and never an answer about a person."""
