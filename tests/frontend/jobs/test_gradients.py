"""`flow.gradients` and `flow.stop_gradient` in jobs."""

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Three: Any = tp.Numpy.Placeholder((3,))
Rows: Any = tp.Numpy.Placeholder((2, 3))
X = np.array([1.0, -2.0, 3.0], np.float32)
M = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_gradients_of_feeds() -> None:
    @flow.global_function()
    def job(x: Three, m: Rows) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy]:
        y = m @ x
        z = flow.math.exp(x)
        both = flow.gradients([y, z], [x, m])
        return both[0], both[1], flow.gradients(z, m), flow.gradients(x * x, x, grad_ys=z)

    by_x, by_m, none, weighted = job(X, M)
    np.testing.assert_allclose(by_x, M.sum(0) + np.exp(X), rtol=1e-6)
    np.testing.assert_allclose(by_m, [X, X])
    np.testing.assert_array_equal(none, np.zeros((2, 3)))
    np.testing.assert_allclose(weighted, 2 * X * np.exp(X), rtol=1e-6)


def test_gradients_of_gradients() -> None:
    @flow.global_function()
    def job(x: Three) -> tuple[tp.Numpy, tp.Numpy]:
        first = flow.gradients(x**3, x)
        return first, flow.gradients(first, x)

    first, second = job(X)
    np.testing.assert_allclose(first, 3 * X**2, rtol=1e-5)
    np.testing.assert_allclose(second, 6 * X, rtol=1e-5)


def test_gradients_by_a_repeated_blob_and_by_itself() -> None:
    @flow.global_function()
    def job(x: Three) -> tuple[tp.Numpy, tp.Numpy]:
        return flow.gradients([x, x], x), flow.gradients(x, x, grad_ys=x)

    twice, weighted = job(X)
    np.testing.assert_array_equal(twice, [2, 2, 2])
    np.testing.assert_array_equal(weighted, X)


def test_a_train_job_needs_no_variable_for_gradients() -> None:
    @flow.global_function(type="train")
    def job(x: Three) -> tp.Numpy:
        return flow.gradients(x * x, x)

    np.testing.assert_array_equal(job(X), 2 * X)
    assert list(flow.get_all_variables()) == []


def test_gradients_beside_an_optimizer() -> None:
    """A penalty on the gradient: the optimizer differentiates it again."""

    @flow.global_function(type="train")
    def job(x: Three) -> tuple[tp.Numpy, tp.Numpy]:
        w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
        y = (w * x) ** 2
        by_x = flow.gradients(y, x)
        flow.optimizer.SGD(lr=0.5, momentum=0).minimize((by_x**2).sum())
        return y, by_x

    y, by_x = job(X)
    np.testing.assert_allclose(y, X**2)
    np.testing.assert_allclose(by_x, 2 * X)
    # by_x = 2 w^2 x, whose square has the gradient 16 w^3 x^2.
    wanted = 1 - 0.5 * 16 * X**2
    np.testing.assert_allclose(flow.get_all_variables()["w"].numpy(), wanted, rtol=1e-5)


def test_gradients_stop() -> None:
    @flow.global_function()
    def job(x: Three) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy]:
        still = flow.stop_gradient(x * x)
        return still, flow.gradients(still * x, x), flow.gradients(still, x), x.detach()

    still, half, none, same = job(X)
    np.testing.assert_array_equal(still, X * X)
    np.testing.assert_array_equal(half, X * X)
    np.testing.assert_array_equal(none, np.zeros(3))
    np.testing.assert_array_equal(same, X)
    x = flow.tensor(X, requires_grad=True)
    assert not flow.stop_gradient(x * x).requires_grad


def test_training_stops_at_stop_gradient() -> None:
    @flow.global_function(type="train")
    def job() -> tp.Numpy:
        v, w = (flow.get_variable(n, (3,), initializer=flow.ones_initializer()) for n in "vw")
        loss = flow.stop_gradient(v * 3) * w
        flow.optimizer.SGD(lr=1, momentum=0).minimize(loss)
        return loss

    job()
    found = flow.get_all_variables()
    np.testing.assert_array_equal(found["v"].numpy(), np.ones(3))
    np.testing.assert_array_equal(found["w"].numpy(), np.ones(3) - 1)


def test_every_stage_keeps_the_barrier() -> None:
    @flow.global_function(type="train")
    def job() -> tp.Numpy:
        w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
        loss = flow.stop_gradient(w) * w
        flow.optimizer.SGD(lr=1, momentum=0).minimize(loss)
        return loss

    for stage in ("job", "grad"):
        loaded: Any = flow.compile(job.lower().as_text(stage))
        loaded()
        np.testing.assert_allclose(loaded.variables()["w"], np.full(3, 2 / 3), rtol=1e-6)


@pytest.mark.parametrize(
    ("use", "kind", "said"),
    [
        (lambda x, n: flow.gradients(n, x), TypeError, "ys of flow.gradients must be floats"),
        (lambda x, n: flow.gradients(x, n), TypeError, "xs of flow.gradients must be floats"),
        (lambda x, n: flow.gradients(x, 3), TypeError, "flow.gradients takes blobs, got 3"),
        (lambda x, n: flow.gradients(x, x, [x, x]), ValueError, "one of grad_ys for each of ys"),
        (lambda x, n: flow.gradients(x, x, x[:2]), ValueError, "grad_ys of flow.gradients must be"),
        (lambda x, n: flow.gradients(x, flow.tensor([1.0])), TypeError, "use flow.autograd.grad"),
    ],
)
def test_blobs_without_a_gradient(use: Any, kind: type[Exception], said: str) -> None:
    @flow.global_function()
    def job(x: Three, n: tp.Numpy.Placeholder((3,), dtype=flow.int32)) -> tp.Numpy:  # type: ignore[valid-type]
        return use(x, n)

    with pytest.raises(kind, match=r"test_gradients.py:\d+: ") as caught:
        job.trace()
    assert said in str(caught.value)
