"""`linalg`: structured loops over tensors (MLIR's `linalg` dialect): `linalg.generic` alone.

An op's meaning is an iteration space, a map from it to each operand, and a scalar body.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Dim, Expr
from penstock.ir.attributes import ArrayAttr, OpaqueAttr, StringAttr, python_value
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGER, MAPS, opaque_enumeration
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Block, BlockArgument, Operation, Region, Value
from penstock.ir.dialects import tensor
from penstock.ir.opdef import SEGMENTS, attribute, operands, region, result, results, segment_sizes
from penstock.ir.text.printer import dictionary
from penstock.ir.types import TensorType, Type
from penstock.ir.verify import forms
from penstock.ir.verify.known import IntegerInterface, Known
from penstock.ir.verify.linear import Form

if TYPE_CHECKING:
    from penstock.ir.text.parser import Parser
    from penstock.ir.text.printer import Printer


ITERATORS = ("parallel", "reduction", "window")


class Generic(IntegerInterface):
    """For each point of the iteration space, compute the outputs' elements from the inputs'.

    The body sees one scalar per operand; for outputs, the value so far, which a reduction combines.
    """

    name = "linalg.generic"
    pure = True
    inputs = operands(TENSOR)
    outputs = operands(TENSOR)
    indexing_maps = attribute(MAPS)
    iterator_types = attribute(opaque_enumeration("linalg.iterator_type", *ITERATORS))
    outcomes = results(TENSOR)
    code = region()

    def infer(self) -> Sequence[Type]:
        return [v.type for v in self.outputs]

    def write(self, p: Printer, indent: str) -> None:
        """`linalg.generic {maps} ins(...) outs(...) attrs = {...} { ^bb0(...): ... } -> t`"""
        words = ArrayAttr(tuple(StringAttr(kind) for kind in self.iterator_types))
        head = {"indexing_maps": self.attributes["indexing_maps"], "iterator_types": words}
        p.out.append(f"linalg.generic {dictionary(head)}")
        for word, values in (("ins", self.inputs), ("outs", self.outputs)):
            if values:
                types = ", ".join(str(v.type) for v in values)
                p.out.append(f" {word}({p.value_list(values)} : {types})")
        rest = p.attribute_dictionary(self, head)
        p.out.append(f" attrs = {rest} " if rest else " ")
        p.region(self.region, indent, labels=True)
        if self.results:
            p.out.append(f" -> {ty.result_text(tuple(r.type for r in self.results))}")

    @classmethod
    def read(cls, p: Parser) -> Generic:
        """The inverse of `write`."""
        start = p.start
        attributes = p.dictionary()
        kinds = attributes.get("iterator_types")
        if not isinstance(kinds, ArrayAttr) or "indexing_maps" not in attributes:
            p.fail("expected {indexing_maps = [...], iterator_types = [...]}", start, start + 1)
        for kind in kinds.items:
            if not isinstance(kind, StringAttr) or kind.value not in ITERATORS:
                p.fail(f"iterator type {kind}: expected one of {', '.join(ITERATORS)}", start)
        attributes["iterator_types"] = ArrayAttr(
            tuple(OpaqueAttr(f"#linalg.iterator_type<{python_value(k)}>") for k in kinds.items)
        )
        groups = [_read_group(p, word) for word in ("ins", "outs")]
        if p.accept("attrs"):
            p.expect("=")
            attributes = p.dictionary(attributes)
        attributes[SEGMENTS] = segment_sizes(groups)
        region = p.region()
        types = p.result_types() if p.accept("->") else []
        return cls([v for g in groups for v in g], types, attributes, [region])

    @property
    def extents(self) -> list[int]:
        """The extent of each iteration dimension, read off the operands' shapes."""
        maps = self.indexing_maps
        extents = [-1] * len(self.iterator_types)
        for value, map in zip(self.operands, maps, strict=True):
            for expr, extent in zip(map.results, cast(TensorType, value.type).shape, strict=True):
                if isinstance(expr, Dim):
                    extents[expr.index] = extent
        return extents

    @property
    def is_parallel(self) -> bool:
        return all(kind == "parallel" for kind in self.iterator_types)

    def facts(self, region: int, known: Known) -> Sequence[Form]:
        # The region is unreachable if an extent is 0.
        return [Form((), -1)] if 0 in self.extents else ()

    def verify(self) -> None:
        maps = self.indexing_maps
        if len(maps) != len(self.operands):
            self.fail(f"has {len(maps)} maps for {len(self.operands)} operands")
        for value, map in zip(self.operands, maps, strict=True):
            shape = cast(TensorType, value.type).shape
            fits = map.rank == len(self.iterator_types) and not map.symbols
            if not fits or len(map.results) != len(shape):
                self.fail(f"map {map} does not fit {value.type}")
        self._verify_body()
        self._verify_extents()

    def _verify_body(self) -> None:
        block = self.body
        if len(self.region.blocks) != 1 or not isinstance(block.terminator, Yield):
            self.fail("its body is one block that ends in linalg.yield")
        wanted = [cast(TensorType, v.type).element for v in self.operands]
        if [a.type for a in block.arguments] != wanted:
            self.fail("its body's arguments are not its operands' elements")
        yielded = [v.type for v in block.terminator.operands]
        if yielded != wanted[len(self.inputs) :]:
            self.fail("its body yields other types than its outputs' elements")

    def _verify_extents(self) -> None:
        maps, extents = self.indexing_maps, self.extents
        if -1 in extents and 0 not in extents:
            self.fail(f"no operand gives the extent of dimension d{extents.index(-1)}")
        for value, map in zip(self.operands, maps, strict=True):
            for expr, extent in zip(map.results, cast(TensorType, value.type).shape, strict=True):
                if not isinstance(expr, Dim):
                    if 0 not in extents:
                        self._verify_reach(expr, extents, value, extent)
                elif extents[expr.index] != extent:
                    self.fail(
                        f"{value.type} has extent {extent} where dimension {expr} is "
                        f"{extents[expr.index]}"
                    )

    def _verify_reach(self, expr: Expr, extents: Sequence[int], value: Value, extent: int) -> None:
        """Check that a subscript stays inside an operand at every point."""
        known = Known()
        form = forms.affine(known, expr, [known.between(0, n - 1) for n in extents])
        low, high = known.least(form), known.most(form)
        if low < 0 or high >= extent:
            self.fail(
                f"{value.type} has extent {extent} where {expr} reaches {low if low < 0 else high}"
            )


class Index(IntegerInterface):
    """The position in one dimension of the iteration space."""

    name = "linalg.index"
    pure = True
    cost = 0
    dim = attribute(INTEGER)
    value = result()
    assembly = "$dim attr-dict `:` type($value)"

    def infer(self) -> Sequence[Type]:
        return [ty.index]

    def integers(self, known: Known) -> None:
        around = self.parent
        if isinstance(around, Generic) and 0 <= self.dim < len(around.iterator_types):
            extent = around.extents[self.dim]
            known.forms[self.results[0]] = known.between(0, max(extent - 1, 0))


class Yield(Operation):
    """End a body and give the elements of the outputs."""

    name = "linalg.yield"
    cost = 0
    terminator = True
    values = operands()
    assembly = "attr-dict ($values^ `:` type($values))?"


def _read_group(p: Parser, word: str) -> list[Value]:
    """`ins(%a, %b : t, t)`"""
    if not p.accept(word):
        return []
    p.expect("(")
    values = p.values()
    p.expect(":")
    for i, value in enumerate(values):
        if i:
            p.expect(",")
        p.expect_type(value)
    p.expect(")")
    return values


Body = Callable[[Builder, Sequence[BlockArgument]], Sequence[Value]]
"""Emits a body: takes a builder and the arguments, and returns the values to yield."""


def generic(
    b: Builder,
    inputs: Sequence[Value],
    outputs: Sequence[Value],
    maps: Sequence[AffineMap],
    iterators: Sequence[str],
    body: Body,
) -> Generic:
    """Create a `linalg.generic` on tensors; `maps` covers inputs, then outputs."""
    elements = [cast(TensorType, v.type).element for v in (*inputs, *outputs)]
    block = Block(elements)
    with b.inside(block):
        b.create(Yield, body(b, block.arguments))
    return b.create(
        Generic,
        inputs,
        outputs,
        regions=[Region(block)],
        indexing_maps=maps,
        iterator_types=iterators,
    )


def empty(b: Builder, shape: Sequence[int], element: Type) -> Value:
    """A fresh `tensor.empty`."""
    return b.create(tensor.Empty, types=[TensorType(tuple(shape), element)]).result
