"""What an op class declares: collected from its members, checked, and registered under its name.

The members themselves, which give access to an op's values, are in `penstock.ir.opdef`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, ClassVar, NoReturn, Protocol, TypeVar
from weakref import WeakKeyDictionary

from penstock.ir.attributes import DenseArrayAttr
from penstock.ir.codecs import Codec
from penstock.ir.constraints import ANY, Constraint
from penstock.ir.types import Attribute

SEGMENTS = "operandSegmentSizes"
_NAME = re.compile(r"([A-Za-z_]\w*)\.[A-Za-z_]\w*", re.ASCII)
_RESERVED = ("flow", "job", "sbp")
"""The dialects that upstream does not have."""


class DefinedOp(Protocol):
    """What a definition asks of an op."""

    definition: ClassVar[Definition]
    attributes: dict[str, Attribute]

    @property
    def _operands(self) -> Sequence[object]: ...

    def fail(self, message: str, *notes: str) -> NoReturn: ...


Op = TypeVar("Op", bound=DefinedOp)


@dataclass(slots=True, eq=False)
class Definition:
    """What an op class declares, in order."""

    operands: list[OperandGroup] = field(default_factory=list)
    results: list[ResultGroup] = field(default_factory=list)
    attributes: dict[str, DeclaredAttribute] = field(default_factory=dict)
    regions: list[DeclaredRegion] = field(default_factory=list)
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


class OperandGroup:
    """Common part of `operand` and `operands`."""

    variadic = False

    def __init__(self, constraint: Constraint = ANY) -> None:
        self.constraint = constraint
        self.name = ""
        self.position = -1
        self._spans: dict[Attribute | None, tuple[int, int]] = {}
        """Memoises `span`, by the lengths of the groups."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def span(self, op: DefinedOp) -> tuple[int, int]:
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


class ResultGroup:
    """Common part of `result` and `results`."""

    variadic = False

    def __init__(self, constraint: Constraint = ANY) -> None:
        self.constraint = constraint
        self.name = ""
        self.position = -1

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


class DeclaredAttribute:
    """Common part of every `attribute`."""

    def __init__(self, codec: Codec[Any], default: Any, optional: bool, key: str) -> None:
        self.codec = codec
        self.default = default
        self.optional = optional
        self.name = key
        """The name in the attribute dictionary; `key` if the member needs another name."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self.name or name

    @property
    def default_attribute(self) -> Attribute | None:
        return None if self.default is None else self.codec.encode(self.default)


class DeclaredRegion:
    """Common part of every `region`."""

    def __init__(self, terminated: bool = True, optional: bool = False) -> None:
        self.terminated = terminated
        self.optional = optional
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


_DECLARATIONS = (OperandGroup, ResultGroup, DeclaredAttribute, DeclaredRegion)


def _place(member: OperandGroup | ResultGroup, position: int, cls: type) -> None:
    if member.position not in (position, -1):
        raise TypeError(
            f"{cls}: inherited {member.name!r} would change its position: declare it again"
        )
    member.position = position


_own: WeakKeyDictionary[type, dict[str, Any]] = WeakKeyDictionary()
"""The declarations that each class adds to those of its bases."""


def _members(cls: type) -> dict[str, Any]:
    """The declarations of `cls` and its bases, bases first."""
    members: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        own = _own.get(base)
        if own is None:
            pairs = vars(base).items()
            own = {name: member for name, member in pairs if isinstance(member, _DECLARATIONS)}
            _own[base] = own
        for name in members.keys() & vars(base).keys():
            del members[name]
        members |= own
    return members


def _check_declared(cls: type, base: type) -> None:
    """Raise TypeError if a member that the class itself declares is unusable."""
    for key, member in vars(cls).items():
        is_class = isinstance(member, type) and issubclass(member, _DECLARATIONS)
        if not is_class and not isinstance(member, _DECLARATIONS):
            continue
        what = f"{cls.__dict__.get('name') or cls.__qualname__}: {key}"
        if is_class:
            raise TypeError(f"{what} is the class {member.__name__}: call it, with what {key} is")
        kind = type(member).__name__
        if key != "result" and hasattr(base, key):
            raise TypeError(f"{what} cannot be an {kind}: every op has a {key}; name it otherwise")
        default: object = None
        fits, such = True, ""
        if isinstance(member, OperandGroup | ResultGroup):
            default, such = member.constraint, "constraints such as TENSOR"
            fits = isinstance(default, Constraint)
        elif isinstance(member, DeclaredAttribute):
            default, such = member.codec, "codecs such as FLOAT"
            fits = isinstance(default, Codec)
        if not fits:
            raise TypeError(
                f"{what} = {kind}(...) takes one of penstock.ir.{such}, got {default!r}"
            )
        if isinstance(member, DeclaredAttribute) and member.default is not None:
            member.codec.checked(f"{what}: the default", member.default)


def define(cls: type[Op], base: type, registry: dict[str, type[Op]]) -> None:
    """Collect the declarations of `cls` and its bases, and register the class under its name.

    No declaration may hide a member of `base`, the class of all ops.
    Members are in order of declaration. A redeclared member takes the subclass's position.
    """
    definition = Definition()
    _check_declared(cls, base)
    for key, member in _members(cls).items():
        if isinstance(member, OperandGroup):
            _place(member, len(definition.operands), cls)
            definition.operands.append(member)
        elif isinstance(member, ResultGroup):
            _place(member, len(definition.results), cls)
            definition.results.append(member)
        elif isinstance(member, DeclaredAttribute):
            definition.attributes[key] = member
        elif isinstance(member, DeclaredRegion):
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
        _register(cls, name, registry)


def _register(cls: type[Op], name: object, registry: dict[str, type[Op]]) -> None:
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


def _is_anew(known: type[DefinedOp], cls: type[DefinedOp]) -> bool:
    """Whether a class redefines another one because its lines ran again, as in a notebook cell."""
    homes = {getattr(sys.modules.get(c.__module__), "__file__", c.__module__) for c in (known, cls)}
    return len(homes) == 1 and known.__qualname__ == cls.__qualname__


def _is_resumed(known: type[DefinedOp], cls: type[DefinedOp]) -> bool:
    """Whether a class redefines one whose module's import was interrupted.

    Python drops such a module and runs it again at the next import. No other module refers to the
    classes of the first run, since there are no import cycles.
    """
    same = (known.__module__, known.__qualname__) == (cls.__module__, cls.__qualname__)
    return same and known.definition.home is not cls.definition.home
