"""Products of vectors that are added up along dimensions that both have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from penstock.ir.affine import AffineMap
from penstock.ir.attributes import ArrayAttr, OpaqueAttr, StringAttr, python_value
from penstock.ir.codecs import MAPS, opaque_enumeration
from penstock.ir.constraints import VECTOR
from penstock.ir.dialects.math import fma
from penstock.ir.dialects.vector.base import Array, VectorOp, shape_of
from penstock.ir.dialects.vector.compute import KIND
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.text.printer import dictionary
from penstock.ir.types import FloatType, Type, element_of

if TYPE_CHECKING:
    from penstock.ir.text.parser import Parser
    from penstock.ir.text.printer import Printer

ITERATORS = ("parallel", "reduction")


class Contract(VectorOp):
    """`acc` plus the products of `lhs` and `rhs` along the reductions, in the type of `acc`.

    The last product is added first, and each sum is rounded once: so do processors that multiply
    pairs of bf16 and add both products to a f32 (AVX512-BF16; Intel's manual, volume 2, VDPBF16PS).
    These take subnormal numbers for zeros, which the reference does not.
    """

    name = "vector.contract"
    lhs = operand(VECTOR)
    rhs = operand(VECTOR)
    acc = operand(VECTOR)
    indexing_maps = attribute(MAPS)
    iterator_types = attribute(opaque_enumeration("vector.iterator_type", *ITERATORS))
    kind = attribute(KIND, default="add")
    result = result(VECTOR)

    def infer(self) -> Sequence[Type]:
        return [self.operands[2].type]

    def verify(self) -> None:
        maps, kinds = self.indexing_maps, self.iterator_types
        types = [value.type for value in self.operands]
        if len(maps) != 3:
            self.fail(f"has {len(maps)} maps for 3 vectors")
        extents: dict[int, int] = {}
        for map, type in zip(maps, types, strict=True):
            fits = map.rank == len(kinds) and len(map.results) == len(shape_of(type))
            if not fits or not map.is_projected_permutation:
                self.fail(f"has the map {map}: expected distinct dimensions of {type}")
            for d, extent in zip(map.dims(), shape_of(type), strict=True):
                if extents.setdefault(d, extent) != extent:
                    self.fail(f"has a dimension d{d} of extents {extents[d]} and {extent}")
        lhs, rhs, acc = (set(map.dims()) for map in maps)
        for d, kind in enumerate(kinds):
            if (d in acc) != (kind == "parallel") or (d not in lhs & rhs and d not in acc):
                self.fail(
                    f"has d{d} as {kind}: expected reductions exactly over the dimensions that "
                    "only both factors have"
                )
        elements = [element_of(type) for type in types]
        floats = all(isinstance(element, FloatType) for element in elements)
        if elements[0] is not elements[1] or not floats:
            self.fail(f"multiplies {types[0]} by {types[1]}: expected floats of one type")

    def reference(self, *operands: Array) -> Array:
        maps, kinds = self.indexing_maps, self.iterator_types
        dtype = operands[2].dtype
        lhs, rhs, total = (
            _spread(array.astype(dtype), map) for array, map in zip(operands, maps, strict=True)
        )
        sums = [d for d, kind in enumerate(kinds) if kind == "reduction"]
        for place in reversed(list(np.ndindex(*(lhs.shape[d] for d in sums)))):
            at = [slice(None)] * len(kinds)
            for d, position in zip(sums, place, strict=True):
                at[d] = slice(position, position + 1)
            total = fma(*np.broadcast_arrays(lhs[tuple(at)], rhs[tuple(at)], total))
        kept = maps[2].dims()
        return total.squeeze(tuple(sums)).transpose([sorted(kept).index(d) for d in kept])

    def write(self, p: Printer, indent: str) -> None:
        """`vector.contract {indexing_maps = [...], iterator_types = [...]} %a, %b, %c : a, b into
        c`"""
        words = ArrayAttr(tuple(StringAttr(kind) for kind in self.iterator_types))
        lhs, rhs, acc = (value.type for value in self.operands)
        p.out.append(
            f"{self.name} {dictionary({**self.attributes, 'iterator_types': words})} "
            f"{p.value_list(self.operands)} : {lhs}, {rhs} into {acc}"
        )

    @classmethod
    def read(cls, p: Parser) -> Contract:
        """The inverse of `write`."""
        start = p.start
        attributes = p.dictionary()
        kinds = attributes.get("iterator_types")
        words = [python_value(k) for k in kinds.items] if isinstance(kinds, ArrayAttr) else []
        if not words or "indexing_maps" not in attributes or set(words) - set(ITERATORS):
            p.fail("expected {indexing_maps = [...], iterator_types = [...]}", start, start + 1)
        attributes["iterator_types"] = ArrayAttr(
            tuple(OpaqueAttr(f"#vector.iterator_type<{word}>") for word in words)
        )
        operands = p.values()
        if len(operands) != 3:
            p.fail(f"expected three values, got {len(operands)}")
        p.expect(":")
        for value in operands[:2]:
            p.expect_type(value)
            p.accept(",")
        p.expect("into")
        p.expect_type(operands[-1])
        return cls(operands, None, attributes)


def _spread(array: Array, map: AffineMap) -> Array:
    """The array with a dimension for each that is iterated over, in order; 1 where it has none."""
    dims = map.dims()
    ordered = array.transpose(sorted(range(len(dims)), key=dims.__getitem__))
    return np.expand_dims(ordered, tuple(d for d in range(map.rank) if d not in dims))
