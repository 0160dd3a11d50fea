"""Losses, distances and similarities as layers."""

from __future__ import annotations

from typing import Any

from penstock.basics.checks import check_number
from penstock.nn.functional import classes as C
from penstock.nn.functional import losses as F
from penstock.nn.functional.reducing import check_reduction
from penstock.nn.functional.sequences import ctc_loss
from penstock.nn.modules.faces import in_jobs
from penstock.nn.modules.module import Module
from penstock.tensors.tensor import Tensor


class _Loss(Module):
    """Base of losses: returns the mean, the sum, or with reduction="none" each element."""

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = check_reduction(reduction, f"flow.nn.{type(self).__name__}")

    def extra_repr(self) -> str:
        return "" if self.reduction == "mean" else f"reduction={self.reduction!r}"


class _Weighted(_Loss):
    """Base of losses with a weight, which is a buffer."""

    weight: Tensor | None

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.register_buffer("weight", weight)


@in_jobs("penstock.networks.loss_functions:MSELoss")
class MSELoss(_Loss):
    """(input - target) squared.

    >>> import penstock as flow
    >>> flow.nn.MSELoss()(flow.tensor([1.0, 2.0]), flow.tensor([3.0, 2.0]))
    tensor(2., dtype=penstock.float32)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(input, target, self.reduction)


@in_jobs("penstock.networks.loss_functions:L1Loss")
class L1Loss(_Loss):
    """|input - target|"""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.l1_loss(input, target, self.reduction)


class SmoothL1Loss(_Loss):
    """0.5 * d * d / beta where d = |input - target| is below beta, else d - 0.5 * beta."""

    def __init__(self, reduction: str = "mean", beta: float = 1.0) -> None:
        super().__init__(reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.smooth_l1_loss(input, target, self.reduction, self.beta)


class HuberLoss(_Loss):
    """0.5 * d * d where d = |input - target| is at most delta, else delta * (d - 0.5 * delta)."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.huber_loss(input, target, self.reduction, self.delta)


class CrossEntropyLoss(_Weighted):
    """The negative logarithm of softmax(input) at the target: `flow.nn.functional.cross_entropy`.

    >>> import penstock as flow
    >>> loss = flow.nn.CrossEntropyLoss(reduction="sum")
    >>> loss(flow.tensor([[0.0, 0.0], [0.0, 100.0]]), flow.tensor([1, 0]))
    tensor(100.6931, dtype=penstock.float32)
    """

    def __init__(
        self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(weight, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return C.cross_entropy(
            input, target, self.weight, self.ignore_index, self.reduction, self.label_smoothing
        )


class NLLLoss(_Weighted):
    """The negated element of the input, a log-probability, at the target."""

    def __init__(
        self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean"
    ) -> None:
        super().__init__(weight, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return C.nll_loss(input, target, self.weight, self.ignore_index, self.reduction)


@in_jobs("penstock.networks.loss_functions:BCELoss")
class BCELoss(_Weighted):
    """-(target * log(input) + (1 - target) * log(1 - input)), times `weight` if there is one."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy(input, target, self.weight, self.reduction)


@in_jobs("penstock.networks.loss_functions:BCEWithLogitsLoss")
class BCEWithLogitsLoss(_Weighted):
    """`BCELoss` of sigmoid(input), without overflow.

    >>> import penstock as flow
    >>> flow.nn.BCEWithLogitsLoss()(flow.tensor([1000.0, 0.0]), flow.tensor([1.0, 0.0]))
    tensor(0.3466, dtype=penstock.float32)
    """

    pos_weight: Tensor | None

    def __init__(
        self, weight: Tensor | None = None, reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:  # fmt: skip
        super().__init__(weight, reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, self.reduction, self.pos_weight
        )


@in_jobs("penstock.networks.loss_functions:KLDivLoss")
class KLDivLoss(_Loss):
    """target * (log(target) - input); `input` holds logarithms: see `flow.nn.functional.kl_div`."""

    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None:
        super().__init__("sum" if reduction == "batchmean" else reduction)
        self.reduction = reduction
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.kl_div(input, target, self.reduction, self.log_target)


class PoissonNLLLoss(_Loss):
    """exp(input) - target * input: see `flow.nn.functional.poisson_nll_loss`."""

    def __init__(
        self, log_input: bool = True, full: bool = False, eps: float = 1e-8,
        reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.poisson_nll_loss(
            input, target, self.log_input, self.full, self.eps, self.reduction
        )


class GaussianNLLLoss(_Loss):
    """0.5 * (log(v) + (input - target)^2 / v) with v = max(var, eps)."""

    def __init__(self, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.full = full
        self.eps = eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor) -> Tensor:
        return F.gaussian_nll_loss(input, target, var, self.full, self.eps, self.reduction)


class SoftMarginLoss(_Loss):
    """log(1 + exp(-target * input)); the target is 1 or -1."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.soft_margin_loss(input, target, self.reduction)


class _Margin(_Loss):
    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin


@in_jobs("penstock.networks.loss_functions:MarginRankingLoss")
class MarginRankingLoss(_Margin):
    """max(0, -target * (input1 - input2) + margin); the target is 1 or -1."""

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return F.margin_ranking_loss(input1, input2, target, self.margin, self.reduction)


class CosineEmbeddingLoss(_Margin):
    """1 - cosine where target is 1, max(0, cosine - margin) where it is -1."""

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return F.cosine_embedding_loss(input1, input2, target, self.margin, self.reduction)


class HingeEmbeddingLoss(_Margin):
    """input where target is 1, max(0, margin - input) where it is -1."""

    def __init__(self, margin: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(margin, reduction)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.hinge_embedding_loss(input, target, self.margin, self.reduction)


@in_jobs("penstock.networks.loss_functions:TripletMarginLoss")
class TripletMarginLoss(_Loss):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin); d is the p-norm distance."""

    def __init__(
        self, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6, swap: bool = False,
        reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(reduction)
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        return F.triplet_margin_loss(
            anchor, positive, negative, self.margin, self.p, self.eps, self.swap, self.reduction
        )


class CTCLoss(_Loss):
    """The loss of sequences of labels without their alignment: see `F.ctc_loss`."""

    def __init__(
        self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False
    ) -> None:
        super().__init__(reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(
        self, log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any
    ) -> Tensor:
        return ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction,
            self.zero_infinity,
        )  # fmt: skip


class CosineSimilarity(Module):
    """The cosine of the angle between vectors: see `flow.nn.functional.cosine_similarity`.

    >>> import penstock as flow
    >>> x = flow.tensor([[3.0, 4.0]])
    >>> round(flow.nn.CosineSimilarity()(x, x).item(), 4)
    1.0
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The p-norm of x1 - x2 + eps along the last dimension."""

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.p = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Any:
        return F.pairwise_distance(x1, x2, self.p, self.eps, self.keepdim)


class CombinedMarginLoss(Module):
    """The logits of ArcFace and CosFace: see `flow.nn.functional.combined_margin_loss`.

    With m1 = 1 and m3 = 0 they are those of ArcFace, with m1 = 1 and m2 = 0 those of CosFace.
    """

    def __init__(self, m1: float = 1.0, m2: float = 0.0, m3: float = 0.0) -> None:
        super().__init__()
        self.m1 = check_number(m1, "m1 of flow.nn.CombinedMarginLoss")
        self.m2 = check_number(m2, "m2 of flow.nn.CombinedMarginLoss")
        self.m3 = check_number(m3, "m3 of flow.nn.CombinedMarginLoss")

    def forward(self, x: Tensor, label: Tensor) -> Tensor:
        return F.combined_margin_loss(x, label, self.m1, self.m2, self.m3)
