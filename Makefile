# One command does all set-up: `make tables` runs the main job, `make test` passes the tests.
# Needs CPython 3.11 or newer, a C compiler, git and the Rust toolchain.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

SOURCES := pyproject.toml engine/Cargo.toml engine/Cargo.lock $(shell find engine/src -name '*.rs')

.PHONY: tables test lint clean

tables: $(VENV)/.built
	$(BIN)/ltstool tables cases

test: $(VENV)/.built
	cd engine && cargo test --locked --quiet
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/.built
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	cd engine && cargo fmt --check
	cd engine && cargo clippy --locked --all-targets --all-features --quiet -- -D warnings

# The locked packages, and the project itself as an editable install: Python edits need no rebuild,
# an edit of the engine rebuilds it.
$(VENV)/.built: $(VENV)/.packages $(SOURCES)
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/.packages: requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info engine/target lts/_engine*.so
