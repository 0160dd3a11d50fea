"""`flow.optimizer`: how a train job updates its variables.

    flow.optimizer.SGD(lr=0.1, momentum=0).minimize(loss)

A step descends on the mean of the loss: the gradients are those of its sum, divided by its number
of elements. Gradients of float16 and bfloat16 are divided, penalized and clipped in float32. An
optimizer's state has the variable's type, in which squares of small gradients may underflow to 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from penstock.basics.checks import (
    check_above_0,
    check_flag,
    check_integer,
    check_within,
    is_number,
)
from penstock.basics.errors import kind_of, located
from penstock.basics.names import no_such
from penstock.basics.notices import tell
from penstock.ir.core import Value
from penstock.ir.dialects.job import Minimize, Rate
from penstock.ir.record import Record
from penstock.networks.schedules import (
    CosineScheduler,
    CustomScheduler,
    ExponentialScheduler,
    InverseTimeScheduler,
    LinearCosineScheduler,
    LrScheduler,
    NaturalExpScheduler,
    PiecewiseConstantScheduler,
    PiecewiseScalingScheduler,
    PolynomialSchduler,
    PolynomialScheduler,
    warmup,
)
from penstock.networks.zero_start import tell_of_zero_kernels
from penstock.trace.blob import Blob, check_single, check_static
from penstock.trace.tracing import Trace, Variable, current_trace

__all__ = [
    "LAMB",
    "LARS",
    "SGD",
    "SGDW",
    "Adam",
    "AdamW",
    "CosineScheduler",
    "CustomScheduler",
    "ExponentialScheduler",
    "InverseTimeScheduler",
    "LazyAdam",
    "LinearCosineScheduler",
    "NaturalExpScheduler",
    "PiecewiseConstantScheduler",
    "PiecewiseScalingScheduler",
    "PolynomialSchduler",
    "PolynomialScheduler",
    "RMSProp",
    "grad_clipping",
    "loss_scale",
    "warmup",
]


LearningRate = LrScheduler | float
"""How fast an optimizer learns: the same rate in all steps, or a schedule."""


class GradientClipping(Record):
    """Scales all gradients down together if their global norm exceeds `clip_norm`."""

    clip_norm: float


class grad_clipping:
    """`flow.optimizer.grad_clipping.by_global_norm(clip_norm)`"""

    @staticmethod
    def by_global_norm(clip_norm: float) -> GradientClipping:
        """Multiply all gradients by min(1, clip_norm / norm), with the norm over all of them."""
        return GradientClipping(check_above_0(clip_norm, "clip_norm of by_global_norm"))


class LossScale(Record):
    """A factor on the loss's gradients, divided out before the update."""

    options: dict[str, Any]
    """Its attributes in `job.minimize`."""


class loss_scale:
    """`flow.optimizer.loss_scale.static_loss_scale(factor)`, `.dynamic_loss_scale(...)`"""

    @staticmethod
    def static_loss_scale(loss_scale_factor: float) -> LossScale:
        """The same factor in every step."""
        what = "loss_scale_factor of static_loss_scale"
        return LossScale({"loss_scale": check_above_0(loss_scale_factor, what)})

    @staticmethod
    def dynamic_loss_scale(
        initial_loss_scale: float = 2**30, increment_period: int = 2000, multiplier: float = 2.0
    ) -> LossScale:
        """A factor that adapts to whether gradients are finite.

        A step with infinite or NaN gradients changes no variable and divides the factor by
        `multiplier`, down to 1. After `increment_period` good steps in a row, the factor is
        multiplied by it, unless it would overflow float32. The state is in the variables
        `System-Train-DynamicLossScale-<job>-LossScale` and `-GoodStepCounter`.
        """
        what = "of dynamic_loss_scale"
        scale = check_above_0(initial_loss_scale, f"initial_loss_scale {what}")
        times = check_within(multiplier, f"multiplier {what}", 1)
        period = check_integer(increment_period, f"increment_period {what}")
        check_above_0(period, f"increment_period {what}")
        dynamic = {"initial": scale, "increment_period": period, "multiplier": times}
        return LossScale({"dynamic_loss_scale": dynamic})


class Optimizer:
    """Base of optimizers: a dict describes the update, `minimize` adds it to the job."""

    kind = ""

    def __init__(
        self,
        lr_scheduler: LearningRate | None,
        loss_scale_factor: float | None,
        grad_clipping: GradientClipping | None,
        train_step_lbn: str | None,
        loss_scale_policy: LossScale | None,
        lr: LearningRate | None = None,
    ) -> None:
        what = type(self).__name__
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
        self._schedule = _schedule(what, lr_scheduler, lr)
        self._options: dict[str, Any] = {"kind": self.kind}
        if grad_clipping is not None:
            self._options["clip_norm"] = grad_clipping.clip_norm
        scale = _loss_scale(what, loss_scale_factor, loss_scale_policy)
        if scale is not None:
            self._options.update(scale.options)

    def _averages(self, beta1: float, beta2: float, epsilon: float) -> None:
        """The options of optimizers with moving averages of gradients and their squares."""
        what = type(self).__name__
        self._options["beta1"] = check_within(beta1, f"beta1 of {what}", 0, 1)
        self._options["beta2"] = check_within(beta2, f"beta2 of {what}", 0, 1)
        self._options["epsilon"] = check_within(epsilon, f"epsilon of {what}", 0)

    def _decays(self, weight_decay: float | None, includes: object, excludes: object) -> None:
        """The options of optimizers with weight decay."""
        what = type(self).__name__
        if includes is not None and excludes is not None:
            raise located(
                ValueError,
                f"{what} takes weight_decay_includes or weight_decay_excludes, got both",
            )
        if weight_decay is not None:
            self._options["weight_decay"] = check_within(weight_decay, f"weight_decay of {what}", 0)
        for which, words in (("includes", includes), ("excludes", excludes)):
            if words is not None:
                option = f"weight_decay_{which}"
                self._options[option] = _words(words, f"{option} of {what}")

    def _check_filter(self, trace: Trace) -> None:
        """Warn if a word that selects variables for weight decay occurs in no variable's name."""
        names = [variable.name for variable in _trainable(trace)]
        for option in ("weight_decay_includes", "weight_decay_excludes"):
            for word in self._options.get(option, ()):
                if not any(word in name for name in names):
                    tell(
                        f'{option} of {type(self).__name__} has "{word}", which occurs in no name '
                        f"of a trainable variable of job {trace.job!r}: these are {_listed(names)}"
                    )

    def minimize(self, loss: Blob | Sequence[Blob]) -> None:
        """Update every trainable variable of the job to decrease the mean of the loss.

        Several losses must have one shape; their gradients are added. Raises ValueError for an
        empty loss, or one that depends on no trainable variable. Allowed once, in the body of a
        train job; elsewhere it raises NotImplementedError.
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
                f"job {trace.job!r} minimizes already ({trace.minimized.describe()}); "
                "give one call of minimize all the losses, as a list",
            )
        blobs = loss if isinstance(loss, list | tuple) else [loss]
        losses = [check_single(check_static(one, what), f"the loss of {what}") for one in blobs]
        for one in losses:
            if 0 in one.shape:
                raise located(
                    ValueError,
                    f"{what} takes a loss of at least one element, got loss {one.name} of shape "
                    f"{one.shape}; check the shapes that it is computed from",
                )
        _check_one_view(what, losses)
        _check_independent(what, losses)
        _check_learns(what, losses, trace)
        tell_of_zero_kernels(trace)
        self._check_filter(trace)
        rate = self._schedule.blob(trace)
        if rate is not None:
            trace.create(Rate, rate)
        op = trace.create(
            Minimize,
            [blob.value for blob in losses],
            optimizer=self._options | _indexed_rows(trace),
            schedule=self._schedule.describe(),
        )
        trace.minimized = op.location


def _indexed_rows(trace: Trace) -> dict[str, Any]:
    """What the job's `indexed_slices_optimizer_conf` adds to the attributes."""
    named = trace.config.indexed_rows
    names = [variable.name for variable in _trainable(trace)]
    for one in named:
        if one not in names:
            tell(
                f'indexed_slices_optimizer_conf has "{one}", which is no trainable variable of job '
                f"{trace.job!r}: these are {_listed(names)}"
            )
    found = [one for one in named if one in names]
    return {"indexed_rows": found} if found else {}


def _check_one_view(what: str, losses: Sequence[Blob]) -> None:
    """Refuse losses of which ranks share one and have another each."""
    local = [one for one in losses if one.is_local]
    shared = [one for one in losses if not one.is_local]
    if local and shared:
        raise located(
            ValueError,
            f"{what} takes losses of one view: each rank has its own {local[0].name}, and all "
            f"share {shared[0].name}; convert one with flow.cast_to_current_logical_view",
        )


def _schedule(what: str, lr_scheduler: object, lr: object) -> LrScheduler:
    """The schedule that was given, or that of one learning rate for all steps."""
    if lr_scheduler is not None and lr is not None:
        raise located(TypeError, f"{what} takes a schedule or lr, got both")
    rate = lr if lr_scheduler is None else lr_scheduler
    if isinstance(rate, LrScheduler):
        return rate
    if not is_number(rate):
        raise located(
            TypeError,
            f"{what} takes a learning rate such as 0.1, or a schedule such as "
            f"flow.optimizer.PiecewiseConstantScheduler([100], [0.1, 0.01]), got {kind_of(rate)}",
        )
    return PiecewiseConstantScheduler([], [check_within(rate, f"the learning rate of {what}", 0)])


def _check_independent(what: str, losses: Sequence[Blob]) -> None:
    """No loss may depend on another: its gradient would count twice."""
    for position, loss in enumerate(losses):
        others = {o.value: o for i, o in enumerate(losses) if i != position}
        if loss.value in others:
            raise located(ValueError, f"{what} was given loss {loss.name} twice")
        behind = _behind([loss])
        for other in others.values():
            if other.value in behind:
                raise located(
                    ValueError,
                    f"{what} was given loss {loss.name}, which is computed from loss {other.name}; "
                    "losses must not depend on each other",
                )


def _check_learns(what: str, losses: Sequence[Blob], trace: Trace) -> None:
    """Some loss must depend on a trainable variable."""
    trainable = _trainable(trace)
    if not trainable:
        raise located(
            ValueError, f"job {trace.job!r} has no trainable variable, so {what} can do nothing"
        )
    if losses and _behind(losses).isdisjoint(variable.blob.value for variable in trainable):
        raise located(
            ValueError,
            f"{what} takes a loss that depends on a trainable variable, got loss "
            f"{_listed([loss.name for loss in losses])}, which depends on none; job {trace.job!r} "
            f"has {_listed([v.name for v in trainable])}: compute the loss from them",
        )


def _behind(losses: Sequence[Blob]) -> set[Value]:
    """The losses and all values that they depend on."""
    pending = [loss.value for loss in losses]
    seen = set(pending)
    while pending:
        op = pending.pop().defining_op
        for value in () if op is None else op.operands:
            if value not in seen:
                seen.add(value)
                pending.append(value)
    return seen


def _trainable(trace: Trace) -> list[Variable]:
    return [v for v in trace.variables.values() if v.attributes["job.trainable"]]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"{', '.join(names[:8])}{more}"


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
    """Gradient descent: w -= lr * g; with momentum, v = momentum * v - lr * g and w += v.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function(type="train")
    ... def train(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
    ...     loss = x * flow.get_variable("w", (2,), initializer=flow.ones_initializer())
    ...     flow.optimizer.SGD(lr=0.5, momentum=0).minimize(loss)
    ...     return loss
    >>> train(np.array([2, 4], np.float32))
    array([2., 4.], dtype=float32)
    >>> flow.get_all_variables()["w"].numpy()
    array([0.5, 0. ], dtype=float32)
    """

    kind = "sgd"

    def __init__(
        self,
        lr_scheduler: LearningRate | None = None,
        loss_scale_factor: float | None = None,
        momentum: float = 0.9,
        grad_clipping: GradientClipping | None = None,
        train_step_lbn: str | None = None,
        loss_scale_policy: LossScale | None = None,
        *,
        lr: LearningRate | None = None,
    ) -> None:
        super().__init__(
            lr_scheduler, loss_scale_factor, grad_clipping, train_step_lbn, loss_scale_policy,
            lr=lr,
        )  # fmt: skip
        beta = check_within(momentum, f"momentum of {type(self).__name__}", 0)
        if beta:
            self._options.update(kind="momentum", beta=beta)


class SGDW(SGD):
    """SGD with weight decay: w -= lr * weight_decay * w.

    With `weight_decay_includes`, only variables whose name contains one of these words decay; with
    `weight_decay_excludes`, all others.
    """

    def __init__(
        self,
        lr_scheduler: LearningRate | None = None,
        loss_scale_factor: float | None = None,
        momentum: float = 0.9,
        weight_decay: float | None = None,
        weight_decay_includes: Sequence[str] | str | None = None,
        weight_decay_excludes: Sequence[str] | str | None = None,
        grad_clipping: GradientClipping | None = None,
        train_step_lbn: str | None = None,
        loss_scale_policy: LossScale | None = None,
        *,
        lr: LearningRate | None = None,
    ) -> None:
        super().__init__(
            lr_scheduler, loss_scale_factor, momentum, grad_clipping, train_step_lbn,
            loss_scale_policy, lr=lr,
        )  # fmt: skip
        self._decays(weight_decay, weight_decay_includes, weight_decay_excludes)


class Adam(Optimizer):
    """Adam: m and v are moving averages of g and g^2; w -= lr * m / (sqrt(v) + epsilon).

    With `do_bias_correction`, lr is multiplied by sqrt(1 - beta2^t) / (1 - beta1^t) in step t,
    counted from 1. The averages are kept in `<variable>-m` and `<variable>-v`.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function(type="train")
    ... def train(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
    ...     loss = x * flow.get_variable("w", (2,), initializer=flow.ones_initializer())
    ...     scheduler = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
    ...     flow.optimizer.Adam(scheduler, do_bias_correction=True).minimize(loss)
    ...     return loss
    >>> train(np.array([2, 4], np.float32))
    array([2., 4.], dtype=float32)
    >>> flow.get_all_variables()["w"].numpy().round(3)
    array([0.5, 0.5], dtype=float32)
    """

    kind = "adam"

    def __init__(
        self,
        lr_scheduler: LearningRate | None = None,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        do_bias_correction: bool = False,
        loss_scale_factor: float | None = None,
        grad_clipping: GradientClipping | None = None,
        train_step_lbn: str | None = None,
        loss_scale_policy: LossScale | None = None,
        *,
        lr: LearningRate | None = None,
    ) -> None:
        super().__init__(
            lr_scheduler, loss_scale_factor, grad_clipping, train_step_lbn, loss_scale_policy,
            lr=lr,
        )  # fmt: skip
        self._averages(beta1, beta2, epsilon)
        what = f"do_bias_correction of {type(self).__name__}"
        self._options["bias_correction"] = check_flag(do_bias_correction, what)


class LazyAdam(Adam):
    """Adam with bias correction. There are no sparse gradients: all rows are updated."""

    def __init__(
        self,
        lr_scheduler: LearningRate | None = None,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        loss_scale_factor: float | None = None,
        grad_clipping: GradientClipping | None = None,
        train_step_lbn: str | None = None,
        loss_scale_policy: LossScale | None = None,
        *,
        lr: LearningRate | None = None,
    ) -> None:
        super().__init__(
            lr_scheduler, beta1, beta2, epsilon, True, loss_scale_factor, grad_clipping,
            train_step_lbn, loss_scale_policy, lr=lr,
        )  # fmt: skip


class AdamW(Adam):
    """Adam with weight decay: w -= lr * (m / (sqrt(v) + epsilon) + weight_decay * w).

    With `weight_decay_includes`, only variables whose name contains one of these words decay; with
    `weight_decay_excludes`, all others. Bias correction is as for Adam.
    """

    def __init__(
        self,
        lr_scheduler: LearningRate | None = None,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        do_bias_correction: bool = False,
        loss_scale_factor: float | None = None,
        weight_decay: float | None = None,
        weight_decay_includes: Sequence[str] | str | None = None,
        weight_decay_excludes: Sequence[str] | str | None = None,
        grad_clipping: GradientClipping | None = None,
        train_step_lbn: str | None = None,
        loss_scale_policy: LossScale | None = None,
        *,
        lr: LearningRate | None = None,
    ) -> None:
        super().__init__(
            lr_scheduler, beta1, beta2, epsilon, do_bias_correction, loss_scale_factor,
            grad_clipping, train_step_lbn, loss_scale_policy, lr=lr,
        )  # fmt: skip
        self._decays(weight_decay, weight_decay_includes, weight_decay_excludes)


class RMSProp(Optimizer):
    """RMSProp: s is a moving average of g^2; w -= lr * g / sqrt(s + epsilon).

    With `centered`, the square of a moving average of g is subtracted from s under the root. The
    averages are kept in `<variable>-mean_square` and `<variable>-mean_gradient`.
    """

    def __init__(
        self,
        lr_scheduler: LearningRate | None = None,
        decay_rate: float = 0.99,
        epsilon: float = 1e-8,
        centered: bool = False,
        loss_scale_factor: float | None = None,
        grad_clipping: GradientClipping | None = None,
        train_step_lbn: str | None = None,
        loss_scale_policy: LossScale | None = None,
        *,
        lr: LearningRate | None = None,
    ) -> None:
        self.kind = (
            "centered_rms_prop" if check_flag(centered, "centered of RMSProp") else "rms_prop"
        )
        super().__init__(
            lr_scheduler, loss_scale_factor, grad_clipping, train_step_lbn, loss_scale_policy,
            lr=lr,
        )  # fmt: skip
        self._options["decay_rate"] = check_within(decay_rate, "decay_rate of RMSProp", 0, 1)
        self._options["epsilon"] = check_within(epsilon, "epsilon of RMSProp", 0)


class LAMB(Optimizer):
    """LAMB: Adam's step with bias correction, scaled by norm(w) / norm(step).

    d = m' / sqrt(v' + epsilon), where m' and v' are the corrected averages; w -= lr * trust * (d +
    weight_decay * w), where trust is norm(w) / norm(d), or 1 if either norm is 0. Weight decay and
    its filters are as for AdamW. The averages are kept in `<variable>-m` and `<variable>-v`.
    """

    kind = "lamb"

    def __init__(
        self,
        lr_scheduler: LearningRate | None = None,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        loss_scale_factor: float | None = None,
        grad_clipping: GradientClipping | None = None,
        train_step_lbn: str | None = None,
        loss_scale_policy: LossScale | None = None,
        weight_decay: float | None = None,
        weight_decay_includes: Sequence[str] | str | None = None,
        weight_decay_excludes: Sequence[str] | str | None = None,
        *,
        lr: LearningRate | None = None,
    ) -> None:
        super().__init__(
            lr_scheduler, loss_scale_factor, grad_clipping, train_step_lbn, loss_scale_policy,
            lr=lr,
        )  # fmt: skip
        self._averages(beta1, beta2, epsilon)
        self._decays(weight_decay, weight_decay_includes, weight_decay_excludes)


class LARS(Optimizer):
    """LARS: momentum with the rate lr * lars_coefficient * |w| / (epsilon + |g|) for each variable.

    |x| is the root mean square; v = momentum_beta * v - rate * g and w += v, and v is kept in
    `<variable>-momentum`.
    """

    kind = "lars"

    def __init__(
        self,
        lr_scheduler: LearningRate | None = None,
        momentum_beta: float = 0.9,
        epsilon: float = 1e-9,
        lars_coefficient: float = 1e-4,
        loss_scale_factor: float | None = None,
        grad_clipping: GradientClipping | None = None,
        train_step_lbn: str | None = None,
        loss_scale_policy: LossScale | None = None,
        *,
        lr: LearningRate | None = None,
    ) -> None:
        super().__init__(
            lr_scheduler, loss_scale_factor, grad_clipping, train_step_lbn, loss_scale_policy,
            lr=lr,
        )  # fmt: skip
        self._options["beta"] = check_within(momentum_beta, "momentum_beta of LARS", 0)
        self._options["epsilon"] = check_within(epsilon, "epsilon of LARS", 0)
        self._options["lars_coefficient"] = check_within(
            lars_coefficient, "lars_coefficient of LARS", 0
        )


def _words(words: object, what: str) -> list[str]:
    patterns = [words] if isinstance(words, str) else words
    if not isinstance(patterns, list | tuple) or not all(
        isinstance(word, str) for word in patterns
    ):
        raise located(TypeError, f"{what} must be a list of names, got {kind_of(words)}")
    return list(patterns)


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.optimizer")
