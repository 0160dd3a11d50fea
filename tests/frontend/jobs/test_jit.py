"""`flow.jit`: functions of tensors, specialised for their arguments' shapes and dtypes."""

from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.tensors import kernels

X = np.arange(6, dtype=np.float32).reshape(2, 3) - 2


def test_results_equal_eager_execution() -> None:
    def body(x: Any, y: Any, scale: float = 1.0, *, parts: int = 1) -> Any:
        z = (x * y + scale).relu() - x.mean(dim=1, keepdim=True)
        return {"z": z, "rows": [z[:parts], z.sum(0)], "above": z > 1, "scale": scale}

    compiled = flow.jit(body)
    x, y = flow.tensor(X), flow.tensor(X + 1)
    for named in ({}, {"scale": 2.0}, {"parts": 2}):
        passed: Any = named
        wanted, found = body(x, y, **passed), compiled(x, y, **passed)
        assert found["scale"] == wanted["scale"]
        rows = zip([found["z"], *found["rows"]], [wanted["z"], *wanted["rows"]], strict=True)
        for one, other in rows:
            np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-6)
        assert found["above"].dtype is flow.bool
        np.testing.assert_array_equal(found["above"].numpy(), wanted["above"].numpy())
    assert compiled.cache_size == 3


def test_one_trace_per_specialisation() -> None:
    traced: list[Any] = []

    @flow.jit(cache_size=2)
    def double(x: Any) -> Any:
        traced.append(tuple(x.shape))
        return x + x

    for extent in (2, 3, 2, 3, 2):
        np.testing.assert_array_equal(double(flow.ones(extent)).numpy(), [2] * extent)
    assert traced == [(2,), (3,)]
    assert double(flow.ones(2, dtype=flow.int64)).dtype is flow.int64
    assert double.cache_size == 2
    double(flow.ones(2))
    assert len(traced) == 4


def test_captured_tensors_are_read_at_each_call() -> None:
    w = flow.tensor(X.copy())
    bias = flow.tensor([1.0, 2.0])

    @flow.jit
    def layer(x: Any) -> Any:
        scaled = w * 2  # an op on captured tensors only
        with flow.no_grad():
            shifted = bias + 1
        return scaled @ x + shifted * (w > 0).float().sum()

    x = flow.tensor([1.0, -1.0, 2.0])

    def wanted() -> Any:
        return (2 * w.numpy()) @ x.numpy() + (bias.numpy() + 1) * (w.numpy() > 0).sum()

    np.testing.assert_allclose(layer(x).numpy(), wanted())
    with flow.no_grad():
        w += 1
        bias *= 3
    np.testing.assert_allclose(layer(x).numpy(), wanted())


def test_gradients() -> None:
    w = flow.tensor(X.copy(), requires_grad=True)

    def body(x: Any) -> Any:
        y = (w @ x).tanh()
        return y.sum(), y * 2

    compiled = flow.jit(body)
    found = []
    for function in (body, compiled):
        x = flow.tensor([0.1, -0.2, 0.3], requires_grad=True)
        w.grad = None
        loss, other = function(x)
        (loss + other.sum()).backward()
        found.append((loss.item(), x.grad.numpy(), w.grad.numpy()))
    for one, two in zip(*found, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-5)


def test_gradients_of_gradients_equal_those_of_eager_execution() -> None:
    def body(x: Any, y: Any) -> Any:
        return (x * y).tanh().sum(1), (x * x * y).exp(), x > y

    found = []
    for function in (body, flow.jit(body)):
        x, y = (flow.tensor(X / 4 + i, dtype=flow.float64, requires_grad=True) for i in range(2))
        first, second, _ = function(x, y)
        loss = (first.square().sum() + second.sum()) * x.sum()
        (gradient,) = flow.autograd.grad([loss], [x], create_graph=True)
        (twice,) = flow.autograd.grad([(gradient * gradient).sum()], [x], create_graph=True)
        (twice * y).sum().backward()
        found.append([gradient.detach(), twice.detach(), x.grad, y.grad])
    for wanted, got in zip(*found, strict=True):
        np.testing.assert_allclose(got.numpy(), wanted.numpy(), rtol=1e-12)


def test_calls_compile_no_eager_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    @flow.jit
    def body(x: Any) -> Any:
        return (x.exp() * 3 - x).sum()

    x = flow.tensor(X)
    body(x)
    monkeypatch.setattr(kernels, "one_op", None)
    np.testing.assert_allclose(body(x).item(), (np.exp(X) * 3 - X).sum(), rtol=1e-5)


def test_types_are_promoted_as_in_eager_execution() -> None:
    def body(n: Any, x: Any) -> Any:
        return n / 2, n + x, n * 1.5, (n > 1) + n, flow.where(x > 1, x, 0.0)

    n, x = flow.tensor([1, 2, 3]), flow.tensor([0.5, 1.5, 2.5])
    for found, wanted in zip(flow.jit(body)(n, x), body(n, x), strict=True):
        assert found.numpy().tolist() == wanted.numpy().tolist()


def test_methods_and_functions_within_functions() -> None:
    class Model:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        @flow.ms_function
        def call(self, x: Any) -> Any:
            return inner(x) * self.factor

    @flow.jit
    def inner(x: Any) -> Any:
        return x + 1

    x = flow.tensor([1.0, 2.0])
    assert Model(2.0).call(x).tolist() == [4.0, 6.0]
    assert Model(3.0).call(x).tolist() == [6.0, 9.0]


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (lambda x: flow.get_variable("w", (2,), initializer=flow.ones_initializer()) + x,
         NotImplementedError, "has variables, or draws numbers by the step, which only jobs can"),
        (lambda x: flow.ones(2).add_(1) + x, RuntimeError, "the change would happen once"),
        (lambda x: x if x.sum() > 0 else -x, TypeError, "has no truth value"),
        (lambda x: x.numpy(), AttributeError, "has no 'numpy'"),
    ],
)  # fmt: skip
def test_errors(body: Any, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=r"test_jit.py:\d+: ") as caught:
        flow.jit(body)(flow.tensor([1.0, 2.0]))
    assert said in str(caught.value)
    # After an error, eager ops still work.
    x = flow.ones(2)
    x += 1
    assert x.tolist() == [2.0, 2.0]


def _same_blob(x: Any) -> Any:
    y = x * 2
    z = y
    y += 1
    return y, z


def _views(x: Any) -> Any:
    y = x * 2
    row, turned = y[0], y.t()
    y -= 1
    row *= 3
    return y, row, turned


def _flat(x: Any) -> Any:
    h = x.reshape(4)
    h += 1
    h = h.reshape(2, 2)
    h /= x
    return (h,)


@pytest.mark.parametrize("body", [_same_blob, _views, _flat])
def test_augmented_assignments_are_seen_by_all_that_shares_elements(body: Any) -> None:
    x = flow.tensor([[1.0, 2.0], [3.0, 4.0]])
    for mine, other in zip(flow.jit(body)(x), body(x.clone()), strict=True):
        np.testing.assert_array_equal(mine.numpy(), other.numpy())


def test_unhashable_arguments() -> None:
    with pytest.raises(TypeError, match="must be tensors or hashable, .* got a set"):
        flow.jit(lambda x, y: x)(flow.ones(2), {1})
    with pytest.raises(ValueError, match="cache_size of flow.jit must be at least 1, got 0"):
        flow.jit(cache_size=0)


def test_gradients_of_any_order_are_compiled() -> None:
    @flow.jit
    def cube(x: Any) -> Any:
        return x * x * x

    x = flow.tensor([2.0], requires_grad=True)
    (first,) = flow.autograd.grad(cube(x).sum(), x, create_graph=True)
    (second,) = flow.autograd.grad(first.sum(), x, create_graph=True)
    (third,) = flow.autograd.grad(second.sum(), x)
    assert (first.item(), second.item(), third.item()) == (12.0, 12.0, 6.0)


def test_changes_of_captured_tensors_happen_in_each_call() -> None:
    total, w = flow.zeros(2), flow.nn.Parameter(flow.ones(2))

    @flow.jit
    def add(x: Any) -> Any:
        with flow.no_grad():
            total.add_(x)
            total.mul_(2)
        return (x * w * total).sum()

    x = flow.tensor([1.0, 2.0], requires_grad=True)
    assert add(x).item() == 10.0
    assert total.tolist() == [2.0, 4.0]
    loss = add(x)
    assert total.tolist() == [6.0, 12.0]
    total.zero_()  # Backward uses the numbers of the call.
    loss.backward()
    assert loss.item() == 30.0
    assert w.grad is not None
    assert w.grad.tolist() == [6.0, 24.0]


def test_random_numbers_are_those_of_eager_code() -> None:
    def noisy(x: Any) -> Any:
        return x + flow.rand(3) * flow.rand(3)

    x, compiled = flow.zeros(3), flow.jit(noisy)
    for seed in (1, 2):
        flow.manual_seed(seed)
        wanted = [noisy(x).tolist() for _ in range(2)]
        flow.manual_seed(seed)
        assert [compiled(x).tolist() for _ in range(2)] == wanted
        assert wanted[0] != wanted[1]


def test_changes_that_no_call_could_repeat() -> None:
    w, view = flow.nn.Parameter(flow.ones(2)), flow.ones(2, 2)[0]
    bodies: list[tuple[Any, str]] = [
        (lambda x: w.mul_(x), r"requires gradients; do so within flow.no_grad\(\)"),
        (lambda x: x.mul_(2), "return the new value instead"),
        (lambda x: view.mul_(x), "return the new value instead"),
        (lambda x: (x * 2).add_(1), "return the new value instead"),
    ]
    for body, said in bodies:
        with pytest.raises(RuntimeError, match=rf"test_jit.py:\d+: .*{said}"):
            flow.jit(body)(flow.ones(2))
    assert w.tolist() == view.tolist() == [1.0, 1.0]
