"""The schedules of attention and its gradients: what is chosen, and what fits."""

from __future__ import annotations

from math import prod

from penstock.ir.dialects import nvvm
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.flow.compositions.attention import DEEP, AttentionKernel
from penstock.ir.dialects.nvgpu.tensor_maps import can_describe
from penstock.ir.record import replace
from penstock.passes.costs.gpu_target import GpuTarget
from penstock.passes.gpu.write.fragments import HIGH, PAD
from penstock.passes.gpu.write.schedule_data import KEY, MOST_SHARED, WARP, Schedule
from penstock.passes.gpu.write.warpgroups import GROUPS, MOST_DYNAMIC, SWIZZLES

MOST_SUMS = 256
"""The most columns of the sums of a warpgroup."""
MOST_MARKED = 64
"""The most scores of a row that a warpgroup holds with the gradients of their chances."""
MOST_WIDTH = 192
"""The features and results together of keys and values that a warp holds with their gradients."""
WITH_MULTIPLY_ADDS = (((32, 32), (2, 2)), ((32, 16), (2, 1)), ((16, 16), (1, 1)))
"""Tiles, and the part of a thread."""


def schedule_for(op: AttentionKernel, target: GpuTarget) -> Schedule:
    """The schedule of an op: on tensor cores where its factors allow that."""
    owned = _owned(op)
    if target.has_warpgroups and owned > HIGH and fits_warpgroups(op):
        return _with_blocks(op, _by_warpgroups(op))
    if op.fits_tensor_cores:
        many = max(op.widths) > 64
        wide = 16 if many and op.owns_keys else 32 if many or op.is_gradient else 64
        most = 32 if rests_in_shared(op) else 64
        high = most if owned > 32 else 32 if owned > HIGH else HIGH
        wide = min(wide, high)
        return _with_blocks(
            op,
            Schedule(
                0,
                "attention",
                1,
                high // HIGH * WARP,
                tile=(high, wide),
                warp=(HIGH, wide),
                stages=2,
            ),
        )
    tile, thread = WITH_MULTIPLY_ADDS[-1]
    for other, part in WITH_MULTIPLY_ADDS:
        if (
            owned > tile[0]
            and shared_bytes(op, Schedule(0, "attention", 1, 1, tile=other)) <= MOST_SHARED
        ):
            tile, thread = other, part
            break
    block = prod(tile) // prod(thread)
    return _with_blocks(op, Schedule(0, "attention", 1, block, tile=tile, thread=thread))


def _by_warpgroups(op: AttentionKernel) -> Schedule:
    """Two warpgroups that take turns, or one for few queries."""
    groups = 2 if _owned(op) > nvvm.HIGH else 1
    width = max(op.widths)
    others = tensor(op.q if op.owns_keys else op.k).shape[-2]
    most = 128 if width <= 128 else 80
    if op.is_gradient:
        # Where two sums are wide, addresses of masks need the registers of some scores.
        most = MOST_MARKED // 2 if op.masks and rests_in_shared(op) else MOST_MARKED
    wide = min(most, -(-others // DEEP) * DEEP)
    swizzle = next(bytes for bytes in sorted(SWIZZLES) if bytes >= min(2 * width, 128))
    return Schedule(
        0, "attention", 1, nvvm.GROUP * (groups + 1), tile=(nvvm.HIGH * groups, wide),
        warpgroups=groups, stages=2, swizzle=swizzle,
    )  # fmt: skip


def fits_warpgroups(op: AttentionKernel) -> bool:
    """Whether warpgroups can compute it: tensor maps describe what tensor cores multiply."""
    factors = [tensor(value) for value in (*op.own, *op.others)]
    return (
        op.fits_tensor_cores
        and max(op.widths) <= most_features(op)
        and all(can_describe([prod(f.shape[:-2]), *f.shape[-2:]], f.element) for f in factors)
    )


def most_features(op: AttentionKernel) -> int:
    """The most features for warpgroups, whose registers hold the sums."""
    return MOST_SUMS // 2 if op.is_gradient else MOST_SUMS


def boxes(width: int, swizzle: int) -> int:
    """How many boxes with rows of `swizzle` bytes have so many features."""
    return -(-2 * width // swizzle)


def _with_blocks(op: AttentionKernel, schedule: Schedule) -> Schedule:
    return replace(schedule, grid=blocks_of(op, schedule))


def blocks_of(op: AttentionKernel, schedule: Schedule) -> int:
    """The blocks that have all rows of the results; one if there are none."""
    return max(1, prod(op.rows) * -(-_owned(op) // schedule.tile[0]))


def _owned(op: AttentionKernel) -> int:
    return tensor(op.k if op.owns_keys else op.q).shape[-2]


def rests_in_shared(op: AttentionKernel) -> bool:
    """Whether a block's own factors are in shared memory on tensor cores: registers don't hold both
    these and two gradients of this width."""
    return op.owns_keys and sum(op.widths) > MOST_WIDTH


def shared_bytes(op: AttentionKernel, schedule: Schedule) -> int:
    """The shared memory of a block."""
    (high, wide), widths = schedule.tile, op.widths
    if schedule.warpgroups:
        features, results = (boxes(width, schedule.swizzle) for width in widths)
        own = features + results * op.is_gradient
        rows = high * own + schedule.stages * wide * (features + results)
        return rows * schedule.swizzle
    if schedule.warp:
        others = 2 * schedule.stages * wide * sum(width + PAD for width in widths)
        return others + 2 * high * sum(width + PAD for width in widths) * rests_in_shared(op)
    own = sum(width + 1 for width in (widths if op.is_gradient else widths[:1]))
    tiles = 2 if op.owns_keys else 1
    return 4 * (high * own + wide * sum(width + 1 for width in widths) + tiles * high * (wide + 1))


def _check_warpgroups(op: AttentionKernel, own: Schedule) -> None:
    if not fits_warpgroups(op):
        op.fail(
            f"has {KEY} with warpgroups: expected factors of f16 or bf16 with features by {DEEP}s "
            f"up to {most_features(op)} and less than 2**31 rows; use warp"
        )
    if own.warp or own.thread:
        op.fail(f"has {KEY} with warpgroups, and warp or thread: remove the others")
    if own.warpgroups not in GROUPS or own.swizzle not in SWIZZLES or own.stages < 2:
        op.fail(
            f"has {KEY} with warpgroups = {own.warpgroups}, swizzle = {own.swizzle} and stages = "
            f"{own.stages}: expected 1 to 3; 32, 64 or 128; and 2 or more"
        )
    high = nvvm.HIGH * own.warpgroups
    if len(own.tile) != 2 or own.tile[0] != high or own.tile[1] % DEEP or own.tile[1] > MOST_SUMS:
        op.fail(
            f"has {KEY} with tile = {list(own.tile)}: expected [{high}, a multiple of {DEEP} up to "
            f"{MOST_SUMS}] for warpgroups = {own.warpgroups}"
        )
    _check_blocks(op, own, nvvm.GROUP * (own.warpgroups + 1), MOST_DYNAMIC)


def _check_blocks(op: AttentionKernel, own: Schedule, threads: int, most: int) -> None:
    grid = blocks_of(op, own)
    if (own.block, own.grid) != (threads, grid):
        op.fail(
            f"has {KEY} with block = {own.block} and grid = {own.grid}: its tile needs {threads} "
            f"and {grid}"
        )
    size = shared_bytes(op, own)
    if size > most:
        op.fail(
            f"has {KEY} whose panels take {size} bytes of shared memory: expected at most "
            f"{most}; use fewer stages or smaller tiles"
        )


def check(op: AttentionKernel, own: Schedule) -> None:
    """Raise a located `IRError` for a schedule that does not fit the op."""
    if own.warpgroups:
        _check_warpgroups(op, own)
        return
    part = own.warp or own.thread
    whole = len(own.tile) == len(part) == 2 and all(part) and all(own.tile)
    if not whole or own.tile[0] % own.tile[1]:
        op.fail(
            f"has {KEY} with tile = {list(own.tile)}: expected two numbers in tile, the first a "
            "multiple of the second, and two in thread or warp"
        )
    if own.warp:
        if not op.fits_tensor_cores:
            op.fail(
                f"has {KEY} with warp, but its factors are not of f16 or bf16 with features by "
                f"{DEEP}s; use thread"
            )
        if own.warp != (HIGH, own.tile[1]) or own.tile[0] % HIGH or own.tile[1] % DEEP:
            op.fail(
                f"has {KEY} with tile = {list(own.tile)} and warp = {list(own.warp)}: expected "
                f"multiples of {HIGH} in tile, and {[HIGH, own.tile[1]]} in warp"
            )
        if own.stages < 2:
            op.fail(f"has {KEY} with stages = {own.stages}: expected 2 or more")
        threads = own.tile[0] // HIGH * WARP
    else:
        across = own.tile[1] // own.thread[1]
        if own.tile[0] % own.thread[0] or own.tile[1] % own.thread[1] or WARP % across:
            op.fail(
                f"has {KEY} with tile = {list(own.tile)} and thread = {list(own.thread)}: expected "
                "each number of tile to be a multiple of that of thread, the second by a power of "
                f"two up to {WARP}"
            )
        threads = own.tile[0] // own.thread[0] * across
    _check_blocks(op, own, threads, MOST_SHARED)
