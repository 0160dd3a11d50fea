"""`job`: everything a job does besides tensor ops: watching values, training, updating variables.

A training job states `job.minimize` once; the pass `autodiff` replaces it by gradients, a learning
rate and one update per variable. A variable is described by attributes of its function argument:
`job.variable`, `job.initializer`, `job.trainable` and, if it has a regularizer,
`job.regularizer = {l1 = ..., l2 = ...}`. With `job.array`, its memory is an array of the program,
which is aligned to 16 bytes instead of 64.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr
from penstock.ir.codecs import DICT, INTEGER, STRING, STRINGS
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
from penstock.ir.dialects.job.between_devices import CopyHd, Give, Take
from penstock.ir.dialects.job.callout import Callout, GradientCallout, OutsideCall, PureCallout
from penstock.ir.dialects.job.collective import Await, Collective
from penstock.ir.dialects.job.custom import CustomGradient, OutputGradient
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
    "Await",
    "Callout",
    "CenteredRmsProp",
    "Collective",
    "CopyHd",
    "CustomGradient",
    "DampedMomentum",
    "Give",
    "GradientCallout",
    "Lamb",
    "Lars",
    "LearningRate",
    "Listening",
    "Minimize",
    "Momentum",
    "OutputGradient",
    "OutsideCall",
    "PureCallout",
    "Rate",
    "RmsProp",
    "Sgd",
    "Take",
    "UnbiasedAdam",
    "UnbiasedAmsgrad",
    "UnbiasedLamb",
    "Watch",
    "WatchDiff",
    "Watchable",
]

DETACHED = "job.detached"
"""An attribute of an op through which no gradient flows."""
RECOMPUTE = "job.recompute"
"""An attribute of an op whose results gradients compute again instead of keeping them: the number
of the segment of ops that are computed again together."""
GRADIENT_OF = "job.gradient_of"
"""An attribute of an op of the backward pass: the number of the segment whose gradient it is."""
AGAIN = "job.again"
"""An attribute of an op that computes what another one has computed, so that less is kept: a
number, by which `cse` tells it from others. Its generics have it in `flow.op`."""
IF_NEEDED = IntegerAttr(-1)
"""The number of the ops that are computed again only if a limit of memory asks for it."""
MEMORY = "job.memory"
"""An attribute of the module: the bytes of a rank that a step may take."""
MEMORY_TARGETS = "job.memory_targets"
"""An attribute of the module: what passes aim at, by their own estimates, so that a step takes no
more than `job.memory`. `copies` is the part of the bytes to which `recompute` reduces them, and
`parts` the bytes within which `choose` splits; 1.0 and 0 ask for nothing."""
RECOMPUTED = "job.recomputed"
"""An attribute of the module: bytes of a rank before and after gradients compute ops again for its
limit of memory, how many ops that are, and their predicted seconds."""
SERIAL = "job.number"
"""An attribute that identifies the ops of a job during fusion."""
VALUES = "job.values"
"""On the call of a group: for each result, the number of its op and its index among the op's
results."""
BLOBS = "job.blobs"
"""Marks a private function with the job before fusion, including `job.watchable`."""
OPTIONS = {
    "weight_decay_includes": WORDS,
    "weight_decay_excludes": WORDS,
    "clip_norm": NUMBER,
    "loss_scale": NUMBER,
    "dynamic_loss_scale": RECORD,
    "indexed_rows": WORDS,
}
"""Entries of `optimizer` for every kind."""
LOSS_SCALE = {"initial": NUMBER, "increment_period": STEPS, "multiplier": NUMBER}


class Watch(Operation):
    """Show the value to the handlers of this name, at this point of each step.

    Shapes and elements: any tensor. It has an effect, so no pass removes or repeats it.
    """

    name = "job.watch"
    properties = False
    value = operand(TENSOR)
    label = attribute(STRING, key="name")


class WatchDiff(Operation):
    """Show the gradient of the sum of the losses with respect to the value.

    Shapes and elements: a tensor of floats. `autodiff` turns it into a `job.watch` of the gradient,
    under the same name: of zeros if the losses do not depend on the value. It removes the op from a
    job without training.
    """

    name = "job.watch_diff"
    properties = False
    value = operand(TENSOR)
    label = attribute(STRING, key="name")

    def verify(self) -> None:
        if not ty.is_float(tensor(self.value).element):
            self.fail(f"expected a tensor of floats, which have gradients, got {self.value.type}")


class Watchable(Operation):
    """The value has a name under which it can be watched. Results do not depend on this op.

    Shapes and elements: any tensor. `mark-blobs` writes it for each named value, `autodiff` for the
    gradients of these, as `NAME/grad`, and `tap-blobs` puts a `job.watch` in its place: of the
    value itself if fusion kept it, else of a recomputed one.
    """

    name = "job.watchable"
    properties = False
    takes_parts = True
    value = operand(TENSOR)
    label = attribute(STRING, key="name")


class Listening(Operation):
    """Whether one of these names has a handler in this step.

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
    """Train at this rate: a tensor<f32> that the job computes, instead of a schedule.

    `job.minimize` then has a schedule of kind "custom"; `autodiff` removes both.
    """

    name = "job.rate"
    properties = False
    rate = operand(TENSOR)

    def verify(self) -> None:
        if self.rate.type is not TensorType((), ty.f32):
            self.fail(f"expected a learning rate of type tensor<f32>, got {self.rate.type}")


class Minimize(Operation):
    """Train: update all trainable variables to reduce the mean of the losses.

    The losses are tensors of floats of one type. `optimizer` is, for example:

        {kind = "momentum", beta = 0.9, weight_decay = 0.01,
         weight_decay_includes = ["weight"], clip_norm = 1.0, loss_scale = 128.0}

    `kind` names an update such as `job.sgd` or `job.adam`, whose attributes may be entries. Further
    optional entries: `weight_decay_includes` or `weight_decay_excludes`, words of which a
    variable's name must contain one, or none, for weight decay; `clip_norm`, the maximum global
    norm of the gradients; `loss_scale`, by which gradients are multiplied during the backward pass;
    `dynamic_loss_scale = {initial, increment_period, multiplier}` instead, which skips a step with
    non-finite gradients and divides the scale, and multiplies it after this many good steps;
    `indexed_rows`, variables of whose rows only those are updated that indices touched.
    `schedule` is that of `job.learning_rate`, or `{kind = "custom"}` if a `job.rate` computes the
    rate. `elements` is how many one loss has on all ranks, if each rank has its own.
    """

    name = "job.minimize"
    properties = False
    takes_gradients = True
    losses = operands(TENSOR)
    optimizer = attribute(DICT)
    schedule = attribute(DICT)
    elements = attribute(INTEGER, optional=True)

    @property
    def update(self) -> type[Update]:
        """The class of the updates."""
        found = update_of(self.optimizer.get("kind"))
        assert found is not None, "it is verified"
        return found

    @property
    def has_custom_rate(self) -> bool:
        """Whether a `job.rate` computes the rate."""
        return bool(self.schedule.get("kind") == "custom")

    def verify(self) -> None:
        types = {value.type for value in self.losses}
        if not types:
            self.fail("expected at least one loss, got none")
        if len(types) > 1:
            words = " and ".join(sorted(map(str, types)))
            self.fail(f"expected losses of one shape and element type, got {words}")
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
