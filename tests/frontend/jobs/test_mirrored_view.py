"""The mirrored view: each rank runs the body on arrays of its own, of any number of samples."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Array = np.ndarray[Any, Any]
BOUND, FEATURES = 4, 3
SIZES = [(4, 4), (4, 1), (2, 3), (1, 4, 2)]


def mirrored(ranks: int) -> Any:
    flow.config.cpu_device_num(ranks)
    config = flow.function_config()
    config.default_logical_view(flow.scope.mirrored_view())
    return config


def parts(sizes: Sequence[int], *shape: int, seed: int = 0) -> list[Array]:
    draw = np.random.default_rng(seed)
    return [draw.standard_normal((size, *shape)).astype(np.float32) for size in sizes]


def values() -> dict[str, Array]:
    return {name: variable.numpy().copy() for name, variable in flow.get_all_variables().items()}


def regression(ranks: int, body: Any = None) -> Any:
    """A job that fits a line, by rows."""

    @flow.global_function(type="train", function_config=mirrored(ranks))
    def train(
        x: tp.ListNumpy.Placeholder((BOUND, FEATURES)),  # type: ignore[valid-type]
        t: tp.ListNumpy.Placeholder((BOUND, 1)),  # type: ignore[valid-type]
    ) -> tp.ListNumpy:
        ones = flow.ones_initializer()
        y = flow.layers.dense(x, 1, name="fit", kernel_initializer=ones)
        loss = flow.math.square(y - t)
        if body is not None:
            loss = body(x, y, loss)
        flow.optimizer.SGD(lr=0.1, momentum=0).minimize(loss)
        return loss

    return train


@pytest.mark.parametrize("sizes", SIZES)
def test_gradients_are_averaged_over_the_samples_of_all_ranks(sizes: tuple[int, ...]) -> None:
    train = regression(len(sizes))
    xs, ts = parts(sizes, FEATURES), parts(sizes, 1, seed=1)
    before = values()
    losses = train(xs, ts)
    x, t = (np.concatenate(part).astype(np.float64) for part in (xs, ts))
    error = x @ before["fit-weight"].T + before["fit-bias"] - t
    assert [loss.shape for loss in losses] == [(size, 1) for size in sizes]
    np.testing.assert_allclose(np.concatenate(losses), error**2, rtol=1e-5)
    after = values()
    weight = before["fit-weight"] - 0.1 * 2 * error.T @ x / len(x)
    np.testing.assert_allclose(after["fit-weight"], weight, rtol=1e-5, atol=1e-6)
    bias = before["fit-bias"] - 0.1 * 2 * error.sum(0) / len(x)
    np.testing.assert_allclose(after["fit-bias"], bias, rtol=1e-5, atol=1e-6)


def test_a_job_may_be_compiled_ahead_of_its_first_call() -> None:
    """Whether or not all ranks have as many samples: each has results of its own."""
    for sizes in (BOUND, BOUND), (BOUND, 2):
        found = []
        for ahead in (False, True):
            flow.clear_default_session()
            train = regression(2)
            if ahead:
                train.compile()
            found.append(train(parts(sizes, FEATURES), parts(sizes, 1, seed=1)))
        assert [loss.tolist() for loss in found[1]] == [loss.tolist() for loss in found[0]]
        assert [len(loss) for loss in found[1]] == list(sizes)


def test_a_loss_of_one_number_is_averaged_over_ranks() -> None:
    train = regression(2, lambda x, y, loss: flow.math.reduce_mean(loss))
    xs, ts = parts((4, 2), FEATURES), parts((4, 2), 1, seed=1)
    before = values()
    train(xs, ts)
    means = []
    for x, t in zip(xs, ts, strict=True):
        error = x @ before["fit-weight"].T + before["fit-bias"] - t
        means.append(2 * error.T @ x / len(x))
    weight = before["fit-weight"] - 0.1 * np.mean(means, 0)
    np.testing.assert_allclose(values()["fit-weight"], weight, rtol=1e-5, atol=1e-6)


def test_batch_statistics_are_those_of_each_rank() -> None:
    @flow.global_function(type="train", function_config=mirrored(2))
    def train(x: tp.ListNumpy.Placeholder((BOUND, FEATURES))) -> tp.ListNumpy:  # type: ignore[valid-type]
        y = flow.layers.batch_normalization(x, axis=1, momentum=0.9, epsilon=0.0, name="norm")
        flow.optimizer.SGD(lr=0.0, momentum=0).minimize(y)
        return y

    xs = parts((4, 3), FEATURES)
    for x, y in zip(xs, train(xs), strict=True):
        np.testing.assert_allclose(y, (x - x.mean(0)) / x.std(0), rtol=1e-4, atol=1e-5)
    mean = 0.1 * np.mean([x.mean(0) for x in xs], 0)
    np.testing.assert_allclose(values()["norm-moving_mean"], mean, rtol=1e-5, atol=1e-7)


def test_handlers_get_what_each_rank_has() -> None:
    seen: dict[str, Any] = {}

    def body(x: Any, y: Any, loss: Any) -> Any:
        def heard(value: tp.ListNumpy) -> None:
            seen["y"] = [part.shape for part in value]

        def gradient(value: tp.ListNumpy) -> None:
            seen["gradient"] = [part.copy() for part in value]

        flow.watch(y, heard)
        flow.watch_diff(loss, gradient)
        flow.watch(loss, lambda value: seen.setdefault("ranks", value.parallel_num()))
        return loss

    train = regression(2, body)
    train(parts((4, 2), FEATURES), parts((4, 2), 1))
    assert seen["y"] == [(4, 1), (2, 1)]
    assert [part.tolist() for part in seen["gradient"]] == [[[1.0]] * 4, [[1.0]] * 2]
    assert seen["ranks"] == 2


def test_a_result_without_annotation_has_an_array_for_each_rank() -> None:
    @flow.global_function(function_config=mirrored(2))
    def twice(x: tp.ListNumpy.Placeholder((BOUND,))):  # type: ignore[valid-type, no-untyped-def]
        return x + x

    found = twice(parts((2, 3))).get()
    assert found.parallel_num() == 2
    assert [part.shape for part in found.numpy_list()] == [(2,), (3,)]


def test_ranks_draw_numbers_of_their_own() -> None:
    @flow.global_function(type="train", function_config=mirrored(2))
    def drop(x: tp.ListNumpy.Placeholder((64,))) -> tp.ListNumpy:  # type: ignore[valid-type]
        w = flow.get_variable("w", (1,), initializer=flow.ones_initializer())
        y = flow.nn.dropout(x * w, rate=0.5)
        flow.optimizer.SGD(lr=0.0, momentum=0).minimize(y)
        return y

    first, second = drop([np.ones(64, np.float32)] * 2)
    assert set(np.unique([first, second])) == {0.0, 2.0}
    assert not np.array_equal(first, second)


def test_views_are_cast() -> None:
    @flow.global_function(function_config=mirrored(2))
    def job(
        x: tp.Numpy.Placeholder((5, 2)),  # type: ignore[valid-type]
        y: tp.ListNumpy.Placeholder((3, 2)),  # type: ignore[valid-type]
    ) -> tuple[tp.ListNumpy, tp.Numpy]:
        own = flow.cast_to_current_logical_view(x)
        with flow.scope.consistent_view():
            joined = flow.cast_to_current_logical_view(y) * 2.0
        return own, joined

    x, ys = parts((5,), 2)[0], parts((3, 3), 2)
    own, joined = job(x, ys)
    assert [part.shape for part in own] == [(3, 2), (2, 2)]
    assert np.array_equal(np.concatenate(own), x)
    assert np.array_equal(joined, 2 * np.concatenate(ys))


def test_a_job_may_have_arrays_that_all_ranks_share() -> None:
    @flow.global_function(function_config=mirrored(3))
    def job(
        x: tp.ListNumpy.Placeholder((2, 2)),  # type: ignore[valid-type]
        scale: tp.Numpy.Placeholder((2,), batch_axis=None),  # type: ignore[valid-type]
    ) -> tp.ListListNumpy:
        return x * scale

    xs, scale = parts((2, 1, 2), 2), np.array([1, 3], np.float32)
    for x, (y,) in zip(xs, job(xs, scale), strict=True):
        assert np.array_equal(y, x * scale)


def test_in_the_module_variables_are_read_by_each_rank() -> None:
    module = regression(2).lower()
    job, placed = (module.as_text(stage) for stage in ("job", "placed"))
    assert "sbp.mirrored" in job
    assert job.count('"sbp.to_local"') == 2
    assert "elements = 8 : i64" in job
    assert placed.count('"sbp.from_local"') == 2
    assert placed.count('source = "P"') == 2
