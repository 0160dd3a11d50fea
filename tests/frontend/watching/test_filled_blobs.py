"""Blobs stored directly in memory for handlers: ownership and reuse of that memory."""

import gc
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.runtime import load
from penstock.runtime.execution.taps import NativeListener

Array = np.ndarray[Any, Any]
Handler = Callable[[Array], object]

SIDE = 128  # 64 KiB


def feeds(seed: int) -> list[Array]:
    random = np.random.default_rng(seed)
    return [random.standard_normal((SIDE, SIDE)).astype(np.float32) for _ in range(2)]


def as_handler(look: Handler) -> Any:
    def handler(y: tp.Numpy) -> None:
        look(y)

    return handler


def chained(*handlers: Handler) -> Any:
    """A job of matmuls that reads a watched value late, when its buffer is reused."""

    def chain(
        x: tp.Numpy.Placeholder((SIDE, SIDE)), w: tp.Numpy.Placeholder((SIDE, SIDE))
    ) -> tp.Numpy:
        a = flow.matmul(x, w)
        for handler in handlers:
            flow.watch(a, as_handler(handler))
        b = flow.matmul(a, w)
        return flow.matmul(flow.matmul(b, a), a)

    chain.__name__ = f"chain_{len(handlers)}"
    return flow.global_function()(chain)


def flags(job: Any) -> list[int]:
    """The flags in the frame of native calls."""
    listeners = (o for o in gc.get_objects() if isinstance(o, NativeListener))
    (found,) = (o for o in listeners if o._description.job == job.name and o.standing)
    return [int(flag) for flag in found._flags]


def test_the_job_stores_what_a_handler_gets() -> None:
    """Released memory is reused; kept memory is not."""
    addresses: list[int] = []
    kept: list[Array] = []
    keeps = False

    def look(y: Array) -> None:
        addresses.append(y.__array_interface__["data"][0])
        if keeps:
            kept.append(y)

    job, plain = chained(look), chained()
    states = []
    for step in range(8):
        keeps = 3 <= step < 6
        assert np.array_equal(job(*feeds(step)), plain(*feeds(step)))
        states.append(flags(job))
    # The first call is not native. The second block is stored instead of the first; then there is
    # none left.
    assert states == [[2], [3], [3], [2], [1], [1], [1], [1]]
    assert len(set(addresses[:4])) == 1
    assert len(set(addresses[3:6])) == 3
    for step, blob in enumerate(kept, 3):
        x, w = feeds(step)
        assert np.allclose(blob, x @ w, atol=1e-3)
    kept.clear()
    for state in (2, 3):
        job(*feeds(0))
        assert flags(job) == [state]


def test_neither_the_step_nor_other_handlers_see_what_a_handler_changes() -> None:
    sums: list[float] = []

    def spoil(y: Array) -> None:
        y[...] = np.nan

    job, plain = chained(spoil, lambda y: sums.append(float(y.sum())), spoil), chained()
    for step in range(5):
        assert np.array_equal(job(*feeds(step)), plain(*feeds(step)))
    x, w = feeds(4)
    assert np.isclose(sums[-1], (x @ w).sum(), rtol=1e-2, atol=1.0)
    assert np.isfinite(sums).all()


@pytest.mark.parametrize("count", [1, 3])
def test_values_that_only_handlers_read_belong_to_each_in_turn(count: int) -> None:
    """The last handler gets the memory that the job stored, the others get copies."""
    seen: list[Array] = []

    def spoil(y: Array) -> None:
        seen.append(y.copy())
        y[...] = np.nan

    def shows(
        x: tp.Numpy.Placeholder((SIDE, SIDE)), w: tp.Numpy.Placeholder((SIDE, SIDE))
    ) -> tp.Numpy:
        a = flow.matmul(x, w)
        for _ in range(count):
            flow.watch(a, as_handler(spoil))
        return flow.math.exp(w)

    shows.__name__ = f"shows_{count}"
    job = flow.global_function()(shows)
    assert "_twice" not in job.lower().as_text("loops")
    for step in range(4):
        x, w = feeds(step)
        seen.clear()
        assert np.allclose(job(x, w), np.exp(w), rtol=1e-5)
        assert flags(job) == [2 if step == 0 else 3]
        assert len(seen) == count
        assert all(np.allclose(blob, x @ w, atol=1e-3) for blob in seen)


@pytest.mark.parametrize("form", [lambda y: y, lambda y: y[1:, ::2], memoryview])
def test_kept_arrays_are_not_overwritten(form: Callable[[Array], Any]) -> None:
    """Kept for a while or forever, while others are released in between."""
    kept: dict[int, tuple[Any, Array]] = {}
    step = 0

    def look(y: Array) -> None:
        held = form(y)
        kept[step] = held, np.array(held)

    job, plain = chained(look), chained()
    random = np.random.default_rng(5)
    for step in range(60):
        assert np.array_equal(job(*feeds(step % 7)), plain(*feeds(step % 7)))
        if random.random() < 0.7:
            kept.pop(int(random.choice(list(kept))))
        for held, copy in kept.values():
            assert np.array_equal(held, copy)
    assert 2 < len(kept) < 50


def test_a_handler_that_raises_still_gets_the_array() -> None:
    kept: list[Array] = []

    def fail(y: Array) -> None:
        kept.append(y)
        raise KeyError("mine")

    job = chained(fail)
    for step in range(4):
        with pytest.raises(KeyError, match="mine"):
            job(*feeds(step))
    for step, blob in enumerate(kept):
        x, w = feeds(step)
        assert np.allclose(blob, x @ w, atol=1e-3)


def test_a_handler_that_runs_the_job_and_threads_that_do() -> None:
    inside = threading.local()
    wrong: list[int] = []

    def again(y: Array) -> None:
        y[...] = 0
        if not getattr(inside, "nested", False):
            inside.nested = True
            if not np.array_equal(job(*feeds(3)), wanted[3]):
                wrong.append(3)
            inside.nested = False

    job, plain = chained(again), chained()
    wanted = {step: plain(*feeds(step)) for step in range(4)}
    job(*feeds(0))

    def run(step: int) -> None:
        for _ in range(20):
            if not np.array_equal(job(*feeds(step)), wanted[step]):
                wrong.append(step)

    threads = [threading.Thread(target=run, args=(step,)) for step in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_from_the_text_of_loops_and_from_a_file(tmp_path: Path) -> None:
    """Files compiled from earlier stages copy, since nothing announced listeners."""
    job = chained(lambda y: None)
    wanted = job(*feeds(1))
    loaded: Any = flow.compile(job.lower().as_text("loops"))
    for source in (loaded, job):
        flow.save_artifact(tmp_path / "job.pstk", source)
        for run in (load(tmp_path / "job.pstk").jobs[job.name], loaded):
            roles = [argument.role for argument in run._executable.description.arguments]
            assert ("shown" in roles) is (run is loaded or source is loaded)
            seen: list[Array] = []
            (point,) = (tap.name for tap in run.taps if tap.name == "matmul")
            end = run.watch(point, seen.append)
            for _ in range(4):
                assert np.array_equal(run(*feeds(1)), wanted)
            end()
            assert np.array_equal(run(*feeds(1)), wanted)
            x, w = feeds(1)
            assert len(seen) == 4
            assert all(np.allclose(blob, x @ w, atol=1e-3) for blob in seen)
