# Backline. On a machine with Python 3.11 and make, `make run` sets everything up and runs it; `make test` proves it.

BIN := .venv/bin
FIND_PYTHON := for python in python3.11 python3; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done
# What pip says, one line a package; its errors pass by on stderr.
PIP_PROGRESS := sed -u -n 's/^Collecting \([^ ]*\).*/  \1/p; s/^Installing collected packages.*/  unpacking/p'

.PHONY: help install install-dev run test test-all bench lint types style arrows migrations chromium

help:
	@echo 'make run       set up and run Backline (ARGS="--address 127.0.0.1:8001" and the like go to "manage.py up")'
	@echo 'make test      lint and all tests but the slow ones; make test-all runs those too'
	@echo 'make lint      style, types, the arrows between the floors, missing migrations'
	@echo 'make bench     the measurements, side by side with what they are compared to'
	@echo 'make install   only set up .venv'

install: .venv/.installed

install-dev: .venv/.installed-dev

.venv/.installed: requirements.txt
.venv/.installed-dev: requirements-dev.txt .venv/.installed

# One recipe for both sets: the stamp is made only when pip has succeeded, whatever becomes of the progress lines.
.venv/.installed .venv/.installed-dev:
	@rm -f $@
	@python=$$($(FIND_PYTHON)); test -n "$$python" || \
		{ echo 'Backline needs Python 3.11: install it so that python3.11 or python3 runs it.'; exit 1; }; \
		test -x $(BIN)/pip || { echo 'Making .venv'; "$$python" -m venv .venv; }
	@echo 'Installing $< into .venv; the first time takes about a minute.'
	@{ $(BIN)/pip install --disable-pip-version-check -r $< && touch $@; } | $(PIP_PROGRESS); test -e $@

run: install
	@$(BIN)/python manage.py up $(ARGS)

# A file stays together. The longest files are not those with most tests: they come as their folders do, the browser's first.
SHARED_OUT := -n 2 --dist loadfile --no-loadscope-reorder

# What is compiled once need not be compiled by each process that the tests start.
test test-all: export PYTHONDONTWRITEBYTECODE =

test: lint chromium
	$(BIN)/pytest -m 'not slow' $(SHARED_OUT) $(ARGS)

test-all: lint chromium
	$(BIN)/pytest -m '' $(SHARED_OUT) $(ARGS)

bench: install-dev
	$(BIN)/python -m tests.bench $(ARGS)

# Two of them at a time; each shows what it has to say when it is done.
lint: install-dev
	@$(MAKE) --no-print-directory --jobs=2 --output-sync types style arrows migrations

types:
	$(BIN)/mypy

style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/oxlint --deny-warnings static

arrows:
	$(BIN)/lint-imports

migrations:
	$(BIN)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run

chromium:
	@if command -v chromium || command -v chromium-browser || command -v google-chrome; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo 'Installing Chromium for the browser tests'; \
		apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends chromium; \
	else \
		echo 'The browser tests need Chromium. Install it (on Debian: "sudo apt-get install chromium"), then run this again.'; \
		exit 1; \
	fi
