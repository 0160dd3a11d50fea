"""`scf`: loops and branches with regions (MLIR's `scf` dialect)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from penstock.ir import types as ty
from penstock.ir.attributes import ArrayAttr, Attribute, integers
from penstock.ir.codecs import ATTRIBUTE, INTEGERS
from penstock.ir.constraints import BOOLEAN, INDEX, TENSOR
from penstock.ir.core import Block, BlockArgument, Operation, Region, Value
from penstock.ir.dialects.slices import check_mixed
from penstock.ir.location import UNKNOWN, Location
from penstock.ir.opdef import (
    SEGMENTS,
    attribute,
    operand,
    operands,
    region,
    results,
    segment_sizes,
)
from penstock.ir.text.mixed_lists import DYNAMIC_INDEX, mixed_text, read_mixed
from penstock.ir.text.value_parser import other_types
from penstock.ir.types import Type
from penstock.ir.verify.known import IntegerInterface, Known, is_counted
from penstock.ir.verify.linear import Form

if TYPE_CHECKING:
    from penstock.ir.text.parser import Parser
    from penstock.ir.text.printer import Printer

HAS_TURNS = "job.has_turns"
"""The attribute of a loop with at least one iteration, though its bounds are not known."""


class For(IntegerInterface):
    """`for i = lower to upper step s` with values carried from turn to turn."""

    name = "scf.for"
    lower = operand(INDEX)
    upper = operand(INDEX)
    step = operand(INDEX)
    initial = operands()
    outcomes = results()
    code = region()

    @staticmethod
    def code_for(carried: Sequence[Value] = (), name: str = "") -> Region:
        """The region of a loop that carries values of these types. The index comes first."""
        return Region(Block([ty.index, *(v.type for v in carried)], [name]))

    def infer(self) -> Sequence[Type]:
        return [v.type for v in self.operands[3:]]

    @property
    def induction(self) -> BlockArgument:
        return self.body.arguments[0]

    def integers(self, known: Known) -> None:
        first, end, step = map(known.exact, self._operands[:3])
        known.loop(self.induction, first, end, step)
        carried = zip(
            self.body.arguments[1:], self._operands[3:], self.body.terminator.operands, strict=True
        )
        for argument, initial, given in carried:
            if is_counted(argument.type):
                known.of(initial)  # its symbols must precede that of the carried value
                known.carried(argument, initial, given, (first, end, step))

    def facts(self, region: int, known: Known) -> Sequence[Form]:
        first, end, _ = map(known.exact, self._operands[:3])
        return () if known.most(end - first) > 0 else [Form((), -1)]

    def finish(self, end: Operation, known: Known) -> None:
        bounds = tuple(map(known.exact, self._operands[:3]))
        for i, argument in enumerate(self.body.arguments[1:]):
            if is_counted(argument.type):
                known.stepped(
                    argument,
                    self._operands[3 + i],
                    end.operands[i],
                    self.results[i],
                    self.induction,
                    bounds,
                )

    def write(self, p: Printer, indent: str) -> None:
        """`scf.for %i = %a to %b step %s iter_args(%x = %init) -> (t) { ... }`"""
        if any(p.location(a.location) for a in self.body.arguments):
            # This form has no place for them.
            p.generic_form(self, indent)
            return
        lower, upper, step, *initial = map(p.name, self.operands)
        names = list(map(p.name, self.body.arguments))
        p.out.append(f"scf.for {names[0]} = {lower} to {upper} step {step} ")
        if initial:
            pairs = [f"{name} = {v}" for name, v in zip(names[1:], initial, strict=True)]
            types = ", ".join(str(a.type) for a in self.body.arguments[1:])
            p.out.append(f"iter_args({', '.join(pairs)}) -> ({types}) ")
        p.region(self.region, indent, skip_terminator=_unsaid(p, self, self.body))
        rest = p.attribute_dictionary(self)
        p.out.append(f" {rest}" if rest else "")

    @classmethod
    def read(cls, p: Parser) -> For:
        """The inverse of `write`."""
        names = [_read_name(p, "the loop's variable, such as %i")]
        p.expect("=")
        operands = [p.value()]
        for word in ("to", "step"):
            p.expect(word)
            operands.append(p.value())
        types: list[Type] = []
        if p.accept("iter_args"):
            p.expect("(")
            while not p.accept(")"):
                if len(names) > 1:
                    p.expect(",")
                names.append(_read_name(p, "a carried value, such as %x"))
                p.expect("=")
                operands.append(p.value())
            p.expect("->")
            start = p.start
            types = p.type_list_in_parentheses()
            operand_types = [v.type for v in operands[3:]]
            if types != operand_types:
                p.fail(other_types("the carried values start with", operand_types, types), start)
        region = _read_block(p, Block([ty.index, *types]), names)
        return _finish(p, cls(operands, types, p.optional_dictionary(), [region]))

    def verify(self) -> None:
        _check_blocks(self)
        if not self.body.arguments or self.induction.type is not ty.index:
            self.fail("expected an index as the first argument of its region")
        carried = [a.type for a in self.body.arguments[1:]]
        yielded = [v.type for v in self.body.terminator.operands]
        if carried != list(self.infer()) or yielded != carried:
            self.fail(
                f"carries {ty.result_text(tuple(carried))}, starts with "
                f"{ty.result_text(tuple(self.infer()))} and yields "
                f"{ty.result_text(tuple(yielded))}: expected the same types"
            )


class If(IntegerInterface):
    """Run the first region if the condition holds, else the second, which may be empty."""

    name = "scf.if"
    condition = operand(BOOLEAN)
    outcomes = results()
    then_code = region()
    else_code = region(optional=True)

    def facts(self, region: int, known: Known) -> Sequence[Form]:
        return known.entails(self.condition, region == 0)

    def finish(self, end: Operation, known: Known) -> None:
        otherwise = self.else_block
        if otherwise is None or end.block is not otherwise:
            return
        first = self.then_block.terminator
        solvers = known.solver_of(self.then_block), known.solver_of(otherwise)
        for result, one, other in zip(self.results, first.operands, end.operands, strict=True):
            if is_counted(result.type):
                known.note(result, known.joined(known.of(one), known.of(other), *solvers))

    def write(self, p: Printer, indent: str) -> None:
        """`scf.if %c -> (t) { ... } else { ... }`"""
        p.out.append(f"scf.if {p.value_list(self.operands)} ")
        if self.results:
            p.out.append(f"-> ({', '.join(str(r.type) for r in self.results)}) ")
        for word, block in (("", self.then_block), (" else ", self.else_block)):
            if block is not None and block.region is not None:
                p.out.append(word)
                p.region(block.region, indent, skip_terminator=_unsaid(p, self, block))
        rest = p.attribute_dictionary(self)
        p.out.append(f" {rest}" if rest else "")

    @classmethod
    def read(cls, p: Parser) -> If:
        """The inverse of `write`."""
        condition = p.value()
        types = p.result_types() if p.accept("->") else []
        regions = [_read_block(p, Block(), [])]
        regions.append(_read_block(p, Block(), []) if p.accept("else") else Region())
        return _finish(p, cls([condition], types, p.optional_dictionary(), regions))

    @property
    def then_block(self) -> Block:
        return self.regions[0].blocks[0]

    @property
    def else_block(self) -> Block | None:
        return self.regions[1].blocks[0] if self.regions[1].blocks else None

    def verify(self) -> None:
        _check_blocks(self)
        if any(block.arguments for inside in self.regions for block in inside.blocks):
            self.fail("a region of it has arguments: expected none")
        expected = [r.type for r in self.results]
        if expected and self.else_block is None:
            self.fail("has results but no else region")
        for block in (self.then_block, self.else_block):
            if block is not None and [v.type for v in block.terminator.operands] != expected:
                self.fail("a region yields other types than its results")


class Yield(Operation):
    """End a region of a loop or a branch and give its values."""

    name = "scf.yield"
    terminator = True
    values = operands()
    assembly = "attr-dict ($values^ `:` type($values))?"

    @classmethod
    def bare(cls, location: Location = UNKNOWN) -> Yield:
        """The end of a region that gives nothing."""
        return cls(location=location)


class Forall(IntegerInterface):
    """Tasks `(i, j)` that may run in any order and at the same time, over a static or given range.

    Numbers stand in the static attributes; where one is an operand, the attribute holds
    `DYNAMIC_INDEX`. It works on buffers: it has no shared outputs and no results.
    """

    name = "scf.forall"
    dynamic_lower_bound = operands(INDEX)
    dynamic_upper_bound = operands(INDEX)
    dynamic_step = operands(INDEX)
    outputs = operands(TENSOR)
    static_lower_bound = attribute(INTEGERS, key="staticLowerBound")
    static_upper_bound = attribute(INTEGERS, key="staticUpperBound")
    static_step = attribute(INTEGERS, key="staticStep")
    mapping = attribute(ATTRIBUTE, optional=True)
    code = region()

    @classmethod
    def over(
        cls, extents: Sequence[int | Value], names: Sequence[str] = (), location: Location = UNKNOWN
    ) -> Forall:
        """A loop from 0 to each extent by 1 whose block is still empty: end it with InParallel."""
        rank = len(extents)
        dynamic = [extent for extent in extents if isinstance(extent, Value)]
        upper = [DYNAMIC_INDEX if isinstance(extent, Value) else extent for extent in extents]
        bounds = {"Lower": [0] * rank, "Upper": upper}
        attributes: dict[str, Attribute] = {
            **{f"static{word}Bound": integers(numbers) for word, numbers in bounds.items()},
            "staticStep": integers([1] * rank),
            SEGMENTS: segment_sizes([[], dynamic, [], []]),
        }
        block = Block([ty.index] * rank, names)
        return cls(dynamic, [], attributes, [Region(block)], location)

    @property
    def inductions(self) -> Sequence[BlockArgument]:
        """The task's position, one index for each dimension."""
        return self.body.arguments

    @property
    def extents(self) -> list[int] | None:
        """How many tasks there are in each dimension; None where an operand says it."""
        bounds = (self.static_lower_bound, self.static_upper_bound, self.static_step)
        if any(DYNAMIC_INDEX in numbers for numbers in bounds):
            return None
        return [max(0, -(-(hi - lo) // by)) for lo, hi, by in zip(*bounds, strict=True)]

    def integers(self, known: Known) -> None:
        groups = (
            (self.static_lower_bound, self.dynamic_lower_bound),
            (self.static_upper_bound, self.dynamic_upper_bound),
            (self.static_step, self.dynamic_step),
        )
        lists = []
        for static, dynamic in groups:
            values = iter(dynamic)
            lists.append(
                [known.exact(next(values)) if n == DYNAMIC_INDEX else Form((), n) for n in static]
            )
        for induction, bounds in zip(self.inductions, zip(*lists, strict=True), strict=True):
            known.loop(induction, *bounds)

    def write(self, p: Printer, indent: str) -> None:
        """`scf.forall (%i, %j) in (4, %n) {...}`, or `= (0, 0) to (4, %n) step (1, 2) {...}`"""
        if any(p.location(a.location) for a in self.body.arguments):
            # This form has no place for them.
            p.generic_form(self, indent)
            return
        p.out.append(f"scf.forall ({p.value_list(self.inductions)}) ")
        upper = mixed_text(p.name, self.static_upper_bound, self.dynamic_upper_bound, "()")
        rank = len(self.inductions)
        if list(self.static_lower_bound) == [0] * rank and list(self.static_step) == [1] * rank:
            p.out.append(f"in {upper} ")
        else:
            lower = mixed_text(p.name, self.static_lower_bound, self.dynamic_lower_bound, "()")
            step = mixed_text(p.name, self.static_step, self.dynamic_step, "()")
            p.out.append(f"= {lower} to {upper} step {step} ")
        p.region(self.region, indent, skip_terminator=_unsaid(p, self, self.body))
        rest = p.attribute_dictionary(self, _BOUNDS)
        p.out.append(f" {rest}" if rest else "")

    @classmethod
    def read(cls, p: Parser) -> Forall:
        """The inverse of `write`."""
        names: list[tuple[int, str]] = []
        p.expect("(")
        while not p.accept(")"):
            if names:
                p.expect(",")
            names.append(_read_name(p, "the position of a task, such as %i"))
        rank = len(names)
        static = {"staticLowerBound": [0] * rank, "staticStep": [1] * rank}
        dynamic: dict[str, list[Value]] = {}
        words = {"in": "staticUpperBound"} if p.word == "in" else _RANGE_WORDS
        for word, name in words.items():
            p.expect(word)
            static[name], dynamic[name] = read_mixed(p, "()")
        region = _read_block(p, Block([ty.index] * rank), names)
        attributes = p.optional_dictionary({k: integers(v) for k, v in static.items()})
        groups = [dynamic.get(name, []) for name in _BOUNDS]
        attributes[SEGMENTS] = segment_sizes([*groups, []])
        return _finish(p, cls([v for g in groups for v in g], [], attributes, [region]))

    def verify(self) -> None:
        _check_blocks(self)
        if self.outputs:
            self.fail("has shared outputs: expected it to work on buffers")
        if any(a.type is not ty.index for a in self.body.arguments):
            self.fail("expected indices as the arguments of its region")
        check_mixed(self, "lower bounds", self.static_lower_bound, self.dynamic_lower_bound)
        check_mixed(self, "upper bounds", self.static_upper_bound, self.dynamic_upper_bound)
        check_mixed(self, "steps", self.static_step, self.dynamic_step)
        counts = {len(self.static_lower_bound), len(self.static_upper_bound)}
        if counts | {len(self.static_step)} != {len(self.inductions)} or not self.inductions:
            self.fail(
                f"has {len(self.inductions)} induction variables, but other numbers of bounds or "
                "steps"
            )
        if any(n != DYNAMIC_INDEX and n < 1 for n in self.static_step):
            self.fail(f"has steps {list(self.static_step)}: expected 1 and more")
        mapping = self.mapping
        if mapping is not None and (
            not isinstance(mapping, ArrayAttr) or len(mapping.items) != len(self.inductions)
        ):
            self.fail(
                f"has the mapping {mapping}: expected a list with one entry for each induction "
                "variable"
            )


_BOUNDS = ("staticLowerBound", "staticUpperBound", "staticStep")
_RANGE_WORDS = dict(zip(("=", "to", "step"), _BOUNDS, strict=True))


class InParallel(Operation):
    """End a task. Its region, which says what goes into shared outputs, is empty on buffers."""

    name = "scf.forall.in_parallel"
    terminator = True
    code = region(terminated=False)

    @classmethod
    def bare(cls, location: Location = UNKNOWN) -> InParallel:
        """The end of a task of a loop without shared outputs."""
        return cls([], [], {}, [Region(Block())], location)

    def write(self, p: Printer, indent: str) -> None:
        """`scf.forall.in_parallel {...}`"""
        p.out.append(f"{self.name} ")
        p.region(self.region, indent)
        rest = p.attribute_dictionary(self)
        p.out.append(f" {rest}" if rest else "")

    @classmethod
    def read(cls, p: Parser) -> InParallel:
        """The inverse of `write`."""
        region = _read_block(p, Block(), [])
        return cls([], [], p.optional_dictionary(), [region])

    def verify(self) -> None:
        if len(self.region.blocks) > 1 or self.body.arguments or self.body.first is not None:
            self.fail("its region is not empty: expected a loop on buffers")


def _end_of(op: Operation) -> type[Yield] | type[InParallel]:
    return InParallel if isinstance(op, Forall) else Yield


def _check_blocks(op: Operation) -> None:
    end = _end_of(op)
    for inside in op.regions:
        if len(inside.blocks) > 1:
            op.fail(f"a region of it has {len(inside.blocks)} blocks: expected one")
        for block in inside.blocks:
            if not isinstance(block.terminator, end):
                op.fail(f"a region of it ends in {block.terminator.name}: expected {end.name}")


O = TypeVar("O", For, If, Forall)  # noqa: E741


def _unsaid(p: Printer, op: For | If | Forall, block: Block) -> bool:
    """Whether the terminator of a block is implied: it yields nothing, and its location, if
    printed, is the op's."""
    end = block.terminator
    if end.operands or end.attributes or not isinstance(end, _end_of(op)):
        return False
    if any(len(inside.blocks) != 1 or inside.blocks[0].first for inside in end.regions):
        return False
    if end.previous is not None and end.previous.terminator:
        # The parser adds a terminator only to a block without one.
        return False
    return not p.locations or end.location == op.location


def _read_name(p: Parser, what: str) -> tuple[int, str]:
    """`%x`, a name for an argument of the block that follows, and where it stands."""
    return p.start, p.new_name(what)


def _read_block(p: Parser, block: Block, names: Sequence[tuple[int, str]]) -> Region:
    """Read a region of one block whose arguments the custom form has named."""
    outer = p.scopes
    p.scopes = [*outer, {}]
    for argument, (start, name) in zip(block.arguments, names, strict=True):
        p.define(name, [argument], start)
    opened = p.start
    region = p.region(block)
    if len(region.blocks) != 1:
        p.fail("a region of this op has one block", opened, opened + 1)
    p.scopes = outer
    return region


def _finish(p: Parser, op: O) -> O:
    """Read the location, and add the implied terminators with the same location."""
    op.location = p.trailing_location()
    for block in (block for inside in op.regions for block in inside.blocks):
        if block.last is None or not block.last.terminator:
            block.append(_end_of(op).bare(op.location))
    return op
