"""`indexed_slices_optimizer_conf`: rows that no index touched are not updated."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Array = np.ndarray[Any, Any]
ROWS, WIDTH, RATE, DECAY = 7, 3, 0.1, 0.5


def trained(make: Callable[[], Any], ids: list[Array], network: Callable[..., Any]) -> list[Array]:
    """The table after each step."""
    flow.clear_default_session()
    config = flow.function_config()
    config.indexed_slices_optimizer_conf({"include_op_names": {"op_name": ["table"]}})

    @flow.global_function(type="train", function_config=config)
    def train(at: tp.Numpy.Placeholder((4,), dtype=flow.int32)) -> tp.Numpy:
        table = flow.get_variable(
            "table", (ROWS, WIDTH), initializer=flow.random_uniform_initializer(1, 2)
        )
        make().minimize(network(table, at))
        return table

    found = [np.copy(train(one)) for one in ids]
    found.append(flow.get_all_variables()["table"].numpy())
    flow.clear_default_session()
    return found


def gathered(table: Any, at: Any) -> Any:
    return flow.math.reduce_sum(flow.gather(table * 2.0, at)) + flow.math.reduce_sum(
        flow.gather(table, at) ** 2 * 0.5
    )


IDS = [np.int32(one) for one in ([1, 1, 4, 6], [1, 2, 2, 2], [4, 4, 4, 4])]


def test_rows_match_updates_by_hand() -> None:
    def make() -> Any:
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [RATE])
        return flow.optimizer.SGDW(schedule, momentum=0.9, weight_decay=DECAY)

    tables = trained(make, IDS, gathered)
    table = tables[0].astype(np.float64)
    velocity = np.zeros_like(table)
    for step, ids in enumerate(IDS):
        gradient = np.zeros_like(table)
        np.add.at(gradient, ids, 2 + table[ids])
        rows = np.unique(ids)
        velocity[rows] = 0.9 * velocity[rows] - RATE * gradient[rows]
        table[rows] += velocity[rows] - RATE * DECAY * table[rows]
        # Two roundings of float32 a step, of numbers below 4.
        np.testing.assert_allclose(tables[step + 1], table, rtol=0, atol=2e-6 * (step + 1))


def test_rows_touched_with_a_zero_gradient_move_on() -> None:
    def zero_at_first(table: Any, at: Any) -> Any:
        return flow.math.reduce_sum(flow.gather(table, at) * flow.cast(at < 3, flow.float32)[0])

    ids = [np.int32([1] * 4), np.int32([5] * 4), np.int32([1] * 4)]
    schedule = flow.optimizer.PiecewiseConstantScheduler([], [RATE])
    tables = trained(lambda: flow.optimizer.SGDW(schedule, weight_decay=DECAY), ids, zero_at_first)
    moved = [np.flatnonzero((a != b).any(1)).tolist() for a, b in itertools.pairwise(tables)]
    assert moved == [[1], [5], [1]]  # row 5 decays although its gradient is 0


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "RMSProp"])
def test_other_rows_keep_their_bits(name: str) -> None:
    options = {"weight_decay": DECAY} if name == "AdamW" else {}
    tables = trained(lambda: getattr(flow.optimizer, name)(RATE, **options), IDS, gathered)
    for ids, before, after in zip(IDS, tables, tables[1:], strict=False):
        moved = np.flatnonzero((before != after).any(1))
        assert moved.tolist() == np.unique(ids).tolist()


def test_a_gradient_of_all_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="does not come from indices alone"):
        trained(lambda: flow.optimizer.SGD(RATE), IDS, lambda t, at: gathered(t, at) + t * t)


def test_an_update_with_norms_is_refused() -> None:
    with pytest.raises(ValueError, match="works element by element, got kind = 'lars'"):
        trained(lambda: flow.optimizer.LARS(RATE), IDS, gathered)


def test_wrong_settings_are_refused() -> None:
    config = flow.function_config()
    config.indexed_slices_optimizer_conf({"include_op_names": ["table"]})
    with pytest.raises(ValueError, match=r"takes dict\(include_op_names=dict"):
        _ = config.indexed_rows
