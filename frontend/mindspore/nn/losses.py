"""Losses: cells of predictions and labels."""

from __future__ import annotations

from typing import Any

from penstock.basics.checks import check_flag
from penstock.basics.errors import kind_of, located
from penstock.mindspore import ops
from penstock.mindspore.nn.cell import Cell
from penstock.mindspore.tensor import Tensor, check_tensor, faced, plain
from penstock.nn import functional as F

_REDUCTIONS = ("mean", "sum", "none")


class LossBase(Cell):
    """Base of losses: `get_loss` weights the loss of each element and reduces it.

    `reduction` is "mean", "sum" or "none". Other values raise a located ValueError.
    """

    default_reduction = "mean"

    def __init__(self, reduction: str | None = None) -> None:
        super().__init__()
        wanted = self.default_reduction if reduction is None else reduction
        if wanted not in _REDUCTIONS:
            raise located(
                ValueError,
                f'reduction of {self.cls_name} must be "mean", "sum" or "none", got '
                f"{kind_of(wanted)}",
            )
        self.reduction = wanted

    def get_loss(self, x: Tensor, weights: Any = 1.0) -> Any:
        """The losses times their weights, reduced."""
        weighted = x * weights
        if self.reduction == "none":
            return weighted
        return weighted.mean() if self.reduction == "mean" else weighted.sum()

    def _alike(self, logits: object, labels: object) -> None:
        """Raise a located ValueError unless both are tensors of one shape."""
        x = check_tensor(logits, f"logits of {self.cls_name}")
        y = check_tensor(labels, f"labels of {self.cls_name}")
        if x.shape != y.shape:
            raise located(
                ValueError,
                f"{self.cls_name} takes logits and labels of one shape, got {x.shape} and "
                f"{y.shape}",
            )


class L1Loss(LossBase):
    """|logits - labels|

    >>> import penstock.mindspore as ms
    >>> print(ms.nn.L1Loss()(ms.Tensor([1.0, 2.0]), ms.Tensor([0.0, 4.0])))
    1.5
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Any:
        self._alike(logits, labels)
        return self.get_loss(abs(logits - labels))


MAELoss = L1Loss


class MSELoss(LossBase):
    """(logits - labels)^2"""

    def construct(self, logits: Tensor, labels: Tensor) -> Any:
        self._alike(logits, labels)
        return self.get_loss(ops.square(logits - labels))


class RMSELoss(LossBase):
    """The square root of the mean of (logits - labels)^2"""

    def construct(self, logits: Tensor, labels: Tensor) -> Any:
        self._alike(logits, labels)
        return ops.sqrt(ops.square(logits - labels).mean())


class SmoothL1Loss(LossBase):
    """d^2 / (2 beta) where d = |logits - labels| is below beta, d - beta / 2 elsewhere."""

    default_reduction = "none"

    def __init__(self, beta: float = 1.0, reduction: str | None = None) -> None:
        super().__init__(reduction)
        self.beta = beta

    def construct(self, logits: Tensor, labels: Tensor) -> Any:
        self._alike(logits, labels)
        return self.get_loss(ops.SmoothL1Loss(self.beta)(logits, labels))


class SoftmaxCrossEntropyWithLogits(LossBase):
    """The cross-entropy of softmax(logits) and the labels, for each row of (N, C).

    With `sparse`, the labels are N indices; otherwise (N, C) probabilities.

    >>> import penstock.mindspore as ms
    >>> loss = ms.nn.SoftmaxCrossEntropyWithLogits(sparse=True)
    >>> print(loss(ms.Tensor([[0.0, 0.0]]), ms.Tensor([1], ms.int32)))
    [0.6931472]
    """

    default_reduction = "none"

    def __init__(self, sparse: bool = False, reduction: str | None = None) -> None:
        super().__init__(reduction)
        self.sparse = check_flag(sparse, f"sparse of {self.cls_name}")

    def construct(self, logits: Tensor, labels: Tensor) -> Any:
        check_tensor(logits, f"logits of {self.cls_name}")
        if not self.sparse:
            self._alike(logits, labels)
            return self.get_loss(ops.SoftmaxCrossEntropyWithLogits()(logits, labels)[0])
        y = check_tensor(labels, f"labels of {self.cls_name}")
        if y.dtype.is_float or y.shape != logits.shape[:-1]:
            raise located(
                ValueError,
                f"labels of {self.cls_name} with sparse=True must be integers of shape "
                f"{logits.shape[:-1]}, got {y.dtype} of shape {y.shape}",
            )
        losses = F.sparse_softmax_cross_entropy(plain(labels), plain(logits))
        return self.get_loss(faced(losses))


class BCELoss(LossBase):
    """-(labels log(logits) + (1 - labels) log(1 - logits)), of probabilities, times a weight."""

    default_reduction = "none"

    def __init__(self, weight: Any = None, reduction: str | None = None) -> None:
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits: Tensor, labels: Tensor) -> Any:
        self._alike(logits, labels)
        return ops.BinaryCrossEntropy(self.reduction)(logits, labels, self.weight)


class BCEWithLogitsLoss(LossBase):
    """As `BCELoss`, of the logits of probabilities; positive labels may have a weight of their
    own."""

    def __init__(
        self, reduction: str | None = None, weight: Any = None, pos_weight: Any = None
    ) -> None:
        super().__init__(reduction)
        self.weight, self.pos_weight = weight, pos_weight

    def construct(self, logits: Tensor, labels: Tensor) -> Any:
        self._alike(logits, labels)
        entropy = ops.BCEWithLogitsLoss(self.reduction)
        made: Tensor = entropy(logits, labels, self.weight, self.pos_weight)
        return made


class CosineEmbeddingLoss(LossBase):
    """1 - cos(x1, x2) where the label is 1, and max(0, cos(x1, x2) - margin) where it is -1."""

    def __init__(self, margin: float = 0.0, reduction: str | None = None) -> None:
        super().__init__(reduction)
        self.margin = margin

    def construct(self, logits_x1: Tensor, logits_x2: Tensor, labels: Tensor) -> Any:
        self._alike(logits_x1, logits_x2)
        made: Tensor = faced(
            F.cosine_embedding_loss(
                plain(logits_x1), plain(logits_x2), plain(labels), self.margin, self.reduction
            )
        )
        return made
