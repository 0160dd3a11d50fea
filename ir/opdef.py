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

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Generic, Literal, TypeVar, overload

from penstock.ir.attributes import Attribute, DenseArrayAttr
from penstock.ir.codecs import Codec
from penstock.ir.constraints import ANY, Constraint
from penstock.ir.core import Operation, OpResult, Region, Value
from penstock.ir.types import i32

T = TypeVar("T")
SEGMENTS = "operandSegmentSizes"
_NAME = re.compile(r"([A-Za-z_]\w*)\.[A-Za-z_]\w*", re.ASCII)
_RESERVED = ("flow", "job", "sbp")
"""The dialects that upstream does not have."""

registry: dict[str, type[Operation]] = {}
"""Every defined op by name; dialect modules fill it when imported (see `penstock.ir.dialects`)."""


@dataclass(slots=True, eq=False)
class Definition:
    """What an op class declares, in order."""

    operands: list[_Operands] = field(default_factory=list)
    results: list[_Results] = field(default_factory=list)
    attributes: dict[str, attribute[Any]] = field(default_factory=dict)
    regions: list[region] = field(default_factory=list)
    fixed_operands: int = 0
    """The number of operands; -1 if it varies."""
    varying: int = sys.maxsize
    """The position of the first variadic operand group."""
    segmented: bool = False
    """Whether several operand groups are variadic, with their sizes in `operandSegmentSizes`."""
    assembly: str | None = None
    """The custom form, in the words of `penstock.ir.text.assembly`."""
    home: ModuleType | None = None
    """The module whose lines defined the class."""


class _Operands:
    """Common part of `operand` and `operands`."""

    variadic = False

    def __init__(self, constraint: Constraint = ANY) -> None:
        self.constraint = constraint
        self.name = ""
        self.position = -1
        self._spans: dict[Attribute | None, tuple[int, int]] = {}
        """Memoises `span`, by the lengths of the groups."""

    def __set_name__(self, owner: type[Operation], name: str) -> None:
        self.name = name

    def span(self, op: Operation) -> tuple[int, int]:
        """The range of operand positions this group takes in `op`."""
        definition = op.definition
        if definition.segmented:
            sizes = op.attributes.get(SEGMENTS)
            found = self._spans.get(sizes)
            if found is None:
                if not isinstance(sizes, DenseArrayAttr) or len(sizes.values) <= self.position:
                    op.fail(f"{SEGMENTS} is {sizes}: expected a length for each group of operands")
                start = sum(sizes.values[: self.position])
                found = self._spans[sizes] = start, start + sizes.values[self.position]
            return found
        extra = len(op._operands) - len(definition.operands)
        start = self.position + (extra if definition.varying < self.position else 0)
        return start, start + 1 + (extra if self.variadic else 0)


class operand(_Operands):
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


class operands(_Operands):
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


class _Results:
    """Common part of `result` and `results`."""

    variadic = False

    def __init__(self, constraint: Constraint = ANY) -> None:
        self.constraint = constraint
        self.name = ""
        self.position = -1

    def __set_name__(self, owner: type[Operation], name: str) -> None:
        self.name = name


class result(_Results):
    """One result, e.g. `y = result(TENSOR)`."""

    @overload
    def __get__(self, op: None, owner: type[Operation]) -> result: ...
    @overload
    def __get__(self, op: Operation, owner: type[Operation]) -> OpResult: ...
    def __get__(self, op: Operation | None, owner: type[Operation]) -> result | OpResult:
        return self if op is None else op.results[self.position]


class results(_Results):
    """Any number of results; an op has at most one such group, last."""

    variadic = True

    @overload
    def __get__(self, op: None, owner: type[Operation]) -> results: ...
    @overload
    def __get__(self, op: Operation, owner: type[Operation]) -> Sequence[OpResult]: ...
    def __get__(self, op: Operation | None, owner: type[Operation]) -> results | Sequence[OpResult]:
        return self if op is None else op.results[self.position :]


class attribute(Generic[T]):
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
        self.codec = codec
        self.default = default
        self.optional = optional
        self.name = key
        """The name in the attribute dictionary; `key` if the member needs another name."""

    def __set_name__(self, owner: type[Operation], name: str) -> None:
        self.name = self.name or name

    @property
    def default_attribute(self) -> Attribute | None:
        return None if self.default is None else self.codec.encode(self.default)

    @overload
    def __get__(self, op: None, owner: type[Operation]) -> attribute[T]: ...
    @overload
    def __get__(self, op: Operation, owner: type[Operation]) -> T: ...
    def __get__(self, op: Operation | None, owner: type[Operation]) -> attribute[T] | T:
        if op is None:
            return self
        stored = op.attributes.get(self.name)
        if stored is None:
            if self.default is None and not self.optional:
                op.fail(f"attribute {self.name!r} is missing: expected {self.codec.description}")
            default: T = self.default
            return default
        value: T = self.codec.decode(stored)
        return value

    def __set__(self, op: Operation, value: T) -> None:
        if value is None:
            op.attributes.pop(self.name, None)
        else:
            op.attributes[self.name] = self.codec.encode(value)


class region:
    """A region, which has a block unless it is `optional`; its blocks end in a terminator unless
    it is not `terminated`."""

    def __init__(self, terminated: bool = True, optional: bool = False) -> None:
        self.terminated = terminated
        self.optional = optional
        self.name = ""

    def __set_name__(self, owner: type[Operation], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, op: None, owner: type[Operation]) -> region: ...
    @overload
    def __get__(self, op: Operation, owner: type[Operation]) -> Region: ...
    def __get__(self, op: Operation | None, owner: type[Operation]) -> region | Region:
        return self if op is None else op.regions[op.definition.regions.index(self)]


_DECLARATIONS = (_Operands, _Results, attribute, region)


def _place(member: _Operands | _Results, position: int, cls: type[Operation]) -> None:
    if member.position not in (position, -1):
        raise TypeError(
            f"{cls}: inherited {member.name!r} would change its position: declare it again"
        )
    member.position = position


def _members(cls: type[Operation]) -> dict[str, Any]:
    """The declarations of `cls` and its bases, bases first."""
    members: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        for name, member in vars(base).items():
            members.pop(name, None)
            if isinstance(member, _DECLARATIONS):
                members[name] = member
    return members


def _check_declared(cls: type[Operation]) -> None:
    """Raise TypeError if a member that the class itself declares is unusable."""
    for key, member in vars(cls).items():
        what = f"{cls.__dict__.get('name') or cls.__qualname__}: {key}"
        if isinstance(member, type) and issubclass(member, _DECLARATIONS):
            raise TypeError(f"{what} is the class {member.__name__}: call it, with what {key} is")
        if not isinstance(member, _DECLARATIONS):
            continue
        kind = type(member).__name__
        if key != "result" and hasattr(Operation, key):
            raise TypeError(f"{what} cannot be an {kind}: every op has a {key}; name it otherwise")
        given: object = None
        fits, such = True, ""
        if isinstance(member, _Operands | _Results):
            given, such = member.constraint, "constraints such as TENSOR"
            fits = isinstance(given, Constraint)
        elif isinstance(member, attribute):
            given, such = member.codec, "codecs such as FLOAT"
            fits = isinstance(given, Codec)
        if not fits:
            raise TypeError(f"{what} = {kind}(...) takes one of penstock.ir.{such}, got {given!r}")
        if isinstance(member, attribute) and member.default is not None:
            member.codec.checked(f"{what}: the default", member.default)


def define(cls: type[Operation]) -> None:
    """Collect the declarations of `cls` and its bases, and register the class under its name.

    Members are in order of declaration. A redeclared member takes the subclass's position.
    """
    definition = Definition()
    _check_declared(cls)
    for key, member in _members(cls).items():
        if isinstance(member, _Operands):
            _place(member, len(definition.operands), cls)
            definition.operands.append(member)
        elif isinstance(member, _Results):
            _place(member, len(definition.results), cls)
            definition.results.append(member)
        elif isinstance(member, attribute):
            definition.attributes[key] = member
        elif isinstance(member, region):
            definition.regions.append(member)
    varying = [group.position for group in definition.operands if group.variadic]
    definition.fixed_operands = -1 if varying else len(definition.operands)
    definition.varying = min(varying, default=sys.maxsize)
    definition.segmented = len(varying) > 1
    definition.assembly = getattr(cls, "assembly", None)
    definition.home = sys.modules.get(cls.__module__)
    cls.definition = definition
    name: object = cls.__dict__.get("name")
    if name and not isinstance(name, property):
        _register(cls, name)


def _register(cls: type[Operation], name: object) -> None:
    """Register an op; TypeError if the name is invalid or taken, or there is no docstring."""
    is_users = cls.__module__.partition(".")[0] != "penstock"
    known = registry.get(name) if isinstance(name, str) else None
    succeeds = _is_anew if is_users else _is_resumed
    if known is not None and not succeeds(known, cls):
        raise TypeError(f"op {name} is defined twice: by {known} and {cls}")
    parts = _NAME.fullmatch(name) if isinstance(name, str) else None
    if parts is None and is_users:
        raise TypeError(
            f"{cls} has the malformed op name {name!r}: expected DIALECT.NAME of letters, digits "
            "and underscores, such as mine.cube"
        )
    if parts is not None and is_users and parts[1] in _RESERVED:
        raise TypeError(
            f"{cls} names op {name} in a dialect of penstock's own: expected one other than "
            f"{', '.join(_RESERVED)}, such as mine"
        )
    # Under -OO there are no docstrings.
    if sys.flags.optimize < 2 and not (cls.__doc__ or "").strip():
        raise TypeError(f"op {name} has no docstring: {cls}")
    registry[str(name)] = cls


def _is_anew(known: type[Operation], cls: type[Operation]) -> bool:
    """Whether a class redefines another one because its lines ran again, as in a notebook cell."""
    homes = {getattr(sys.modules.get(c.__module__), "__file__", c.__module__) for c in (known, cls)}
    return len(homes) == 1 and known.__qualname__ == cls.__qualname__


def _is_resumed(known: type[Operation], cls: type[Operation]) -> bool:
    """Whether a class redefines one whose module's import was interrupted.

    Python drops such a module and runs it again at the next import. No other module refers to the
    classes of the first run, since there are no import cycles.
    """
    same = (known.__module__, known.__qualname__) == (cls.__module__, cls.__qualname__)
    return same and known.definition.home is not cls.definition.home


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
