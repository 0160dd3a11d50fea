"""Building IR: an insertion point, a location for new ops, and typed creation of ops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from penstock.ir.codecs import Codec
from penstock.ir.core import Block, Operation, Region, Value
from penstock.ir.diagnostics import Diagnostic, IRError, pass_interrupt
from penstock.ir.location import UNKNOWN, Location
from penstock.ir.opdef import SEGMENTS, segment_sizes
from penstock.ir.types import Type

O = TypeVar("O", bound=Operation)  # noqa: E741


class Builder:
    """Inserts ops at the end of a block or before an op, at the location in `location`.

    >>> from penstock.ir import types as ty
    >>> from penstock.ir.dialects import arith
    >>> block = Block([ty.f32, ty.f32])
    >>> b = Builder.at_end(block)
    >>> b.create(arith.AddF, *block.arguments).result.type
    <f32>
    """

    def __init__(self, block: Block, before: Operation | None = None) -> None:
        self.block = block
        self.before = before
        self.location: Location = UNKNOWN

    @staticmethod
    def at_end(block: Block) -> Builder:
        return Builder(block)

    @staticmethod
    def ahead_of(op: Operation) -> Builder:
        """A builder that inserts before `op`, at its location."""
        if op.block is None:
            raise ValueError(f"{op.name} is in no block: nothing can be inserted before it")
        builder = Builder(op.block, op)
        builder.location = op.location
        return builder

    @contextmanager
    def at(self, location: Location) -> Iterator[None]:
        """Use `location` for the ops created inside the `with`."""
        outer, self.location = self.location, location
        try:
            yield
        finally:
            self.location = outer

    @contextmanager
    def inside(self, block: Block) -> Iterator[None]:
        """Insert at the end of `block` inside the `with`."""
        outer = self.block, self.before
        self.block, self.before = block, None
        try:
            yield
        finally:
            self.block, self.before = outer

    def _refuse(self, cls: type[Operation], name: str, codec: Codec[Any], value: Any) -> None:
        """Raise the error for an attribute value of the wrong kind."""
        try:
            codec.checked(f"{cls.name}: attribute {name}", value)
        except TypeError as error:
            raise IRError(Diagnostic(str(error), self.location)) from None

    def insert(self, op: O) -> O:
        if self.before is None:
            self.block.append(op)
        else:
            self.block.insert_before(self.before, op)
        return op

    def create(
        self,
        cls: type[O],
        *operands: Value | Sequence[Value],
        types: Sequence[Type] | None = None,
        regions: Sequence[Region] = (),
        **attributes: Any,
    ) -> O:
        """Create and insert `cls`; a variadic operand group is given as one sequence.

        Attributes are plain Python values under their declared names; those left out take their
        defaults. Result types are inferred where the class can. Raises `IRError` when they do not
        fit.
        """
        definition = cls.definition
        flat: list[Value] = []
        for one in operands:
            if isinstance(one, Value):
                flat.append(one)
            else:
                flat.extend(one)
        encoded = {}
        for name, declared in definition.attributes.items():
            value = attributes.pop(name, declared.default)
            if value is not None:
                try:
                    encoded[declared.name] = declared.codec.encode(value)
                except Exception as error:
                    pass_interrupt(error)
                    self._refuse(cls, name, declared.codec, value)
        if attributes:
            known = ", ".join(definition.attributes) or "none"
            raise TypeError(f"{cls.name} has no attribute {', '.join(attributes)}: it has {known}")
        if definition.segmented:
            groups = [[g] if isinstance(g, Value) else g for g in operands]
            groups += [()] * (len(definition.operands) - len(groups))
            encoded[SEGMENTS] = segment_sizes(groups)
        return self.insert(cls(flat, types, encoded, regions, self.location))
