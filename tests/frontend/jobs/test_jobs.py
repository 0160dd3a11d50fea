"""Calling predict jobs: results by return annotation, and conversion of arguments."""

import threading
from typing import Any, Dict, List, Tuple  # noqa: UP035 - users write both forms

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Five: Any = tp.Numpy.Placeholder((5,))
X = np.array([-2, -1, 0, 1, 2], np.float32)


def test_one_array() -> None:
    @flow.global_function()
    def job(x: Five) -> tp.Numpy:
        return flow.nn.relu(x)

    result = job(X)
    assert type(result) is np.ndarray
    np.testing.assert_array_equal(result, np.maximum(X, 0))
    result[:] = 7  # the caller owns it
    np.testing.assert_array_equal(job(X), np.maximum(X, 0))


def test_no_result() -> None:
    @flow.global_function()
    def job(x: Five) -> None:
        flow.nn.relu(x)

    assert job(X) is None


def test_tuples_lists_and_dicts() -> None:
    @flow.global_function()
    def pair(x: Five) -> Tuple[tp.Numpy, tp.ListNumpy]:  # noqa: UP006
        return x + 1, x + 2

    @flow.global_function()
    def row(x: Five) -> List[tp.Numpy]:  # noqa: UP006
        return [x + 1, x + 2, x + 3]

    @flow.global_function()
    def table(x: Five) -> Dict[str, tp.Numpy]:  # noqa: UP006
        return {"one": x + 1, "two": x + 2}

    @flow.global_function()
    def nest(x: Five) -> dict[int, tuple[list[tp.Numpy], tp.ListListNumpy]]:
        return {1: ([x + 1], x + 2), 3: ([x + 3, x + 4], x + 5)}

    first, second = pair(X)
    np.testing.assert_array_equal(first, X + 1)
    assert type(second) is list
    np.testing.assert_array_equal(second, [X + 2])
    assert type(row(X)) is list
    np.testing.assert_array_equal(row(X), [X + 1, X + 2, X + 3])
    assert list(table(X)) == ["one", "two"]
    np.testing.assert_array_equal(table(X)["two"], X + 2)
    found = nest(X)
    assert list(found) == [1, 3]
    np.testing.assert_array_equal(found[3][0][1], X + 4)
    np.testing.assert_array_equal(found[3][1], [[X + 5]])
    assert type(found[1]) is tuple


def test_bundles_keep_their_shape() -> None:
    @flow.global_function()
    def job(x: Five) -> tp.Bundle[tp.Numpy]:
        return {"a": [x + 1, (x + 2,)], 5: x + 3}

    found: Any = job(X)
    assert list(found) == ["a", 5]
    np.testing.assert_array_equal(found["a"][1][0], X + 2)
    np.testing.assert_array_equal(found[5], X + 3)


def test_callbacks_run_on_another_thread_in_order() -> None:
    @flow.global_function()
    def job(x: Five) -> tp.Callback[Tuple[tp.Numpy, tp.Numpy]]:  # noqa: UP006
        return x, x + x

    seen: list[Any] = []
    for number in range(3):
        job(X + number)(lambda pair: seen.append((threading.current_thread(), pair)))
    flow.sync_default_session()
    assert threading.current_thread() not in {thread for thread, _ in seen}
    assert [float(pair[0][0]) for _, pair in seen] == [-2, -1, 0]
    np.testing.assert_array_equal(seen[0][1][1], X + X)


def test_a_callback_that_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    @flow.global_function()
    def job(x: Five) -> tp.Callback[tp.Numpy]:
        return x

    reported: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", reported.append)

    def fails(_: Any) -> None:
        raise KeyError("mine")

    seen: list[Any] = []
    job(X)(fails)
    job(X)(seen.append)
    with pytest.raises(KeyError, match="mine"):
        flow.sync_default_session()
    assert reported[0].exc_type is KeyError
    assert len(seen) == 1
    flow.sync_default_session()


def test_futures() -> None:
    @flow.global_function()
    def job(x: Five):  # type: ignore[no-untyped-def]
        return x, {"twice": x + x}

    found = job(X).get()
    tensor = found[1]["twice"]
    np.testing.assert_array_equal(tensor.numpy(), X + X)
    np.testing.assert_array_equal(tensor.numpy_list(), [X + X])
    assert tensor.parallel_num() == 1
    assert not tensor.is_dynamic
    assert tensor.shape == (5,)
    assert tensor.mean() == 0
    np.testing.assert_array_equal(tensor + 1, X + X + 1)
    np.testing.assert_array_equal(np.abs(tensor), np.abs(X + X))
    np.testing.assert_array_equal(tensor[1:3], (X + X)[1:3])
    assert len(tensor) == 5
    seen: list[Any] = []
    job(X).async_get(seen.append)
    flow.sync_default_session()
    np.testing.assert_array_equal(seen[0][0].numpy(), X)


def test_a_future_without_a_value() -> None:
    @flow.global_function()
    def job(x: Five):  # type: ignore[no-untyped-def]
        flow.nn.relu(x)

    assert job(X).get() is None


def test_placeholders_come_back_as_copies() -> None:
    @flow.global_function()
    def job(x: Five) -> Tuple[tp.Numpy, tp.Numpy]:  # noqa: UP006
        return x, x

    passed = X.copy()
    first, second = job(passed)
    first[0] = 9
    second[1] = 9
    np.testing.assert_array_equal(passed, X)
    assert second[0] == X[0]
    assert first[1] == X[1]


def test_arguments_of_other_layouts() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:  # type: ignore[valid-type]
        return x + x

    plain = np.arange(6, dtype=np.float32).reshape(2, 3)
    read_only = plain.copy()
    read_only.setflags(write=False)
    bytes_off_by_one = np.zeros(25, np.uint8)
    misaligned = bytes_off_by_one[1:].view(np.float32).reshape(2, 3)
    misaligned[:] = plain
    strided = np.zeros((4, 6), np.float32)[::2, ::2]
    strided[:] = plain
    for passed in (
        plain,
        plain.astype(np.float64),
        plain.astype(">f4"),
        np.asfortranarray(plain),
        plain[::-1, ::-1].copy()[::-1, ::-1],
        strided,
        read_only,
        misaligned,
    ):
        np.testing.assert_array_equal(job(passed), plain * 2)


def test_nested_and_listed_arguments() -> None:
    @flow.global_function()
    def job(
        pair: Tuple[Five, Tuple[Five, tp.ListNumpy.Placeholder((5,))]],  # type: ignore[valid-type] # noqa: UP006
        x: tp.ListListNumpy.Placeholder((5,)),  # type: ignore[valid-type]
    ) -> tp.Numpy:
        a, (b, c) = pair
        return a + b * 10 + c * 100 + x * 1000

    ones = np.ones(5, np.float32)
    np.testing.assert_array_equal(job((ones, (ones * 2, [ones * 3])), [[ones * 4]]), ones * 4321)


def test_arguments_by_defaults() -> None:
    @flow.global_function()
    def job(x=flow.FixedTensorDef((5,)), pair=[flow.MirroredTensorDef((5,))]):  # type: ignore[no-untyped-def] # noqa: B006, B008
        return x + pair[0]

    np.testing.assert_array_equal(job(X, [[X]]).get().numpy(), X + X)


def test_no_arguments() -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.constant(3, flow.int32, (2,))

    result = job()
    assert result.dtype == np.int32
    np.testing.assert_array_equal(result, [3, 3])


def test_attributes_of_a_job() -> None:
    @flow.global_function(type="predict")
    def job(x: Five) -> tp.Numpy:
        """Says hello."""
        return x

    assert job.__name__ == "job"
    assert job.__doc__ == "Says hello."
    assert "test_jobs.py" in repr(job)


def test_each_job_has_its_own_config() -> None:
    config = flow.function_config()
    config.default_data_type(flow.double)
    config.default_logical_view(flow.scope.mirrored_view())

    @flow.global_function(function_config=config)
    def job() -> tp.Numpy:
        assert flow.scope.mirrored_view_enabled()
        return flow.get_variable("v", (2,), None, flow.ones_initializer())

    config.default_data_type(flow.float)
    with flow.scope.namespace("outside"):
        assert job().dtype == np.float64
    assert list(flow.get_all_variables()) == ["v"]


def test_views_of_placeholders_come_back_as_copies() -> None:
    @flow.global_function()
    def job(x: Five, unused: Five) -> Tuple[tp.Numpy, tp.Numpy]:  # noqa: UP006
        return flow.reshape(x, (5, 1)), flow.identity(x)

    passed = X.copy()
    for result in job(passed, X):
        result[0] = 9
    np.testing.assert_array_equal(passed, X)


def test_a_body_that_raises_may_be_replaced() -> None:
    @flow.global_function()
    def job(x: Five) -> tp.Numpy:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        job(X)

    @flow.global_function()  # type: ignore[no-redef]
    def job(x: Five) -> tp.Numpy:
        return x

    np.testing.assert_array_equal(job(X), X)


def test_names_with_any_characters() -> None:
    @flow.global_function()
    def größe(x: Five) -> tp.Numpy:
        return flow.math.add(x, 1, name='a"b\\c ü')

    np.testing.assert_array_equal(größe(X), X + 1)


def test_names_that_begin_with_a_digit() -> None:
    @flow.global_function()
    def job(x: Five) -> tp.Numpy:
        return flow.math.add(
            x, flow.get_variable("2nd", (1,), None, flow.zeros_initializer()), name="3rd"
        )

    np.testing.assert_array_equal(job(X), X)


def test_jobs_run_from_several_threads() -> None:
    @flow.global_function()
    def job(x: Five) -> tp.Numpy:
        return x * 2

    results: dict[int, Any] = {}

    def run(number: int) -> None:
        results[number] = job(X * number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, result in results.items():
        np.testing.assert_array_equal(result, X * number * 2)
    assert len(results) == 8
