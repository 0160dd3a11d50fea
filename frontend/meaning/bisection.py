"""Finds the pass, and in it the first rewrite, after which a job computes another result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np

from penstock.ir.dialects.builtin import Module
from penstock.ir.text.printer import print_module
from penstock.ir.text_diff import text_diff
from penstock.meaning.results import (
    Difference,
    difference,
    draw_inputs,
    meaning,
    result_names,
    tolerance_of,
)
from penstock.passes.base import Pass
from penstock.passes.manager import run_pipeline
from penstock.passes.report import Report

Array = np.ndarray[Any, Any]
Run = Callable[[Module, Mapping[str, Array]], dict[str, Array]]
"""Computes the results of a module by name, as `meaning` does."""


@dataclass(frozen=True)
class Culprit:
    """The pass and rewrite that made a job compute another result."""

    pass_name: str
    """The pass, with its options."""
    position: int
    """Its position in the pipeline, from 1."""
    passes: int
    """The number of passes in the pipeline."""
    rewrite: str
    """The rewrite, as `pattern on op at place`; empty if the pass is one step."""
    number: int
    """Its number in that pass, from 1; 0 if the pass is one step."""
    difference: Difference
    before: Module = field(repr=False)
    """The module before the rewrite, or before the pass."""
    after: Module = field(repr=False)

    def __str__(self) -> str:
        at = f"pass {self.position} of {self.passes}, {self.pass_name}"
        what = f"rewrite {self.number} of it, {self.rewrite}" if self.rewrite else "all of it"
        return f"{at}: {what}\n{self.difference}\n\n{self.changes()}"

    def changes(self) -> str:
        """A diff of the modules before and after."""
        texts = (print_module(module, locations=False) for module in (self.before, self.after))
        return text_diff(*texts)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "pass": self.pass_name, "position": self.position, "passes": self.passes,
            "rewrite": self.rewrite, "number": self.number, "result": self.difference.name,
            "difference": self.difference.sentence, "diff": self.changes(),
        }  # fmt: skip

    def write(self, folder: Path) -> None:
        """Write `before.mlir` and `after.mlir`, which parse."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, module in (("before", self.before), ("after", self.after)):
            (folder / f"{name}.mlir").write_text(print_module(module), encoding="utf-8")


def bisect(
    module: Module,
    passes: Sequence[Pass],
    inputs: Mapping[str, Array] | None = None,
    seed: int = 0,
    tolerance: float | None = None,
    tell: Callable[[str], object] = lambda text: None,
    run: Run = meaning,
) -> Culprit | None:
    """The first pass and rewrite that change what a job computes; None if there is none.

    `inputs` maps the names of `penstock.meaning.results`, such as `feed x`, to arrays; the
    others are drawn at random. `run` computes what a module means. The search assumes that a wrong
    result stays wrong. The results of backward ops are known only after `autodiff` has made them.
    Raises `IRError` if a pass fails.
    """
    return _Search(module, passes, inputs or {}, seed, tolerance, tell, run).run()


def wrong_result(module: Module, passes: Sequence[Pass], seed: int) -> Difference | None:
    """The difference after all passes; raises `IRError` if one fails."""
    return _Search(module, passes, {}, seed, None, lambda text: None).last()


class _Search:
    def __init__(
        self, module: Module, passes: Sequence[Pass], inputs: Mapping[str, Array], seed: int,
        tolerance: float | None, tell: Callable[[str], object], run: Run = meaning,
    ) -> None:  # fmt: skip
        self.meaning = run
        self.passes = passes
        self.tolerance = tolerance_of(module) if tolerance is None else tolerance
        self.tell = tell
        self.modules = [module]
        self.reports: list[Report] = []
        for step in passes:
            tell(f"running {step}")
            after, report = _stepped(self.modules[-1], step)
            self.modules.append(after)
            self.reports.append(report)
        tell("drawing inputs")
        # Passes add results, and arguments that these results need.
        names = [result_names(module) for module in self.modules]
        whole = names.index(max(names, key=len))
        self.inputs = draw_inputs(self.modules[whole], inputs, seed)
        self.expected = self.meaning(module, self.inputs)

    def last(self) -> Difference | None:
        _, wrong = self._learn()
        return wrong or self._after(len(self.passes))

    def run(self) -> Culprit | None:
        position, wrong = self._learn()
        bad = position if wrong else len(self.passes)
        wrong = wrong or self._after(bad)
        if wrong is None:
            return None
        good = 0
        while bad - good > 1:
            middle = (good + bad) // 2
            found = self._after(middle)
            if found is None:
                good = middle
            else:
                bad, wrong = middle, found
        return self._rewrite(bad, wrong)

    def _learn(self) -> tuple[int, Difference | None]:
        """Record results that first exist in later modules, such as new weights.

        Returns the last position examined, and the difference found there.
        """
        for position, module in enumerate(self.modules):
            if result_names(module) - set(self.expected):
                found = self.meaning(module, self.inputs)
                wrong = difference(self.expected, found, self.tolerance)
                if wrong is not None:
                    return position, wrong
                self.expected = {**found, **self.expected}
        return 0, None

    def _after(self, position: int) -> Difference | None:
        """The difference after this many passes."""
        if not position:
            return None
        self.tell(f"running the job after pass {position} of {len(self.passes)}")
        return self._compared(self.modules[position])

    def _compared(self, module: Module) -> Difference | None:
        return difference(self.expected, self.meaning(module, self.inputs), self.tolerance)

    def _rewrite(self, position: int, wrong: Difference) -> Culprit:
        """The culprit in a pass before which the job is right, and after which it is wrong."""
        step, before = self.passes[position - 1], self.modules[position - 1]
        good, bad = 0, self.reports[position - 1].rewrites.total()
        right, _ = _stepped(before, step, 0)
        last, after = "", self.modules[position]
        if bad == 0 or self._compared(right) is not None:
            # The pass is one step, or the part of it that uses no fuel is wrong.
            good, bad, right = 0, 0, before
        while bad - good > 1:
            middle = (good + bad) // 2
            self.tell(f"running the job after {middle} rewrites of {step}")
            module, _ = _stepped(before, step, middle)
            found = self._compared(module)
            if found is None:
                good, right = middle, module
            else:
                bad, wrong = middle, found
        if bad:
            after, report = _stepped(before, step, bad)
            last = report.session.last
        return Culprit(str(step), position, len(self.passes), last, bad, wrong, right, after)


def _stepped(before: Module, step: Pass, fuel: int | None = None) -> tuple[Module, Report]:
    """A copy changed by the pass, with at most as many rewrites as there is fuel."""
    module = cast(Module, before.clone())
    return module, run_pipeline(module, [step], fuel=fuel, pristine=before)
