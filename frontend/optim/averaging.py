"""Optimizers that step along moving averages of the gradients: Adam, AdamW, LAMB."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from penstock.basics.checks import check_flag, check_within
from penstock.basics.errors import kind_of, located
from penstock.optim.descent import check_rate
from penstock.optim.optimizer import NativeOptimizer, ParamGroup
from penstock.optim.updates import Rule

Betas = tuple[float, float]


class _Averaging(NativeOptimizer):
    """Base of optimizers with moving averages of gradients and their squares."""

    def _check(self, group: ParamGroup) -> None:
        what = type(self).__name__
        check_rate(group, what)
        check_within(group["eps"], f"eps of {what}", 0)
        betas = group["betas"]
        if not isinstance(betas, list | tuple) or len(betas) != 2:
            raise located(TypeError, f"betas of {what} must be two numbers, got {kind_of(betas)}")
        for number, beta in enumerate(betas):
            check_within(beta, f"betas[{number}] of {what}", 0, 1)
        for flag in ("amsgrad", "do_bias_correction"):
            check_flag(group[flag], f"{flag} of {what}")

    def _numbers(self, rate: Any, group: ParamGroup, taken: Any) -> list[Any]:
        if self._rule(group).op == "job.adam":
            return [rate]
        if not group["do_bias_correction"]:
            return [rate, 1.0, 1.0]
        return [rate, *(1 - float(beta) ** taken for beta in group["betas"])]

    def _averages(self, group: ParamGroup) -> tuple[tuple[str, float], ...]:
        beta1, beta2 = group["betas"]
        return ("beta1", float(beta1)), ("beta2", float(beta2)), ("epsilon", float(group["eps"]))

    def _op(self, group: ParamGroup) -> str:
        if group["amsgrad"]:
            return "job.unbiased_amsgrad"
        return "job.unbiased_adam" if group["do_bias_correction"] else "job.adam"


class Adam(_Averaging):
    """Adam: m and v are moving averages of g and g^2, and x -= lr * m / (sqrt(v) + eps).

    With `do_bias_correction`, m and v are divided by 1 - betas^t first, in step t from 1.
    `weight_decay` adds weight_decay * x to g. With `amsgrad`, the largest v of all steps is used
    under the root.

    >>> import penstock as flow
    >>> x = flow.tensor([1.0, 2.0], requires_grad=True)
    >>> adam = flow.optim.Adam([x], lr=0.5)
    >>> (x * x).sum().backward()
    >>> adam.step()
    >>> x
    tensor([0.5000, 1.5000], dtype=penstock.float32, requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 0.001,
        betas: Betas = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        do_bias_correction: bool = True,
        contiguous_params: bool = False,
        fused: bool = False,
    ) -> None:
        super().__init__(
            params,
            {
                "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                "amsgrad": amsgrad, "do_bias_correction": do_bias_correction,
                "contiguous_params": contiguous_params, "fused": fused,
            },
        )  # fmt: skip

    def _rule(self, group: ParamGroup) -> Rule:
        return Rule(self._op(group), self._averages(group), float(group["weight_decay"]))


class AdamW(Adam):
    """Adam whose `weight_decay` shrinks x itself: x -= lr * weight_decay * x.

    >>> import penstock as flow
    >>> x = flow.tensor([1.0, 2.0], requires_grad=True)
    >>> adam = flow.optim.AdamW([x], lr=0.5, weight_decay=0.5)
    >>> (x * x).sum().backward()
    >>> adam.step()
    >>> x
    tensor([0.2500, 1.0000], dtype=penstock.float32, requires_grad=True)
    """

    def _rule(self, group: ParamGroup) -> Rule:
        decay = ("weight_decay", float(group["weight_decay"]))
        return Rule(self._op(group), (*self._averages(group), decay))


class LAMB(_Averaging):
    """LAMB: Adam's step d, scaled by trust = norm(x) / norm(d), or 1 where one of these is 0.

    With `adam_w_mode`, x -= lr * trust * (d + weight_decay * x); otherwise weight_decay * x is
    added to g.

    >>> import penstock as flow
    >>> x = flow.tensor([3.0, 4.0], requires_grad=True)
    >>> lamb = flow.optim.LAMB([x], lr=0.5)
    >>> x.grad = flow.tensor([1.0, 0.0])
    >>> lamb.step()
    >>> x
    tensor([0.5000, 4.0000], dtype=penstock.float32, requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 0.001,
        betas: Betas = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        adam_w_mode: bool = True,
        do_bias_correction: bool = True,
        amsgrad: bool = False,
        contiguous_params: bool = False,
        fused: bool = False,
    ) -> None:
        super().__init__(
            params,
            {
                "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                "adam_w_mode": adam_w_mode, "do_bias_correction": do_bias_correction,
                "amsgrad": amsgrad, "contiguous_params": contiguous_params, "fused": fused,
            },
        )  # fmt: skip

    def _check(self, group: ParamGroup) -> None:
        super()._check(group)
        check_flag(group["adam_w_mode"], "adam_w_mode of LAMB")
        if group["amsgrad"]:
            raise located(NotImplementedError, "LAMB has no amsgrad; use Adam or AdamW for it")

    def _rule(self, group: ParamGroup) -> Rule:
        decay = float(group["weight_decay"])
        options = self._averages(group)
        if group["adam_w_mode"]:
            return Rule("job.unbiased_lamb", (*options, ("weight_decay", decay)))
        return Rule("job.unbiased_lamb", options, decay)
