"""Native jobs through `Executable.run`: results, variables, threads, memory."""

import gc
import os
import re
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from waiting import is_in, until

from penstock.runtime import Executable, VariableStore
from penstock.runtime.memory import allocate
from penstock.runtime.store import readers_writer

Array = np.ndarray[Any, Any]
Make = Callable[[str], Executable]


def four(*values: float) -> Array:
    return np.resize(np.array(values, np.float32), 4)


def test_feeds_in_fetches_out(job: Make) -> None:
    (result,) = job("add").run([four(1, 2), four(10)], VariableStore())
    assert (result.dtype, result.shape) == (np.float32, (4,))
    assert result.tolist() == [11, 12, 11, 12]
    assert result.ctypes.data % 64 == 0


def test_no_arguments_at_all(job: Make) -> None:
    assert job("nothing").run([], VariableStore()) == []


@pytest.mark.parametrize(
    "value",
    [
        np.arange(4.0),
        np.arange(4, dtype=">f4"),
        np.arange(8, dtype=np.float32)[::2] / 2,
        np.arange(4, dtype=np.float32)[::-1][::-1],
        np.arange(5, dtype=np.float32)[1:] - 1,
    ],
)
def test_feeds_are_converted_and_not_changed(job: Make, value: Array) -> None:
    before = value.copy()
    executable = job("add")
    for _ in range(3):
        assert executable.run([value, four(1)], VariableStore())[0].tolist() == [1, 2, 3, 4]
    assert np.array_equal(value, before)


@pytest.mark.parametrize("take", [lambda a: a[:, 0], lambda a: a[::-1, 0], lambda a: a.T[1]])
def test_strided_arrays_on_aligned_memory(job: Make, take: Callable[[Array], Array]) -> None:
    value, _ = allocate((4, 16), np.dtype(np.float32))
    value[...] = np.arange(64).reshape(4, 16)
    expected = (take(value) + 1).tolist()
    assert job("add").run([take(value), four(1)], VariableStore())[0].tolist() == expected


def test_an_aligned_array_is_not_copied(job: Make) -> None:
    """The job reads the array itself, including changes made by a handler."""
    executable = job("predict")
    block = np.zeros(128, np.uint8)
    aligned: Array = np.ndarray((4,), np.float32, block.data, -block.ctypes.data % 64)
    for array in (aligned, aligned.view(np.recarray)):
        executable.run([array], VariableStore())
        assert executable._idle[0]._converted == {}
    odd: Array = np.ndarray((4,), np.float32, block.data, (4 - block.ctypes.data) % 64)
    executable.run([odd], VariableStore())
    assert list(executable._idle[0]._converted) == [1]


def test_the_wrong_number_of_feeds(job: Make) -> None:
    with pytest.raises(TypeError, match=re.escape("job 'add' takes 2 arrays (a, b), got 1; pass ")):
        job("add").run([four(1)], VariableStore())
    with pytest.raises(TypeError, match=re.escape("job 'nothing' takes 0 arrays (none), got 1; p")):
        job("nothing").run([four(1)], VariableStore())


def test_a_refused_feed_leaves_the_job_usable(job: Make) -> None:
    executable = job("train")
    store = VariableStore()
    with pytest.raises(
        ValueError, match=r"^job 'train': parameter 'x' \(train.py:5\) expects a Nu"
    ):
        executable.run([np.zeros(3, np.float32)], store)
    executable.run([four(1)], store)
    assert store.get("w").tolist() == [1, 1, 1, 1]


def test_missing_entry_address() -> None:
    description = {"abi": 3, "job": "eval", "type": "predict", "entry": "eval", "arguments": []}
    with pytest.raises(ValueError, match="^job 'eval' has no native entry at address 0; compile "):
        Executable(0, {**description, "arena": {"bytes": 0, "align": 64}})


def test_a_parsed_description_is_accepted(engine: Any, job: Make) -> None:
    read = job("add").description
    executable = Executable(engine.get_function_address("add"), read, engine)
    assert executable.description is read
    assert executable.run([four(1), four(2)], VariableStore())[0].tolist() == [3.0] * 4


def test_jobs_share_variables(job: Make) -> None:
    train, read, store = job("train"), job("read"), VariableStore()
    assert train.run([four(1)], store)[0].tolist() == [0, 0, 0, 0]
    assert train.run([four(2)], store)[0].tolist() == [1, 1, 1, 1]
    assert read.run([], store)[0].tolist() == [3, 3, 3, 3]
    store.set("w", four(7))
    assert train.run([four(1)], store)[0].tolist() == [7, 7, 7, 7]
    assert store.get("w").tolist() == [8, 8, 8, 8]


def test_one_job_on_two_stores(job: Make) -> None:
    train, first, second = job("train"), VariableStore(), VariableStore()
    for _ in range(3):
        train.run([four(1)], first)
        train.run([four(10)], second)
    assert first.get("w").tolist() == [3, 3, 3, 3]
    assert second.get("w").tolist() == [30, 30, 30, 30]


def test_a_store_is_not_kept_alive(job: Make) -> None:
    train, store = job("train"), VariableStore()
    train.run([four(1)], store)
    gone = weakref.ref(store)
    del store
    assert gone() is None
    assert train.run([four(1)], VariableStore())[0].tolist() == [0, 0, 0, 0]


def test_the_code_is_kept_alive() -> None:
    class Code:
        pass

    code = Code()
    gone = weakref.ref(code)
    description = {"abi": 3, "job": "eval", "type": "predict", "entry": "eval", "arguments": []}
    executable = Executable(64, {**description, "arena": {"bytes": 0, "align": 64}}, code)
    del code
    assert gone() is not None
    del executable
    gc.collect()
    assert gone() is None


def test_kept_results_are_never_overwritten(job: Make) -> None:
    executable, store = job("add"), VariableStore()
    kept = [executable.run([four(index), four(0.5)], store)[0] for index in range(1000)]
    assert len({array.ctypes.data for array in kept}) == 1000
    assert all((array == index + 0.5).all() for index, array in enumerate(kept))


def test_threads_run_one_job_at_the_same_time(job: Make) -> None:
    executable, store = job("predict"), VariableStore()
    gate = threading.Barrier(4)
    wrong: list[object] = []

    def work(number: int) -> None:
        gate.wait()
        for index in range(500):
            (result,) = executable.run([four(number, index)], store)
            if result.tolist() != [number, index] * 2:
                wrong.append(result)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_two_threads_are_inside_one_job_together(job: Make) -> None:
    """Both wait for each other in the middle of a step, so they need separate arenas."""
    executable, store = job("predict"), VariableStore()
    gate = threading.Barrier(2, timeout=20)
    results: dict[int, Array] = {}

    def work(number: int) -> None:
        handlers = {0: [lambda _: gate.wait()]}
        (results[number],) = executable.run([four(number)], store, handlers)

    threads = [threading.Thread(target=work, args=(number,)) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {number: result[0] for number, result in results.items()} == {1: 1, 2: 2}
    assert len(executable._idle) == 2


def test_training_threads_take_turns(job: Make) -> None:
    executable, store = job("train"), VariableStore()
    inside: list[int] = []
    overlaps: list[int] = []

    def watch(_: Array) -> None:
        inside.append(threading.get_ident())
        overlaps.append(len(inside))

    def leave(_: Array) -> None:
        inside.pop()

    def work() -> None:
        for _ in range(200):
            executable.run([four(1)], store, {0: [watch], 1: [leave]})

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.get("w").tolist() == [800] * 4
    assert set(overlaps) == {1}


def test_a_job_that_reads_waits_for_one_that_updates(job: Make) -> None:
    train, read, store = job("train"), job("read"), VariableStore()
    seen: list[float] = []
    reader = threading.Thread(target=lambda: seen.append(read.run([], store)[0][0]))

    def handler(_: Array) -> None:
        reader.start()
        until(lambda: is_in(reader, readers_writer), "it waits for its turn")
        assert not seen, "it read in the middle of a step"

    train.run([four(3)], store, {0: [handler]})
    reader.join()
    assert seen == [3]


def resident_bytes() -> int:
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("watched", [False, True])
def test_ten_thousand_steps_leak_nothing(job: Make, watched: bool) -> None:
    executable, store = job("train"), VariableStore()

    def complain(_: Array) -> None:
        raise ValueError("again")

    def step() -> None:
        value = np.arange(8.0)[::2]
        if watched:
            with pytest.raises(ValueError, match="again"):
                executable.run([value], store, {0: [complain, len], 1: [len]})
        else:
            executable.run([value], store)

    for _ in range(1000):
        step()
    before = resident_bytes()
    for _ in range(10_000):
        step()
    assert resident_bytes() - before < 1 << 20
    assert len(executable._idle) == 1


def test_a_dropped_job_frees_its_arena(job: Make) -> None:
    executable = job("predict")
    executable.run([four(1)], VariableStore(), {0: [len]})
    arena = weakref.ref(executable._idle[0]._arena)
    del executable
    assert arena() is None
