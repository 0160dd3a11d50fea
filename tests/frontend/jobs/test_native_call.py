"""The native call: its arguments, when the slow path is taken, and ownership of results."""

import gc
import resource
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.runtime.memory import address_of
from penstock.runtime.native.outputs import LARGE, Ring

Array = np.ndarray[Any, Any]

SIDE = 256
assert SIDE * SIDE * 4 >= LARGE


def four(*values: float) -> Array:
    return np.resize(np.array(values, np.float32), 4)


def square(value: float) -> Array:
    return np.full((SIDE, SIDE), value, np.float32)


def adder() -> Any:
    @flow.global_function()
    def add(x: tp.Numpy.Placeholder((4,)), y: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
        return x + y

    add(four(1), four(2))
    return add


def doubler() -> Any:
    @flow.global_function()
    def double(x: tp.Numpy.Placeholder((SIDE, SIDE))) -> tp.Numpy:
        return x + x

    double(square(1))
    return double


def misaligned() -> Array:
    return np.zeros(20, np.uint8)[4:].view(np.float32)


def read_only() -> Array:
    array = four(1, 2)
    array.flags.writeable = False
    return array


def test_usual_calls_are_native() -> None:
    add = adder()
    for x in (four(1, 2), read_only(), np.zeros((8,), np.float32)[4:], np.ones((4, 1), "f4")[:, 0]):
        result = add._native(x, four(5))
        assert result.tolist() == (x + 5).tolist()
        assert (result.dtype, result.shape, result.flags.writeable) == (np.float32, (4,), True)


@pytest.mark.parametrize(
    "arrays",
    [
        (),
        (four(1),),
        (four(1), four(1), four(1)),
        (four(1), four(1).tolist()),
        (four(1), None),
        (four(1), four(1).astype(np.float64)),
        (four(1), four(1).astype(">f4")),
        (four(1), four(1).view(np.int32)),
        (four(1), np.ones(5, np.float32)),
        (four(1), np.ones((4, 1), np.float32)),
        (four(1), np.float32(1)),
        (four(1), np.ones(8, np.float32)[::2]),
        (four(1), four(1)[::-1]),
        (four(1), four(1).view(np.recarray)),
        (four(1), np.ma.masked_array(four(1))),
        (four(1), misaligned()),
    ],
)
def test_unusual_calls_take_the_slow_path(arrays: tuple[Any, ...]) -> None:
    add = adder()
    assert add._native(*arrays) is NotImplemented
    # And the call table has a free slot again.
    assert add._native(four(1), four(2)).tolist() == [3] * 4


def test_calls_run_no_python_code(monkeypatch: pytest.MonkeyPatch) -> None:
    add = adder()
    slow: list[object] = []
    other = type(add).__mro__[1]
    assert isinstance(add, other)
    assert repr(add).startswith("<predict job add (")
    for name in ("__call__", "_call", "_arrays"):
        monkeypatch.setattr(other, name, lambda *_: slow.append(1))
    events: list[str] = []
    x, y = four(1), four(2)
    sys.setprofile(lambda frame, event, _: events.append(f"{event} {frame.f_code.co_name}"))
    try:
        result = add(x, y)
    finally:
        sys.setprofile(None)
    assert result.tolist() == [3] * 4
    assert not slow
    assert not any(event.startswith("call ") for event in events)


def test_the_slow_path_gets_what_was_passed() -> None:
    add = adder()
    assert add(four(1), y=four(2)).tolist() == [3] * 4
    assert add(y=four(2), x=four(1)).tolist() == [3] * 4
    with pytest.raises(TypeError, match="got the keyword z"):
        add(four(1), z=four(2))
    with pytest.raises(TypeError, match="takes 2 arguments"):
        add()
    with pytest.raises(
        TypeError, match=r"^tests/frontend/jobs/test_native_call.py:\d+: job 'add': par"
    ):
        add(four(1), {2})


def test_unusual_arrays_give_the_same_results() -> None:
    add = adder()
    for y in (four(1, 2).astype(np.float64), np.repeat(four(1, 2), 2)[::2], misaligned()):
        assert add(four(5), y).tolist() == (y + 5).tolist()


def test_forms_of_results() -> None:
    @flow.global_function()
    def nothing(x: tp.Numpy.Placeholder((4,))) -> None:
        flow.math.relu(x)

    @flow.global_function()
    def several(x: tp.Numpy.Placeholder((4,))) -> tuple[tp.Numpy, tp.Numpy]:
        return x + x, x * x

    @flow.global_function()
    def nested(x: tp.Numpy.Placeholder((4,))) -> dict[str, tp.ListNumpy]:
        return {"a": x + x, "b": x * x}

    @flow.global_function()
    def future(x: tp.Numpy.Placeholder((4,))):  # type: ignore[no-untyped-def]
        return x + x

    for _ in range(3):
        x = four(1, 3)
        assert nothing(x) is None
        assert [array.tolist() for array in several(x)] == [[2, 6, 2, 6], [1, 9, 1, 9]]
        assert type(several(x)) is tuple
        assert nested(x)["b"][0].tolist() == [1, 9, 1, 9]
        assert future(x).get().numpy().tolist() == [2, 6, 2, 6]
    for job in (nothing, several, nested):
        job(x)  # the first call after a future waits for it
        assert job._native(x) is not NotImplemented


def test_a_loaded_job_until_it_is_watched() -> None:
    loaded = flow.compile(adder().lower().as_text("loops"))
    assert loaded._native(four(1), four(2)).tolist() == [3] * 4
    with pytest.raises(ValueError, match="has the watch points none"):
        loaded.watch("x")


def test_a_cleared_session_ends_native_calls() -> None:
    add = adder()
    flow.clear_default_session()
    with pytest.raises(ValueError, match=r"belongs to the session that flow.clear_default_session"):
        add(four(1), four(2))


HOLDERS: dict[str, Callable[[Array], Any]] = {
    "the array": lambda array: array,
    "a slice": lambda array: array[3:5, ::2],
    "a row": lambda array: array[7],
    "a view": lambda array: array.view(np.int32),
    "the transpose": lambda array: array.T,
    "a memoryview": memoryview,
    "what is in it": lambda array: np.frombuffer(memoryview(array), np.uint8),
    "an iterator": lambda array: array.flat,
    "a broadcast": lambda array: np.broadcast_to(array, (2, SIDE, SIDE)),
    "its base": lambda array: array.base,
    "a view of its base": lambda array: np.asarray(array.base),
    "a view of a view": lambda array: array[1:][1:].reshape(-1)[5:],
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_kept_result_is_never_overwritten(holder: str) -> None:
    double = doubler()
    kept = []
    for value in range(12):
        kept.append(HOLDERS[holder](double(square(value))))
        double(square(99)), double(square(98))
    for value, thing in enumerate(kept):
        if not isinstance(thing, np.ndarray | np.flatiter | memoryview):
            thing = np.asarray(thing)
        data = np.frombuffer(np.array(thing).tobytes(), np.float32)
        assert set(data.tolist()) == {2.0 * value}


def test_a_kept_tensor_is_never_overwritten() -> None:
    torch = pytest.importorskip("torch")
    double = doubler()
    kept = [torch.from_numpy(double(square(value)))[2:] for value in range(6)]
    double(square(99))
    assert [float(tensor.max()) for tensor in kept] == [2.0 * value for value in range(6)]


def test_results_that_nobody_keeps_share_memory() -> None:
    double = doubler()
    seen = {address_of(double(square(value))) for value in range(50)}
    assert len(seen) == 1
    seen = set()
    for value in range(50):
        result = double(square(value))
        seen.add(address_of(result))
    assert len(seen) == 2


def test_results_need_no_new_pages() -> None:
    double = doubler()
    x = square(1)
    for _ in range(3):
        double(x)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(100):
        double(x)
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    # A result has 64 pages.
    assert faults < 64


def test_rings_free_unused_memory() -> None:
    double = doubler()
    (ring,) = double.executable._rings.values()
    kept = [double(square(value)) for value in range(20)]
    assert sum(block is not None for block in ring._blocks) == 4
    kept.clear()
    double(square(1))
    now = max(since for _, since in ring._seen)
    Ring.trim_all(now + 0.5)
    assert sum(block is not None for block in ring._blocks) == 4
    double(square(1))
    Ring.trim_all(now + 1.0)  # finds one block in use
    Ring.trim_all(now + 1.9)
    assert sum(block is not None for block in ring._blocks) == 1
    Ring.trim_all(now + 2.9)
    assert ring._blocks == [None] * 4
    assert double(square(3)).max() == 6


def test_native_calls_trim_the_ring_regularly(monkeypatch: pytest.MonkeyPatch) -> None:
    double = doubler()
    looks: list[float] = []
    monkeypatch.setattr(Ring, "trim_all", looks.append)
    x = square(1)
    for _ in range(3000):
        Ring._next_look = 0.0
        double(x)
    assert 2 <= len(looks) <= 3


def test_nothing_leaks() -> None:
    add = adder()
    x, y = four(1), four(2)
    wrong = y.astype(np.float64)
    watched = (x, y, x.dtype, None, NotImplemented)
    for _ in range(50):
        add(x, y), add._native(x, wrong), add(x, wrong)
    gc.collect()
    before = [sys.getrefcount(thing) for thing in watched]
    for _ in range(5000):
        add(x, y), add._native(x, wrong), add._native(x), add(x, wrong)
    gc.collect()
    after = [sys.getrefcount(thing) for thing in watched]
    # One leaked reference per call would be 5000; other code changes None's count a little.
    assert all(abs(b - a) < 500 for a, b in zip(before, after, strict=True)), (before, after)


def test_threads_in_one_job() -> None:
    double = doubler()
    wrong: list[int] = []

    def work(value: int) -> None:
        x = square(value)
        for _ in range(100):
            result = double(x)
            if not (result == 2 * value).all():
                wrong.append(value)

    threads = [threading.Thread(target=work, args=(value,)) for value in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_steps_never_see_partial_updates_of_shared_variables() -> None:
    """Native steps that train or read, while variables are copied and set."""

    def weight() -> Any:
        return flow.get_variable("w", (SIDE, SIDE), initializer=flow.zeros_initializer())

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((SIDE, SIDE))) -> None:
        loss = x * weight()
        scheduler = flow.optimizer.PiecewiseConstantScheduler([], [float(SIDE * SIDE)])
        flow.optimizer.SGD(scheduler, momentum=0).minimize(loss)

    @flow.global_function()
    def read() -> tp.Numpy:
        return weight() + weight()

    one = square(-1)  # every step adds one to every weight
    train(one)
    assert train._native(one) is None
    assert set(read().flat) == {4.0}
    torn: list[object] = []
    done = threading.Event()

    def look(take: Callable[[], Array]) -> None:
        while not done.is_set():
            array = take()
            if not (array == array[0, 0]).all():
                torn.append(take)

    store = train.session.store
    lookers = [
        threading.Thread(target=look, args=(take,))
        for take in (read, read, lambda: store.get("w"), lambda: dict(store.items())["w"])
    ]
    trainers = [threading.Thread(target=lambda: [train(one) for _ in range(150)]) for _ in range(2)]
    for thread in (*lookers, *trainers):
        thread.start()
    for thread in trainers:
        thread.join()
    done.set()
    for thread in lookers:
        thread.join()
    assert not torn
    assert set(store.get("w").flat) == {302.0}
    store.set("w", square(7))
    assert set(read().flat) == {14.0}
