"""Ways to compile a job: orders of passes, texts between them, processors, threads, ranks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import cast

from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.record import Record
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify
from penstock.lowering.gpu_target import GPU_LEVEL, OWN_LEVELS
from penstock.lowering.modules import PIPELINES, pipeline_of
from penstock.passes import PASSES
from penstock.passes.base import Pass
from penstock.passes.costs.gpu_target import GpuLevel
from penstock.passes.costs.target import TARGETS
from penstock.passes.manager import run_pipeline
from penstock.passes.pipeline import PassSpec, Pipeline, load_pass
from penstock.runtime.native import processor
from penstock.tools.fuzz.calls import is_narrow
from penstock.tools.fuzz.sharing import MESHES

SIMULATED = "gpu-sim 0:0"
"""The simulated GPU, as a device of jobs."""
AHEAD = 0.3
"""Share of orders with simplifications ahead of gradients and all else."""


class Way(Record):
    """How a job of stage `job` is compiled and run."""

    name: str
    pipeline: Pipeline
    """All passes, to stage `loops`."""
    through_text: bool = False
    """Print the module after each pass, and continue with the parsed text."""
    threads: int = 0
    """The number of threads; 0 for the default."""
    device: str = ""
    """The device that it runs on, such as `gpu-sim 0:0`, by the passes for it; the CPU if empty."""
    schedules: int = 0
    """The seed of random schedules for the device; 0 for those that the passes choose."""
    order: str = "eager"
    """The order in which the simulated GPU runs threads."""
    arch: GpuLevel = GPU_LEVEL
    """The architecture whose schedules these are."""
    mesh: tuple[int, ...] = ()
    """The ranks that share it, in lock step: the extents of their axes."""
    shares: int = 0
    """The seed of the random signatures by which they share it."""

    def lowered(self, module: Module) -> Module:
        """The job at stage `loops`; raises `IRError` if a pass fails."""
        found = cast(Module, module.clone())
        passes = self.pipeline.passes()
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


def ways_of(seed: int, schedules: int = 0, shares: int = 0) -> list[Way]:
    """The ways to try the program of a number: always the first three, sometimes another.

    With `schedules`, only ways on the simulated GPU, with as many random schedules; with `shares`,
    as many random ways to share it among ranks.
    """
    if schedules or shares:
        return [
            *(_with_schedules(seed, number) for number in range(1, schedules + 1)),
            *(_shared(seed, number) for number in range(1, shares + 1)),
        ]
    choose = random.Random(seed)
    host = processor.best() or next(iter(TARGETS))
    usual = default_pipeline(host)
    always = [
        Way("the least passes", at_level(required(), host)),
        Way("the usual passes", usual),
        Way("passes in another order", at_level(shuffled(choose), host)),
    ]
    levels = [level for level in TARGETS if processor.supports(level)] or [host]
    others = [
        Way("through the text of each stage", usual, through_text=True),
        Way("for another processor", default_pipeline(choose.choice(levels)), threads=2),
        Way("on one thread", usual, threads=1),
        Way("on three threads", usual, threads=3),
        Way("with every blob watchable", default_pipeline(host, tapped=True)),
        Way("on the simulated GPU", usual, device=SIMULATED),
        _shared(seed, 1),
    ]
    return [*always, *choose.sample(others, choose.random() < 0.4)]


def _with_schedules(seed: int, number: int) -> Way:
    """A way on the simulated GPU with schedules of its own, in one of the orders in turn."""
    order = ("lazy", f"random:{number}", "eager")[(seed + number) % 3]
    arch = OWN_LEVELS[0] if is_narrow(seed) and number % 2 else GPU_LEVEL
    name = f"with random schedules {number} for {arch}, in order {order}"
    return Way(name, Pipeline(), device=SIMULATED, schedules=number, order=order, arch=arch)


def _shared(seed: int, number: int) -> Way:
    """A way on ranks with signatures of its own, on each of the meshes in turn."""
    mesh = MESHES[(seed + number) % len(MESHES)]
    name = f"in random way {number}, on {' x '.join(map(str, mesh))} ranks"
    return Way(name, Pipeline(), mesh=mesh, shares=number)


def default_pipeline(level: str, tapped: bool = False) -> Pipeline:
    """All stages' pipelines for a processor level; if tapped, with every blob watchable."""
    stages = [pipeline_of(stage, level, tapped) for stage in PIPELINES]
    return at_level(sum(stages, Pipeline()), level)


def required() -> Pipeline:
    """The passes that every job needs."""
    return Pipeline().insert(*(name for name in PASSES if load_pass(name).required))


def shuffled(choose: random.Random) -> Pipeline:
    """The required passes, with others among them at any place that their order allows; often some
    that are free of any order ahead of all."""
    found = [load_pass(step.name) for step in required()]
    others = [cls for cls in map(load_pass, PASSES) if not cls.required and not cls.for_ranks]
    if choose.random() < AHEAD:
        found[:0] = choose.sample([cls for cls in others if not cls.before and not cls.after], 2)
    for cls in choose.choices(others, k=choose.randint(1, 8)):
        for drawn in (cls, *_partners(cls, found)):
            places = [
                place
                for place in range(len(found) + 1)
                if not any(_precedes(drawn, other) for other in found[:place])
                and not any(_precedes(other, drawn) for other in found[place:])
            ]
            if places:
                found.insert(choose.choice(places), drawn)
    return Pipeline.of(*(cls.name for cls in found))


def _partners(cls: type[Pass], found: Sequence[type[Pass]]) -> list[type[Pass]]:
    """The absent passes that must come before or after a pass: it has no effect without them."""
    bound = [name for name, why in (*cls.before.items(), *cls.after.items()) if why]
    return [other for other in map(load_pass, bound) if other not in found and not other.for_ranks]


def _precedes(first: type[Pass], second: type[Pass]) -> bool:
    """Whether a pass precedes another in all orders to try.

    An order that is not necessary is kept if one of the passes is required: elsewhere the other
    would find nothing to do.
    """
    stated = (first.before.get(second.name, ""), second.after.get(first.name, ""))
    return any(stated) or (None in stated and (first.required or second.required))


def at_level(pipeline: Pipeline, level: str) -> Pipeline:
    """The pipeline for a processor level."""
    return pipeline.replace(PassSpec.of("bufferize", target=level))
