"""Profiles of live jobs, graphs and functions of `flow.jit`: their steps run code with counters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from penstock.process.collection import no_collection
from penstock.process.forks import making
from penstock.runtime import Executable
from penstock.runtime.profiling.profile import Profile
from penstock.stages.job_cache import compile_stages
from penstock.stages.native import executable, prepare
from penstock.stages.observed import Step

Array = np.ndarray[Any, Any]

_codes: WeakKeyDictionary[Any, dict[bool, Executable]] = WeakKeyDictionary()


class Profiler:
    """The observer of a thread that records the steps of compiled code."""

    def __init__(self) -> None:
        self.profile = Profile()

    def step(self, step: Step) -> Sequence[Array]:
        """Run a step with counters, and record it."""
        code = self.profile.timed(_timed_code(step))
        taps = code.description.taps
        own = {tap.id: step.handlers[tap.name] for tap in taps if tap.name in step.handlers}
        return step.run(code, own)

    def op(self, op: Any, operands: Sequence[Any], results: Sequence[Any]) -> None:
        """Ops on tensors are not recorded."""

    def backward(
        self, node: Any, saved: Any, gradients: Sequence[Any], found: Sequence[Any]
    ) -> None:
        """Nor are their gradients."""

    def assigned(self, target: Any, value: Any) -> None:
        """Nor is what is assigned."""

    def update(self, op: str, before: Sequence[Any], after: Sequence[Any]) -> None:
        """Nor are updates of tensors."""


def _timed_code(step: Step) -> Executable:
    """The code of a step with counters; it is compiled once, and kept with the job."""
    with making, no_collection():
        known = _codes.setdefault(step.owner, {})
        tapped = bool(step.handlers)
        if tapped not in known:
            modules = step.modules.with_taps() if tapped else step.modules
            modules = modules.with_times()
            name = modules[modules.first].job.sym_name
            program = compile_stages(name, modules, prepare).native
            known[tapped] = executable(program, step.callouts)
        return known[tapped]
