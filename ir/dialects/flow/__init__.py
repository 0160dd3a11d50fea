"""`flow`: the tensor ops of the front end, one class each with everything known about it.

| room | families |
|---|---|
| `base`, `make`, `structured`, `constant` | what all ops share; writing ops; writing loops |
| `widening` | floats of 16 bits: computed in f32 |
| `elementwise`, `binary`, `kernel` | what families begin from; arithmetic of two operands |
| `pointwise/` | element by element: functions, activations, comparisons, logic |
| `reductions/` | sums along axes; products of matrices, and of any two tensors |
| `windows/` | what slides over what: convolutions, pools; gradients |
| `shapes/` | other shapes and orders; slices, padding |
| `indexing/` | labels; reading, adding and writing by indices; running sums |
| `compositions/` | softmax, losses, norms and attention, written in other ops |
| `random_numbers/` | numbers drawn by place, step and seed |
| `sorting/` | ops that write their own loops: sorting and what rests on order |
"""

# ruff: noqa: F401 - importing a module defines its ops
from __future__ import annotations

from penstock.ir.dialects.flow import binary, constant
from penstock.ir.dialects.flow.compositions import attention, cross_entropy, norm, softmax
from penstock.ir.dialects.flow.indexing import gather, pick, scan, scatter, segment
from penstock.ir.dialects.flow.pointwise import (
    activations,
    angles,
    arithmetic,
    bits,
    compare,
    exponentials,
    logic,
    special,
)
from penstock.ir.dialects.flow.random_numbers import random
from penstock.ir.dialects.flow.reductions import contraction, einsum, extremes, inverse, reduction
from penstock.ir.dialects.flow.shapes import movement, parts, slice_update, triangle
from penstock.ir.dialects.flow.sorting import argwhere, nms, sort, unique
from penstock.ir.dialects.flow.widening import evaluate as evaluate
from penstock.ir.dialects.flow.windows import conv, max_pool, sum_pool
