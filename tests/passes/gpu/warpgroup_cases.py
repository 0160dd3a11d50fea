"""Jobs with a product for warpgroups to compute, and what it must give."""

from __future__ import annotations

from math import prod

import ml_dtypes
import numpy as np
import scheduled_jobs
from scheduled_jobs import Array, edit, fused, ops_of, run, schedule

from penstock.ir.dialects.builtin import Module
from penstock.ir.record import Record

DTYPES = {"bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32}
PARTS = {"tile", "depth", "warpgroups", "stages", "swizzle", "group"}


class Case(Record):
    """A product, relu(a b + c), and edits of its schedule; `a` is stored transposed if `ta`."""

    shape: tuple[int, ...]
    """Batch, if there is one, then rows, columns and depth."""
    ta: bool = False
    tb: bool = False
    element: str = "bf16"
    tile: tuple[int, int] = (64, 64)
    warpgroups: int = 1
    stages: int = 2
    depth: int = 64
    swizzle: int = 128
    group: int = 1
    grid: int = 0
    order: str = "eager"
    mma: str = ""

    @property
    def shapes(self) -> tuple[list[int], list[int]]:
        """Of both factors."""
        *batch, m, n, k = self.shape
        left, right = (k, m) if self.ta else (m, k), (n, k) if self.tb else (k, n)
        return [*batch, *left], [*batch, *right]

    def module(self) -> Module:
        """The job at stage `scheduled`, with the usual schedule."""
        *batch, m, n, _ = self.shape
        types = ["x".join(map(str, [*shape, self.element])) for shape in self.shapes]
        turned = f"transpose_a = {str(self.ta).lower()}, transpose_b = {str(self.tb).lower()}"
        result = "x".join(map(str, [*batch, m, n, self.element]))
        body = (
            f'%m = "flow.matmul"(%a0, %a1) {{{turned}}} : (a0, a1) -> y\n'
            '%s = "flow.add"(%m, %a2) : (y, a2) -> y\n%y = "flow.relu"(%s) : (y) -> y'
        )
        name = f"product of {self.shape} {self.ta} {self.tb} {self.element}"
        scheduled_jobs.OPS[name] = (f"{' '.join(types)} {n}x{self.element}", result, body)
        module = fused(name)
        del scheduled_jobs.OPS[name]
        run(module, f"schedule{{target=sm_90a precision={self.mma or 'f32'}}}")
        return module

    def edited(self) -> Module:
        """The same with the schedule of the case."""
        module = self.module()
        *batch, m, n, _ = self.shape
        tiles = prod(batch) * -(-m // self.tile[0]) * -(-n // self.tile[1])
        for op in ops_of(module):
            if schedule(op)["kind"] == "tile":
                chosen = {key: getattr(self, key) for key in PARTS}
                chosen |= {"tile": list(self.tile), "mma": self.mma or None}
                edit(op, **(chosen | {"warp": None, "thread": None}))
            edit(op, grid=self.grid or tiles, block=128 * (self.warpgroups + 1))
        return module

    def arrays(self) -> tuple[list[Array], Array]:
        """What goes in, and what must come out."""
        draw, dtype = np.random.default_rng(0), DTYPES[self.element]
        *_, n, _ = self.shape
        shapes = [*self.shapes, [n]]
        a, b, c = (draw.standard_normal(shape).astype(dtype) for shape in shapes)
        left = (a.swapaxes(-1, -2) if self.ta else a).astype(np.float64)
        right = (b.swapaxes(-1, -2) if self.tb else b).astype(np.float64)
        product = (left @ right).astype(dtype).astype(np.float64)
        return [a, b, c], np.maximum(product + c.astype(np.float64), 0)
