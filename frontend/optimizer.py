"""`flow.optimizer`: how a train job updates its variables.

    scheduler = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
    flow.optimizer.SGD(scheduler, momentum=0).minimize(loss)

The gradients are those of the sum of the loss, divided by its number of elements: a step descends
on the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.blob import Blob, check_blob
from penstock.errors import kind_of, located
from penstock.ir.core import Value
from penstock.ir.dialects.job import Minimize
from penstock.ir.record import Record
from penstock.schedules import (
    CosineScheduler,
    ExponentialScheduler,
    InverseTimeScheduler,
    LinearCosineScheduler,
    LrScheduler,
    NaturalExpScheduler,
    PiecewiseConstantScheduler,
    PiecewiseScalingScheduler,
    PolynomialScheduler,
    warmup,
)
from penstock.tracing import current_trace

__all__ = [
    "SGD",
    "SGDW",
    "CosineScheduler",
    "ExponentialScheduler",
    "InverseTimeScheduler",
    "LinearCosineScheduler",
    "NaturalExpScheduler",
    "PiecewiseConstantScheduler",
    "PiecewiseScalingScheduler",
    "PolynomialScheduler",
    "grad_clipping",
    "loss_scale",
    "warmup",
]


def _number(value: object, what: str, lowest: float = 0.0) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise located(TypeError, f"{what} must be a number, got {kind_of(value)}")
    if not value >= lowest:
        raise located(ValueError, f"{what} must be at least {lowest:g}, got {value}")
    return float(value)


class GradientClipping(Record):
    """Gradients scaled down together where their global norm exceeds `clip_norm`."""

    clip_norm: float


class grad_clipping:
    """`flow.optimizer.grad_clipping.by_global_norm(clip_norm)`"""

    @staticmethod
    def by_global_norm(clip_norm: float) -> GradientClipping:
        """Multiply all gradients by min(1, clip_norm / norm), norm over all of them together."""
        what = "clip_norm of by_global_norm"
        number = _number(clip_norm, what)
        if number == 0:
            raise located(ValueError, f"{what} must be above 0, got {clip_norm}")
        return GradientClipping(number)


class LossScale(Record):
    """A factor on the gradients of the loss, taken off again before the update."""

    factor: float


class loss_scale:
    """`flow.optimizer.loss_scale.static_loss_scale(factor)`"""

    @staticmethod
    def static_loss_scale(loss_scale_factor: float) -> LossScale:
        """The same factor at every step."""
        number = _number(loss_scale_factor, "loss_scale_factor of static_loss_scale")
        if number == 0:
            raise located(
                ValueError, "loss_scale_factor of static_loss_scale must be above 0, got 0"
            )
        return LossScale(number)

    @staticmethod
    def dynamic_loss_scale(
        initial_loss_scale: float = 2**30, increment_period: int = 2000, multiplier: float = 2.0
    ) -> LossScale:
        """Not available yet: a factor that follows whether gradients are finite."""
        raise located(
            NotImplementedError,
            "dynamic_loss_scale is not available yet; use static_loss_scale(factor)",
        )


class Optimizer:
    """Base of optimizers: what to do is a dict, `minimize` puts it into the job."""

    kind = ""

    def __init__(
        self,
        lr_scheduler: LrScheduler,
        loss_scale_factor: float | None,
        grad_clipping: GradientClipping | None,
        train_step_lbn: str | None,
        loss_scale_policy: LossScale | None,
    ) -> None:
        what = type(self).__name__
        if not isinstance(lr_scheduler, LrScheduler):
            raise located(
                TypeError,
                f"{what} takes a schedule such as "
                "flow.optimizer.PiecewiseConstantScheduler([], [0.1]), "
                f"got {kind_of(lr_scheduler)}",
            )
        if grad_clipping is not None and not isinstance(grad_clipping, GradientClipping):
            raise located(
                TypeError,
                f"grad_clipping of {what} takes flow.optimizer.grad_clipping.by_global_norm(norm), "
                f"got {kind_of(grad_clipping)}",
            )
        if train_step_lbn is not None:
            raise located(
                NotImplementedError,
                f"train_step_lbn of {what} is not available: every job counts its own steps",
            )
        self._schedule = lr_scheduler
        self._options: dict[str, Any] = {"kind": self.kind}
        if grad_clipping is not None:
            self._options["clip_norm"] = grad_clipping.clip_norm
        scale = _loss_scale(what, loss_scale_factor, loss_scale_policy)
        if scale is not None:
            self._options["loss_scale"] = scale.factor

    def minimize(self, loss: Blob | Sequence[Blob]) -> None:
        """Update every trainable variable of the job, so that the mean of the loss falls.

        Several losses must have one shape; their gradients add. A loss of no elements has no mean:
        ValueError. Works once in the body of a train job: NotImplementedError elsewhere.
        """
        what = f"{type(self).__name__}.minimize"
        trace = current_trace(what)
        if trace.job_type != "train":
            raise located(
                NotImplementedError,
                f"{what} works in a train job, and {trace.job} is a {trace.job_type} job; "
                'decorate it with @flow.global_function(type="train")',
            )
        if trace.minimized is not None:
            raise located(
                ValueError,
                f"job {trace.job} minimizes already ({trace.minimized.describe()}); "
                "give one call of minimize all the losses, as a list",
            )
        given = loss if isinstance(loss, list | tuple) else [loss]
        losses = [check_blob(one, what) for one in given]
        for one in losses:
            if 0 in one.shape:
                raise located(
                    ValueError,
                    f"{what} takes a loss of at least one element, whose mean is to fall, got loss "
                    f"{one.name} of shape {one.shape}; check the shapes that it is computed from",
                )
        _check_independent(what, losses)
        if not any(v.attributes["job.trainable"] for v in trace.variables.values()):
            raise located(
                ValueError, f"job {trace.job} has no trainable variable, so {what} can do nothing"
            )
        made = trace.create(
            Minimize,
            [blob.value for blob in losses],
            optimizer=self._options,
            schedule=self._schedule.describe(),
        )
        trace.minimized = made.location


def _check_independent(what: str, losses: Sequence[Blob]) -> None:
    """No loss may be computed from another: its gradient would count twice."""
    for position, loss in enumerate(losses):
        others = {o.value: o for i, o in enumerate(losses) if i != position}
        if loss.value in others:
            raise located(ValueError, f"{what} was given loss {loss.name} twice")
        seen: set[Value] = set()
        pending = [loss.value]
        while pending:
            op = pending.pop().defining_op
            for value in () if op is None else op.operands:
                if value in others:
                    raise located(
                        ValueError,
                        f"{what} was given loss {loss.name}, which is computed from loss "
                        f"{others[value].name}; losses must not depend on each other",
                    )
                if value not in seen:
                    seen.add(value)
                    pending.append(value)


def _loss_scale(what: str, factor: float | None, policy: LossScale | None) -> LossScale | None:
    if factor is not None and policy is not None:
        raise located(ValueError, f"{what} takes loss_scale_factor or loss_scale_policy, got both")
    if factor is not None:
        return loss_scale.static_loss_scale(factor)
    if policy is not None and not isinstance(policy, LossScale):
        raise located(
            TypeError,
            f"loss_scale_policy of {what} takes flow.optimizer.loss_scale.static_loss_scale(factor)"
            f", got {kind_of(policy)}",
        )
    return policy


class SGD(Optimizer):
    """Gradient descent: w -= lr * g, or, with momentum, v = momentum * v - lr * g and w += v.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function(type="train")
    ... def train(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
    ...     loss = x * flow.get_variable("w", (2,), initializer=flow.ones_initializer())
    ...     scheduler = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
    ...     flow.optimizer.SGD(scheduler, momentum=0).minimize(loss)
    ...     return loss
    >>> train(np.array([2, 4], np.float32))
    array([2., 4.], dtype=float32)
    >>> flow.get_all_variables()["w"].numpy()
    array([0.5, 0. ], dtype=float32)
    """

    kind = "sgd"

    def __init__(
        self,
        lr_scheduler: LrScheduler,
        loss_scale_factor: float | None = None,
        momentum: float = 0.9,
        grad_clipping: GradientClipping | None = None,
        train_step_lbn: str | None = None,
        loss_scale_policy: LossScale | None = None,
    ) -> None:
        super().__init__(
            lr_scheduler, loss_scale_factor, grad_clipping, train_step_lbn, loss_scale_policy
        )
        self._options["momentum"] = _number(momentum, f"momentum of {type(self).__name__}")


class SGDW(SGD):
    """SGD that also shrinks variables: w -= lr * weight_decay * w.

    With `weight_decay_includes`, only variables whose name holds one of these words; with
    `weight_decay_excludes`, all but those.
    """

    def __init__(
        self,
        lr_scheduler: LrScheduler,
        loss_scale_factor: float | None = None,
        momentum: float = 0.9,
        weight_decay: float | None = None,
        weight_decay_includes: Sequence[str] | str | None = None,
        weight_decay_excludes: Sequence[str] | str | None = None,
        grad_clipping: GradientClipping | None = None,
        train_step_lbn: str | None = None,
        loss_scale_policy: LossScale | None = None,
    ) -> None:
        super().__init__(
            lr_scheduler, loss_scale_factor, momentum, grad_clipping, train_step_lbn,
            loss_scale_policy,
        )  # fmt: skip
        if weight_decay_includes is not None and weight_decay_excludes is not None:
            raise located(
                ValueError, "SGDW takes weight_decay_includes or weight_decay_excludes, got both"
            )
        if weight_decay is not None:
            self._options["weight_decay"] = _number(weight_decay, "weight_decay of SGDW")
        for option, words in (
            ("weight_decay_includes", weight_decay_includes),
            ("weight_decay_excludes", weight_decay_excludes),
        ):
            if words is not None:
                self._options[option] = _words(words, option)


def _words(words: object, what: str) -> list[str]:
    given = [words] if isinstance(words, str) else words
    if not isinstance(given, list | tuple) or not all(isinstance(word, str) for word in given):
        raise located(TypeError, f"{what} of SGDW must be a list of names, got {kind_of(words)}")
    return list(given)
