"""Mistakes with losses: incompatible blobs, invalid reductions and numbers."""

from collections.abc import Callable
from typing import Any

import pytest

import penstock as flow
import penstock.typing as tp

Rows: Any = tp.Numpy.Placeholder((4, 3))
Labels: Any = tp.Numpy.Placeholder((4,), dtype=flow.int32)

MISUSES: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "reduction": (
        lambda x, labels: flow.nn.MSELoss(x, x, "average"),
        'reduction of flow.nn.MSELoss must be "mean", "sum" or "none", got the string "average"',
    ),
    "shapes": (
        lambda x, labels: flow.nn.L1Loss(x, flow.zeros((3,))),
        "flow.nn.L1Loss takes input and target as floats of one type and shape, got flow.float32 "
        "of shape (4, 3) and flow.float32 of shape (3,)",
    ),
    "integers": (
        lambda x, labels: flow.nn.BCELoss(labels, labels),
        "flow.nn.BCELoss takes input and target as floats of one type and shape, got flow.int32",
    ),
    "weight": (
        lambda x, labels: flow.nn.BCELoss(x, x, weight=flow.ones((3,))),
        "flow.nn.BCELoss takes input and weight as floats of one type and shape",
    ),
    "pos_weight": (
        lambda x, labels: flow.nn.BCEWithLogitsLoss(x, x, pos_weight=flow.ones((2, 4, 3))),
        "pos_weight of flow.nn.BCEWithLogitsLoss must broadcast to shape (4, 3), got (2, 4, 3)",
    ),
    "beta": (
        lambda x, labels: flow.smooth_l1_loss(x, x, beta=-1),
        "beta of flow.smooth_l1_loss must be at least 0, got -1",
    ),
    "tiny beta": (
        lambda x, labels: flow.smooth_l1_loss(x, x, beta=1e-40),
        "0.5 / beta of flow.smooth_l1_loss got 5e+39, which flow.float32 cannot hold",
    ),
    "norm": (
        lambda x, labels: flow.nn.TripletMarginLoss(x, x, x, p=0),
        "p of flow.nn.TripletMarginLoss must be above 0 and finite, got 0",
    ),
    "labels": (
        lambda x, labels: flow.nn.sparse_cross_entropy(x, labels),
        "flow.nn.sparse_cross_entropy takes labels of integers first and predictions of floats "
        "second, got flow.float32 and flow.int32",
    ),
    "margins": (
        lambda x, labels: flow.combined_margin_loss(flow.expand_dims(x, 0), labels),
        "flow.combined_margin_loss takes x of shape [n, classes], got (1, 4, 3)",
    ),
    "classes": (
        lambda x, labels: flow.nn.softmax_cross_entropy_with_logits(labels, x),
        "flow.nn.softmax_cross_entropy_with_logits takes labels and logits as floats of one type",
    ),
    "logits": (
        lambda x, labels: flow.nn.sigmoid_cross_entropy_with_logits(labels, x),
        "expected labels of the type of logits tensor<4x3xf32>, got tensor<4xi32>",
    ),
}


@pytest.mark.parametrize("name", MISUSES)
def test_loss(name: str) -> None:
    use, said = MISUSES[name]

    @flow.global_function()
    def job(x: Rows, labels: Labels) -> tp.Numpy:
        return use(x, labels)

    with pytest.raises(ValueError, match=r"^tests/error/ops/test_loss_misuse.py:\d+: ") as caught:
        job.trace()
    assert said in str(caught.value)
    assert f":{use.__code__.co_firstlineno}:" in str(caught.value)
