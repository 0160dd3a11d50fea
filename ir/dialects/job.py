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
from penstock.ir.dialects.job_schedule import LearningRate, schedule_problem
from penstock.ir.dialects.job_update import Momentum, Sgd
from penstock.ir.opdef import attribute, operand, operands, result
from penstock.ir.records import NUMBER, WORDS, problem
from penstock.ir.types import Type

__all__ = [
    "LearningRate",
    "Listening",
    "Minimize",
    "Momentum",
    "Sgd",
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
OPTIMIZERS = ("sgd",)
OPTIONS = {
    "momentum": NUMBER,
    "weight_decay": NUMBER,
    "weight_decay_includes": WORDS,
    "weight_decay_excludes": WORDS,
    "clip_norm": NUMBER,
    "loss_scale": NUMBER,
}


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
    under the same name, and removes it where the losses do not depend on the value.
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


class Minimize(Operation):
    """Learn: move all trainable variables so that the mean of the losses falls.

    The losses are tensors of floats of one type. `optimizer` says how:

        {kind = "sgd", momentum = 0.9, weight_decay = 0.0,
         weight_decay_includes = ["weight"], weight_decay_excludes = ["bias"],
         clip_norm = 1.0, loss_scale = 128.0}

    where all but `kind` may be absent: momentum and weight decay are then 0, all variables decay
    (else those whose name holds one of the words, or holds none), nothing is clipped, and the loss
    scale is 1. `schedule` is that of `job.learning_rate`.
    """

    name = "job.minimize"
    properties = False
    losses = operands(TENSOR)
    optimizer = attribute(DICT)
    schedule = attribute(DICT)

    def verify(self) -> None:
        types = {value.type for value in self.losses}
        if not types:
            self.fail("expected at least one loss, got none")
        if len(types) > 1:
            given = " and ".join(sorted(map(str, types)))
            self.fail(f"expected losses of one shape and element type, got {given}")
        if not ty.is_float(tensor(self.losses[0]).element):
            self.fail(f"expected losses of floats, got {self.losses[0].type}: cast them first")
        kind = self.optimizer.get("kind")
        if kind not in OPTIMIZERS:
            known = ", ".join(map(repr, OPTIMIZERS))
            self.fail(f"expected an optimizer of kind {known}, got {kind!r}")
        options = {name: value for name, value in self.optimizer.items() if name != "kind"}
        wrong = problem(options, {}, OPTIONS)
        if wrong:
            self.fail(f"the optimizer: {wrong}")
        wrong = schedule_problem(self.schedule)
        if wrong:
            self.fail(wrong)
