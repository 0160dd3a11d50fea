"""Optimizers that scale steps by accumulated squared gradients: Adagrad, Adadelta, RMSprop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from penstock.basics.checks import check_flag, check_within
from penstock.basics.errors import located
from penstock.optim.descent import check_rate
from penstock.optim.optimizer import NativeOptimizer, ParamGroup
from penstock.optim.updates import Rule


class Adagrad(NativeOptimizer):
    """Adagrad: s += g^2, and x -= rate * g / (sqrt(s) + eps).

    The rate is lr / (1 + t * lr_decay) after t steps; s starts at `initial_accumulator_value`.
    `weight_decay` adds weight_decay * x to g.

    >>> import penstock as flow
    >>> x = flow.tensor([1.0, 2.0], requires_grad=True)
    >>> adagrad = flow.optim.Adagrad([x], lr=0.5)
    >>> (x * x).sum().backward()
    >>> adagrad.step()
    >>> x
    tensor([0.5000, 1.5000], dtype=penstock.float32, requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 0.001,
        lr_decay: float = 0.0,
        weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
        contiguous_params: bool = False,
    ) -> None:
        super().__init__(
            params,
            {
                "lr": lr, "lr_decay": lr_decay, "weight_decay": weight_decay,
                "initial_accumulator_value": initial_accumulator_value, "eps": eps,
                "contiguous_params": contiguous_params,
            },
        )  # fmt: skip

    def _check(self, group: ParamGroup) -> None:
        check_rate(group, "Adagrad")
        for name in ("lr_decay", "initial_accumulator_value", "eps"):
            check_within(group[name], f"{name} of Adagrad", 0)

    def _start(self, group: ParamGroup, name: str) -> float:
        return float(group["initial_accumulator_value"])

    def _numbers(self, rate: Any, group: ParamGroup, taken: Any) -> list[Any]:
        return [rate / (1 + (taken - 1) * float(group["lr_decay"]))]

    def _rule(self, group: ParamGroup) -> Rule:
        options = (("epsilon", float(group["eps"])),)
        return Rule("job.adagrad", options, float(group["weight_decay"]))


class Adadelta(NativeOptimizer):
    """Adadelta: s = rho * s + (1 - rho) * g^2, and a step d = g * sqrt(u + eps) / sqrt(s + eps).

    Then u = rho * u + (1 - rho) * d^2, and x -= lr * d. `weight_decay` adds weight_decay * x to g;
    `maximize` ascends instead.

    >>> import penstock as flow
    >>> x = flow.tensor([1.0, 2.0], requires_grad=True)
    >>> adadelta = flow.optim.Adadelta([x], lr=100.0, rho=0.75, eps=0.0025)
    >>> x.grad = flow.tensor([0.0, 0.1])
    >>> adadelta.step()
    >>> x
    tensor([ 1.0000, -5.0711], dtype=penstock.float32, requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0.0,
        maximize: bool = False,
        contiguous_params: bool = False,
    ) -> None:
        super().__init__(
            params,
            {
                "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay,
                "maximize": maximize, "contiguous_params": contiguous_params,
            },
        )  # fmt: skip

    def _check(self, group: ParamGroup) -> None:
        check_rate(group, "Adadelta")
        check_within(group["rho"], "rho of Adadelta", 0, 1)
        check_within(group["eps"], "eps of Adadelta", 0)
        check_flag(group["maximize"], "maximize of Adadelta")

    def _rule(self, group: ParamGroup) -> Rule:
        options = (("rho", float(group["rho"])), ("epsilon", float(group["eps"])))
        return Rule("job.adadelta", options, float(group["weight_decay"]), group["maximize"])


class RMSprop(NativeOptimizer):
    """RMSprop: s is a moving average of g^2, and x -= lr * g / sqrt(s + eps).

    With `centered`, the square of a moving average of g is subtracted from s under the root.
    `weight_decay` adds weight_decay * x to g. As in OneFlow, eps is under the root.

    >>> import penstock as flow
    >>> x = flow.tensor([1.0, 2.0], requires_grad=True)
    >>> rmsprop = flow.optim.RMSprop([x], lr=0.5, alpha=0.75)
    >>> (x * x).sum().backward()
    >>> rmsprop.step()
    >>> x
    tensor([0., 1.], dtype=penstock.float32, requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 0.001,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum: float = 0.0,
        centered: bool = False,
        contiguous_params: bool = False,
    ) -> None:
        super().__init__(
            params,
            {
                "lr": lr, "alpha": alpha, "eps": eps, "weight_decay": weight_decay,
                "momentum": momentum, "centered": centered,
                "contiguous_params": contiguous_params,
            },
        )  # fmt: skip

    def _check(self, group: ParamGroup) -> None:
        check_rate(group, "RMSprop")
        check_within(group["alpha"], "alpha of RMSprop", 0, 1)
        check_within(group["eps"], "eps of RMSprop", 0)
        check_flag(group["centered"], "centered of RMSprop")
        if group["momentum"]:
            raise located(
                NotImplementedError, f"RMSprop has no momentum, got {group['momentum']}; use 0"
            )

    def _rule(self, group: ParamGroup) -> Rule:
        options = (("decay_rate", float(group["alpha"])), ("epsilon", float(group["eps"])))
        op = "job.centered_rms_prop" if group["centered"] else "job.rms_prop"
        return Rule(op, options, float(group["weight_decay"]))
