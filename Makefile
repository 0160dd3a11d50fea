# `make demo` and `make test` do everything on a fresh machine; they need Python >= 3.10 and a
# package index.

PYTHON ?= python3
VENV ?= .venv
# auto, digits, or a folder with MNIST's own files
DATA ?= auto

BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Debian's packages are installed where that asks no question, and it does not wait for long.
APT := DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=0 \
    -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10
MAY_APT := [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null
apt_install = { $(APT) update && $(APT) install --yes --no-install-recommends $(1); } \
    </dev/null >/dev/null 2>&1

# Fashion-MNIST is such a package; elsewhere the demo learns the digits that ship with penstock, so
# that a failure here is none.
define FETCH_IMAGES
if [ "$(DATA)" = auto ] && [ ! -d /usr/share/datasets/fashion-mnist ] && $(MAY_APT); then \
    echo "Installing Debian's dataset-fashion-mnist."; \
    $(call apt_install,dataset-fashion-mnist) || \
        echo "It is not available; the digits that ship with penstock are used instead."; \
fi
endef

# Debian's Python comes without what makes virtual environments. What a failure leaves looks like
# one and has no pip, so its sign goes.
define MAKE_VENV
if ! $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null && $(MAY_APT); then \
    echo "Installing Debian's python3-venv."; \
    $(call apt_install,python3-venv) || true; \
fi; \
$(PYTHON) -m venv $(VENV) || { rm -f $(BIN)/python; exit 1; }
endef

.PHONY: demo test levels lint view docs smoke bench clean

demo: $(VENV)/installed
	@$(FETCH_IMAGES)
	$(BIN)/python examples/train_mnist.py --data $(DATA) --stage fused

# Some tests take a hundred times as long as most, and stand side by side: whoever is done takes of
# what others still have.
PARALLEL := --numprocesses auto --dist worksteal

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest $(PARALLEL)

# What jobs compute, for each level of processor that this machine runs, on THREADS threads; with
# OWN=0 without the machine's own, which `make test` has.
OWN ?= 1
THREADS ?= 1 4
LEVELS = from penstock.codegen.llvm import host_level, host_levels; \
    print(*[level for level in host_levels() if $(OWN) or level != host_level()])
# Only these files are looked through for such tests.
NUMBERS = $$(grep -rl --include='*.py' 'mark\.numbers' tests)

levels: $(VENV)/installed-dev
	rm -rf build/levels
	@for level in $$($(BIN)/python -c '$(LEVELS)'); do for threads in $(THREADS); do \
	    echo "$$level, $$threads threads"; \
	    PENSTOCK_TARGET=$$level PENSTOCK_NUM_THREADS=$$threads \
	        PENSTOCK_TEST_CACHE=$(CURDIR)/build/levels \
	        $(BIN)/python -m pytest --quiet $(PARALLEL) -m numbers $(NUMBERS) || exit 1; \
	done; done

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m penstock.tools.view --mypy
	$(BIN)/python -m pytest --quiet tests/test_layers.py tests/test_rules.py tests/test_sizes.py

view: $(VENV)/installed
	$(BIN)/python -m penstock.tools.view

docs: $(VENV)/installed
	$(BIN)/penstock ops --markdown --output docs/ops.md
	$(BIN)/penstock ops --status --output docs/status.md

# Us and every peer that is installed; BENCH takes options, e.g. BENCH=--quick. The peers are in
# benchmarks/requirements.txt.
bench: $(VENV)/installed
	$(BIN)/python benchmarks/run.py $(BENCH)

# A wheel made from nothing else than the sources, installed where there is no checkout to lean on.
smoke: $(BIN)/python
	rm -rf build/lib build/smoke dist
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	$(PYTHON) -m venv build/smoke
	build/smoke/bin/python -m pip install --quiet --disable-pip-version-check dist/penstock-*.whl
	build/smoke/bin/penstock --help
	build/smoke/bin/python examples/watch_relu.py
	build/smoke/bin/python examples/train_mnist.py --data digits --epochs 2
	build/smoke/bin/penstock compile examples/train_mnist.py -o build/smoke/train.pstk
	build/smoke/bin/penstock show build/smoke/train.pstk --job train_job --why hidden_activation

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python >= 3.10 is needed, this is " + sys.version if sys.version_info < (3, 10) else 0)'
	@$(MAKE_VENV)

$(VENV)/installed: setup.cfg pyproject.toml | $(BIN)/python
	$(INSTALL) --editable .
	@touch $@

$(VENV)/installed-dev: setup.cfg pyproject.toml | $(BIN)/python
	$(INSTALL) --editable '.[dev]'
	@touch $(VENV)/installed $@
