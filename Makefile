# One command does all set-up: `make tables` runs the main job, `make test` passes the tests.
# Needs CPython 3.11 or newer, a C compiler, git and the Rust toolchain; all else is installed into
# .venv/. `make test PYTHON=python3.12` chooses the Python; otherwise the first that is new enough.

PYTHON ?= $(shell for python in python3 python3.11 python3.12 python3.13 python3.14; do \
    $$python -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
    && echo $$python && break; done)
PYTHON := $(PYTHON)
VENV   := .venv
BIN    := $(VENV)/bin

# What is drawn at random is the same in each run of a machine that judges, as hypothesis has it there, too.
ifdef CI
export PROPTEST_RNG_SEED ?= 1
endif

# Programs that the tests start would compile all modules each time.
unexport PYTHONDONTWRITEBYTECODE

SOURCES := pyproject.toml engine/Cargo.toml engine/Cargo.lock $(shell find engine/src -name '*.rs')

.PHONY: tables test check rest other-tests all-tests busy-test browser-test cluster-test pictures fuzz mutants outcomes coverage lint wheel site notices
.PHONY: api figures manual gallery nets
.PHONY: clean new thorough soak peer-test

tables: $(VENV)/.built
	$(BIN)/ltstool tables cases

# Random tests with 2,000 examples each, however long they take.
TESTS = tests
thorough: $(VENV)/.built
	$(BIN)/python -m pytest --hypothesis-profile=thorough -o faulthandler_timeout=0 $(TESTS)

# The tests before a commit: those that take long, and most random examples, are left for `make check`.
test: $(VENV)/.built
	cd engine && PROPTEST_CASES=32 cargo test --locked --quiet
	$(BIN)/python -m pytest -n auto --hypothesis-profile=few -m "not slow"

# All that must hold of a commit; `.ci/run` does this on a machine where nothing was installed by hand.
check: test rest

rest: $(VENV)/.built
	$(MAKE) other-tests
	@# The tests on a cluster mostly wait, for workers that start and that die: all others run beside them.
	$(MAKE) --jobs=2 --output-sync=target SECONDS=3 WHEEL=--test cluster-test peer-test browser-test tables lint wheel site fuzz

# What `make test` leaves out: slow tests, and random ones with more examples.
other-tests: $(VENV)/.built
	cd engine && cargo test --locked --quiet
	$(BIN)/python -m pytest -n auto -m "slow or random"

all-tests: $(VENV)/.built
	$(BIN)/python -m pytest -n auto

# The tests that wait for something, as on a machine that is slow and busy; with TESTS=tests all of them.
busy-test: TESTS = tests/faults tests/cli/test_signals.py tests/cli/test_run.py tests/cli/test_generate.py \
    tests/cli/test_progress.py tests/cli/test_convert.py tests/benchmarks tests/test_startup.py
busy-test: $(VENV)/.built
	tools/dev/busy.sh $(BIN)/python -m pytest -n auto $(TESTS)

# The pages of `ltstool view` are clicked through in Debian's chromium, which is installed if need be.
browser-test: $(VENV)/.built
	tools/dev/browser.sh
	$(BIN)/python -m pytest tests/browser

# Partitions on a cluster of Ray: two nodes on this machine with two workers each, which are killed
# now and then: the tests that the others leave out. What these need is installed first.
cluster-test: $(VENV)/.cluster
	$(BIN)/python -m pytest tests/cluster/test_ray*.py tests/cluster/test_private.py tests/cluster/test_interrupts.py

$(VENV)/.cluster: $(VENV)/.built tests/cluster/requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes \
	    --requirement tests/cluster/requirements.lock
	touch $@

# Texts and formulas of other tools, with the answers that those give: a folder that is not part of the
# project (tests/peers/test_mcrl2.py says what is in it). Without one nothing is looked at.
PEERS =
peer-test: $(VENV)/.built
	PEERS="$(PEERS)" $(BIN)/python -m pytest -n auto -rs tests/peers

# docs/pictures/, after a change of the pages.
pictures: $(VENV)/.built
	tools/dev/browser.sh
	$(BIN)/python tools/dev/pictures.py

# Readers are fed changed texts for so many seconds each, as many at once as there are processors.
SECONDS = 60
fuzz: $(VENV)/.built
	$(BIN)/python tests/fuzz/feed.py --list | xargs -P "$$(nproc)" -I READER \
	    $(BIN)/python tests/fuzz/feed.py --seconds $(SECONDS) READER

# All random tests with fresh examples, again and again for so many minutes; what fails is printed with
# its seed. `make soak MINUTES=60 TESTS=tests/logic` for one room.
soak: MINUTES = 60
soak: TESTS = tests engine
soak: $(VENV)/.built
	$(BIN)/python tools/dev/soak.py --minutes $(MINUTES) $(TESTS)

# The core changed in small ways for so many minutes: does a test notice? The seed decides the sample;
# `make mutants ROOMS=logic` for one room, by the end of its name; `ROOMS="linear data"` for several.
MINUTES = 30
SEED = 1
ROOMS =
mutants: $(VENV)/.built $(BIN)/cargo-mutants
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python tools/dev/mutants.py --minutes $(MINUTES) \
	    --seed $(SEED) $(ROOMS)

$(BIN)/cargo-mutants: $(VENV)/.packages
	cargo install --locked --quiet --root $(VENV) cargo-mutants@27.1.0
	touch $@

# Conditions of rooms that no test sees come out the way that matters, all from one run of their tests:
# `make outcomes ROOMS=linear`.
outcomes: $(VENV)/.built
	$(BIN)/python tools/dev/outcomes.py $(ROOMS)

# Which lines of the Python packages the tests run, those of programs that they start included. What
# tests the start of the program, its limits, interrupts and progress is left out: measuring changes it.
coverage: $(VENV)/.built
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n auto --hypothesis-profile=few $(TESTS) \
	    --ignore=tests/test_startup.py --ignore=tests/faults --ignore=tests/cli/test_signals.py \
	    --deselect=tests/cli/test_generate.py::test_progress_is_shown_on_a_terminal_only
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

lint: $(VENV)/.built
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	cd engine && cargo fmt --check
	cd engine && cargo clippy --locked --all-targets --all-features --quiet -- -D warnings
	cd engine && RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" \
		cargo doc --locked --no-deps --document-private-items --all-features --quiet
	$(BIN)/python tools/dev/notices.py --check

# dist/: the source archive and the wheel, installed into an empty environment and tried out there.
# `make wheel WHEEL=--test` takes half the time: the engine is not optimised, and nothing is written.
WHEEL =
wheel: $(VENV)/.built
	$(BIN)/python tools/dev/wheel.py $(WHEEL)

# build/site/: the documents as a site, searchable; every link leads somewhere. What makes it has an
# environment of its own.
SITE := $(VENV)-site
site: $(SITE)/.packages
	$(SITE)/bin/sphinx-build --quiet --fail-on-warning --fresh-env -c tools/site . build/site
	test -s build/site/index.html && test -s build/site/docs/index.html

$(SITE)/.packages: tools/site/requirements.lock
	rm -rf $(SITE)
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/python -m pip install --quiet --require-hashes --requirement $<
	touch $@

# docs/ltstool.1, the manual page, docs/commands.md and docs/limits.md, after a change of what commands
# take or of bounds.
manual: $(VENV)/.built
	$(BIN)/python tools/dev/manual.py

# THIRD-PARTY.md, after a change of the dependencies.
notices: $(VENV)/.built
	$(BIN)/python tools/dev/notices.py

# The tables of docs/benchmarks.md, after a change of benchmarks/figures.toml.
figures: $(VENV)/.built
	$(BIN)/python tools/dev/figures.py

# docs/api.md, after a change of the library's public names.
api: $(VENV)/.built
	$(BIN)/python tools/dev/api.py

# The table of docs/cases.md and its pictures, after a change of the case studies.
gallery: $(VENV)/.built
	$(BIN)/python tools/dev/gallery.py

# The nets of cases/nets, after a change of their descriptions.
nets: $(VENV)/.built
	$(BIN)/python tools/dev/nets.py

# The project itself is an editable install: Python edits need no rebuild, an edit of the engine
# rebuilds it.
NEEDS_RUST = $(if $(shell command -v cargo),,$(error No Rust toolchain was found: install Rust 1.88 or newer, with cargo))
$(VENV)/.built: $(VENV)/.packages $(SOURCES)
	$(NEEDS_RUST)
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

# The environment is exactly the lock file. It starts anew when that changes, and when the checkout
# was moved or another Python is asked for: scripts and the editable install hold absolute paths.
# The shell gets it as a variable: a path may contain an apostrophe.
export WANTED := $(CURDIR) $(PYTHON)
ifneq ($(WANTED),$(shell cat $(VENV)/.made-for 2>/dev/null))
$(VENV)/.packages: new
endif

$(VENV)/.packages: requirements.lock $(BIN)/python
	$(if $(PYTHON),,$(error No CPython 3.11 or newer with venv was found: name one with PYTHON=))
	$(NEEDS_RUST)
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	printf '%s\n' "$$WANTED" > $(VENV)/.made-for
	touch $@

$(BIN)/python:

clean:
	rm -rf $(VENV) $(SITE) .coverage build dist *.egg-info engine/target lts/_engine*.so
