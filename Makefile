# `make demo` and `make test` set everything up on a fresh machine; they need Python >= 3.10 and a
# package index.

PYTHON ?= python3
VENV ?= .venv
# auto, digits, or a folder with MNIST's own files
DATA ?= auto

BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Debian's packages are installed only if that asks no question, with a short timeout.
APT := DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=0 \
    -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10
MAY_APT := [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null
apt_install = { $(APT) update && $(APT) install --yes --no-install-recommends $(1); } \
    </dev/null >/dev/null 2>&1

# Fashion-MNIST is such a package. Without it the demo trains on the digits that ship with penstock,
# so a failure here is not an error.
define FETCH_IMAGES
if [ "$(DATA)" = auto ] && [ ! -d /usr/share/datasets/fashion-mnist ] && $(MAY_APT); then \
    echo "Installing Debian's dataset-fashion-mnist."; \
    $(call apt_install,dataset-fashion-mnist) || \
        echo "It is not available; the digits that ship with penstock are used instead."; \
fi
endef

# Debian's Python lacks the module that makes virtual environments. A failed attempt leaves one
# without pip; removing its Python makes the next attempt start over.
define MAKE_VENV
if ! $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null && $(MAY_APT); then \
    echo "Installing Debian's python3-venv."; \
    $(call apt_install,python3-venv) || true; \
fi; \
$(PYTHON) -m venv $(VENV) || { rm -f $(BIN)/python; exit 1; }
endef

.PHONY: demo test long torch avx2 levels lint static view docs native sanitize wheels smoke pythons bench \
    gpu gpu-sim clean

demo: $(VENV)/installed
	@$(FETCH_IMAGES)
	$(BIN)/python examples/train_mnist.py --data $(DATA) --stage fused

# Some tests take a hundred times as long as most, and are next to each other. So workers that run
# out of tests steal from others.
PARALLEL := --numprocesses auto --dist worksteal

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest $(PARALLEL)

# Long forms of tests, each with the environment variable that selects it: a number of programs,
# kills and so on. The last one runs the cases that the markers `sampled` and `long` leave out.
LONG := PENSTOCK_FUZZ_PROGRAMS=20000:tests/fuzz/test_programs.py \
    PENSTOCK_TENSOR_PROGRAMS=20000:tests/frontend/tensors/test_programs.py \
    PENSTOCK_SCHEDULED_PROGRAMS=1000:tests/fuzz/test_schedules.py \
    PENSTOCK_SHARED_PROGRAMS=1000:tests/fuzz/test_sharing.py \
    PENSTOCK_FUZZ_TEXTS=100000:tests/fuzz/test_text.py \
    PENSTOCK_FUZZ_TEXTS=100000:tests/fuzz/test_grammar.py \
    PENSTOCK_FUZZ_ALL=1:tests/fuzz/test_limits.py \
    PENSTOCK_CACHE_KILLS=1000:tests/crash/test_cache_kill.py \
    PENSTOCK_CHECKPOINT_KILLS=1000:tests/crash/test_checkpoint_kill.py \
    PENSTOCK_FILE_KILLS=1000:tests/runtime/files/test_files.py \
    PENSTOCK_RANK_FAILURES=20:tests/runtime/mpi/test_failures.py \
    PENSTOCK_ARTIFACT_FLIPS=20000:tests/artifact/test_attacks.py \
    PENSTOCK_ARTIFACT_MUTATIONS=5000:tests/artifact/test_attacks.py \
    PENSTOCK_ARTIFACT_FORGERIES=500:tests/artifact/test_forged.py \
    PENSTOCK_ACCESS_CASES=3000:tests/passes/loops/test_accesses.py \
    PENSTOCK_BOUNDS_PROGRAMS=5000:tests/ir/verify/test_bounds.py \
    PENSTOCK_INTERRUPT_ALL=1:tests/crash/test_interrupted_imports.py \
    PENSTOCK_LONG=1:tests

# Runs all of them, even if one fails; `make long LONG=...` runs some.
long: $(VENV)/installed-dev
	@failed=0; for form in $(LONG); do \
	    echo "$$form"; \
	    env "$${form%%:*}" $(BIN)/python -m pytest $(PARALLEL) -o faulthandler_timeout=7200 \
	        --quiet -rP "$${form#*:}" || failed=1; \
	done; exit $$failed

# PyTorch is a second reference for what jobs compute. It is large, so it has its own environment;
# this version has a CPU-only build.
TORCH := build/torch
TORCH_TESTS = $$(grep -rl --include='*.py' 'importorskip("torch")' tests)

# On a machine with a GPU: each form of instruction, recorded; jobs and all ops, compared; times,
# beside PyTorch's and JAX's if they are installed. What is worth most comes first, each part has a
# limit of time, and a second run goes on where the first one ended: `make gpu MINUTES=9` may be
# called again and again. `make gpu DEVICE=gpu-sim` takes the same road, of small workloads, without
# a GPU; its times say nothing.
DEVICE ?= gpu
MINUTES ?= 60
GPU_FOLDER ?= build/$(DEVICE)

gpu: $(VENV)/installed-dev
	@$(BIN)/python benchmarks/on_gpu.py --device $(DEVICE) --minutes $(MINUTES) --folder $(GPU_FOLDER)

# The part of `make test` that runs kernels on the simulated GPU: two minutes on two processors at
# most.
GPU_SIM_TESTS := tests/conformance/test_on_gpu.py tests/runtime/gpu tests/passes/gpu \
    tests/codegen/gpu tests/frontend/gpu tests/fuzz/test_schedules.py

gpu-sim: $(VENV)/installed-dev
	$(BIN)/python -m pytest $(PARALLEL) $(GPU_SIM_TESTS)

torch: $(TORCH)/installed
	TORCHINDUCTOR_CACHE_DIR=$(CURDIR)/$(TORCH)/inductor \
	    $(TORCH)/bin/python -m pytest $(PARALLEL) $(TORCH_TESTS)

$(TORCH)/installed: setup.cfg pyproject.toml | $(BIN)/python
	$(PYTHON) -m venv $(TORCH)
	$(TORCH)/bin/python -m pip install --quiet --disable-pip-version-check \
	    --editable packaging/runtime --editable '.[dev]' 'torch==2.13.0'
	@touch $@

# All tests as on a processor without AVX-512: neither penstock nor NumPy detects it, and code with
# its instructions is refused. Needs objdump.
avx2: $(VENV)/installed-dev
	PYTHONPATH=$(CURDIR)/tests/processor $(BIN)/python -m pytest $(PARALLEL)

# Tests of what jobs compute, for each processor level that this machine runs, on THREADS threads.
# OWN=0 omits the machine's own level, which `make test` covers; SPREAD=1 runs each test at one
# level only.
OWN ?= 1
SPREAD ?= 0
THREADS ?= 1 4
LEVELS = from penstock.codegen.objects.llvm import host_level, host_levels; \
    print(*[level for level in host_levels() if $(OWN) or level != host_level()])
# pytest collects only these files, which have such tests.
NUMBERS = $$(grep -rl --include='*.py' 'mark\.numbers' tests)

levels: $(VENV)/installed-dev
	rm -rf build/levels
	@set -- $$($(BIN)/python -c '$(LEVELS)'); part=0; parts=$$#; \
	[ $(SPREAD) = 1 ] || parts=1; \
	for level; do for threads in $(THREADS); do \
	    echo "$$level, $$threads threads"; \
	    PENSTOCK_TARGET=$$level PENSTOCK_NUM_THREADS=$$threads \
	        PENSTOCK_TEST_CACHE=$(CURDIR)/build/levels PENSTOCK_TEST_PART=$$part/$$parts \
	        $(BIN)/python -m pytest --quiet $(PARALLEL) -m numbers $(NUMBERS) || exit 1; \
	done; part=$$(((part + 1) % parts)); done

lint: static
	$(BIN)/python -m pytest --quiet tests/test_layers.py tests/test_rules.py tests/test_sizes.py

# What `lint` checks without running tests.
static: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m penstock.tools.project.view --mypy

view: $(VENV)/installed
	$(BIN)/python -m penstock.tools.project.view

docs: $(VENV)/installed
	$(BIN)/penstock ops --markdown --output docs/ops.md
	$(BIN)/penstock ops --mlir --output docs/mlir_ops.md
	$(BIN)/penstock ops --status --output docs/status.md
	$(BIN)/python -m penstock.tools.project.structure --output docs/structure.md
	$(BIN)/python tests/runtime/gpu/instruction_forms.py --list docs/gpu_forms.md

# The LLVM text of the native runtime, after a change to its C sources; needs clang-22.
native: $(VENV)/installed
	$(BIN)/python -m penstock.tools.project.native

# The native runtime under ThreadSanitizer, AddressSanitizer and UBSan, at length; needs clang-22 and
# libclang-rt-22-dev.
ROUNDS ?= 300
sanitize: $(VENV)/installed-dev
	PENSTOCK_SANITIZE=$(ROUNDS) $(BIN)/python -m pytest --durations=0 tests/native/test_sanitizers.py

# Measures penstock and every installed peer; BENCH takes options, e.g. BENCH=--quick. The peers are
# listed in benchmarks/requirements.txt.
bench: $(VENV)/installed
	$(BIN)/python benchmarks/run.py $(BENCH)

# The wheels of penstock and penstock-runtime, the same bytes on each run.
wheels: $(VENV)/installed-dev
	rm -rf dist
	$(BIN)/python -m penstock.tools.project.wheels dist

# Tests both wheels installed, without the checkout's packages.
smoke: wheels
	rm -rf build/smoke
	$(PYTHON) -m venv build/smoke
	build/smoke/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	build/smoke/bin/penstock --help
	build/smoke/bin/python examples/watch_relu.py
	build/smoke/bin/python examples/train_mnist.py --data digits --epochs 2
	build/smoke/bin/penstock compile examples/train_mnist.py -o build/smoke/train.pstk
	build/smoke/bin/penstock show build/smoke/train.pstk --job train_job --why hidden_activation

# Tests both wheels with each Python of setup.cfg that is found; lists the others. For all tests with
# one of them: make test PYTHON=python3.12 VENV=build/venv3.12
pythons: wheels
	$(BIN)/python -m penstock.tools.project.pythons dist

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python >= 3.10 is needed, this is " + sys.version if sys.version_info < (3, 10) else 0)'
	@$(MAKE_VENV)

$(VENV)/installed: setup.cfg setup.py pyproject.toml packaging/runtime/setup.cfg | $(BIN)/python
	$(INSTALL) --editable packaging/runtime --editable .
	@touch $@

$(VENV)/installed-dev: setup.cfg setup.py pyproject.toml packaging/runtime/setup.cfg | $(BIN)/python
	$(INSTALL) --editable packaging/runtime --editable '.[dev]'
	@touch $(VENV)/installed $@
