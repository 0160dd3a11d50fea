"""Base classes of ops that take a strided part, and of ops that split or join dimensions.

Numbers stand in static attributes; where one is an operand, the attribute holds `DYNAMIC_INDEX`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

from penstock.ir.attributes import python_value
from penstock.ir.codecs import ATTRIBUTE, INTEGERS
from penstock.ir.core import Operation, Value
from penstock.ir.opdef import attribute
from penstock.ir.text.mixed_lists import DYNAMIC_INDEX
from penstock.ir.types import DYNAMIC, ShapedType
from penstock.ir.verify.reach import AccessInterface, Reach, StridedSpan

LISTS = ("offsets", "sizes", "strides")
PART = " ".join(f"mixed($static_{name}, ${name})" for name in LISTS)
"""The lists of a part in a custom form: `[0, %i] [4, 32] [1, 1]`."""


def check_mixed(op: Operation, what: str, static: Sequence[int], dynamic: Sequence[Value]) -> None:
    """Check that each dynamic entry has an operand."""
    places = list(static).count(DYNAMIC_INDEX)
    if places != len(dynamic):
        op.fail(f"has {places} dynamic {what}, but {len(dynamic)} operands for them")


def _extent(size: int) -> int:
    return DYNAMIC if size == DYNAMIC_INDEX else size


def kept_dims(sizes: Sequence[int], shape: Sequence[int]) -> list[int] | None:
    """The dimensions that a part keeps, all but some of extent 1; None where it is no such part.

    >>> kept_dims([1, 4, 1], [4, 1]), kept_dims([4, 2], [4])
    ([1, 2], None)
    """
    kept: list[int] = []
    for dim, size in enumerate(sizes):
        if len(kept) < len(shape) and shape[len(kept)] == size:
            kept.append(dim)
        elif size != 1:
            return None
    return kept if len(kept) == len(shape) else None


class Slice(AccessInterface):
    """Base of `memref.subview`, `tensor.extract_slice` and `tensor.insert_slice`.

    A subclass declares its first operands and its result; `into` is set where a second operand
    (the whole that a part goes into) follows the first.
    """

    pure = True
    into = False
    static_offsets = attribute(INTEGERS)
    static_sizes = attribute(INTEGERS)
    static_strides = attribute(INTEGERS)

    def verify(self) -> None:
        values: Any = self
        whole = self.operands[1 if self.into else 0].type
        for name in LISTS:
            static = getattr(values, f"static_{name}")
            check_mixed(self, name, static, getattr(values, name))
            if isinstance(whole, ShapedType) and len(static) != whole.rank:
                self.fail(f"has {len(static)} {name} for {whole}")
        part = self.operands[0].type if self.into else self.results[0].type
        if isinstance(whole, ShapedType) and isinstance(part, ShapedType):
            kept = kept_dims([_extent(n) for n in values.static_sizes], part.shape)
            if kept is None or part.element is not whole.element:
                self.fail(
                    f"takes {part} of {whole}: expected the shape that its sizes give, and the "
                    "same element type"
                )
            self.verify_layout(kept)

    def verify_layout(self, kept: Sequence[int]) -> None:
        """Check where the part's elements lie; it has the dimensions `kept` of the whole."""

    def reaches(self) -> Sequence[Reach]:
        values: Any = self
        lists = []
        for name in LISTS:
            remaining = iter(getattr(values, name))
            static = getattr(values, f"static_{name}")
            lists.append([next(remaining) if n == DYNAMIC_INDEX else n for n in static])
        spans = [StridedSpan(*each) for each in zip(*lists, strict=True)]
        found = [Reach(self._operands[1 if self.into else 0], spans, "covers")]
        part = self._operands[0].type
        if self.into and isinstance(part, ShapedType) and not part.is_static:
            # Whether its extents match is only known at run time.
            found.append(Reach(self._operands[0], [None] * part.rank, "reads"))
        return found


class Reshape(Operation):
    """Base of ops that join or split neighbouring dimensions, as `reassociation` says.

    Each of its lists names the dimensions of the wider type that make one of the narrower.
    """

    pure = True
    splits: ClassVar[bool]
    """Whether the result is the wider one."""
    reassociation = attribute(ATTRIBUTE)

    def verify(self) -> None:
        source, view = self.operands[0].type, self.results[0].type
        assert isinstance(source, ShapedType)
        assert isinstance(view, ShapedType)
        wide, narrow = (view, source) if self.splits else (source, view)
        groups = python_value(self.reassociation)
        listed = isinstance(groups, Sequence) and all(isinstance(g, Sequence) for g in groups)
        if not listed or [d for g in groups for d in g] != list(range(wide.rank)) * bool(groups):
            self.fail(f"has reassociation {self.reassociation}: expected all dimensions in order")
        parts = [[wide.shape[d] for d in group] for group in groups]
        joined = [DYNAMIC if DYNAMIC in part else prod(part) for part in parts]
        if not groups:
            fits = not narrow.rank and set(wide.shape) <= {1}
        else:
            fits = joined == list(narrow.shape)
        if not fits or wide.element is not narrow.element:
            self.fail(f"makes {view} of {source}: expected as many elements, of the same type")


class Expand(Reshape):
    """Base of `tensor.expand_shape` and `memref.expand_shape`."""

    splits = True
    assembly = (
        "$source $reassociation `output_shape` mixed($static_output_shape, $output_shape) "
        "attr-dict `:` type($source) `into` type($view)"
    )
    static_output_shape = attribute(INTEGERS)

    def verify(self) -> None:
        super().verify()
        check_mixed(self, "extents", self.static_output_shape, self.operands[1:])
        view = self.results[0].type
        if isinstance(view, ShapedType) and len(self.static_output_shape) != view.rank:
            self.fail(f"has {len(self.static_output_shape)} extents for {view}")
