"""Kernels of schedule `tile`: a contraction, the ops inlined into it, and its epilogue."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.ir.dialects import linalg
from penstock.passes.gpu.tiles.contraction_tile import ContractionTile
from penstock.passes.gpu.tiles.product import product_of
from penstock.passes.gpu.tiles.tensor_core_tile import TensorCoreTile
from penstock.passes.gpu.tiles.tf32_tile import TF32Tile
from penstock.passes.gpu.tiles.warpgroup_tile import WarpgroupTile
from penstock.passes.gpu.write.kernel_writer import KernelWriter
from penstock.passes.gpu.write.points import Points
from penstock.passes.gpu.write.schedule_data import KEY, Schedule


def write_tiles(writer: KernelWriter, ops: Mapping[linalg.Generic, Schedule]) -> None:
    """Write the kernel of a contraction with the ops inlined into it and its epilogue."""
    by_kind: dict[str, list[linalg.Generic]] = {}
    for op, schedule in ops.items():
        by_kind.setdefault(schedule.kind, []).append(op)
    roots = by_kind.get("tile", [])
    if len(roots) != 1 or "rows" in by_kind:
        next(iter(ops)).fail(
            f"shares kernel {next(iter(ops.values())).kernel} with other contractions or rows: "
            "expected one op of kind 'tile', those inlined into it, and its epilogue"
        )
    (root,) = roots
    product = product_of(root)
    if product is None:
        root.fail(f"has {KEY} of kind 'tile', but does not add up products; use kind 'rows'")
    points = Points(writer, by_kind.get("inline", []))
    schedule = ops[root]
    writer.keeps_sums = True
    if schedule.mma and not (schedule.warp or schedule.warpgroups):
        root.fail(f"has {KEY} with mma, which tensor cores alone follow: give warp, or remove mma")
    kind: type[ContractionTile] = WarpgroupTile if schedule.warpgroups else ContractionTile
    if schedule.warp and not schedule.warpgroups:
        kind = TF32Tile if schedule.mma else TensorCoreTile
    kind(writer, product, schedule, points, by_kind.get("epilogue", [])).write()
