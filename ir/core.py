"""The SSA core: values, operations, blocks, regions and the uses that tie them together.

A module is a tree: operations hold regions, regions hold blocks, blocks hold operations. Operations
of a block form a linked list, so that insertion and removal anywhere take constant time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NoReturn

from penstock.ir.attributes import Attribute
from penstock.ir.definition import Definition, define
from penstock.ir.diagnostics import op_error
from penstock.ir.facets import broke_off, gave
from penstock.ir.location import UNKNOWN, Location
from penstock.ir.types import Type

registry: dict[str, type[Operation]] = {}
"""Every defined op by name; dialect modules fill it when imported (see `penstock.ir.dialects`)."""

_LISTS = (list, tuple)
_TYPES = "a list of types, one for each result"


class Value:
    """An SSA value: an operation's result or a block argument."""

    __slots__ = ("name", "type", "uses")

    def __init__(self, type: Type, name: str = "") -> None:
        self.type = type
        self.name = name
        """The name to print after `%`; empty for a number."""
        self.uses: dict[tuple[Operation, int], None] = {}
        """Each use as (user, operand index), in order of making."""

    @property
    def owner(self) -> Operation | Block:
        raise TypeError("a Value is an OpResult or a BlockArgument")

    @property
    def defining_op(self) -> Operation | None:
        """The operation that defines this value; None for a block argument."""
        return None

    def users(self) -> list[Operation]:
        """The operations that use it, each once, in order of making."""
        return list(dict.fromkeys(user for user, _ in self.uses))

    def replace_all_uses_with(self, other: Value) -> None:
        """Make every user use `other`, which inherits the name if it has none."""
        if other is self:
            return
        for user, position in list(self.uses):
            user.set_operand(position, other)
        if self.name and not other.name and isinstance(other, OpResult):
            other.name = self.name

    def __repr__(self) -> str:
        return f"<%{self.name or '?'}: {self.type}>"


class OpResult(Value):
    __slots__ = ("index", "op")

    def __init__(self, op: Operation, index: int, type: Type) -> None:
        self.type = type
        self.name = ""
        self.uses = {}
        self.op = op
        self.index = index

    @property
    def owner(self) -> Operation:
        return self.op

    @property
    def defining_op(self) -> Operation:
        return self.op


class BlockArgument(Value):
    __slots__ = ("block", "index", "location")

    def __init__(
        self, block: Block, index: int, type: Type, name: str = "", location: Location = UNKNOWN
    ) -> None:
        super().__init__(type, name)
        self.block = block
        self.index = index
        self.location = location

    @property
    def owner(self) -> Block:
        return self.block


class Operation:
    """One operation: operands, attributes, regions, results and a location.

    Subclasses are op definitions: fields declared with `penstock.ir.opdef`, and facets as methods.
    """

    name: str = ""
    """`dialect.op`; empty on classes that only share definitions."""

    pure: ClassVar[bool] = False
    """It has no side effects, and its results depend on operands and attributes alone."""
    terminator: ClassVar[bool] = False
    """Ends its block."""
    isolated: ClassVar[bool] = False
    """Its regions use no value from outside."""
    writes: ClassVar[int | None] = None
    """The number of the operand it writes to, a buffer; None if it writes to none."""
    commutative: ClassVar[bool] = False
    """Operands may be swapped; constants are put last."""
    symbol_table: ClassVar[bool] = False
    """Operations in its region that have a `sym_name` are found by that name."""
    cost: ClassVar[int] = 1
    """Estimated cycles of one execution in an elementwise loop."""
    flops: ClassVar[int] = 0
    """Float additions, multiplications, divisions and comparisons per execution."""
    transcendentals: ClassVar[int] = 0
    """Functions such as `exp` per execution, each worth many flops."""
    properties: ClassVar[bool] = True
    """The generic form prints declared attributes in `<{}>` rather than `{}`."""

    takes_gradients: ClassVar[bool] = False
    takes_parts: ClassVar[bool] = False
    """Whether it reads its one operand as ranks have it, in any state, and results do not depend
    on it."""
    """Asks for the gradients of values of its block: equal values may have different ones."""
    conjoins: ClassVar[bool | None] = None
    """If its only result, a condition, has this value, so have all operands."""

    canonicalization_patterns: ClassVar[Sequence[Any]] = ()
    """The op's own patterns of pass `canonicalize`: see `penstock.ir.rewriting.rewrite`."""

    implied: ClassVar[Mapping[str, Attribute]] = {}
    """Redundant attributes that upstream's generic form prints; ignored when parsing."""

    definition: ClassVar[Definition]

    __slots__ = (
        "_next",
        "_operands",
        "_previous",
        "attributes",
        "block",
        "location",
        "regions",
        "results",
    )

    def __init__(
        self,
        operands: Iterable[Value] = (),
        result_types: Sequence[Type] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
        regions: Sequence[Region] = (),
        location: Location = UNKNOWN,
    ) -> None:
        self.block: Block | None = None
        self._previous: Operation | None = None
        self._next: Operation | None = None
        self.location = location
        self.attributes: dict[str, Attribute] = dict(attributes) if attributes else {}
        self._operands: list[Value] = list(operands)
        for position, value in enumerate(self._operands):
            value.uses[(self, position)] = None
        # Most ops have none, and need no list of their own.
        self.regions: Sequence[Region] = tuple(regions)
        for region in self.regions:
            region.op = self
        if result_types is None:
            self.results: list[OpResult] = []
            try:
                result_types = self.infer()
                if not isinstance(result_types, _LISTS):
                    gave(self, "infer", result_types, _TYPES)
                for type in result_types:
                    if not isinstance(type, Type):
                        gave(self, "infer", result_types, _TYPES)
            except BaseException as error:
                self.drop_operands()
                if isinstance(error, Exception):
                    broke_off(self, "infer", error)
                raise
        self.results = [OpResult(self, i, type) for i, type in enumerate(result_types)]

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        define(cls, Operation, registry)

    # -- facets every op may have ---------------------------------------------------------------

    def infer(self) -> Sequence[Type]:
        """Infer result types from operands and attributes; a located error if they do not fit."""
        if self.definition.results:
            self.fail("its result types cannot be inferred: pass them")
        return ()

    def verify(self) -> None:
        """Check what declarations cannot express; raises a located error."""

    def verify_target(self, target: Operation) -> None:
        """Check it against the op that its symbol names; raises a located error."""

    def fold(
        self, constants: Sequence[Attribute | None]
    ) -> Sequence[Value | Attribute | None] | None:
        """For each result, an equal existing value or constant, or None; None if nothing folds.

        `constants` has the value of each constant operand.
        """
        return None

    def fail(self, message: str, *notes: str) -> NoReturn:
        """Raise the error `message` at this operation's location."""
        raise op_error(self, message, *notes)

    # -- operands and results -------------------------------------------------------------------

    @property
    def operands(self) -> Sequence[Value]:
        return self._operands

    @operands.setter
    def operands(self, values: Iterable[Value]) -> None:
        new = list(values)
        self.drop_operands()
        self._operands = new
        for position, value in enumerate(new):
            value.uses[(self, position)] = None

    def set_operand(self, position: int, value: Value) -> None:
        del self._operands[position].uses[(self, position)]
        self._operands[position] = value
        value.uses[(self, position)] = None

    def drop_operands(self) -> None:
        """Use nothing any more."""
        for position, value in enumerate(self._operands):
            del value.uses[(self, position)]
        self._operands = []

    @property
    def result(self) -> OpResult:
        """The only result."""
        if len(self.results) != 1:
            raise ValueError(f"{self.name} has {len(self.results)} results, not one")
        return self.results[0]

    @property
    def is_unused(self) -> bool:
        return not any(result.uses for result in self.results)

    # -- place ----------------------------------------------------------------------------------

    @property
    def parent(self) -> Operation | None:
        """The operation whose region holds this one."""
        block = self.block
        return block.region.op if block is not None and block.region is not None else None

    @property
    def next(self) -> Operation | None:
        return self._next

    @property
    def previous(self) -> Operation | None:
        return self._previous

    @property
    def region(self) -> Region:
        """The only region."""
        (region,) = self.regions
        return region

    @property
    def body(self) -> Block:
        """The first block of the only region."""
        (region,) = self.regions
        return region.blocks[0]

    def detach(self) -> None:
        """Take it out of its block, operands and results kept."""
        if self.block is not None:
            self.block._unlink(self)

    def move_before(self, anchor: Operation) -> None:
        if anchor is self:
            return
        if anchor.block is None:
            raise ValueError(f"{anchor.name} is in no block: nothing can be inserted before it")
        self.detach()
        anchor.block.insert_before(anchor, self)

    def erase(self) -> None:
        """Remove it for good; its results must be unused."""
        for result in self.results:
            if result.uses:
                user = result.users()[0]
                raise ValueError(f"{self.name} cannot be erased: {user.name} still uses its result")
        self.detach()
        self.drop_all()

    def drop_all(self) -> None:
        """Drop the uses made by it and by all operations inside it."""
        self.drop_operands()
        for region in self.regions:
            for block in region.blocks:
                for op in block:
                    op.drop_all()

    # -- walking and copying --------------------------------------------------------------------

    def walk(self) -> Iterator[Operation]:
        """This operation and all inside it, parents first; the one in hand may be erased."""
        stack: list[Operation] = [self]
        while stack:
            op = stack.pop()
            if op.block is None and op is not self:
                raise RuntimeError(f"walk: {op.name} was erased before it was visited")
            following = op._next if op is not self else None
            regions = op.regions
            yield op
            if following is not None:
                stack.append(following)
            if op.block is None and op is not self:
                continue
            for region in reversed(regions):
                stack.extend(b.first for b in reversed(region.blocks) if b.first is not None)

    def clone(self, mapping: dict[Value, Value] | None = None) -> Operation:
        """A detached copy; operands are looked up in `mapping`, which learns the new results."""
        mapping = {} if mapping is None else mapping
        regions = [region.clone(mapping) for region in self.regions]
        copy = self._bare_copy([mapping.get(v, v) for v in self._operands], regions)
        for old, new in zip(self.results, copy.results, strict=True):
            new.name = old.name
            mapping[old] = new
        return copy

    def _bare_copy(self, operands: list[Value], regions: list[Region]) -> Operation:
        types = [result.type for result in self.results]
        return type(self)(operands, types, self.attributes, regions, self.location)

    def __repr__(self) -> str:
        return f"<{self.name} at {self.location.describe()}>"


class Block:
    """A list of operations that run one after the other, with arguments."""

    __slots__ = ("arguments", "first", "last", "region")

    def __init__(self, argument_types: Iterable[Type] = (), names: Iterable[str] = ()) -> None:
        self.region: Region | None = None
        self.first: Operation | None = None
        self.last: Operation | None = None
        self.arguments: list[BlockArgument] = []
        argument_names = list(names)
        for i, type in enumerate(argument_types):
            self.add_argument(type, argument_names[i] if i < len(argument_names) else "")

    def add_argument(
        self, type: Type, name: str = "", location: Location = UNKNOWN
    ) -> BlockArgument:
        argument = BlockArgument(self, len(self.arguments), type, name, location)
        self.arguments.append(argument)
        return argument

    def erase_argument(self, position: int) -> None:
        """Remove an argument that has no uses; later ones move up."""
        if self.arguments[position].uses:
            raise ValueError(f"block argument {position} is still used")
        del self.arguments[position]
        for i, argument in enumerate(self.arguments):
            argument.index = i

    def erase_unused(self) -> None:
        """Erase pure ops without users; the last first, since their operands may have no others."""
        for op in reversed(self):
            if op.pure and not op.terminator and op.is_unused:
                op.erase()

    def __iter__(self) -> Iterator[Operation]:
        """The operations in order; the one in hand may be erased or moved."""
        op = self.first
        while op is not None:
            following = op._next
            yield op
            op = following

    def __reversed__(self) -> Iterator[Operation]:
        op = self.last
        while op is not None:
            before = op._previous
            yield op
            op = before

    @property
    def terminator(self) -> Operation:
        """The last operation, which must be there."""
        if self.last is None:
            raise ValueError("the block is empty: it has no terminator")
        return self.last

    def append(self, op: Operation) -> None:
        if op.block is not None:
            raise ValueError(f"{op.name} is in a block: detach it first")
        op.block = self
        op._previous, op._next = self.last, None
        if self.last is None:
            self.first = op
        else:
            self.last._next = op
        self.last = op

    def insert_before(self, anchor: Operation, op: Operation) -> None:
        if op.block is not None:
            raise ValueError(f"{op.name} is in a block: detach it first")
        if anchor.block is not self:
            raise ValueError(
                f"{anchor.name} is in another block: nothing here can be inserted before it"
            )
        op.block = self
        op._previous, op._next = anchor._previous, anchor
        if anchor._previous is None:
            self.first = op
        else:
            anchor._previous._next = op
        anchor._previous = op

    def _unlink(self, op: Operation) -> None:
        if op._previous is None:
            self.first = op._next
        else:
            op._previous._next = op._next
        if op._next is None:
            self.last = op._previous
        else:
            op._next._previous = op._previous
        op._previous = op._next = op.block = None


class Region:
    """The blocks an operation holds; the first is the entry."""

    __slots__ = ("blocks", "op")

    def __init__(self, *blocks: Block) -> None:
        self.op: Operation | None = None
        self.blocks: list[Block] = []
        for block in blocks:
            self.append(block)

    def append(self, block: Block) -> None:
        if block.region is not None:
            raise ValueError("the block is in a region")
        block.region = self
        self.blocks.append(block)

    def clone(self, mapping: dict[Value, Value]) -> Region:
        """A detached copy; `mapping` learns the copies of arguments and results."""
        copy = Region()
        for block in self.blocks:
            new = Block()
            for argument in block.arguments:
                mapping[argument] = new.add_argument(
                    argument.type, argument.name, argument.location
                )
            copy.append(new)
        for old, new in zip(self.blocks, copy.blocks, strict=True):
            for op in old:
                new.append(op.clone(mapping))
        return copy
