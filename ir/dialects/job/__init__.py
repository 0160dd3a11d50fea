"""`job`: what a job does beyond tensors: it watches values, learns, and updates its variables.

A training job states `job.minimize` once; the pass `autodiff` replaces it by gradients, a learning
rate and one update per variable. What a variable is stands in the attributes of its function
argument: `job.variable`, `job.initializer`, `job.trainable` and, where there is one,
`job.regularizer = {l1 = ..., l2 = ...}`.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir import types as ty
from penstock.ir.codecs import DICT, STRING, STRINGS
from penstock.ir.constraints import BOOLEAN, TENSOR
from penstock.ir.core import Operation
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.job.accumulated import Adadelta, Adagrad, DampedMomentum
from penstock.ir.dialects.job.adaptive import (
    Adam,
    AverageWeight,
    CenteredRmsProp,
    Lamb,
    Lars,
    RmsProp,
)
from penstock.ir.dialects.job.option_kinds import NUMBER, RECORD, STEPS, WORDS, problem
from penstock.ir.dialects.job.schedule import LearningRate, schedule_problem
from penstock.ir.dialects.job.unbiased import UnbiasedAdam, UnbiasedAmsgrad, UnbiasedLamb
from penstock.ir.dialects.job.update import Momentum, Sgd, Update, update_of, updates
from penstock.ir.opdef import attribute, operand, operands, result
from penstock.ir.types import TensorType, Type

__all__ = [
    "Adadelta",
    "Adagrad",
    "Adam",
    "AverageWeight",
    "CenteredRmsProp",
    "DampedMomentum",
    "Lamb",
    "Lars",
    "LearningRate",
    "Listening",
    "Minimize",
    "Momentum",
    "Rate",
    "RmsProp",
    "Sgd",
    "UnbiasedAdam",
    "UnbiasedAmsgrad",
    "UnbiasedLamb",
    "Watch",
    "WatchDiff",
    "Watchable",
]

SERIAL = "job.number"
"""An attribute that tells the ops of a job apart, while some of them are fused."""
VALUES = "job.values"
"""Of the call of a group: for each result the number of the op that makes it, and which of its
results it is."""
BLOBS = "job.blobs"
"""Marks a private function that holds the job as it is before fusion, with `job.watchable`."""
OPTIONS = {
    "weight_decay_includes": WORDS,
    "weight_decay_excludes": WORDS,
    "clip_norm": NUMBER,
    "loss_scale": NUMBER,
    "dynamic_loss_scale": RECORD,
}
"""What `optimizer` may say whatever its kind."""
LOSS_SCALE = {"initial": NUMBER, "increment_period": STEPS, "multiplier": NUMBER}


class Watch(Operation):
    """Show the value to whoever listens under this name, each time the step comes by here.

    Shapes and elements: any tensor. It has an effect, so no pass removes or repeats it.
    """

    name = "job.watch"
    properties = False
    value = operand(TENSOR)
    label = attribute(STRING, key="name")


class WatchDiff(Operation):
    """Show the gradient of the sum of the losses with respect to the value, which passes by.

    Shapes and elements: a tensor of floats. `autodiff` turns it into a `job.watch` of the gradient,
    under the same name: of zeros where the losses do not depend on the value. It removes it where
    the job learns nothing.
    """

    name = "job.watch_diff"
    properties = False
    value = operand(TENSOR)
    label = attribute(STRING, key="name")

    def verify(self) -> None:
        if not ty.is_float(tensor(self.value).element):
            self.fail(f"expected a tensor of floats, which have gradients, got {self.value.type}")


class Watchable(Operation):
    """The value has a name, and can be watched under it; what is computed does not depend on that.

    Shapes and elements: any tensor. `mark-blobs` writes it for each named value, `autodiff` for the
    gradients of these, as `NAME/grad`, and `tap-blobs` puts a `job.watch` in its place: of the
    value itself, where fusion has left it, else of one that is computed again for whoever listens.
    """

    name = "job.watchable"
    properties = False
    value = operand(TENSOR)
    label = attribute(STRING, key="name")


class Listening(Operation):
    """Whether anyone listens under one of these names in this step.

        %on = "job.listening"() {names = ["hidden", "hidden/grad"]} : () -> i1
        scf.if %on { ... }

    The names are those of the `job.watch` that it guards.
    """

    name = "job.listening"
    properties = False
    pure = True
    names = attribute(STRINGS)
    on = result(BOOLEAN)

    def infer(self) -> Sequence[Type]:
        return [ty.i1]

    def verify(self) -> None:
        if not self.names:
            self.fail("expected at least one name, got none")


class Rate(Operation):
    """Learn at this rate: a tensor<f32> that the job computes, in place of a schedule.

    `job.minimize` says so by a schedule of kind "custom", and `autodiff` takes both away.
    """

    name = "job.rate"
    properties = False
    rate = operand(TENSOR)

    def verify(self) -> None:
        if self.rate.type is not TensorType((), ty.f32):
            self.fail(f"expected a learning rate of type tensor<f32>, got {self.rate.type}")


class Minimize(Operation):
    """Learn: move all trainable variables so that the mean of the losses falls.

    The losses are tensors of floats of one type. `optimizer` says how:

        {kind = "momentum", beta = 0.9, weight_decay = 0.01,
         weight_decay_includes = ["weight"], clip_norm = 1.0, loss_scale = 128.0}

    `kind` is that of an update such as `job.sgd` or `job.adam`, whose attributes may be given here.
    Beside these, all of which may be absent: `weight_decay_includes` or `weight_decay_excludes`,
    words, of which a variable's name must hold one, or none, for its weights to decay; `clip_norm`,
    which the norm of all gradients together does not exceed; `loss_scale`, by which gradients are
    multiplied until they are complete; `dynamic_loss_scale = {initial, increment_period,
    multiplier}` instead, which skips a step whose gradients are not finite and divides the scale,
    and multiplies it after so many good steps. `schedule` is that of `job.learning_rate`, or
    `{kind = "custom"}` where a `job.rate` says the rate.
    """

    name = "job.minimize"
    properties = False
    losses = operands(TENSOR)
    optimizer = attribute(DICT)
    schedule = attribute(DICT)

    @property
    def update(self) -> type[Update]:
        """The class of the updates."""
        found = update_of(self.optimizer.get("kind"))
        assert found is not None, "it is verified"
        return found

    @property
    def has_custom_rate(self) -> bool:
        """Whether a `job.rate` says the rate, and no schedule."""
        return bool(self.schedule.get("kind") == "custom")

    def verify(self) -> None:
        types = {value.type for value in self.losses}
        if not types:
            self.fail("expected at least one loss, got none")
        if len(types) > 1:
            given = " and ".join(sorted(map(str, types)))
            self.fail(f"expected losses of one shape and element type, got {given}")
        if not ty.is_float(tensor(self.losses[0]).element):
            self.fail(f"expected losses of floats, got {self.losses[0].type}: cast them first")
        wrong = self._problem()
        if wrong:
            self.fail(f"the optimizer: {wrong}")
        wrong = "" if self.has_custom_rate else schedule_problem(self.schedule)
        if wrong:
            self.fail(wrong)

    def _problem(self) -> str:
        options = dict(self.optimizer)
        kind = options.pop("kind", None)
        cls = update_of(kind)
        if cls is None:
            known = ", ".join(repr(update.kind) for update in updates())
            return f"expected kind = {known}, got {kind!r}"
        wrong = problem(options, {}, {**cls.fields(), **OPTIONS})
        dynamic = options.get("dynamic_loss_scale")
        if wrong or dynamic is None:
            return wrong
        if "loss_scale" in options:
            return "expected loss_scale or dynamic_loss_scale, got both"
        wrong = problem(dynamic, LOSS_SCALE, {})
        return wrong and f"dynamic_loss_scale: {wrong}"
