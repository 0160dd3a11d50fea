"""`flow.custom_gradient` in jobs, on tensors and in functions of `flow.jit`."""

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Three: Any = tp.Numpy.Placeholder((3,))
X = np.array([1.0, -2.0, 3.0], np.float32)
W = np.array([0.5, 2.0, -1.0], np.float32)


def scaled(x: Any, w: Any) -> Any:
    return x * w


def scaled_bprop(x: Any, w: Any, out: Any, dout: Any) -> Any:
    return dout * w * 10.0, dout * x + out


wrapped = flow.custom_gradient(scaled, scaled_bprop)


def test_in_a_job() -> None:
    @flow.global_function()
    def job(x: Three, w: Three) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        y = wrapped(x * 2.0, w)
        return y, *flow.gradients(y * y, [x, w])

    y, dx, dw = job(X, W)
    out = 2 * X * W
    np.testing.assert_allclose(y, out)
    np.testing.assert_allclose(dx, 2 * (2 * out) * W * 10, rtol=1e-6)
    np.testing.assert_allclose(dw, 2 * out * 2 * X + out, rtol=1e-6)


def test_what_a_train_job_learns() -> None:
    def clip(x: Any, out: Any, dout: Any) -> Any:
        return flow.clamp(dout, -1.0, 1.0)

    clipped = flow.custom_gradient(lambda x: flow.identity(x), clip)

    @flow.global_function(type="train")
    def job(x: Three) -> tp.Numpy:
        w = flow.get_variable("w", (3,), initializer=flow.constant_initializer(1.0))
        loss = flow.math.reduce_sum(clipped(w) * x)
        flow.watch_diff(w, seen.append)
        flow.optimizer.SGD(lr=0.5).minimize(loss)
        return loss

    seen: list[Any] = []
    job(X)
    np.testing.assert_array_equal(seen[0].numpy(), [1, -1, 1])
    np.testing.assert_array_equal(flow.get_all_variables()["w"].numpy(), [0.5, 1.5, 0.5])


def test_several_results_of_which_one_is_used() -> None:
    def bprop(x: Any, out: Any, dout: Any) -> Any:
        assert len(out) == len(dout) == 2
        return dout[0] * 2.0 + dout[1] * 3.0

    both = flow.custom_gradient(lambda x: (x + 1.0, x * x), bprop)

    @flow.global_function()
    def job(x: Three) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        first, second = both(x)
        return (
            flow.gradients(first, x),
            flow.gradients(second, x),
            flow.gradients([first, second], x),
        )

    for found, expected in zip(job(X), (2, 3, 5), strict=True):
        np.testing.assert_array_equal(found, np.full(3, expected))
    x = flow.tensor(X, requires_grad=True)
    both(x)[0].sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), np.full(3, 2.0))


def test_second_order_and_nested_functions() -> None:
    """The gradient of the outer function is computed by a function with its own gradient."""
    inner = flow.custom_gradient(lambda x: x * x, lambda x, out, dout: dout * x * 7.0)
    outer = flow.custom_gradient(lambda x: x + 0.0, lambda x, out, dout: inner(dout) * x)

    @flow.global_function()
    def job(x: Three) -> tuple[tp.Numpy, tp.Numpy]:
        first = flow.gradients(outer(x) * 3.0, x)
        return first, flow.gradients(first, x)

    @flow.global_function()
    def by_weight(x: Three, w: Three) -> tp.Numpy:
        first = flow.gradients(outer(x), x, grad_ys=w)
        return flow.gradients(first, w)

    first, second = job(X)
    np.testing.assert_allclose(first, 9 * X)
    np.testing.assert_allclose(second, [9, 9, 9])
    np.testing.assert_allclose(by_weight(X, W), W * 7 * X, rtol=1e-6)

    x, w = (flow.tensor(a, requires_grad=True) for a in (X, W))
    (made,) = flow.autograd.grad(outer(x), x, w, create_graph=True)
    (again,) = flow.autograd.grad(made.sum(), w)
    np.testing.assert_allclose(again.numpy(), W * 7 * X, rtol=1e-6)


def test_equal_functions_of_one_blob_keep_their_own_gradients() -> None:
    two = flow.custom_gradient(lambda x: flow.identity(x), lambda x, out, dout: dout * 2.0)
    five = flow.custom_gradient(lambda x: flow.identity(x), lambda x, out, dout: dout * 5.0)

    @flow.global_function()
    def job(x: Three) -> tp.Numpy:
        return flow.gradients(two(x) * five(x) + two(five(x)), x)

    np.testing.assert_allclose(job(X), 7 * X + 10, rtol=1e-6)


def test_in_a_function_of_jit() -> None:
    @flow.jit
    def job(x: Any) -> Any:
        return wrapped(x, weight).sum()

    weight = flow.tensor(W, requires_grad=True)
    x = flow.tensor(X, requires_grad=True)
    loss = job(x)
    loss.backward()
    np.testing.assert_allclose(loss.item(), (X * W).sum())
    np.testing.assert_allclose(x.grad.numpy(), W * 10, rtol=1e-6)
    np.testing.assert_allclose(weight.grad.numpy(), X + X * W, rtol=1e-6)


def test_on_tensors_as_in_a_job() -> None:
    x, w = (flow.tensor(a, requires_grad=True) for a in (X, W))
    y = wrapped(x * 2.0, w)
    (y * y).sum().backward()
    out = 2 * X * W
    np.testing.assert_allclose(x.grad.numpy(), 2 * (2 * out) * W * 10, rtol=1e-6)
    np.testing.assert_allclose(w.grad.numpy(), 2 * out * 2 * X + out, rtol=1e-6)


def test_other_arguments_and_halves() -> None:
    def power(x: Any, n: int, i: Any) -> Any:
        return x * float(n)

    def bprop(x: Any, n: int, i: Any, out: Any, dout: Any) -> Any:
        return dout * float(n + 1), None, None

    function = flow.custom_gradient(power, bprop)

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((3,), dtype=flow.float16),
        i: tp.Numpy.Placeholder((2,), dtype=flow.int32),
    ) -> tp.Numpy:
        return flow.gradients(function(x, 2, i), x)

    found = job(X.astype(np.float16), np.zeros(2, np.int32))
    np.testing.assert_array_equal(found, np.full(3, 3, np.float16))


@pytest.mark.parametrize(
    ("bprop", "message"),
    [
        (lambda x, w, out, dout: dout, "2 gradients, one for each argument of f, got 1"),
        (
            lambda x, w, out, dout: (flow.math.reduce_sum(dout), None),
            r"a gradient like argument 0, .*float32 of shape \(3,\), got .* of shape \(1,\)",
        ),
        (
            lambda x, w, out, dout: (None, flow.cast(dout, flow.float64)),
            "a gradient like argument 1, .*float32 of shape .*, got .*float64",
        ),
        (lambda x, w, out, dout: (1.0, None), "got 1.0 for argument 0"),
    ],
)  # fmt: skip
def test_wrong_gradients(bprop: Any, message: str) -> None:
    function = flow.custom_gradient(scaled, bprop)

    @flow.global_function()
    def job(x: Three, w: Three) -> tp.Numpy:
        return function(x, w)

    with pytest.raises((TypeError, ValueError), match=rf"custom_gradient\.py:\d+: .*{message}"):
        job(X, W)


def test_a_gradient_for_an_integer() -> None:
    function = flow.custom_gradient(lambda x, n: x * n, lambda x, n, out, dout: (dout, dout))
    x = flow.ones(3, requires_grad=True)
    with pytest.raises(ValueError, match="must return None for argument 1, which is 2 and"):
        function(x, 2).sum().backward()


def test_what_bprop_cannot_do() -> None:
    def watches(x: Any, out: Any, dout: Any) -> Any:
        flow.watch(dout, print)
        return dout

    kept: list[Any] = []

    def leaks(x: Any, out: Any, dout: Any) -> Any:
        kept.append(dout * 2.0)
        return dout

    @flow.global_function()
    def watching(x: Three) -> tp.Numpy:
        return flow.custom_gradient(lambda x: x * 2.0, watches)(x)

    with pytest.raises(NotImplementedError, match="it cannot watch blobs"):
        watching(X)
    flow.clear_default_session()

    @flow.global_function()
    def leaking(x: Three) -> tp.Numpy:
        flow.custom_gradient(lambda x: x * 2.0, leaks)(x)
        return kept[0] + 1.0

    with pytest.raises(ValueError, match="uses a gradient outside of the function"):
        leaking(X)


def test_no_functions() -> None:
    with pytest.raises(TypeError, match="bprop of flow.custom_gradient must be a function"):
        flow.custom_gradient(scaled, None)  # type: ignore[arg-type]
    nothing = flow.custom_gradient(lambda x: None, scaled_bprop)
    with pytest.raises(TypeError, match="must return a blob or tensor"):
        nothing(flow.ones(2))


def test_stages_can_be_read_and_compiled_again() -> None:
    @flow.global_function()
    def job(x: Three, w: Three) -> tp.Numpy:
        return flow.gradients(wrapped(x, w), x)

    @flow.global_function(type="train")
    def train(x: Three) -> tp.Numpy:
        w = flow.get_variable("w", (3,), initializer=flow.constant_initializer(1.0))
        loss = flow.math.reduce_sum(wrapped(x, w))
        flow.optimizer.SGD(lr=0.5).minimize(loss)
        return loss

    expected = job(X, W)
    for stage in ("job", "grad", "placed", "fused"):
        again = flow.compile(job.lower().as_text(stage))
        np.testing.assert_array_equal(again(X, W), expected)
    text = train.trace().as_text("job")
    assert "job.custom_gradient" in text
    assert "job." in train.lower().as_text("grad")
    assert "job.custom_gradient" not in train.lower().as_text("fused")


def test_jit_traces_functions_of_autograd() -> None:
    class Twice(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2.0

    class Stated(Twice):
        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient * 5.0

    @flow.jit
    def job(x: Any) -> Any:
        return Stated.apply(x) + flow.gradients(Stated.apply(x), x)

    assert job(flow.ones(2)).tolist() == [7, 7]
    with pytest.raises(NotImplementedError, match="must have a static method backward"):
        flow.jit(Twice.apply)(flow.ones(2))
