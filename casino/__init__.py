"""The ground floor: settings, staff, the gaming day, what runs. Knows nothing of money or play."""
