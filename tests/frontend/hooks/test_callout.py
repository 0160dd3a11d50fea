"""`flow.callout`: functions of the program in jobs, on tensors, and what they may not do."""

from __future__ import annotations

import signal
import threading
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret
from penstock.runtime.native import native_call

Three: Any = tp.Numpy.Placeholder((3,))
X = np.array([3.0, -1.0, 2.0], np.float32)


def job_of(body: Any, type: str = "predict") -> Any:
    def job(x: Three) -> tp.Numpy:
        found: tp.Numpy = body(x)
        return found

    job.__annotations__ = {"x": Three, "return": tp.Numpy}
    return flow.global_function(type=type)(job)


def test_a_function_of_arrays() -> None:
    given = []

    def sort(x: Any) -> Any:
        given.append(x)
        return np.sort(x)

    job = job_of(lambda x: flow.callout(sort, x * 2.0) + 1.0)
    for scale in (1, 2):
        np.testing.assert_array_equal(job(X * scale), np.sort(X * scale * 2) + 1)
    # The arrays are the function's own.
    np.testing.assert_array_equal(given, [X * 2, X * 4])
    assert all(array.flags.owndata and array.flags.writeable for array in given)


def test_ops_around_it_are_fused() -> None:
    job = job_of(lambda x: flow.tanh(flow.callout(np.sort, x * 2.0 + 1.0) * 3.0 - x))
    job(X)
    fused = job.lower().as_text("fused")
    assert fused.count("func.call @") == 2
    assert "job.callout" in fused


def test_several_results_of_other_types() -> None:
    def split(x: Any, y: Any) -> Any:
        return x[:2].astype(np.int32), np.float64(y.sum())

    def body(x: Any) -> Any:
        whole, total = flow.callout(
            split, x, x * 2.0, returns=[((2,), flow.int32), ((), flow.double)]
        )
        return flow.cast(whole, flow.double) + total

    np.testing.assert_array_equal(job_of(body)(X), [11.0, 7.0])


def test_one_that_only_observes() -> None:
    seen: list[Any] = []

    def body(x: Any) -> Any:
        assert flow.callout(seen.append, x * 2.0, returns=[]) == ()
        return x

    job = job_of(body)
    job(X)
    np.testing.assert_array_equal(seen, [X * 2])


def test_order_and_purity() -> None:
    calls: list[str] = []

    def noted(name: str) -> Any:
        def function(x: Any) -> Any:
            calls.append(name)
            return x

        return function

    def body(x: Any) -> Any:
        flow.callout(noted("unused"), x)
        flow.callout(noted("pure and unused"), x, pure=True)
        y = flow.callout(noted("first"), x)
        z = flow.callout(noted("second"), x)
        return z + y

    job_of(body)(X)
    assert calls == ["unused", "first", "second"]


def square(x: Any) -> Any:
    return x * x


def test_the_gradient_is_stated() -> None:
    def slope(x: Any, out: Any, dout: Any) -> Any:
        np.testing.assert_array_equal(out, x * x)
        return 2 * x * dout

    def body(x: Any) -> Any:
        w = flow.get_variable("w", (3,), initializer=flow.constant_initializer(1.0))
        loss = flow.math.reduce_sum(flow.callout(square, w * x, backward=slope))
        flow.optimizer.SGD(lr=0.5).minimize(loss)
        return loss

    assert job_of(body, "train")(X).item() == 14
    np.testing.assert_array_equal(flow.get_all_variables()["w"].numpy(), 1 - X * X)


def test_a_gradient_that_is_needed_and_not_stated() -> None:
    job = job_of(lambda x: flow.gradients(flow.callout(square, x), x))
    message = "job.callout: the gradient of call-out 'square' is needed, and it has none"
    with pytest.raises(ValueError, match=rf"test_callout.py:\d+: {message}"):
        job(X)


def test_tensors() -> None:
    x = flow.tensor([1.0, 2.0], requires_grad=True)
    y = flow.callout(square, x, backward=lambda x, out, dout: 2 * x * dout)
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), [2, 4])
    assert flow.callout(lambda x, y: (x + 1, y), x, y, returns=[x, y])[0].numpy().tolist() == [2, 3]


def test_jit() -> None:
    calls: list[int] = []

    def noted(x: Any) -> Any:
        calls.append(len(calls))
        return x * 2

    function = flow.jit(lambda x: flow.callout(noted, x + 1.0) * 3.0)
    for _ in range(2):
        np.testing.assert_array_equal(function(flow.tensor([1.0])).numpy(), [12])
    assert calls == [0, 1]


WRONG: list[tuple[Any, type[Exception], str]] = [
    (lambda x: x[:2], ValueError, r"must return float32 of shape \(3,\) as result 0, got float32 "
     r"of shape \(2,\)"),
    (lambda x: x.astype(np.float64), ValueError, "must return float32 .* got float64"),
    (lambda x: None, TypeError, "must return arrays, got None as result 0"),
    (lambda x: (x, x), TypeError, "must return 1 array, got 2"),
    (lambda x: [][0], IndexError, "list index out of range"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "kind", "message"), WRONG)
def test_a_run_ends_where_the_function_fails(function: Any, kind: Any, message: str) -> None:
    answer = function

    def body(x: Any) -> Any:
        w = flow.get_variable("w", (3,), initializer=flow.constant_initializer(1.0))
        y = flow.callout(lambda x: answer(x), w * x, name="f", backward=lambda x, out, dout: dout)
        loss = flow.math.reduce_sum(y)
        flow.optimizer.SGD(lr=0.5).minimize(loss)
        return loss

    def right(x: Any) -> Any:
        return x

    job = job_of(body, "train")
    for _ in range(2):
        with pytest.raises(kind, match=message) as caught:
            job(X)
        (note,) = caught.value.__notes__  # type: ignore[attr-defined]
        assert note.startswith("raised by call-out 'f' (")
        assert "test_callout.py:" in note
    np.testing.assert_array_equal(flow.get_all_variables()["w"].numpy(), [1, 1, 1])
    answer = right
    assert job(X).item() == 4
    np.testing.assert_array_equal(flow.get_all_variables()["w"].numpy(), 1 - X / 2)


def test_no_variable_changes_before_the_last_call_out() -> None:
    """The gradient of the last layer is known before the first one's call-out fails."""
    fails = True

    def slope(x: Any, out: Any, dout: Any) -> Any:
        if fails:
            raise RuntimeError("no gradient")
        return dout

    def body(x: Any) -> Any:
        v = flow.get_variable("v", (3,), initializer=flow.constant_initializer(1.0))
        w = flow.get_variable("w", (3,), initializer=flow.constant_initializer(1.0))
        y = flow.callout(square, v * x, backward=slope)
        loss = flow.math.reduce_sum(y * w)
        flow.optimizer.SGD(lr=0.5).minimize(loss)
        return loss

    job = job_of(body, "train")
    with pytest.raises(RuntimeError, match="no gradient"):
        job(X)
    values = {name: blob.numpy().tolist() for name, blob in flow.get_all_variables().items()}
    assert values["v"] == values["w"] == [1, 1, 1]
    fails = False
    job(X)
    assert flow.get_all_variables()["w"].numpy().tolist() == (1 - X * X / 2).tolist()


def test_calls_within_calls() -> None:
    inner = job_of(lambda x: flow.callout(np.sort, x))

    def outer_function(x: Any) -> Any:
        return inner(x) if x[0] < 10 else outer(x / 10)

    @flow.global_function()
    def outer(x: Three) -> tp.Numpy:
        return flow.callout(outer_function, x * 1.0)

    np.testing.assert_array_equal(outer(X * 100), np.sort(X))


def test_endless_recursion_ends() -> None:
    @flow.global_function()
    def endless(x: Three) -> tp.Numpy:
        return flow.callout(lambda array: endless(array), x * 1.0)

    with pytest.raises(RuntimeError, match="must end the recursion"):
        endless(X)


def test_threads() -> None:
    here = []

    def noted(x: Any) -> Any:
        here.append(threading.get_ident())
        return x + 1

    job = job_of(lambda x: flow.callout(noted, x * 2.0))
    job(X)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda n=n: found.append((n, job(X * n)))) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n, result in found:
        np.testing.assert_array_equal(result, X * n * 2 + 1)
    assert len(set(here)) >= 2
    assert len(here) == 5


BAD_ARGUMENTS: list[tuple[Any, str]] = [
    (lambda x: flow.callout("f", x), 'takes a function, got the string "f"'),
    (lambda x: flow.callout(np.sort, x, backward=3), "takes a function as backward, got 3"),
    (lambda x: flow.callout(lambda: 1, x), r"a function of \(input_0\), got <lambda> of \(\)"),
    (lambda x: flow.callout(np.sort), "without inputs needs returns="),
    (lambda x: flow.callout(np.sort, x, returns="f32"), "returns of flow.callout takes a blob, a"),
    (lambda x: flow.callout(np.sort, x, pure=1), "pure of flow.callout"),
    (lambda x: flow.callout(np.sort, x, name=""), "name of flow.callout must be a string"),
]


@pytest.mark.parametrize(("body", "message"), BAD_ARGUMENTS)
def test_wrong_arguments(body: Any, message: str) -> None:
    with pytest.raises(TypeError, match=rf"test_callout.py:\d+: .*{message}"):
        job_of(body)(X)


def test_an_interrupt_ends_the_run() -> None:
    def interrupted(x: Any) -> Any:
        if answer == "interrupt":
            signal.raise_signal(signal.SIGINT)
        return x

    answer = "interrupt"
    job = job_of(lambda x: flow.callout(interrupted, x * 2.0))
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            job(X)
    answer = "go on"
    np.testing.assert_array_equal(job(X), X * 2)


def test_watching_every_blob_calls_no_function_again() -> None:
    calls: list[int] = []

    def noted(x: Any) -> Any:
        calls.append(1)
        return x + 1.0

    def body(x: Any) -> Any:
        w = flow.get_variable("w", (3,), initializer=flow.constant_initializer(1.0))
        y = flow.tanh(flow.callout(noted, w * x, backward=lambda x, out, dout: dout) * 2.0)
        loss = flow.math.reduce_sum(y * flow.callout(noted, y, backward=lambda x, o, d: d))
        flow.optimizer.SGD(lr=0.1).minimize(loss)
        return loss

    job = job_of(body, "train")
    losses = [job(X).item() for _ in range(2)]
    assert len(calls) == 4
    values = flow.get_all_variables()["w"].numpy().copy()
    flow.clear_default_session()
    calls.clear()
    again, seen = job_of(body, "train"), []
    stop = again.watch("*", lambda name, array: seen.append(name))
    assert [again(X).item() for _ in range(2)] == losses
    assert len(calls) == 4
    assert len(set(seen)) > 5
    np.testing.assert_array_equal(flow.get_all_variables()["w"].numpy(), values)
    stop()


def test_without_native_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in builds of Python whose objects native code does not know: ctypes calls functions."""
    monkeypatch.setattr(native_call._Installed, "natives", None)
    answer: Any = np.sort
    job = job_of(lambda x: flow.callout(lambda array: answer(array), x * 2.0) + 1.0)
    np.testing.assert_array_equal(job(X), np.sort(X * 2) + 1)
    answer = lambda array: [][0]  # noqa: E731
    with pytest.raises(IndexError, match="list index out of range"):
        job(X)
    answer = np.sort
    np.testing.assert_array_equal(job(X), np.sort(X * 2) + 1)


def test_the_interpreter_lacks_the_function() -> None:
    job = job_of(lambda x: flow.callout(np.sort, x))
    module = parse_module(job.trace().as_text("job"))
    with pytest.raises(IRError, match="calls out to 'sort', a function of the program, which"):
        interpret(module, [X])


def test_one_that_nothing_uses_is_called_while_it_is_watched() -> None:
    calls: list[Any] = []
    seen: list[Any] = []

    def tripled(x: Any) -> Any:
        calls.append(x)
        return x * 3

    def body(x: Any) -> Any:
        flow.callout(tripled, x * 2.0, pure=True, name="tripled")
        return x + 1.0

    job = job_of(body)
    job(X)
    stop = job.watch("tripled", seen.append)
    job(X)
    stop()
    job(X)
    np.testing.assert_array_equal(seen, [X * 6])
    assert len(calls) == 1
