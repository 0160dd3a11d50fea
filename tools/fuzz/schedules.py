"""Random schedules for GPUs: other ones than the pass `schedule` chooses, or that it would refuse.

The ops of each group are split into kernels of any kind that fits them, with any tiles, lanes and
blocks; sometimes one entry is changed at random. The lowering must refuse a schedule in one
sentence, or follow it and give the right numbers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod
from typing import Any, cast

from penstock.ir.attributes import attribute, python_value
from penstock.ir.core import Operation
from penstock.ir.diagnostics import Diagnostic, IRError
from penstock.ir.dialects import linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.compositions.attention import DEEP, AttentionKernel
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.nvvm import GROUP
from penstock.ir.dialects.nvvm import HIGH as HEIGHT
from penstock.ir.location import FileLocation
from penstock.ir.record import Record, replace
from penstock.ir.rewriting.rewrite_session import RewriteSession, opened
from penstock.lowering.gpu_target import GPU_LEVEL
from penstock.passes.analysis import generics
from penstock.passes.costs.gpu_target import GPU_TARGETS, GpuLevel
from penstock.passes.gpu.attention.attention_sizes import blocks_of as blocks_for_rows
from penstock.passes.gpu.attention.attention_sizes import fits_warpgroups
from penstock.passes.gpu.rows.gather_kernel import windows_of
from penstock.passes.gpu.rows.lane_kernel import may_have_lanes
from penstock.passes.gpu.rows.row_kernel import is_elementwise
from penstock.passes.gpu.tiles.panel_map import panel_maps
from penstock.passes.gpu.tiles.product import Product, blocks_of, product_of
from penstock.passes.gpu.tiles.tensor_core_tile import TensorCoreTile, narrow_type
from penstock.passes.gpu.write.fragments import HIGH, WIDE
from penstock.passes.gpu.write.kernel_split import candidates, positions_of, run_of
from penstock.passes.gpu.write.schedule_data import KEY, WARP, Schedule, blocks_for, positions
from penstock.passes.gpu.write.warpgroups import GROUPS, SWIZZLES
from penstock.passes.pipeline import load_pass

ROUNDS = 2
"""How often other schedules are proposed for each group; those that the lowering follows stay."""
MEDDLED = 0.15
"""Share of groups with one entry changed at random."""
GRIDS = (1, 1, 2, 3, 7, 108)
BLOCKS = (7, 32, 33, 64, 96, 128, 256, 512, 1024)

Scheduled = dict[linalg.Generic, Schedule]
"""The ops of the next kernel."""


_Maker = Callable[[random.Random, Sequence[linalg.Generic]], Scheduled]


class Drawn(Record, frozen=False):
    """A module at stage `scheduled` with random schedules, and what came of the proposals."""

    module: Module
    followed: int = 0
    refusals: tuple[str, ...] = ()
    """What the lowering said of those that it refused."""


def with_random_schedules(module: Module, seed: int, level: GpuLevel = GPU_LEVEL) -> Drawn:
    """The module with other schedules for a GPU, all of which the lowering follows.

    A group's schedules depend on the seed and on the group alone, so that they stay when the
    program around is reduced. What the lowering raises that is no refusal is passed on.
    """
    found = Drawn(cast(Module, module.clone()))
    groups = {
        f"group {number}": ops
        for number, function in enumerate(found.module.functions())
        if (ops := _scheduled_ops(function))
    }
    places = {op: op.location for ops in groups.values() for op in ops}
    for name, ops in groups.items():
        for op in ops:
            op.location = FileLocation(name, 1)  # refusals name it
    chances = {name: random.Random(f"{seed} {_shape(ops)}") for name, ops in groups.items()}
    for _ in range(ROUNDS):
        before = {name: [op.attributes[KEY] for op in ops] for name, ops in groups.items()}
        proposed = {name for name, ops in groups.items() if _propose(chances[name], ops, level)}
        while (refusal := _refusal(found.module, level)) is not None:
            name = refusal.place().partition(":")[0]
            if name not in proposed:
                raise IRError(refusal)
            proposed.remove(name)
            found.refusals += (refusal.message,)
            for op, given in zip(groups[name], before[name], strict=True):
                op.attributes[KEY] = given
        found.followed += len(proposed)
    for op, location in places.items():
        op.location = location
    return found


def _refusal(module: Module, level: GpuLevel) -> Diagnostic | None:
    """What the lowering says of a schedule that does not fit; None if it follows all of them."""
    lowering = load_pass("bufferize")(target=level)
    try:
        with opened(RewriteSession()):
            lowering.run(cast(Module, module.clone()))
    except IRError as error:
        (told,) = error.diagnostics
        if "\n" in told.message or not (KEY in told.message or "kernel" in told.message):
            raise
        return told
    return None


def _scheduled_ops(function: Func) -> list[Operation]:
    """The ops whose schedules can be others."""
    return [op for op in function.body if KEY in op.attributes] if not function.is_external else []


def _shape(ops: Sequence[Operation]) -> list[Any]:
    return [
        (op.extents, op.iterator_types, [str(v.type) for v in op.results])
        if isinstance(op, linalg.Generic)
        else (op.name, [str(v.type) for v in op.operands])
        for op in ops
    ]


def _propose(chance: random.Random, ops: Sequence[Operation], level: GpuLevel) -> bool:
    """Give the ops other schedules; False if there are none."""
    number, changed = 0, False
    rest = [op for op in ops if isinstance(op, linalg.Generic)]
    for op in ops if not rest else ():
        given = _of_kernel(chance, op, level).attribute()
        changed |= given is not op.attributes[KEY]
        op.attributes[KEY] = given
    while rest:
        number += chance.choice((1, 1, 1, 4))
        found = _kernel(chance, rest, level)
        for op, schedule in found.items():
            given = replace(schedule, kernel=number).attribute()
            changed |= given is not op.attributes[KEY]
            op.attributes[KEY] = given
        rest = rest[len(found) :]
    if chance.random() < MEDDLED:
        _meddle(chance, chance.choice(ops))
        changed = True
    return changed


def _of_kernel(chance: random.Random, op: Operation, level: GpuLevel) -> Schedule:
    """A schedule for an op with a kernel, or loops, of its own."""
    if not isinstance(op, AttentionKernel):
        return Schedule(0, "tasks", chance.choice(GRIDS), chance.choice(BLOCKS))
    how = chance.random()
    if how < 0.5 and GPU_TARGETS[level].has_warpgroups and fits_warpgroups(op):
        groups = chance.choice(GROUPS)
        sizes: dict[str, Any] = {
            "tile": (HEIGHT * groups, DEEP * chance.randint(1, 8)), "warpgroups": groups,
            "stages": chance.choice((2, 3)), "swizzle": chance.choice(tuple(SWIZZLES)),
            "block": GROUP * (groups + 1),
        }  # fmt: skip
    elif how < 0.8 and op.fits_tensor_cores:
        wide = DEEP * chance.choice((1, 2, 4))
        tile = wide * chance.choice((1, 1, 2, 4)), wide
        sizes = {"tile": tile, "warp": (HIGH, wide), "stages": chance.choice((2, 3, 4)),
                 "block": tile[0] // HIGH * WARP}  # fmt: skip
    else:
        thread = chance.choice((1, 2, 4)), chance.choice((1, 2, 3))
        across = chance.choice((4, 8, 16))
        wide = thread[1] * across
        tile = wide * chance.choice((1, 2, 3)), wide
        sizes = {"tile": tile, "thread": thread, "block": max(1, tile[0] // thread[0]) * across}
    schedule = Schedule(0, "attention", 1, **sizes)
    return replace(schedule, grid=blocks_for_rows(op, schedule))


def _kernel(chance: random.Random, ops: Sequence[linalg.Generic], level: GpuLevel) -> Scheduled:
    """The next kernel: some of the ops, from the first on, with a schedule that may fit them."""
    makers: list[_Maker] = [_rows, partial(_tile, level=level), _gather]
    chance.shuffle(makers)
    return next(filter(None, (make(chance, ops) for make in (*makers, _rows))))


def _rows(chance: random.Random, ops: Sequence[linalg.Generic]) -> Scheduled:
    rows = chance.choice(list(candidates(ops[0])))
    run = list(run_of(ops, rows).items())
    if chance.random() < 0.3:
        run = run[: chance.randint(1, len(run))]
    lanes, across, each = 1, False, 1
    how = chance.choice((0, 1, 2) if may_have_lanes(dict(run)) else (2, 3, 3, 3, 3, 3))
    if how == 0:
        lanes, block = WARP, WARP * chance.randint(1, 8)
    elif how == 1:
        block = lanes = WARP * chance.choice((1, 2, 3, 4, 8, 16))
    elif how == 2:
        lanes, across = chance.choice((2, 3, 4, 7, 8, 16)), True
        block = WARP * lanes
    else:
        block = chance.choice(BLOCKS)
        if is_elementwise({op: Schedule(0, "rows", 1, 1, own) for op, own in run}):
            fits = [n for n in (1, 2, 3, 4, 8) if rows and not ops[0].extents[rows[-1]] % n]
            each = chance.choice(fits or [1])
    count = positions(ops[0].extents, rows) // each
    schedule = Schedule(
        0, "rows", blocks_for(count, lanes, block), block, rows, lanes, across, each
    )
    return {op: replace(schedule, rows=own) for op, own in run}


def _tile(chance: random.Random, ops: Sequence[linalg.Generic], level: GpuLevel) -> Scheduled:
    """The next contraction, with what is ahead of it inlined, and some of what follows."""
    places = [place for place, op in enumerate(ops) if product_of(op) is not None]
    if not places:
        return {}
    place = places[0]
    root, product = ops[place], product_of(ops[place])
    assert product is not None
    sizes = _panels(chance) if narrow_type(product) and chance.random() < 0.7 else _sums(chance)
    maps = panel_maps(product) if GPU_TARGETS[level].has_warpgroups else None
    if maps is not None and narrow_type(product) and chance.random() < 0.6:
        sizes = _boxes(chance, product, maps[1].deep)
    grid = blocks_of(product, sizes["tile"])
    if "warpgroups" in sizes:
        grid = chance.choice((grid, chance.randint(1, grid)))
    whole = Schedule(0, "tile", grid, **sizes)
    both = Schedule(0, "inline", grid, whole.block)
    found = dict.fromkeys(ops[:place], both)
    found[root] = whole
    after = [op for op in ops[place + 1 :] if positions_of(op, root) is not None]
    for op in after[: chance.choice((0, len(after), len(after), len(after)))]:
        if op is not ops[len(found)]:
            break
        found[op] = replace(both, kind="epilogue")
    return found


def _sums(chance: random.Random) -> dict[str, Any]:
    """Sizes of a tile by multiply-adds."""
    while True:
        thread = chance.choice((1, 2, 3, 4, 4, 8)), chance.choice((1, 2, 4, 4, 5, 8))
        threads = chance.choice((1, 3, 4, 8, 16)), chance.choice((1, 2, 8, 16, 32))
        if prod(threads) >= WARP:
            tile = tuple(a * b for a, b in zip(thread, threads, strict=True))
            depth = chance.choice((1, 2, 5, 8, 16))
            return {"tile": tile, "depth": depth, "thread": thread, "block": prod(threads)}


def _panels(chance: random.Random) -> dict[str, Any]:
    """Sizes of a tile on tensor cores."""
    warp = HIGH * chance.choice((1, 2, 3, 4)), 2 * WIDE * chance.choice((1, 2, 3))
    warps = chance.choice((1, 2, 3)), chance.choice((1, 2))
    tile = tuple(a * b for a, b in zip(warp, warps, strict=True))
    return {"tile": tile, "depth": TensorCoreTile.step * chance.choice((1, 2, 3)), "warp": warp,
            "stages": chance.choice((2, 3, 4, 5)), "block": WARP * prod(warps)}  # fmt: skip


def _boxes(chance: random.Random, product: Product, deep: bool) -> dict[str, Any]:
    """Sizes of a tile by warpgroups."""
    groups, swizzle = chance.choice(GROUPS), chance.choice(tuple(SWIZZLES))
    span = swizzle // 2
    tile = HEIGHT * groups, (WIDE if deep else span) * chance.choice((1, 2, 3, 4, 8))
    above = -(-product.count(product.rows) // tile[0])
    return {"tile": tile, "depth": span * chance.choice((1, 1, 2)), "warpgroups": groups,
            "stages": chance.choice((2, 3, 4)), "swizzle": swizzle, "block": GROUP * (groups + 1),
            "group": chance.choice([n for n in range(1, above + 1) if above % n == 0])}  # fmt: skip


def _gather(chance: random.Random, ops: Sequence[linalg.Generic]) -> Scheduled:
    if windows_of(ops[0]) is None:
        return {}
    block = chance.choice(BLOCKS)
    count = prod(generics.shape_of(ops[0].results[0]))
    return {ops[0]: Schedule(0, "gather", blocks_for(count, 1, block), block)}


def _meddle(chance: random.Random, op: Operation) -> None:
    """Change one entry of a schedule to what may not fit."""
    values: dict[str, Any] = python_value(cast(Any, op.attributes[KEY]))
    key = chance.choice(sorted(values))
    values[key] = chance.choice(list(_others(chance, values[key])))
    op.attributes[KEY] = attribute(values)


def _others(chance: random.Random, value: Any) -> Iterator[Any]:
    if isinstance(value, str):
        yield from ("rows", "tile", "gather", "inline", "epilogue")
    elif isinstance(value, list):
        yield value[1:]
        yield [chance.choice((0, 1, 2, 3, 16)) for _ in value]
        yield [*reversed(value)]
    else:
        yield from (value + 1, max(1, value - 1), 2 * value, 1)
