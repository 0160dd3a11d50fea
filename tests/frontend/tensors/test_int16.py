"""int16 is an element type as int32 is: of tensors, jobs and files, and of promotion."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.typing import Numpy

random = np.random.default_rng(0)
X = random.integers(-32768, 32768, (4, 37)).astype(np.int16)
Y = random.integers(1, 300, (4, 37)).astype(np.int16)


@pytest.mark.parametrize(
    "name", ["add", "subtract", "multiply", "floor_divide", "remainder", "fmod", "maximum"]
)
def test_arithmetic_wraps_around(name: str) -> None:
    found = getattr(flow, name)(flow.tensor(X), flow.tensor(Y)).numpy()
    wanted = getattr(np, name)(X, Y)
    assert found.dtype == np.int16
    assert np.array_equal(found, wanted)


def test_reductions_orders_and_products() -> None:
    x = flow.tensor(X)
    assert x.sum().dtype is flow.int64
    assert x.sum().item() == X.sum()
    assert np.array_equal(x.max(1)[0].numpy(), X.max(1))
    assert np.array_equal(x.sort(1)[0].numpy(), np.sort(X, 1))
    assert np.array_equal((x @ x.t()).numpy(), X @ X.T)
    assert np.array_equal(x[x > 0].numpy(), X[X > 0])


@pytest.mark.parametrize(
    ("other", "wanted"),
    [("uint8", "int16"), ("int8", "int16"), ("int32", "int32"), ("bool", "int16"),
     ("float16", "float16")],
)  # fmt: skip
def test_promotion(other: str, wanted: str) -> None:
    x, y = flow.ones(2, dtype=flow.int16), flow.ones(2, dtype=getattr(flow, other))
    assert (x + y).dtype is getattr(flow, wanted)
    assert flow.result_type(x, 2) is flow.int16


def test_bytes_of_both_signs_are_promoted_to_int16() -> None:
    x = flow.tensor([200], dtype=flow.uint8) + flow.tensor([-100], dtype=flow.int8)
    assert x.dtype is flow.int16
    assert x.tolist() == [100]


def test_names(tmp_path: Path) -> None:
    x = flow.tensor([1.7]).short()
    assert x.dtype is flow.short is flow.int16
    assert repr(flow.ShortTensor([1])) == "tensor([1], dtype=penstock.int16)"
    assert np.from_dlpack(x).dtype == np.int16
    flow.save({"x": x}, tmp_path / "x")
    assert flow.load(tmp_path / "x")["x"].dtype is flow.int16


def test_in_jobs() -> None:
    @flow.global_function()
    def twice(x: Numpy.Placeholder((4, 37), dtype=flow.int16)) -> Numpy:  # type: ignore[valid-type]
        return x + x

    run: Any = twice
    assert np.array_equal(run(X), X + X)
