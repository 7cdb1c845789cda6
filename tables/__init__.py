"""The second floor: play. What happens at a table, and the pages of the three audiences."""
