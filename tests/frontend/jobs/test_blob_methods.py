"""Blobs with Python's operators, indexing and the tensor's methods, against NumPy."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Array = np.ndarray[Any, Any]
Case = tuple[Callable[..., Any], Callable[..., Any]]
Rows: Any = tp.Numpy.Placeholder((2, 3))
Numbers: Any = tp.Numpy.Placeholder((2, 3), dtype=flow.int32)
Three: Any = tp.Numpy.Placeholder((3,))
Four: Any = tp.Numpy.Placeholder((4,), dtype=flow.int32)
X = np.array([[-1.5, 2.0, 0.5], [3.0, -0.25, 1.0]], np.float32)
Y = np.array([[2.0, 1.0, -0.5], [-1.0, 4.0, 0.75]], np.float32)
N = np.array([[7, -7, 5], [-1, 4, 2]], np.int32)
I = np.array([1, -1, 0], np.int32)  # noqa: E741
R = np.array([1, 0, -1], np.int64)


def check(cases: dict[str, Case]) -> None:
    """All cases, as one job."""

    @flow.global_function()
    def job(
        x: Rows,
        y: Rows,
        n: Numbers,
        i: tp.Numpy.Placeholder((3,), dtype=flow.int32),  # type: ignore[valid-type]
        r: tp.Numpy.Placeholder((3,), dtype=flow.int64),  # type: ignore[valid-type]
    ) -> tp.Bundle[tp.Numpy]:
        return {name: result(x, y, n, i, r) for name, (result, _) in cases.items()}

    for name, found in job(X, Y, N, I, R).items():
        wanted = np.asarray(cases[name][1](X, Y, N, I, R))
        assert found.shape == wanted.shape, name
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6, err_msg=name)


def same(use: Callable[..., Any]) -> Case:
    return use, use


def test_operators() -> None:
    check(
        {
            "-": same(lambda x, *_: -x),
            "+": same(lambda x, *_: +x),
            "abs": same(lambda x, *_: abs(x)),
            "**": same(lambda x, *_: x**2),
            "** of blobs": same(lambda x, y, *_: abs(x) ** y),
            "number **": same(lambda x, *_: 2**x),
            "** of integers": same(lambda x, y, n, *_: n**3),
            "** 0": same(lambda x, y, n, *_: n**0),
            "//": same(lambda x, y, *_: x // y),
            "number //": same(lambda x, *_: 1 // x),
            "// of integers": same(lambda x, y, n, *_: n // 2),
            "divmod": same(lambda x, y, n, *_: divmod(n, 3)[0] + divmod(n, 3)[1]),
            "/ of integers": (lambda x, y, n, *_: n / 2, lambda x, y, n, *_: np.trunc(n / 2)),
            "@": same(lambda x, y, *_: x @ y.T),
            "@ of a vector": same(lambda x, y, *_: x @ y[0]),
            "&": same(lambda x, y, *_: (x > 0) & (y > 0)),
            "|": same(lambda x, y, *_: (x > 0) | (y > 0)),
            "^": same(lambda x, y, *_: (x > 0) ^ (y > 0)),
            "~": same(lambda x, y, *_: ~((x > 0) & (y > 0))),
            "~ of a part": same(lambda x, *_: ~(x > 0)[1:]),
            "~ of integers": same(lambda x, y, n, *_: ~n),
            "len": same(lambda x, *_: x * len(x)),
            "rows": same(lambda x, *_: [*x][1] - next(iter(x))),
            "number of NumPy **": same(lambda x, *_: np.float32(2) ** x),
        }
    )


def test_indexing() -> None:
    mask = np.array([True, False, True])
    check(
        {
            "number": same(lambda x, *_: x[1]),
            "element": same(lambda x, *_: x[1, -1]),
            "slice": same(lambda x, *_: x[:, ::2]),
            "backwards": same(lambda x, *_: x[::-1, 2:0:-1]),
            "new": same(lambda x, *_: x[1, ::2, None, ...]),
            "dots": same(lambda x, *_: x[..., 0]),
            "two": same(lambda x, *_: x[None][0, :, None]),
            "list": same(lambda x, *_: x[:, [2, 0, -1]]),
            "lists": same(lambda x, *_: x[[1, 0], [2, -1]]),
            "mask": same(lambda x, *_: x[:, mask]),
            "indices": same(lambda x, y, n, i, r: x[:, i]),
            "rows": same(lambda x, y, n, i, r: x[r]),
            "scalar": same(lambda x, y, n, i, r: x[:, r[2]]),
            "grid": same(lambda x, y, n, i, r: x[r[:, None], i]),
            "both": same(lambda x, y, n, i, r: x[r, [0, 1, 2]]),
            "middle": same(lambda x, y, n, i, r: x[None][:, r, i]),
        }
    )


def test_methods() -> None:
    check(
        {
            "sum": same(lambda x, *_: x.sum()),
            "sum of rows": (lambda x, *_: x.sum(1), lambda x, *_: x.sum(1)),
            "mean": (lambda x, *_: x.mean(dim=0, keepdim=True), lambda x, *_: x.mean(0)[None]),
            "max": (lambda x, *_: x.max(dim=1).values, lambda x, *_: x.max(1)),
            "argmax": (lambda x, *_: x.argmax(dim=1), lambda x, *_: x.argmax(1)),
            "any": same(lambda x, *_: (x > 2).any()),
            "reshape": same(lambda x, *_: x.reshape(3, -1)),
            "view": (lambda x, *_: x.view(6), lambda x, *_: x.reshape(6)),
            "transpose": (lambda x, *_: x.transpose(0, 1), lambda x, *_: x.T),
            "T": same(lambda x, *_: x.T),
            "unsqueeze": (lambda x, *_: x.unsqueeze(0).squeeze(), lambda x, *_: x),
            "expand": (lambda x, *_: x[0].expand(4, 3), lambda x, *_: np.tile(x[0], (4, 1))),
            "split": (lambda x, *_: x.split(2, 1)[1], lambda x, *_: x[:, 2:]),
            "relu": (lambda x, *_: x.relu(), lambda x, *_: np.maximum(x, 0)),
            "clamp": (lambda x, *_: x.clamp(-1, 1), lambda x, *_: np.clip(x, -1, 1)),
            "exp": (lambda x, *_: x.exp().log(), lambda x, *_: x),
            "softmax": (lambda x, *_: x.softmax(1).sum(1), lambda x, *_: np.ones(2)),
            "matmul": (lambda x, y, *_: x.mm(y.t()), lambda x, y, *_: x @ y.T),
            "add": (lambda x, y, *_: x.add(y, alpha=2), lambda x, y, *_: x + 2 * y),
            "where": (lambda x, y, *_: x.where(x > 0, y), lambda x, y, *_: np.where(x > 0, x, y)),
            "masked_fill": (lambda x, *_: x.masked_fill(x > 0, 9),
                            lambda x, *_: np.where(x > 0, 9, x)),
            "float": (lambda x, y, n, *_: n.float() / 2, lambda x, y, n, *_: n / 2),
            "to": (lambda x, *_: x.to(flow.int32), lambda x, *_: x.astype(np.int32)),
            "size": (lambda x, *_: x * x.size(0) * x.numel() * x.dim(), lambda x, *_: x * 24),
            "gather": (lambda x, y, n, i, r: x.gather(1, (r * r)[None]),
                       lambda x, y, n, i, r: x[:1, r * r]),
            "index_select": (lambda x, y, n, i, r: x.index_select(0, r * r),
                             lambda x, y, n, i, r: x[r * r]),
            "var": (lambda x, *_: x.var(unbiased=False), lambda x, *_: x.var()),
            "norm": (lambda x, *_: x.norm(), lambda x, *_: np.linalg.norm(x)),
        }
    )  # fmt: skip


def test_gradients_flow_through_indexing() -> None:
    seen: list[Array] = []

    def look(gradient: tp.Numpy) -> None:
        seen.append(np.asarray(gradient).copy())

    @flow.global_function(type="train")
    def train(i: tp.Numpy.Placeholder((2,), dtype=flow.int64)) -> tp.Numpy:  # type: ignore[valid-type]
        w = flow.get_variable("w", (2, 3), initializer=flow.ones_initializer())
        flow.watch_diff(w, look)
        loss = (w[0, ::2] ** 2).sum() + (w[:, i] * 5).sum()
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    train(np.array([1, -2], np.int64))
    np.testing.assert_allclose(seen[0], [[2, 10, 2], [0, 10, 0]])


def test_an_index_that_is_out_of_range_reads_0() -> None:
    @flow.global_function()
    def job(x: Three, i: Four) -> tp.Numpy:
        return x[i]

    indices = np.array([-4, -3, 2, 3], np.int32)
    np.testing.assert_array_equal(job(np.array([1, 2, 3], np.float32), indices), [0, 1, 3, 0])


@pytest.mark.parametrize(
    ("use", "kind", "said"),
    [
        (lambda x, n: x[x > 0], TypeError, "indexed by blobs of integers, got a mask"),
        (lambda x, n: x[n.float()], TypeError, "indexed by blobs of integers, got flow.float32"),
        (lambda x, n: x[2], IndexError, "index 2 is outside of dimension 0 of a tensor of shape"),
        (lambda x, n: x[0, 0, 0], IndexError, "an index of 3 dimensions is too long"),
        (lambda x, n: x[[0, 5]], IndexError, "index 5 is outside of dimension 0, of 2 elements"),
        (lambda x, n: n & 1, TypeError, "& takes results of comparisons and blobs of flow.bool"),
        (lambda x, n: (x > 0) | n, TypeError, "| takes results of comparisons"),
        (lambda x, n: ~x, TypeError, "~ takes results of comparisons"),
        (lambda x, n: n**-1, RuntimeError, "integers to the power -1 are no integers"),
        (lambda x, n: len(x.sum()), TypeError, "has rank 0, so it has no len()"),
        (lambda x, n: x.numpy(), AttributeError, "return it from the job to get its array"),
        (lambda x, n: x.transposed(), AttributeError, 'did you mean "transpose"?'),
    ],
)
def test_errors(use: Any, kind: type[Exception], said: str) -> None:
    @flow.global_function()
    def job(x: Rows, n: Numbers) -> tp.Numpy:
        return use(x, n)

    with pytest.raises(kind, match=r"test_blob_methods.py:\d+: ") as caught:
        job.trace()
    assert said in str(caught.value)
