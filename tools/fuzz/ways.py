"""Ways to compile a job: orders of passes, texts between them, levels of processor, threads."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import cast

from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.record import Record
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify
from penstock.lowering.modules import PIPELINES, TAPPED
from penstock.passes.base import Pass
from penstock.passes.costs.target import TARGETS
from penstock.passes.manager import run_pipeline
from penstock.passes.pipeline import parse_pipeline
from penstock.runtime.native import processor

NEEDED = ("autodiff", "lower", "outline-groups", "bufferize")
"""Passes that every job needs, in their order."""
BEFORE: Mapping[str, str] = {
    "canonicalize": "bufferize", "copy-blobs": "", "cse": "bufferize", "dce": "bufferize",
    "drop-unit-dims": "outline-groups", "fold": "bufferize", "fold-parts": "outline-groups",
    "fold-slices": "outline-groups", "fuse-elementwise": "outline-groups",
    "interchange-sums": "outline-groups", "lift-views": "outline-groups", "mark-blobs": "",
    "name-locations": "outline-groups", "place": "lower", "split-phases": "outline-groups",
    "tap-blobs": "",
}  # fmt: skip
"""Each other pass -> the pass that it must precede; "" for those that a tapped job needs."""
AFTER: Mapping[str, str] = {
    "drop-unit-dims": "lower", "fold-parts": "lower", "fold-slices": "lower",
    "fuse-elementwise": "lower", "interchange-sums": "lower", "lift-views": "lower",
    "place": "autodiff", "split-phases": "lower",
}  # fmt: skip
"""The pass that it must follow, if there is one."""


class Way(Record):
    """How a job of stage `job` is compiled and run."""

    name: str
    pipeline: str
    """All passes, to stage `loops`."""
    through_text: bool = False
    """Print the module after each pass, and continue with the parsed text."""
    threads: int = 0
    """The number of threads; 0 for the default."""

    def lowered(self, module: Module) -> Module:
        """The job at stage `loops`; raises `IRError` if a pass fails."""
        found = cast(Module, module.clone())
        passes = parse_pipeline(self.pipeline)
        steps: Sequence[Sequence[Pass]] = (
            [[step] for step in passes] if self.through_text else [passes]
        )
        for step in steps:
            run_pipeline(found, step, verify_each=False, reproduce=False, pristine=module)
            if self.through_text:
                found = through_text(found)
        return found


def through_text(module: Module) -> Module:
    """The module parsed from its text, which must print the same text."""
    text = print_module(module)
    found = parse_module(text)
    verify(found)
    again = print_module(found)
    if again != text:
        first = next(
            i for i, pair in enumerate(zip(text, again, strict=False)) if len(set(pair)) > 1
        )
        line = text.count("\n", 0, first)
        raise ValueError(
            f"a module's text does not round-trip: {text.splitlines()[line]!r} became "
            f"{again.splitlines()[line]!r}"
        )
    return found


def ways_of(seed: int) -> list[Way]:
    """The ways to try the program of a number: always the first three, sometimes another."""
    choose = random.Random(seed)
    host = processor.best() or next(iter(TARGETS))
    usual = default_pipeline(host)
    always = [
        Way("the least passes", _at(NEEDED, host)),
        Way("the usual passes", usual),
        Way("passes in another order", _at(shuffled(choose), host)),
    ]
    levels = [level for level in TARGETS if processor.supports(level)] or [host]
    others = [
        Way("through the text of each stage", usual, through_text=True),
        Way("for another processor", default_pipeline(choose.choice(levels)), threads=2),
        Way("on one thread", usual, threads=1),
        Way("on three threads", usual, threads=3),
        Way("with every blob watchable", default_pipeline(host, TAPPED)),
    ]
    return [*always, *choose.sample(others, choose.random() < 0.4)]


def default_pipeline(level: str, instead: Mapping[str, str] = {}) -> str:
    """All stages' pipelines for a processor level, with replacements for some."""
    stages = [instead.get(stage, pipeline) for stage, pipeline in PIPELINES.items()]
    return _at(",".join(stages).split(","), level)


def shuffled(choose: random.Random) -> list[str]:
    """The needed passes, with others between them at any legal position."""
    names = list(NEEDED)
    optional = [name for name, before in BEFORE.items() if before]
    for name in choose.choices(optional, k=choose.randint(1, 8)):
        first = names.index(AFTER[name]) + 1 if name in AFTER else 0
        names.insert(choose.randint(first, names.index(BEFORE[name])), name)
    return names


def _at(names: Sequence[str], level: str) -> str:
    """The pipeline, with its last pass for a processor level."""
    assert names[-1] == "bufferize"
    return f"{','.join(names)}{{target={level}}}"
