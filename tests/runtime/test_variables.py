"""One store for many jobs: variables are created once, checked, and updated atomically."""

import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from interrupting import interruptions
from waiting import is_in, until, work

from penstock.runtime import Argument, FileVariable, VariableStore, checkpoint
from penstock.runtime.memory import address_of
from penstock.runtime.store import readers_writer


def variable(
    name: str = "w", shape: tuple[int, ...] = (2, 3), dtype: str = "f32", **more: Any
) -> Argument:
    initializer = more.pop("initializer", {"kind": "constant", "value": 1.0})
    return Argument("variable", name, shape, dtype, initializer=initializer, **more)


@pytest.fixture
def store() -> VariableStore:
    store = VariableStore()
    store.ensure(variable(loc="train.py:14"), "train_job")
    store.ensure(variable("step", (), "i64"), "train_job")
    return store


def test_a_variable_is_created_once(store: VariableStore) -> None:
    live = store.ensure(variable(), "eval_job")
    assert address_of(live) % 64 == 0
    live += 4
    assert store.ensure(variable(initializer=None), "other_job") is live
    assert (store.get("w") == 5).all()
    assert len(store) == 2
    assert "w" in store
    assert "v" not in store


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (variable(shape=(3, 2), loc="eval.py:3"), "float32 of shape (3, 2) in job 'eval_job' (eva"),
        (variable(dtype="f64", loc="eval.py:3"), "float64 of shape (2, 3) in job 'eval_job' (eval"),
    ],
)
def test_jobs_that_disagree(store: VariableStore, other: Argument, said: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(f"variable 'w' is {said}")) as e:
        store.ensure(other, "eval_job")
    assert str(e.value).endswith(
        "(eval.py:3), but job 'train_job' (train.py:14) made it float32 of shape (2, 3); declare "
        "it the same in both, or rename one"
    )


def test_a_variable_whose_creation_fails_does_not_exist(store: VariableStore) -> None:
    with pytest.raises(ValueError, match="^variable 'v' has no initializer"):
        store.ensure(variable("v", initializer=None), "train_job")
    assert "v" not in store


def test_reads_return_copies(store: VariableStore) -> None:
    live = store.ensure(variable(), "train_job")
    got = store.get("w")
    items = dict(store.items())
    live += 1
    assert (got == 1).all()
    assert (items["w"] == 1).all()
    assert list(items) == ["w", "step"]


def test_set_copies_into_the_same_memory(store: VariableStore) -> None:
    live = store.ensure(variable(), "train_job")
    value = np.full((2, 3), 7, np.float32)
    store.set("w", value)
    value += 1
    assert (live == 7).all()
    store.set("w", value[::-1, ::-1].astype(">f4"))
    assert (live == 8).all()
    store.set("step", np.array(3, np.int64))
    assert store.get("step") == 3


@pytest.mark.parametrize(
    ("value", "error", "sentence"),
    [
        (
            np.zeros((2, 3)),
            ValueError,
            "variable 'w' (train.py:14) is float32 of shape (2, 3), got float64 of shape (2, 3); ",
        ),
        (
            np.zeros((3, 2), np.float32),
            ValueError,
            "variable 'w' (train.py:14) is float32 of shape (2, 3), got float32 of shape (3, 2); ",
        ),
        (
            [[1.0] * 3] * 2,
            TypeError,
            "variable 'w' is float32 of shape (2, 3), got a list; pass a N",
        ),
        (
            None,
            TypeError,
            "variable 'w' is float32 of shape (2, 3), got a NoneType; pass a NumPy ar",
        ),
    ],
)
def test_values_that_do_not_match(
    store: VariableStore, value: Any, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match="^" + re.escape(sentence)):
        store.set("w", value)
    with pytest.raises(error, match="^" + re.escape(sentence)):
        store.load({"step": np.array(9, np.int64), "w": value})
    assert (store.get("w") == 1).all()
    assert store.get("step") == 1, "a load that fails must change nothing"


def test_unknown_names(store: VariableStore) -> None:
    store.load({"v": np.zeros(1), "step": np.array(5, np.int64)})
    assert store.get("step") == 5
    with pytest.raises(
        RuntimeError, match="^'v' is not a variable name; the variables are 'step',"
    ):
        store.load({"v": np.zeros(1)}, ignore_unknown=False)
    for call in (lambda: store.get("v"), lambda: store.set("v", np.zeros(1))):
        with pytest.raises(
            ValueError, match="^there is no variable 'v'; the variables are 'step', "
        ):
            call()


def test_an_error_lists_some_of_many_names(store: VariableStore) -> None:
    with pytest.raises(ValueError, match="; the variables are none yet: a job makes them when"):
        VariableStore().get("w")
    for index in range(20):
        store.ensure(variable(f"layer{index}"), "train_job")
    with pytest.raises(ValueError, match="'layer15', and more$"):
        store.get("v")


def test_load_from_a_checkpoint(store: VariableStore, tmp_path: Path) -> None:
    store.set("w", np.arange(6, dtype=np.float32).reshape(2, 3))
    checkpoint.save(tmp_path / "a", dict(store.items()))
    store.set("w", np.zeros((2, 3), np.float32))
    saved = checkpoint.get(tmp_path / "a")
    assert isinstance(saved, dict)
    store.load(saved)
    assert store.get("w").tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_file_without_meta_loads_into_a_known_variable(
    store: VariableStore, tmp_path: Path
) -> None:
    np.arange(6, dtype="<f4").tofile(tmp_path / "out")
    store.load({"w": FileVariable(tmp_path)})
    assert store.get("w").tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_file_of_another_shape_or_dtype(store: VariableStore, tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "a", {"w": np.zeros((3, 2), np.float32)})
    saved = checkpoint.get(tmp_path / "a")
    assert isinstance(saved, dict)
    with pytest.raises(
        ValueError, match="holds float32 of shape .3, 2., but the variable is float"
    ):
        store.load({"step": np.array(9, np.int64), **saved})
    assert store.get("step") == 1


def test_another_thread_waits_for_the_step(store: VariableStore) -> None:
    live = store.ensure(variable(), "train_job")
    seen: list[Any] = []

    def step() -> None:
        live[0] = 2
        reader.start()
        until(lambda: is_in(reader, readers_writer), "it waits for its turn")
        assert not seen, "it read in the middle of a step"
        live[1] = 2
        # The step's own thread may read.
        assert (store.get("w") == 2).all()

    reader = threading.Thread(target=lambda: seen.append(store.get("w")))
    store.run_step("train_job", step)
    reader.join()
    assert (seen[0] == 2).all()


def test_steps_that_read_run_together_and_keep_changes_out(store: VariableStore) -> None:
    live = store.ensure(variable(), "train_job")
    together = threading.Barrier(2, timeout=20)
    go_on = threading.Event()
    seen: list[Any] = []

    def read() -> None:
        together.wait()
        before = live.copy()
        go_on.wait(20)
        seen.append((before == live).all())

    def reader() -> None:
        store.read_step(read, calls_back=False)

    def train() -> None:
        store.run_step("train_job", lambda: live.fill(9))

    readers = [threading.Thread(target=reader) for _ in range(2)]
    changes = [
        threading.Thread(target=train),
        threading.Thread(target=lambda: store.set("w", np.zeros_like(live))),
    ]
    for thread in readers:
        thread.start()
    until(lambda: len(store._lock._readers) == 2, "both steps begin")
    before = live.copy()
    for thread in changes:
        thread.start()
        until(lambda thread=thread: is_in(thread, readers_writer), "it waits for its turn")
    assert (live == before).all(), "it changed a variable that a step was reading"
    go_on.set()
    for thread in [*readers, *changes]:
        thread.join()
    assert seen == [True, True]


def test_a_waiting_writer_goes_before_new_readers(store: VariableStore) -> None:
    live = store.ensure(variable(), "train_job")
    stop = threading.Event()

    def read_on() -> None:
        while not stop.is_set():
            store.read_step(lambda: work(0.001), calls_back=False)

    readers = [threading.Thread(target=read_on) for _ in range(4)]
    for thread in readers:
        thread.start()
    change = threading.Thread(
        target=lambda: [store.set("w", np.full_like(live, number)) for number in range(20)]
    )
    change.start()
    try:
        until(lambda: not change.is_alive(), "readers keep a change out")
    finally:
        stop.set()
        for thread in [*readers, change]:
            thread.join()
    assert (live == 19).all()


def test_a_handler_may_read_and_change(store: VariableStore) -> None:
    live = store.ensure(variable(), "train_job")

    def handler() -> None:
        store.read_step(lambda: store.get("w"), calls_back=False)
        store.set("w", np.full_like(live, 5))

    store.run_step("train_job", handler)
    store.read_step(handler, calls_back=True)
    # As if a signal handler ran in between.
    store.read_step(handler, calls_back=False)
    assert (live == 5).all()
    assert store._lock._readers == []


def test_an_interrupt_at_any_call_leaves_nothing_locked(store: VariableStore) -> None:
    live = store.ensure(variable(), "train_job")
    uses: list[Callable[[], object]] = [
        lambda: store.set("w", np.full_like(live, 5)),
        lambda: store.get("w"),
        lambda: store.run_step("train_job", lambda: None),
        lambda: store.read_step(lambda: None, calls_back=False),
    ]

    for use in uses:
        place = 0
        for place in interruptions(use):
            gate = store.gate
            assert (gate.closed, gate.readers, gate.writers) == (0, 0, 0), place
            other = threading.Thread(target=store.set, args=("w", live * 0), daemon=True)
            other.start()
            other.join(20)
            assert not other.is_alive(), place
        assert place > 2


def test_a_step_inside_a_step(store: VariableStore) -> None:
    sentence = (
        "job 'b' updates variables and was called by a handler while a step of job 'a' is updating "
        "them; call it after that step has returned"
    )
    ran: list[str] = []

    def step() -> None:
        with pytest.raises(RuntimeError, match="^" + re.escape(sentence)):
            store.run_step("b", lambda: ran.append("inside"))
        VariableStore().run_step("c", lambda: ran.append("another store"))

    store.run_step("a", step)
    store.run_step("b", lambda: ran.append("after"))
    assert ran == ["another store", "after"]


def test_a_failing_step_releases_the_lock(store: VariableStore) -> None:
    def step() -> None:
        raise KeyError

    for _ in range(2):
        with pytest.raises(KeyError):
            store.run_step("a", step)
    thread = threading.Thread(target=store.get, args=("w",))
    thread.start()
    thread.join(5)
    assert not thread.is_alive()


def test_concurrent_creation_of_a_variable(store: VariableStore) -> None:
    gate = threading.Barrier(8)
    got: list[Any] = []

    def make() -> None:
        gate.wait()
        got.append(store.ensure(variable("new", (300, 300)), "train_job"))

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 8
    assert all(array is got[0] for array in got)
