"""How an op is declared: operands, results, attributes and regions as class members.

    class Load(Operation):
        \"\"\"Read one element ...\"\"\"

        name = "memref.load"
        memref = operand(MEMREF)
        indices = operands(INDEX)
        result = result()
        assembly = "$memref `[` $indices `]` attr-dict `:` type($memref)"

Members give typed access (`op.memref` is a Value, `op.indices` a list of them); from the same
declarations come the registry, the checks of the verifier, both text forms and the IRDL file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Literal, TypeVar, overload

from penstock.ir.attributes import DenseArrayAttr
from penstock.ir.codecs import Codec
from penstock.ir.core import Operation, OpResult, Region, Value
from penstock.ir.core import registry as registry
from penstock.ir.definition import SEGMENTS as SEGMENTS
from penstock.ir.definition import DeclaredAttribute, DeclaredRegion, OperandGroup, ResultGroup
from penstock.ir.types import i32

T = TypeVar("T")


class operand(OperandGroup):
    """One operand, e.g. `x = operand(TENSOR)`."""

    @overload
    def __get__(self, op: None, owner: type[Operation]) -> operand: ...
    @overload
    def __get__(self, op: Operation, owner: type[Operation]) -> Value: ...
    def __get__(self, op: Operation | None, owner: type[Operation]) -> operand | Value:
        if op is None:
            return self
        # Without variadic groups, the positions are fixed.
        fixed = op.definition.fixed_operands >= 0
        return op._operands[self.position if fixed else self.span(op)[0]]


class operands(OperandGroup):
    """Any number of operands, e.g. `indices = operands(INDEX)`."""

    variadic = True

    @overload
    def __get__(self, op: None, owner: type[Operation]) -> operands: ...
    @overload
    def __get__(self, op: Operation, owner: type[Operation]) -> Sequence[Value]: ...
    def __get__(self, op: Operation | None, owner: type[Operation]) -> operands | Sequence[Value]:
        if op is None:
            return self
        start, stop = self.span(op)
        return op._operands[start:stop]


class result(ResultGroup):
    """One result, e.g. `y = result(TENSOR)`."""

    @overload
    def __get__(self, op: None, owner: type[Operation]) -> result: ...
    @overload
    def __get__(self, op: Operation, owner: type[Operation]) -> OpResult: ...
    def __get__(self, op: Operation | None, owner: type[Operation]) -> result | OpResult:
        return self if op is None else op.results[self.position]


class results(ResultGroup):
    """Any number of results; an op has at most one such group, last."""

    variadic = True

    @overload
    def __get__(self, op: None, owner: type[Operation]) -> results: ...
    @overload
    def __get__(self, op: Operation, owner: type[Operation]) -> Sequence[OpResult]: ...
    def __get__(self, op: Operation | None, owner: type[Operation]) -> results | Sequence[OpResult]:
        return self if op is None else op.results[self.position :]


class attribute(DeclaredAttribute, Generic[T]):
    """A declared attribute: `axis = attribute(INTEGER)`; `op.axis` is the plain Python value.

    With a `default`, the text and the constructor may leave it out; `optional` ones may be absent
    and then read None.
    """

    @overload
    def __init__(
        self: attribute[T | None], codec: Codec[T], *, optional: Literal[True], key: str = ""
    ) -> None: ...
    @overload
    def __init__(self, codec: Codec[T], default: T | None = None, *, key: str = "") -> None: ...
    def __init__(
        self,
        codec: Codec[Any],
        default: Any = None,
        *,
        optional: bool = False,
        key: str = "",
    ) -> None:
        super().__init__(codec, default, optional, key)

    @overload
    def __get__(self, op: None, owner: type[Operation]) -> attribute[T]: ...
    @overload
    def __get__(self, op: Operation, owner: type[Operation]) -> T: ...
    def __get__(self, op: Operation | None, owner: type[Operation]) -> attribute[T] | T:
        if op is None:
            return self
        stored = op.attributes.get(self.name)
        if stored is not None:
            value: T = self.codec.decode(stored)
            return value
        if self.default is None and not self.optional:
            op.fail(f"attribute {self.name!r} is missing: expected {self.codec.description}")
        default: T = self.default
        return default

    def __set__(self, op: Operation, value: T) -> None:
        if value is None:
            op.attributes.pop(self.name, None)
        else:
            op.attributes[self.name] = self.codec.encode(value)


class region(DeclaredRegion):
    """A region, which has a block unless it is `optional`; its blocks end in a terminator unless
    it is not `terminated`."""

    @overload
    def __get__(self, op: None, owner: type[Operation]) -> region: ...
    @overload
    def __get__(self, op: Operation, owner: type[Operation]) -> Region: ...
    def __get__(self, op: Operation | None, owner: type[Operation]) -> region | Region:
        return self if op is None else op.regions[op.definition.regions.index(self)]


class UnregisteredOp(Operation):
    """An operation without a registered class, kept unchanged."""

    __slots__ = ("_name", "inherent")

    def __init__(self, name: str, *arguments: Any, **named: Any) -> None:
        self._name = name
        self.inherent: frozenset[str] = frozenset()
        """The attributes printed in `<{}>`."""
        super().__init__(*arguments, **named)

    @property
    def name(self) -> str:  # type: ignore[override]
        return self._name

    def _bare_copy(self, operands: list[Value], regions: list[Region]) -> Operation:
        types = [result.type for result in self.results]
        copy = UnregisteredOp(self._name, operands, types, self.attributes, regions, self.location)
        copy.inherent = self.inherent
        return copy


def segment_sizes(groups: Sequence[Sequence[Value]]) -> DenseArrayAttr:
    """`array<i32: ...>` with the length of each operand group."""
    return DenseArrayAttr(i32, tuple(len(group) for group in groups))
