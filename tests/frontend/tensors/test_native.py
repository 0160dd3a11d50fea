"""Ops and backwards that native code runs: the same as Python's, with nothing leaked.

PENSTOCK_LONG runs 100,000 backwards, and more in each of 8 threads.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from interrupting import interruptions

import penstock as flow
from penstock.process.forks import making
from penstock.tensor_functions import methods
from penstock.tensors import engine, native
from penstock.tensors.modes import mode

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y,
    "truediv": lambda x, y: x / y, "floordiv": lambda x, y: x // y, "mod": lambda x, y: x % y,
    "eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y, "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y,
}  # fmt: skip
TYPES = [
    flow.float32, flow.float64, flow.float16, flow.bfloat16, flow.int8, flow.int32, flow.int64,
    flow.bool,
]  # fmt: skip
NUMBERS = [2, 3.5, -1, True, 2**40, np.float32(1.5), 0.1]


@contextlib.contextmanager
def in_python() -> Iterator[None]:
    """Native code leaves the ops of this thread to Python."""
    assert native._Attached.natives is not None
    mode.flags.is_unusual = True
    try:
        yield
    finally:
        mode.flags.is_unusual = False


IS_LONG = os.environ.get("PENSTOCK_LONG") == "1"
ROUNDS = 100_000 if IS_LONG else 20_000


def resident() -> int:
    """The bytes of memory that this process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


pytestmark = pytest.mark.skipif(
    sys.version_info < (3, 11), reason="Python 3.10 lacks a function that native code calls"
)


def drawn(dtype: Any, *shape: int, seed: int = 0) -> Any:
    values = np.random.default_rng(seed).integers(1, 9, shape).astype(np.float32)
    return flow.tensor(values, dtype=dtype)


def outcome(function: Callable[[], Any]) -> tuple[Any, ...]:
    """The type and bytes of a result, or the error."""
    try:
        made = function()
    except Exception as error:
        return type(error), str(error)
    return type(made), str(made.dtype), made.shape, made.numpy().tobytes()


def natively(function: Callable[[], Any]) -> tuple[Any, ...]:
    """The outcome once native code knows what to run."""
    for _ in range(2):
        outcome(function)
    return outcome(function)


def run_in_python(function: Callable[[], Any]) -> tuple[Any, ...]:
    with in_python():
        return outcome(function)


@pytest.fixture(autouse=True, scope="module")
def attached() -> None:
    x = drawn(flow.float32, 2)
    x + x
    assert native._Attached.natives is not None


@pytest.mark.parametrize("name", OPERATORS)
class TestOperators:
    def test_are_those_of_python(self, name: str) -> None:
        function = OPERATORS[name]
        for dtype in TYPES:
            for shape in ((2, 3), (), (0, 2)):
                x, y = drawn(dtype, *shape), drawn(dtype, *shape, seed=1)
                call = lambda x=x, y=y: function(x, y)  # noqa: E731
                assert natively(call) == run_in_python(call), (dtype, shape)

    def test_with_numbers_are_those_of_python(self, name: str) -> None:
        function = OPERATORS[name]
        for dtype in TYPES:
            x = drawn(dtype, 2, 3)
            for number in NUMBERS:
                for first, second in ((x, number), (number, x)):
                    call = functools.partial(function, first, second)
                    assert natively(call) == run_in_python(call), (dtype, number)

    def test_promote_as_in_python(self, name: str) -> None:
        function = OPERATORS[name]
        for first in TYPES:
            for second in TYPES:
                x, y = drawn(first, 3), drawn(second, 3)
                call = lambda x=x, y=y: function(x, y)  # noqa: E731
                assert natively(call) == run_in_python(call), (first, second)


def test_views_and_broadcasts_are_those_of_python() -> None:
    x = drawn(flow.float32, 4, 4)
    for call in (
        lambda: x.T + x, lambda: x[::2] * x[1::2], lambda: x[:, 1:] @ x[1:], lambda: x + x[0],
        lambda: x.expand(2, 4, 4) - x, lambda: x @ x.T, lambda: x @ x[0], lambda: x.T.relu(),
    ):  # fmt: skip
        assert natively(call) == run_in_python(call)


def test_numbers_are_rounded_once() -> None:
    x = flow.zeros(1)
    for number in (2**24 + 1, 2**53 + 2**29 + 1, 2**62 + 1, 1e300, -1e-50, float("nan")):
        call = lambda n=number: x + n  # noqa: E731
        assert natively(call) == run_in_python(call), number


class TestGradients:
    def graph(self) -> tuple[Any, list[Any]]:
        x, y = drawn(flow.float32, 3, 3), drawn(flow.float32, 3, 3, seed=1)
        x.requires_grad_(), y.requires_grad_()
        z = (x @ y).relu() * x + y / 3.0 - x[0]
        return (z * z.exp().log() + z.T).sum(), [x, y]

    def test_are_those_of_python(self) -> None:
        found = []
        for within in (in_python, in_python, contextlib.nullcontext, contextlib.nullcontext):
            with within():
                loss, leaves = self.graph()
                loss.backward()
                found.append([leaf.grad.numpy().tobytes() for leaf in leaves])
        assert found[0] == found[1] == found[2] == found[3]

    def test_lines_are_the_users(self) -> None:
        def users(x: Any) -> Any:
            y = x * x
            return y, y.relu()  # one line further

        x = drawn(flow.float32, 3).requires_grad_()
        lines = []
        for within in (in_python, contextlib.nullcontext, contextlib.nullcontext):
            with within():
                lines.append([str(one.grad_fn) for one in users(x)])
        first = users.__code__.co_firstlineno
        assert lines[0] == lines[1] == lines[2]
        assert lines[2][0].endswith(f"test_native.py:{first + 1}>")
        assert lines[2][1].endswith(f"test_native.py:{first + 2}>")

    def test_saved_tensors_that_changed_are_reported(self) -> None:
        for _ in range(3):
            x = drawn(flow.float32, 3).requires_grad_()
            y = x * 2.0
            z = y * y
            y += 1.0
            with pytest.raises(RuntimeError, match=r"multiply .* was changed in place since, by"):
                z.sum().backward()
            w = drawn(flow.float32, 3)
            v = (x * w).exp()
            v += 1.0
            with pytest.raises(RuntimeError, match=r"exp .* was changed in place since, by"):
                v.sum().backward()

    def test_a_second_backward_is_refused(self) -> None:
        x = drawn(flow.float32, 3).requires_grad_()
        for _ in range(3):
            z = (x * x).exp()
            z.backward(x.detach(), retain_graph=True)
            z.backward(x.detach())
            with pytest.raises(RuntimeError, match="a second time"):
                z.backward(x.detach())

    def test_the_seed_is_not_shared_with_gradients(self) -> None:
        x, y = (drawn(flow.float32, 3).requires_grad_() for _ in range(2))
        for _ in range(3):
            x.grad = y.grad = None
            seed = flow.ones(3)
            (x + y).backward(seed)
            arrays = [seed.numpy(), x.grad.numpy(), y.grad.numpy()]
            assert not any(np.shares_memory(arrays[i], arrays[i - 1]) for i in range(3))

    def test_hooks_and_functions_within_the_graph(self) -> None:
        class Twice(flow.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x * 2.0

            @staticmethod
            def backward(ctx: Any, gradient: Any) -> Any:
                assert not flow.is_grad_enabled()
                return gradient * 2.0

        for _ in range(3):
            x = drawn(flow.float32, 3).requires_grad_()
            y = Twice.apply(x * 1.0)
            seen: list[Any] = []
            y.register_hook(lambda g, seen=seen: seen.append(g) or g * 3.0)
            y.retain_grad()
            x.register_hook(seen.append)
            z = y + 1.0
            z.backward(flow.ones(3))
            assert x.grad.tolist() == [6.0] * 3
            assert y.grad.tolist() == [3.0] * 3
            assert [one.tolist() for one in seen] == [[1.0] * 3, [6.0] * 3]

    def test_many_branches_are_added_in_one_order(self) -> None:
        x = drawn(flow.float32, 3).requires_grad_()
        found = set()
        for within in (in_python, contextlib.nullcontext, contextlib.nullcontext):
            with within():
                x.grad = None
                parts = [x * (i / 7.0) for i in range(200)]
                total = parts[0]
                for part in parts[1:]:
                    total = total + part
                total.backward(flow.ones(3))
                found.add(x.grad.numpy().tobytes())
        assert len(found) == 1

    def test_no_grad_holds_for_its_thread_alone(self) -> None:
        x = drawn(flow.float32, 3).requires_grad_()
        x + x
        seen: list[bool] = []

        def run() -> None:
            for _ in range(3):
                seen.append((x + x).requires_grad)

        with flow.no_grad():
            thread = threading.Thread(target=run)
            thread.start()
            thread.join()
            assert not (x + x).requires_grad
        assert seen == [True] * 3
        assert (x + x).requires_grad


class TestObjects:
    def test_references_stay_as_they_are(self) -> None:
        x, y = (drawn(flow.float32, 3).requires_grad_() for _ in range(2))
        seed = flow.ones(3)

        def once() -> None:
            z = (x * y).relu() + 2.0
            z.backward(seed)
            x.grad = y.grad = None
            x == y  # noqa: B015

        for _ in range(100):
            once()
        gc.collect()
        things = [x, y, seed, x.array, seed.array, x.array.dtype, None, True, False, 0]
        before = [sys.getrefcount(thing) for thing in things], len(gc.get_objects())
        bytes_before = resident()
        for _ in range(ROUNDS):
            once()
        gc.collect()
        after = [sys.getrefcount(thing) for thing in things], len(gc.get_objects())
        assert after[1] - before[1] < 1000  # a leak of one object in each round is 20,000
        assert resident() - bytes_before < 4 << 20  # one of a buffer, the smallest being 256 bytes
        assert all(abs(x - y) < 1000 for x, y in zip(before[0], after[0], strict=True))

    def test_results_are_freed_with_their_last_reference(self) -> None:
        x = drawn(flow.float32, 3).requires_grad_()
        x * x
        assert not gc.isenabled()  # as in all tests
        y = x * x
        node, made = weakref.ref(y.grad_fn), weakref.ref(y)
        del y
        assert made() is None
        assert node() is None

    def test_cycles_are_collected(self) -> None:
        x = drawn(flow.float32, 3).requires_grad_()
        y = x * x
        y.own = y
        y.node.edges = (*y.node.edges, y)
        made = weakref.ref(y)
        del y
        gc.collect()
        assert made() is None

    def test_subclasses_are_operands(self) -> None:
        class Mine(flow.Tensor):
            pass

        x = Mine(2, 3)
        for _ in range(3):
            assert type(x + x) is flow.Tensor
            assert type(x + 1.0) is flow.Tensor

    def test_operators_of_subclasses_are_called(self) -> None:
        class Mine(flow.Tensor):
            def __add__(self, other: Any) -> Any:
                return "mine"

            def __radd__(self, other: Any) -> Any:
                return "mine, too"

        x = flow.zeros(2)
        assert x + x is not None
        assert Mine(2) + x == "mine"
        assert x + Mine(2) == "mine, too"

    @pytest.mark.parametrize(
        "name", ["array", "base", "changes", "node", "index", "_requires_grad", "_grad", "hooks"]
    )
    def test_fields_that_were_deleted_or_overwritten_crash_nothing(self, name: str) -> None:
        for value in (5, "deleted"):
            x = drawn(flow.float32, 3).requires_grad_()
            y = x * x
            for one in (x, y):
                setattr(one, name, value)
                if value == "deleted":
                    delattr(one, name)
            seed = flow.ones(3)
            calls: list[Callable[[Any], Any]] = [
                lambda y: y + y, lambda y: x * y, lambda y: y.backward(seed),  # noqa: B023
                lambda y: y.__iadd__(seed), lambda y: y[1:].copy_(seed[1:]),  # noqa: B023
            ]  # fmt: skip
            for call in calls:
                with contextlib.suppress(Exception):  # any, but no crash
                    call(y)

    def test_fields_of_nodes_that_were_overwritten_crash_nothing(self) -> None:
        for name in ("edges", "number", "_saved", "recipe", "_hooks", "_kept", "_code", "_at"):
            for value in (5, (1, 2), ((1, 2), (3,)), "deleted"):
                x = drawn(flow.float32, 3).requires_grad_()
                y = x * x
                z = y * y
                for one in (y, z):
                    setattr(one.node, name, value)
                    if value == "deleted":
                        delattr(one.node, name)
                with contextlib.suppress(Exception):  # any, but no crash
                    z.backward(flow.ones(3))


def test_methods_of_every_operator_are_native() -> None:
    for operator in methods.operators:
        assert type(vars(flow.Tensor)[operator.method]).__name__ == "method_descriptor"


def test_operators_of_odd_operands_are_python_errors() -> None:
    x = flow.zeros(2)
    x + x
    for bad in ("1", None, object()):
        with pytest.raises(TypeError, match="unsupported operand"):
            x + bad
    with pytest.raises(TypeError):
        flow.Tensor.__add__(3, x)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match=r"cannot multiply shapes \(2, 3\) and \(2, 3\)"):
        flow.zeros(2, 3) @ flow.zeros(2, 3)


def test_threads_run_ops_and_backwards() -> None:
    weight = drawn(flow.float32, 16, 16) / 16.0
    wanted = ((weight @ weight).relu() * weight).numpy().tobytes()
    wrong: list[str] = []

    def run() -> None:
        for i in range(5000 if IS_LONG else 200):
            leaf = weight.detach().clone().requires_grad_()
            made = (leaf @ leaf).relu() * leaf
            made.backward(weight)
            with flow.no_grad():
                if (leaf + leaf).requires_grad:
                    wrong.append("recorded")
            if made.numpy().tobytes() != wanted:
                wrong.append(f"result {i}")

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_python_adds_to_a_gradient_that_native_code_adds_to_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leaf = flow.ones(3, requires_grad=True)
    for _ in range(3):  # all kernels are known from here on
        (leaf * 2).sum().backward()
    leaf.grad.zero_()
    plain, added = engine._Pass.sum, []

    def sum_late(pass_: Any, x: Any, y: Any) -> Any:
        made = plain(pass_, x, y)
        if not added:
            added.append(True)
            with flow.enable_grad():  # as another thread might
                (leaf * 10).sum().backward()
        return made

    monkeypatch.setattr(engine._Pass, "sum", sum_late)
    flow.autograd.backward([(leaf * 100).sum()], inputs=[leaf])
    assert leaf.grad is not None
    assert leaf.grad.tolist() == [110, 110, 110]


# Pythons 3.12 and 3.13 of the first releases crash here, without a line of ours.
GENERATORS_WITHOUT_MEMORY = """
import _testcapi
for place in range(40):
    _testcapi.set_nomemory(place, place + 1)
    try:
        sum(n for n in (1, 2, 3) if n)
    except (MemoryError, SystemError):
        pass
    finally:
        _testcapi.remove_mem_hooks()
"""


def test_no_lack_of_memory_crashes_or_lasts() -> None:
    testcapi = pytest.importorskip("_testcapi")
    if subprocess.run([sys.executable, "-c", GENERATORS_WITHOUT_MEMORY], check=False).returncode:
        pytest.skip("this Python itself crashes if a generator lacks memory")
    weight, x = flow.ones(4, 4, requires_grad=True), flow.ones(2, 4)

    def ops() -> Any:
        return ((x @ weight) * 2 + 1).tanh(), weight.t()[1:].reshape(-1)

    def backward() -> Any:
        sum(one.sum() for one in ops()).backward()

    failed = 0
    for run in (ops, backward):
        for _ in range(3):  # all kernels are known from here on
            run()
        for place in range(60):
            testcapi.set_nomemory(place, place + 1)
            try:
                run()
            except (MemoryError, SystemError):  # the latter from functions of Python itself
                failed += 1
            finally:
                testcapi.remove_mem_hooks()
            weight.grad = None
            (weight * 3).sum().backward()
            assert weight.grad is not None
            assert weight.grad.tolist() == [[3.0] * 4] * 4
    assert failed > 20


def test_an_interrupt_leaves_neither_recording_off_nor_a_lock_held() -> None:
    x = flow.ones(3, requires_grad=True)
    sgd = flow.optim.SGD([x], lr=0.5)

    def run() -> None:
        flow.autograd.backward([(x * 2).sum()], inputs=[x])
        sgd.step()

    for _ in range(3):  # all kernels are known from here on
        run()
    count = 0
    for count in interruptions(run):
        assert mode.records, count
    assert count > 10
    with ThreadPoolExecutor(1) as other:
        assert other.submit(making.acquire, timeout=10).result()
        other.submit(making.release).result()


def test_native_code_runs_the_ops_of_a_new_thread() -> None:
    x = flow.ones(3)
    told: list[Any] = []

    def run() -> None:
        x + x
        told.append(function.call(x, x))

    function = native.Function.of_op("flow.add", 2)
    x + x
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert told[0] is not NotImplemented


def test_profilers_see_users_functions() -> None:
    x = drawn(flow.float32, 3).requires_grad_()
    seen: list[str] = []
    sys.setprofile(lambda frame, event, arg: seen.append(event))
    try:
        (x * x).backward(flow.ones(3))
    finally:
        sys.setprofile(None)
    assert seen
    assert x.grad is not None


STEPS = """
import sys, penstock as flow
from penstock.tensors import engine, native
native._Attached.failed = sys.argv[1] == "python"
flow.manual_seed(1)
x, y = (flow.randn(5, 5).requires_grad_() for _ in range(2))
for _ in range(3):
    loss = ((x @ y).relu() * 2.0 - x[0] / y.exp() + (x > 0).float()).sum()
    loss.backward()
    print(loss.grad_fn, loss.item().hex(), x.grad.numpy().tobytes().hex())
print(native._Attached.natives is None)
"""


def test_python_alone_computes_the_same() -> None:
    def lines(how: str) -> list[str]:
        command = [sys.executable, "-c", STEPS, how]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        return run.stdout.splitlines()

    in_python, natively = lines("python"), lines("native")
    assert (in_python.pop(), natively.pop()) == ("True", "False")
    assert in_python == natively


CTRL_C = """
import os, signal, threading, penstock as flow
x = flow.ones(8, 8, requires_grad=True)
seed = flow.ones(8, 8)
y = x
for _ in range(200): y = y + x
y.backward(seed, retain_graph=True)
class Stop(Exception): pass
def stop(*_): raise Stop
signal.signal(signal.SIGINT, stop)
def hook(g): os.kill(os.getpid(), signal.SIGINT)
handle = y.register_hook(hook)
x.grad = None
try:
    y.backward(seed, retain_graph=True)
    print("missed")
except Stop:
    print("stopped", x.grad)
handle.remove()
y.backward(seed)
print(x.grad[0, 0].item())
"""


def test_a_signal_stops_a_backward() -> None:
    assert signal.getsignal(signal.SIGINT) is not None
    run = subprocess.run([sys.executable, "-c", CTRL_C], capture_output=True, text=True, check=True)
    assert run.stdout == "stopped None\n201.0\n"


class TestGradientsOfLeaves:
    """Nothing else shares the elements of a leaf's gradient."""

    def test_a_function_may_return_views_of_what_it_was_given_and_of_what_it_keeps(self) -> None:
        kept = flow.ones(4, 3)

        class Views(flow.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any, y: Any, z: Any) -> Any:
                return x * 1.0

            @staticmethod
            def backward(ctx: Any, gradient: Any) -> Any:
                return gradient.t().t(), gradient.reshape(gradient.shape), kept[:2]

        for _ in range(2):
            leaves = [drawn(flow.float32, 2, 3).requires_grad_() for _ in range(3)]
            seed = flow.ones(2, 3)
            Views.apply(*leaves).backward(seed)
            arrays = [x.grad.numpy() for x in leaves] + [seed.numpy(), kept.numpy()]
            for i, array in enumerate(arrays):
                assert not any(np.shares_memory(array, other) for other in arrays[:i])

    @pytest.mark.parametrize("count", [3, 100_000])
    def test_a_hook_may_keep_a_part_of_a_gradient(self, count: int) -> None:
        for _ in range(3):
            x, kept = drawn(flow.float32, 2, count).requires_grad_(), []
            y = x + 1.0
            y.register_hook(lambda gradient: kept.append(gradient.numpy()[0]))  # noqa: B023
            (y * 2.0).sum().backward()
            assert not np.shares_memory(kept[0], x.grad.numpy())

    def test_large_gradients_that_nobody_else_holds_are_not_copied(self) -> None:
        copies = []
        x = drawn(flow.float32, 100_000).requires_grad_()
        for _ in range(4):
            x.grad = None
            (x * 2.0).sum().backward()
            array = x.grad.numpy()
            copies.append(array.flags.owndata)  # a copy is in NumPy's memory
        assert not any(copies[1:])

    @pytest.mark.skipif(
        sys.version_info >= (3, 12), reason="native code runs no garbage collector from 3.12 on"
    )
    def test_a_gradient_set_by_the_garbage_collector_is_added_to(self) -> None:
        for _ in range(3):
            leaves = [drawn(flow.float32, 3).requires_grad_() for _ in range(60)]
            loss = sum(x * 2.0 for x in leaves).sum()  # type: ignore[attr-defined]
            found = flow.ones(3)
            others = []

            def collecting(phase: str, info: object) -> None:
                for x in leaves:  # noqa: B023
                    if phase == "start" and x.grad is None:
                        x.grad = found  # noqa: B023
                        others.append(x)  # noqa: B023

            before = gc.get_threshold()
            gc.collect()
            gc.callbacks.append(collecting)
            gc.set_threshold(30)
            gc.enable()
            try:
                loss.backward()
            finally:
                gc.disable()
                gc.callbacks.remove(collecting)
                gc.set_threshold(*before)
            assert others
            for x in leaves:
                want = 3 if any(x is other for other in others) else 2
                assert x.grad.tolist() == [want] * 3


VIEWS: list[Callable[[Any], Any]] = [
    lambda x: x.reshape(6, 4), lambda x: x.t(), lambda x: x[1], lambda x: x[:, 1:3],
    lambda x: x[::2, ::3], lambda x: x.t()[1:].t(), lambda x: x.reshape(2, 2, 6).transpose(0, 2),
    lambda x: x.t().reshape(24), lambda x: x.unsqueeze(0).expand(3, 4, 6), lambda x: x[0, 0],
    lambda x: x[2:2], lambda x: x[:, None, 0],
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(VIEWS)))
class TestViews:
    def described(self, number: int, within: Any, recorded: bool) -> tuple[Any, ...]:
        x = drawn(flow.float32, 4, 6)
        x.requires_grad_(recorded)
        y = x * 1.0
        with within():
            view = VIEWS[number](y)
        array = view.array
        place = array.ctypes.data - y.array.ctypes.data
        shares = np.shares_memory(array, y.array)
        return (
            array.tobytes(), array.shape, array.strides, array.flags.writeable, shares,
            shares and place, view.base is y, view.seen, view.unseen_base is y,
            view.changes is None, view.all_changes is y.all_changes, view._requires_grad,
            view.node and view.node.name(),
        )  # fmt: skip

    @pytest.mark.parametrize("recorded", [False, True])
    def test_are_those_of_python(self, number: int, recorded: bool) -> None:
        for within in (contextlib.nullcontext, flow.no_grad):
            with in_python():
                expected = self.described(number, within, recorded)
            for _ in range(3):
                assert self.described(number, within, recorded) == expected

    def test_have_the_gradients_of_python(self, number: int) -> None:
        found = []
        for within in (in_python, in_python, *[contextlib.nullcontext] * 3):
            with within():
                x = drawn(flow.float32, 4, 6).requires_grad_()
                view = VIEWS[number](x)
                (view * view).sum().backward()
                weights = drawn(flow.float32, *view.shape)
                VIEWS[number](x).backward(weights)
                assert x.grad.is_contiguous()
                found.append(x.grad.numpy().tobytes())
                x.grad.add_(1.0)
                assert (
                    weights.numpy().tobytes() == drawn(flow.float32, *view.shape).numpy().tobytes()
                )
        assert len(set(found)) == 1

    def test_gradients_are_their_leafs_own(self, number: int) -> None:
        for _ in range(3):
            x, y = drawn(flow.float32, 4, 6).requires_grad_(), drawn(flow.float32, 4, 6)
            y.requires_grad_()
            (VIEWS[number](x) + VIEWS[number](y)).sum().backward()
            expected = y.grad.numpy().copy()
            x.grad.add_(1.0)
            assert (y.grad.numpy() == expected).all()

    def test_see_changes_of_their_base(self, number: int) -> None:
        found = []
        for within in (in_python, *[contextlib.nullcontext] * 3):
            with within():
                x = drawn(flow.float32, 4, 6).requires_grad_()
                y = x * 2.0
                view = VIEWS[number](y)
                y.mul_(3.0)
                (view * VIEWS[number](y)).sum().backward()
                found.append((view.detach().numpy().tobytes(), x.grad.numpy().tobytes()))
        assert len(set(found)) == 1


CHANGES: list[Callable[[Any, Any], Any]] = [
    lambda x, y: x.__iadd__(y), lambda x, y: x.__isub__(1), lambda x, y: x.__imul__(0.5),
    lambda x, y: x.__itruediv__(y), lambda x, y: x.__ifloordiv__(y), lambda x, y: x.__imod__(y),
    lambda x, y: x.__iadd__(x), lambda x, y: x.__iadd__(y[0]), lambda x, y: y[0].__iadd__(x),
    lambda x, y: x.__iadd__(y > 2), lambda x, y: x.add_(y), lambda x, y: x.relu_(),
    lambda x, y: x.copy_(y), lambda x, y: x[1:].copy_(x[:-1]), lambda x, y: x.zero_(),
    lambda x, y: x.fill_(3), lambda x, y: x.t().__iadd__(1), lambda x, y: x.t().copy_(y.t()),
    lambda x, y: x.__setitem__(0, 2.5), lambda x, y: x.__setitem__((0, 1), y[1, 1]),
    lambda x, y: x.__setitem__((slice(None), 1), y[:, 2]), lambda x, y: x.__setitem__(..., y),
    lambda x, y: x.expand(2, 4, 6).__iadd__(y), lambda x, y: x.detach().__iadd__(y),
    lambda x, y: x[:0].__iadd__(y[:0]), lambda x, y: x.__iadd__(flow.zeros(3)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CHANGES)))
class TestChanges:
    """Values, versions and errors of tensors that are changed in place."""

    def described(self, number: int, made: Callable[[], tuple[Any, Any]]) -> tuple[Any, ...]:
        x, y = made()
        saved = (x * x, x) if x.requires_grad else ()
        try:
            found = CHANGES[number](x, y)
        except Exception as error:
            found = type(error), str(error)
        if isinstance(found, flow.Tensor):
            found = found is x, found.shape
        shown = [
            (one.detach().numpy().tobytes(), one._version, one.requires_grad,
             one.all_changes.line and one.all_changes.line.describe())
            for one in (x, y)
        ]  # fmt: skip
        for one in saved:
            try:
                one.sum().backward()
            except RuntimeError as error:
                shown.append(str(error))
        return found, shown

    def check(self, number: int, made: Callable[[], tuple[Any, Any]]) -> None:
        with in_python():
            expected = self.described(number, made)
        for _ in range(4):
            assert self.described(number, made) == expected

    @pytest.mark.parametrize("dtype", [flow.float32, flow.int64])
    def test_what_is_overwritten_is_that_of_python(self, number: int, dtype: Any) -> None:
        self.check(number, lambda: (drawn(dtype, 4, 6), drawn(dtype, 4, 6, seed=1)))

    @pytest.mark.parametrize("recorded", [False, True])
    @pytest.mark.parametrize("leaf", [False, True])
    def test_what_requires_gradients_is_overwritten_as_in_python(
        self, number: int, leaf: bool, recorded: bool
    ) -> None:
        def made() -> tuple[Any, Any]:
            x = drawn(flow.float32, 4, 6).requires_grad_()
            return x if leaf else x * 1.0, drawn(flow.float32, 4, 6, seed=1)

        with contextlib.nullcontext() if recorded else flow.no_grad():
            self.check(number, made)


def test_what_views_see_is_changed_by_native_code() -> None:
    x = flow.zeros(3)
    views = [x[1:], x.reshape(3, 1)]
    with flow.no_grad():
        views.append(x[:2])
    for step in range(4):
        x += 1
        views[2] += 1
        assert [view.tolist() for view in views] == [
            [2 * step + 2, step + 1], [[2 * step + 2], [2 * step + 2], [step + 1]],
            [2 * step + 2, 2 * step + 2],
        ]  # fmt: skip
        assert x._version == views[2]._version == 2 * step + 2


def test_a_view_of_other_strides_is_another() -> None:
    x = drawn(flow.float32, 6, 6)
    for _ in range(3):
        for given in (x, x.t(), x.t().t(), x.reshape(2, 18)[:, :6]):
            view = given[1:]
            assert (view.numpy() == given.numpy()[1:]).all()
            assert view.stride() == given.stride()


class TestLargeResults:
    SHAPE = 200, 200

    def trimmed(self, last: int = 0) -> int:
        natives = native._Attached.natives
        assert natives is not None
        return int(natives.trim(last))

    def test_are_not_overwritten_while_something_refers_to_them(self) -> None:
        x = drawn(flow.float32, *self.SHAPE)
        held = [x + float(i) for i in range(40)]
        rows = [made.numpy()[3] for made in held[::2]]
        del held[::2]
        expected = x.numpy()
        for i in range(40):
            made = x * float(i)
            assert (made.numpy() == expected * np.float32(i)).all()
        for i, row in enumerate(rows):
            assert (row == expected[3] + np.float32(2 * i)).all()
        for i, other in enumerate(held):
            assert (other.numpy() == expected + np.float32(2 * i + 1)).all()

    def test_are_in_the_same_memory_again(self) -> None:
        x = drawn(flow.float32, *self.SHAPE)
        places = set()
        for _ in range(50):
            made = x + x
            places.add(made.numpy().ctypes.data)
        assert len(places) <= 4

    def test_freed_memory_is_kept_up_to_a_bound(self) -> None:
        x = drawn(flow.float32, 1000, 1000)
        held = [x + x for _ in range(20)]
        self.trimmed()
        del held[:10]
        kept = self.trimmed(1 << 20)
        assert 10 * x.numpy().nbytes <= kept < 12 * x.numpy().nbytes
        del held
        assert self.trimmed(1 << 20) <= 1 << 26
        assert self.trimmed() == 0

    def test_memory_that_others_do_not_need_is_given_back(self) -> None:
        x, y = drawn(flow.float32, 1000, 1000), drawn(flow.float32, *self.SHAPE)
        x + x
        y + y
        assert self.trimmed(1 << 20) >= x.numpy().nbytes
        for _ in range(2 * 1024 + 1):
            y + y
        assert self.trimmed(1 << 20) < x.numpy().nbytes


REMEMBERED: list[Callable[[Any], Any]] = [
    lambda x: x.sum(), lambda x: x.sum(1), lambda x: x.sum(dim=1, keepdim=True), lambda x: x.mean(),
    lambda x: x.sum(True), lambda x: x.sum(1.0), lambda x: x.sum((0, 1)),
    lambda x: x.sum((0, True)),
    lambda x: x.sum(dim=[0, 1]), lambda x: x.sum(dtype=flow.float64), lambda x: x.mean(0, True),
    lambda x: x.mean(0, 1), lambda x: x.max(), lambda x: x.min(), lambda x: x.amax(1),
    lambda x: flow.softmax(x, 1), lambda x: flow.softmax(x, dim=1), lambda x: x.softmax(-1),
    lambda x: x.reshape(-1), lambda x: x.reshape(6, 4), lambda x: x.reshape((6, 4)),
    lambda x: x.reshape(6.0, 4), lambda x: x.reshape(5, 5), lambda x: x.view(2, -1),
    lambda x: x.t(),
    lambda x: x.t().view(24), lambda x: x.t().reshape(24), lambda x: x.transpose(0, 1),
    lambda x: x.transpose(0, True), lambda x: x.permute(1, 0), lambda x: x.unsqueeze(0),
    lambda x: x.unsqueeze(3), lambda x: x.flatten(), lambda x: x.flatten(1), lambda x: x.squeeze(),
    lambda x: x[0].unflatten(0, (2, 3)), lambda x: x.prod(), lambda x: flow.sum(input=x),
    lambda x: x.max(1)[0], lambda x: x.sum(2), lambda x: x.sum({}),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(REMEMBERED)))
def test_functions_that_remember_their_op_are_those_of_python(number: int) -> None:
    for dtype in (flow.float32, flow.int32, flow.bool):
        for shape in ((4, 6), (2, 12), (1, 24), (4, 6)):
            x = drawn(dtype, *shape)
            call = functools.partial(REMEMBERED[number], x)
            assert natively(call) == run_in_python(call), (dtype, shape)


def test_functions_remember_nothing_that_follows_from_elements() -> None:
    x = drawn(flow.float32, 4, 6).requires_grad_()
    for _ in range(3):
        assert x.flatten(1) is x
        assert x.sum().grad_fn.name() == "reduce_sum_backward"
        with flow.no_grad():
            assert x.sum().grad_fn is None
        with flow.autograd.detect_anomaly():
            x.sum().backward()
    assert flow.jit(lambda x: x.sum(1).mean())(x).item() == x.sum(1).mean().item()
