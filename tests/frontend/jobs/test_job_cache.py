"""The cache of whole jobs: hits, the key, and failures."""

import gc
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.basics import notices
from penstock.codegen.jobs.helpers import TEXTS
from penstock.ir.diagnostics import Diagnostic, IRError
from penstock.ir.dialects.flow.pointwise.exponentials import Tanh
from penstock.jobs.job import JobFunction
from penstock.lowering import user_cache
from penstock.passes import manager
from penstock.stages import job_cache


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("PENSTOCK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("PENSTOCK_CACHE", raising=False)
    notices.forget()
    yield tmp_path / "cache"
    notices.forget()


@pytest.fixture
def passes_run(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the passes that ran."""
    ran: list[str] = []
    step = manager.PassManager._step

    def counted(self, position, step_pass, *rest):  # type: ignore[no-untyped-def]
        ran.append(step_pass.name)
        return step(self, position, step_pass, *rest)

    monkeypatch.setattr(manager.PassManager, "_step", counted)
    return ran


def train() -> JobFunction:
    flow.clear_default_session()

    @flow.global_function(type="train")
    def train_job(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        seen.clear()
        y = flow.layers.dense(x, 2, activation=flow.math.tanh, name="layer")
        flow.watch(y, lambda blob: seen.append(blob.numpy().copy()))
        flow.optimizer.SGD(flow.optimizer.PiecewiseConstantScheduler([], [0.1])).minimize(y)
        return y

    return train_job


seen: list[np.ndarray] = []
X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)


def test_a_cached_job_runs_no_pass_and_computes_the_same(passes_run: list[str]) -> None:
    job = train()
    first = [job(X) for _ in range(3)]
    assert "bufferize" in passes_run
    result, description = job.compile().program.objects, job.compile().program.description
    watched = [y.copy() for y in seen]
    passes_run.clear()
    again = train()
    assert [y.tolist() for y in (again(X) for _ in range(3))] == [y.tolist() for y in first]
    assert passes_run == []
    program = again.compile().program
    assert (program.objects, program.description) == (result, description)
    assert [y.tolist() for y in seen] == [y.tolist() for y in watched]
    assert len(seen) == 3


def test_the_stages_of_a_cached_job_are_computed_on_demand(passes_run: list[str]) -> None:
    def texts(job: JobFunction) -> dict[str, str]:
        compiled = job.compile()
        return {stage: compiled.as_text(stage) for stage in compiled.texts()}

    fresh = texts(train())
    passes_run.clear()
    cached = train()
    assert cached.compile().as_text("job") == fresh["job"]
    assert passes_run == []
    assert cached.compile().as_text("grad") == fresh["grad"]
    assert passes_run == ["autodiff", "recompute", "canonicalize", "cse", "dce"]
    assert texts(cached) == fresh
    assert passes_run.count("autodiff") == 1
    assert list(fresh) == ["job", "grad", "placed", "fused", "loops", "llvm", "asm"]


def ramp(slope: float, count: int = 8) -> JobFunction:
    flow.clear_default_session()

    @flow.global_function()
    def ramp_job(x: tp.Numpy.Placeholder((count,))) -> tp.Numpy:
        return x * slope

    return ramp_job


@pytest.mark.parametrize("make", [lambda: ramp(3.0), lambda: ramp(2.0, 9)], ids=["value", "shape"])
def test_a_different_job_is_compiled(
    make: Callable[[], JobFunction], passes_run: list[str]
) -> None:
    ramp(2.0).compile()
    passes_run.clear()
    ramp(2.0).compile()
    assert passes_run == []
    make().compile()
    assert passes_run != []


@pytest.mark.parametrize("what", ["compiler", "processor", "target", "bf16"])
def test_the_key_has_everything_that_code_depends_on(
    folder: Path, what: str, passes_run: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ramp(2.0).compile()
    passes_run.clear()
    if what == "compiler":
        monkeypatch.setattr(job_cache, "compiler_digest", lambda: "a later version")
    elif what == "processor":
        from penstock.codegen import host

        monkeypatch.setattr(host, "identity", lambda cpu: "another processor")
    elif what == "bf16":
        monkeypatch.setattr(ml_dtypes, "__version__", "a later version")
    else:
        level = str(ramp(2.0)._stages().pipelines["loops"])
        other = "x86-64-v2" if "v3" in level or "v4" in level else "x86-64-v3"
        monkeypatch.setenv("PENSTOCK_TARGET", other)
    if what == "target":
        # A job compiled for it might not run on this machine.
        assert job_cache._key(ramp(2.0)._stages()) not in os.listdir(folder)
    else:
        ramp(2.0).compile()
        assert passes_run != []


def test_a_job_with_a_user_defined_op_is_not_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its class may change between two programs without changing our digest."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        return flow.math.tanh(x)

    assert job_cache._key(job._stages())
    monkeypatch.setattr(Tanh, "__module__", "users_ops")
    assert job_cache._key(job._stages()) == ""


def test_the_cache_can_be_disabled(
    folder: Path, passes_run: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENSTOCK_CACHE", "off")
    for _ in range(2):
        passes_run.clear()
        ramp(2.0).compile()
        assert passes_run != []
    assert not folder.exists()


def test_a_cache_is_on_or_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_CACHE", "Bogus")
    with pytest.raises(
        ValueError,
        match=r"test_job_cache.py:\d+: PENSTOCK_CACHE is 'Bogus' in the environment: "
        "expected on or off; unset it for on$",
    ):
        ramp(2.0).compile()


def test_a_damaged_entry_is_replaced(folder: Path, passes_run: list[str]) -> None:
    expected = ramp(2.0)(X[0, :1].repeat(8)).tolist()
    for path in folder.iterdir():
        content = bytearray(path.read_bytes())
        content[-1] ^= 1
        path.write_bytes(content)
    passes_run.clear()
    assert ramp(2.0)(X[0, :1].repeat(8)).tolist() == expected
    assert passes_run != []
    passes_run.clear()
    assert ramp(2.0)(X[0, :1].repeat(8)).tolist() == expected
    assert passes_run == []


@pytest.mark.parametrize("entry", [b"", b"{}\n", b'{"description": {}, "cpu": "", "sizes": [9]}\n'])
def test_an_entry_without_a_job_is_replaced(
    folder: Path, entry: bytes, passes_run: list[str]
) -> None:
    ramp(2.0).compile()
    store = user_cache.user_store()
    assert store is not None
    store.put(job_cache._key(ramp(2.0)._stages()), entry)
    for expected in (True, False):
        passes_run.clear()
        ramp(2.0).compile()
        assert bool(passes_run) == expected


@pytest.mark.parametrize("when", ["before the first job", "between two jobs"])
def test_if_sources_change_while_a_program_runs_its_code_is_not_cached(
    folder: Path, when: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The digest is that of the new sources, but the old ones run."""
    if when == "between two jobs":
        ramp(2.0).compile()
    before = sorted(folder.iterdir()) if folder.exists() else []
    monkeypatch.setattr(user_cache, "LOADED_AT", 0)
    with caplog.at_level(logging.WARNING, "penstock"):
        for slope in (3.0, 4.0):
            assert ramp(slope)(np.ones(8, np.float32)).tolist() == [slope] * 8
    assert before == (sorted(folder.iterdir()) if folder.exists() else [])
    (line,) = [record.getMessage() for record in caplog.records]
    assert "the sources of penstock changed after this program loaded it" in line


def test_an_unusable_cache_is_one_warning(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write_text("a file in the way")
    with caplog.at_level(logging.WARNING, "penstock"):
        for _ in range(3):
            assert ramp(2.0)(np.ones(8, np.float32)).tolist() == [2.0] * 8
    (line,) = [record.getMessage() for record in caplog.records]
    assert f"the cache of compiled code in {folder} cannot be used: Not a directory" in line


def test_flow_compile_uses_the_cache(passes_run: list[str]) -> None:
    for stage in ("job", "fused", "loops"):
        text = ramp(2.0).lower().as_text(stage)
        flow.compile(text)
        passes_run.clear()
        assert flow.compile(text)(np.ones(8, np.float32)).tolist() == [2.0] * 8
        assert passes_run == []


def test_another_process_finds_it(folder: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        "import numpy as np\n"
        "import penstock as flow\n"
        "import penstock.typing as tp\n"
        "@flow.global_function()\n"
        "def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:\n"
        "    return flow.math.tanh(x)\n"
        "print(job(np.ones(3, np.float32)))\n"
        "print([name for name in sys.modules if name in\n"
        "       ('penstock.passes.manager', 'penstock.codegen.text.llvm_text',\n"
        "        'llvmlite.binding')])\n"
    )

    def run() -> list[str]:
        done = subprocess.run(
            [sys.executable, str(program)], capture_output=True, text=True, check=True
        )
        return done.stdout.splitlines()

    value, loaded = run()
    assert "manager" in loaded
    assert "llvm_text" in loaded
    assert run() == [value, "[]"], "neither passes nor what writes text is even loaded"
    assert len(os.listdir(folder)) >= 2


@pytest.mark.parametrize("on", [True, False])
def test_compiling_leaves_the_garbage_collector_as_it_was(
    on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        assert not gc.isenabled()
        raise IRError(Diagnostic("it fails"))

    gc.enable() if on else gc.disable()
    try:
        ramp(5.0).compile()
        assert gc.isenabled() == on
        monkeypatch.setattr(manager, "run_pipeline", fail)
        with pytest.raises(ValueError, match="it fails"):
            ramp(6.0).compile()
        assert gc.isenabled() == on
    finally:
        gc.disable()  # as in all tests


@pytest.mark.parametrize("frozen", [True, False])
def test_objects_of_the_compiler_are_not_in_the_young_generation(frozen: bool) -> None:
    """Otherwise the garbage collector would traverse them right away."""
    job = ramp(7.0)
    gc.freeze() if frozen else gc.unfreeze()
    gc.enable()
    try:
        result = job.compile().modules["loops"]
        assert bool(gc.get_freeze_count()) == frozen
        young = [*gc.get_objects(generation=0), *gc.get_objects(generation=1)]
        assert any(found is result for found in young) == frozen
    finally:
        gc.freeze()
        gc.disable()


def test_a_cached_job_loads_no_compiler(folder: Path) -> None:
    """No pass, no codegen, no linker; LLVM is never loaded in the process that runs jobs."""
    program = """
import sys
import numpy as np
import penstock as flow, penstock.typing as tp

@flow.global_function()
def twice(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
    return x + x

assert twice(np.ones(4, np.float32)).tolist() == [2] * 4
loaded = {name.rpartition(".")[2] for name in sys.modules if name.startswith("penstock.codegen.")}
with open("/proc/self/maps") as maps:
    print("libllvmlite" in maps.read(), "llvm_text" in loaded, "shared_object" in loaded,
          "penstock.passes.manager" in sys.modules)
"""
    said = [
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert said == ["False True True True\n", "False False False False\n"]


def test_helpers_are_compiled_together_with_the_first_job(folder: Path) -> None:
    """On one thread: requested before lowering, and loaded before waiting for the job."""
    program = """
import threading
import penstock as flow, penstock.typing as tp
from penstock.codegen.objects import compiler, objects
from penstock.passes import manager
from penstock.runtime.native import helpers

@flow.global_function()
def twice(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
    return x + x

def told(owner, name, what):
    usual = getattr(owner, name)
    def call(*given, **named):
        print(what, helpers.is_installed(), threading.active_count())
        return usual(*given, **named)
    setattr(owner, name, call)

told(compiler, "submit", "submit")
told(manager, "run_pipeline", "lower")
told(objects.Compilation, "objects", "wait")
twice.compile()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    asked = ["submit False 1"] * len(TEXTS)
    assert done.stdout.splitlines() == [*asked, "lower False 1", "submit False 1", "wait True 1"]
