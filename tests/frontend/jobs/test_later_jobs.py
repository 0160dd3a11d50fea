"""Jobs defined and redefined after others have run, as in notebooks."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock import runtime

X = np.arange(3, dtype=np.float32)
Three: Any = tp.Numpy.Placeholder((3,))
CONSTANT = flow.optimizer.PiecewiseConstantScheduler([], [0.5])


def weight(extent: int = 3, name: str = "w") -> Any:
    return flow.get_variable(name, (extent,), initializer=flow.ones_initializer())


def define_train(momentum: float = 0.0) -> Any:
    @flow.global_function(type="train")
    def train(x: Three) -> tp.Numpy:
        loss = x * weight()
        flow.optimizer.SGD(CONSTANT, momentum=momentum).minimize(loss)
        return loss

    return train


def live(name: str = "w") -> Any:
    return flow.get_all_variables()[name].numpy()


def test_a_job_defined_after_a_call_shares_the_variables() -> None:
    train = define_train()
    train(X)
    after = live()

    @flow.global_function()
    def look(x: Three) -> tp.Numpy:
        return x + weight() + weight(name="later")

    np.testing.assert_array_equal(look(X), X + after + 1)
    np.testing.assert_array_equal(train(X), X * after)
    np.testing.assert_array_equal(look(X), X + live() + 1)


def test_a_redefined_job_keeps_the_variables() -> None:
    first = define_train()
    first(X)
    after = live()
    second = define_train(momentum=0.9)
    np.testing.assert_array_equal(second(X), X * after)
    assert "w-momentum" in flow.get_all_variables()
    # The earlier one raises, although its calls were native.
    with pytest.raises(ValueError, match="job 'train' .* was replaced by a later job of its name"):
        first(X)


def test_variables_of_a_later_job_are_seen_before_its_call() -> None:
    define_train()(X)

    @flow.global_function()
    def look() -> tp.Numpy:
        return weight(name="later")

    np.testing.assert_array_equal(live("later"), np.ones(3))


def test_a_changed_shape_names_both_places() -> None:
    define_train()(X)
    place = r"\(tests/frontend/jobs/test_later_jobs.py:\d+\)"

    @flow.global_function()
    def look() -> tuple[tp.Numpy, tp.Numpy]:
        return weight(2, "fresh"), weight(4)

    said = rf"py:\d+: variable w .* \(4,\) in job 'look', but job 'train' {place} made it .* \(3,"
    with pytest.raises(ValueError, match=said):
        look()

    # The job that created the variable is gone, but the variable remains.
    @flow.global_function()
    def train() -> tuple[tp.Numpy, tp.Numpy]:
        return weight(2, "fresh"), weight(4)

    said = (
        rf"py:\d+: .* \(4,\) in job 'train' {place}, but job 'train' {place} made it .*; .*clear_"
    )
    with pytest.raises(ValueError, match=said):
        train()

    # The failed job has created no variable.
    @flow.global_function()  # type: ignore[no-redef]
    def look() -> tp.Numpy:
        return weight(5, "fresh")

    np.testing.assert_array_equal(look(), np.ones(5))


def test_an_invalid_job_does_not_affect_others() -> None:
    train = define_train()
    train(X)

    @flow.global_function()
    def wrong(x: Three) -> tp.Numpy:
        return flow.matmul(x, x)

    @flow.global_function()
    def right(x: Three) -> tp.Numpy:
        return x + 1

    np.testing.assert_array_equal(right(X), X + 1)
    train(X)
    with pytest.raises(ValueError, match="flow.matmul") as caught:
        flow.get_all_variables()
    assert "'wrong' too" in caught.value.__notes__[0]


def test_a_later_job_is_saved_with_existing_variables(tmp_path: Path) -> None:
    train = define_train()
    train(X)

    @flow.global_function()
    def look(x: Three) -> tp.Numpy:
        return x + weight() + weight(name="later")

    flow.save_artifact(tmp_path / "look.pstk", look)
    saved = runtime.load(tmp_path / "look.pstk").jobs["look"]
    np.testing.assert_array_equal(saved(X), X + live() + 1)
