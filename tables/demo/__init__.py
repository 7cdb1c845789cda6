"""The demo room of `make run`: invented people and hands, entered through the services as real ones are."""
