"""Callbacks of `Model.train`."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from penstock.basics.checks import check_count
from penstock.basics.errors import kind_of, located
from penstock.mindspore.tensor import Tensor


class RunContext:
    """What callbacks get: the state of training, and a way to end it."""

    def __init__(self, original_args: SimpleNamespace) -> None:
        self._args = original_args
        self.stops = False

    def original_args(self) -> SimpleNamespace:
        """The state: cur_epoch_num, cur_step_num, batch_num, epoch_num, net_outputs, network,
        optimizer."""
        return self._args

    def request_stop(self) -> None:
        """End training after this step."""
        self.stops = True

    def get_stop_requested(self) -> bool:
        """Whether `request_stop` was called."""
        return self.stops


class Callback:
    """Base of callbacks: subclass it, and define what is called around training, epochs and steps.

    >>> from penstock.mindspore.train import Callback
    >>> class Stop(Callback):
    ...     def step_end(self, run_context):
    ...         run_context.request_stop()
    """

    def begin(self, run_context: RunContext) -> None:
        """Called before training."""

    def epoch_begin(self, run_context: RunContext) -> None:
        """Called before an epoch."""

    def step_begin(self, run_context: RunContext) -> None:
        """Called before a step."""

    def step_end(self, run_context: RunContext) -> None:
        """Called after a step."""

    def epoch_end(self, run_context: RunContext) -> None:
        """Called after an epoch."""

    def end(self, run_context: RunContext) -> None:
        """Called after training."""


class LossMonitor(Callback):
    """Prints the loss after every `per_print_times` steps; raises a located ValueError if it is NaN
    or infinite."""

    def __init__(self, per_print_times: int = 1) -> None:
        self._every = check_count(per_print_times, "per_print_times of LossMonitor")

    def step_end(self, run_context: RunContext) -> None:
        state = run_context.original_args()
        loss = loss_of(state.net_outputs)
        step = (state.cur_step_num - 1) % state.batch_num + 1
        if not -float("inf") < loss < float("inf"):
            raise located(
                ValueError,
                f"the loss of epoch {state.cur_epoch_num}, step {step}, is {loss}; find the op "
                "with flow.debug.nonfinite()",
            )
        if state.cur_step_num % self._every == 0:
            print(f"epoch: {state.cur_epoch_num} step: {step}, loss is {loss}")


def loss_of(outputs: Any) -> float:
    """The loss among what a step returned: a tensor, or the first of a tuple."""
    first = outputs[0] if isinstance(outputs, tuple | list) else outputs
    assert isinstance(first, Tensor), "a step returns its loss"
    return float(first.asnumpy().mean())


def checked(callbacks: Any) -> list[Callback]:
    """The callbacks as a list, or a located TypeError."""
    given = [] if callbacks is None else callbacks
    found = list(given) if isinstance(given, Iterable) else [given]
    for one in found:
        if not isinstance(one, Callback):
            raise located(
                TypeError, f"callbacks of Model must be of class Callback, got {kind_of(one)}"
            )
    return found
