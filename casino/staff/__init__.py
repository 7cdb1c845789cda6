"""The people who work here: badge, roles, password, PIN, the devices they sign in on."""
