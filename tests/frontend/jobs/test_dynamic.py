"""Blobs of run-time extent, from argwhere, in every way to call a job."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock import runtime
from penstock.meaning.results import difference, meaning
from penstock.runtime import threads

Array = np.ndarray[Any, Any]
SHAPE = (3, 4)
Table: Any = tp.Numpy.Placeholder(SHAPE)


@pytest.fixture(autouse=True)
def session() -> None:
    flow.clear_default_session()


def table(zeros: int) -> Array:
    """A table with this many zeros."""
    x = np.arange(1, 13, dtype=np.float32)
    x[np.random.default_rng(1).permutation(12)[:zeros]] = 0
    return x.reshape(SHAPE)


def read_job() -> Any:
    @flow.global_function()
    def job(x: Table) -> tuple[tp.ListNumpy, tp.Numpy, tp.ListListNumpy, tp.ListNumpy]:
        places = flow.where(x)
        assert places.is_dynamic
        assert places.shape == (12, 2)
        found = flow.gather_nd(x, places) * 2.0
        rows = flow.math.reduce_sum(flow.cast(places, flow.float32), axis=1)
        return flow.nonzero(x), x + 1.0, flow.math.exp(found - found), rows

    return job


@pytest.mark.parametrize("zeros", [0, 5, 12])
def test_results_have_their_dynamic_size(zeros: int) -> None:
    x = table(zeros)
    (columns,), plain, ((ones,),), (rows,) = read_job()(x)
    assert np.array_equal(columns, np.stack(np.nonzero(x)))
    assert np.array_equal(plain, x + 1)
    assert np.array_equal(ones, np.ones(12 - zeros, np.float32))
    assert np.array_equal(rows, np.argwhere(x).sum(1).astype(np.float32))


def test_a_result_holds_no_more_memory_than_its_size() -> None:
    (columns,), *_ = read_job()(table(7))
    assert columns.base is None
    assert columns.flags.c_contiguous


def test_without_an_annotation_tensors_say_that_they_are_dynamic() -> None:
    @flow.global_function()
    def job(x: Table):  # type: ignore[no-untyped-def]
        return {"places": flow.argwhere(x, dtype=flow.int64), "x": x}

    x = table(5)
    found = job(x).get()
    assert (found["places"].is_dynamic, found["x"].is_dynamic) == (True, False)
    assert np.array_equal(found["places"].numpy(), np.argwhere(x))
    assert found["places"].dtype == np.int64


@pytest.mark.parametrize("stage", ["job", "grad", "placed", "fused", "loops"])
def test_the_text_of_a_stage_is_complete(stage: str) -> None:
    job = flow.compile(read_job().lower().as_text(stage))
    assert [fetch.name for fetch in job.fetches] == ["0", "1", "2", "3"]
    x = table(5)
    columns, _, ones, rows = job(x)
    assert columns.shape == (2, 7)
    assert ones.shape == rows.shape == (7,)


def test_an_artifact_returns_dynamic_sizes(tmp_path: Path) -> None:
    @flow.global_function()
    def one(x: Table) -> tp.ListNumpy:
        return flow.argwhere(x)

    flow.save_artifact(tmp_path / "jobs.pstk", one, read_job())
    loaded = runtime.load(tmp_path / "jobs.pstk")
    x = table(9)
    assert np.array_equal(loaded["one"](x), np.argwhere(x))
    assert loaded["job"](x)[0].shape == (2, 3)


def test_machine_code_agrees_with_the_interpreter() -> None:
    lowered = read_job().lower()
    inputs = {"feed x": table(4)}
    interpreted, compiled = (meaning(lowered.modules[s], inputs) for s in ("job", "loops"))
    assert interpreted["fetch 0"].shape == compiled["fetch 0"].shape == (2, 8)
    assert difference(interpreted, compiled) is None


def test_handlers_get_the_dynamic_size() -> None:
    seen: list[Any] = []

    def listed(places: tp.ListNumpy) -> None:
        seen.extend(places)

    @flow.global_function()
    def job(x: Table) -> tp.Numpy:
        places = flow.argwhere(x)
        flow.watch(places, listed)
        flow.watch(places, lambda tensor: seen.append(tensor))
        flow.watch(flow.nonzero(x), listed)
        return x

    for zeros in (5, 12, 0):
        seen.clear()
        x = table(zeros)
        job(x)
        one, tensor, columns = seen
        assert np.array_equal(one, np.argwhere(x))
        assert np.array_equal(tensor.numpy(), np.argwhere(x))
        assert tensor.is_dynamic
        assert np.array_equal(columns, np.argwhere(x).T)


def test_a_size_computed_by_the_job() -> None:
    @flow.global_function()
    def job(x: Table, n: tp.Numpy.Placeholder((1,), dtype=flow.int32)) -> tp.ListNumpy:
        return flow.sync_dynamic_resize(x, n) * 2

    for count, rows in ((0, 0), (2, 2), (3, 3), (9, 3), (-1, 0)):
        (found,) = job(table(0), np.array([count], np.int32))
        assert np.array_equal(found, table(0)[:rows] * 2)


def test_argwhere_of_many_elements_on_any_number_of_threads() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((700, 301), dtype=flow.int8)) -> tp.ListNumpy:
        return flow.argwhere(x)

    x = np.random.default_rng(2).integers(0, 2, (700, 301)).astype(np.int8)
    x[100:300] = 0
    for number in (1, 3):
        threads.set_num_threads(number)
        assert np.array_equal(job(x)[0], np.argwhere(x))
    threads.set_num_threads(None)
    assert "scf.forall" in job.lower().as_text("loops")


@pytest.mark.parametrize("dtype", [flow.float32, flow.bfloat16, flow.float64, flow.int64], ids=str)
def test_unique_with_counts(dtype: Any) -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((9,), dtype=dtype),
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy]:
        return flow.experimental.unique_with_counts(x, flow.int64)

    x = np.array([3, -1, 3, 0, -1, 7, 3, 0, 0]).astype(dtype.numpy)
    if x.dtype.kind not in "iu":
        x[3], x[4], x[8] = -0.0, np.nan, -np.nan
    y, indices, counts, number = job(x)
    if dtype.is_integer:
        assert y.tolist() == [3, -1, 0, 7, 0, 0, 0, 0, 0]
        assert counts.tolist() == [3, 2, 3, 1, 0, 0, 0, 0, 0]
    else:
        assert np.array_equal(y.astype(float), [3, -1, 0, np.nan, 7, 0, 0, 0, 0], equal_nan=True)
        assert np.signbit(y[2].astype(float))
        assert counts.tolist() == [3, 1, 2, 2, 1, 0, 0, 0, 0]
    assert np.array_equal(y[indices].astype(float), x.astype(float), equal_nan=True)
    assert number.tolist() == [int((counts > 0).sum())]
