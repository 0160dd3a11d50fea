"""Gradient descent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from penstock.basics.checks import check_flag, check_number, check_within
from penstock.optim.optimizer import NativeOptimizer, ParamGroup
from penstock.optim.updates import Rule


def check_rate(group: ParamGroup, what: str) -> None:
    """Raise a located error for an invalid learning rate or weight decay."""
    check_within(group["lr"], f"lr of {what}", 0)
    check_within(group["weight_decay"], f"weight_decay of {what}", 0)


class SGD(NativeOptimizer):
    """Gradient descent: x -= lr * g, or, with momentum, m = momentum * m + (1 - dampening) * g.

    Then x -= lr * m, or with `nesterov` x -= lr * (g + momentum * m). `weight_decay` adds
    weight_decay * x to g; `maximize` ascends instead. m starts at 0. In all optimizers
    `contiguous_params` and `fused` have no effect: a step is one native call anyway.

    >>> import penstock as flow
    >>> x = flow.tensor([1.0, 2.0], requires_grad=True)
    >>> sgd = flow.optim.SGD([x], lr=0.25)
    >>> (x * x).sum().backward()
    >>> sgd.step()
    >>> x
    tensor([0.5000, 1.0000], dtype=penstock.float32, requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 0.001,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        maximize: bool = False,
        contiguous_params: bool = False,
        fused: bool = False,
    ) -> None:
        super().__init__(
            params,
            {
                "lr": lr, "momentum": momentum, "dampening": dampening,
                "weight_decay": weight_decay, "nesterov": nesterov, "maximize": maximize,
                "contiguous_params": contiguous_params, "fused": fused,
            },
        )  # fmt: skip

    def _check(self, group: ParamGroup) -> None:
        check_rate(group, "SGD")
        check_within(group["momentum"], "momentum of SGD", 0)
        check_number(group["dampening"], "dampening of SGD")
        check_flag(group["maximize"], "maximize of SGD")
        check_flag(group["nesterov"], "nesterov of SGD")

    def _rule(self, group: ParamGroup) -> Rule:
        decay = float(group["weight_decay"])
        if not group["momentum"] and not group["maximize"]:
            return Rule("job.sgd", (("weight_decay", decay),))
        if not group["momentum"]:
            return Rule("job.sgd", (), decay, True)
        options = (
            ("beta", float(group["momentum"])),
            ("dampening", float(group["dampening"])),
            ("nesterov", group["nesterov"]),
        )
        return Rule("job.damped_momentum", options, decay, group["maximize"])
