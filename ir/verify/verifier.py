"""The verifier: checks every rule of the IR after parsing and between passes.

The declarations of an op class are compiled into a plan once, so that checking most ops takes a few
comparisons.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from penstock.ir.attributes import Attribute, DenseArrayAttr, StringAttr, TypeAttr
from penstock.ir.codecs import NESTED_SYMBOL, SYMBOL
from penstock.ir.constraints import ANY, Constraint
from penstock.ir.core import Block, BlockArgument, Operation, Value
from penstock.ir.definition import DeclaredAttribute, DeclaredRegion, OperandGroup, ResultGroup
from penstock.ir.diagnostics import Diagnostic, IRError, did_you_mean, pass_interrupt
from penstock.ir.opdef import SEGMENTS, UnregisteredOp
from penstock.ir.types import FunctionType, Type, i32, result_text
from penstock.ir.verify.reach import AccessInterface
from penstock.ir.verify.walk import Proof, arena_bytes

MAX_HINTS = 3
"""The most unknown names for which a close match is searched, which compares all names."""


def verify(root: Operation) -> None:
    """Check a module, or another isolated op, and all inside it.

    Raises `IRError` with every finding.

    >>> from penstock.ir.dialects.parsing import parse_module
    >>> verify(parse_module("func.func @f(%x: f32) -> f32 { return %x : f32 }"))
    >>> wrong = parse_module("func.func @f(%x: f32) -> i32 { return %x : f32 }")
    >>> verify(wrong)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    penstock.ir.diagnostics.IRError: ... func.return: returns f32 where @f promises i32
    """
    run = _Run()
    table = root.parent
    if table is not None and table.symbol_table:
        run.symbols = run.table(table)
        run.found.clear()
    run.operation(root)
    if not run.found:
        # The range analysis relies on well-formed ops.
        for op in run.reaching:
            run.accesses(op)
    if run.found:
        raise IRError(*run.found)


def well_formed(op: Operation) -> bool:
    """Whether an op on its own satisfies its class's declarations and rules.

    Its blocks may still lack terminators.
    """
    if isinstance(op, UnregisteredOp):
        return True
    run, plan = _Run(), _plan(type(op))
    run.ends = False
    run._declared(op, plan)
    if not run.found and (plan.infers or plan.verifies):
        run._own_rules(op, plan)
    return not run.found


class _Accepted(dict[Any, bool]):
    """Whether a predicate holds, for each type or attribute that it was asked about: these are
    interned and immutable."""

    def __init__(self, predicate: Callable[[Any], bool]) -> None:
        self.predicate = predicate

    def __missing__(self, asked: Any) -> bool:
        found = self[asked] = self.predicate(asked)
        return found


_accepted = cache(_Accepted)
"""One for each predicate."""


@dataclasses.dataclass(slots=True)
class _Plan:
    """The checks for each op of a class."""

    operands: int
    """The required number; -1 if `_operand_groups` checks it."""
    operand_constraints: Sequence[tuple[int, _Accepted, Constraint]]
    """The position, of an operand or else of a group of them."""
    results: int
    """The required number, without a trailing variadic group."""
    more_results: bool
    result_constraints: Sequence[tuple[int, _Accepted, Constraint]]
    attributes: Sequence[tuple[str, _Accepted, DeclaredAttribute, bool]]
    """Name, declaration, and whether it is required."""
    symbols: Sequence[str]
    regions: Sequence[DeclaredRegion]
    infers: bool
    verifies: bool
    reaches: bool


_plans: dict[type[Operation], _Plan] = {}


def _plan(cls: type[Operation]) -> _Plan:
    """The plan of a class, made when first needed."""
    found = _plans.get(cls)
    if found is None:
        found = _plans[cls] = _made_plan(cls)
    return found


def _made_plan(cls: type[Operation]) -> _Plan:
    declared = cls.definition
    groups = declared.operands
    fixed = not any(group.variadic for group in groups)
    attributes = declared.attributes.values()
    return _Plan(
        operands=len(groups) if fixed else -1,
        operand_constraints=_constraints(groups),
        results=sum(not group.variadic for group in declared.results),
        more_results=any(group.variadic for group in declared.results),
        result_constraints=_constraints([g for g in declared.results if not g.variadic]),
        attributes=[
            (a.name, _accepted(a.codec.accepts), a, a.default is None and not a.optional)
            for a in attributes
        ],
        symbols=[a.name for a in attributes if a.codec in (SYMBOL, NESTED_SYMBOL)],
        regions=declared.regions,
        infers=cls.infer is not Operation.infer and bool(declared.results),
        verifies=cls.verify is not Operation.verify,
        reaches=issubclass(cls, AccessInterface),
    )


def _constraints(
    groups: Sequence[OperandGroup | ResultGroup],
) -> list[tuple[int, _Accepted, Constraint]]:
    return [
        (i, _accepted(group.constraint.accepts), group.constraint)
        for i, group in enumerate(groups)
        if group.constraint is not ANY
    ]


class _Run:
    """One run: what was found, which values are visible, which symbols are known."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.visible: set[Value] = set()
        self.symbols: dict[str, Operation] = {}
        self.tables: dict[Operation, dict[str, Operation]] = {}
        """The results of `table`."""
        self.hints = 0
        """The number of unknown names for which a close match was searched."""
        self.reaching: dict[Operation, None] = {}
        """Functions, or other isolated ops, that read or write parts of buffers or tensors."""
        self.around: Operation | None = None
        """The one that is being checked."""
        self.ends = True
        """Whether blocks must end in terminators."""

    def report(self, op: Operation, message: str, *notes: str) -> None:
        self.found.append(Diagnostic(f"{op.name}: {message}", op.location, notes=notes))

    def operation(self, op: Operation, sound: bool = True) -> None:
        """Check an op; its own rules assume that the op around it is well-formed: `sound`."""
        before = len(self.found)
        visible = self.visible
        for position, value in enumerate(op.operands):
            if value not in visible:
                self.report(op, _why_invisible(op, position, value))
        if not isinstance(op, UnregisteredOp):
            plan = _plan(type(op))
            self._declared(op, plan)
            if plan.symbols:
                self._symbols(op, plan)
            if plan.reaches:
                self.reaching[self.around or op] = None
            if sound and len(self.found) == before and (plan.infers or plan.verifies):
                self._own_rules(op, plan)
        if op.regions:
            self._regions(op, len(self.found) == before)
        visible.update(op.results)

    def accesses(self, function: Operation) -> None:
        """Prove the accesses of a function whose ops are well-formed."""
        try:
            self.found += Proof(function).problems
        except Exception as error:
            pass_interrupt(error)
            # As in the ops' own rules, the analysis may assume what no declaration guarantees.
            self.report(function, f"its accesses cannot be proved: {type(error).__name__}")

    # -- what the class declares ----------------------------------------------------------------

    def _declared(self, op: Operation, plan: _Plan) -> None:
        if plan.operands < 0:
            self._operand_groups(op, plan)
        elif len(op.operands) != plan.operands:
            self.report(op, f"has {len(op.operands)} operands: expected {plan.operands}")
        else:
            for i, accepted, constraint in plan.operand_constraints:
                if not accepted[op.operands[i].type]:
                    self._wrong_type(op, "operand", i, op.operands[i].type, constraint)
        self._results(op, plan)
        for name, accepted, declared, needed in plan.attributes:
            found = op.attributes.get(name)
            if found is None:
                if needed:
                    self._missing(op, name, declared)
            elif not accepted[found]:
                self.report(
                    op, f"attribute {name!r} is {found}: expected {declared.codec.description}"
                )
        if op.regions or plan.regions:
            self._region_shapes(op, plan)

    def _operand_groups(self, op: Operation, plan: _Plan) -> None:
        """Operands where some groups vary in length."""
        groups = op.definition.operands
        if op.definition.segmented:
            problem = _segments_problem(op, op.attributes.get(SEGMENTS))
            if problem:
                self.report(op, problem)
                return
        elif len(op.operands) < len(groups) - 1:
            self.report(op, f"has {len(op.operands)} operands: expected {len(groups) - 1} or more")
            return
        for number, accepted, constraint in plan.operand_constraints:
            for i in range(*groups[number].span(op)):
                if not accepted[op.operands[i].type]:
                    self._wrong_type(op, "operand", i, op.operands[i].type, constraint)

    def _results(self, op: Operation, plan: _Plan) -> None:
        count = len(op.results)
        if count != plan.results and not (plan.more_results and count > plan.results):
            more = " or more" if plan.more_results else ""
            self.report(op, f"has {count} results: expected {plan.results}{more}")
            return
        for i, accepted, constraint in plan.result_constraints:
            if not accepted[op.results[i].type]:
                self._wrong_type(op, "result", i, op.results[i].type, constraint)
        if plan.more_results:
            group = op.definition.results[-1]
            for i in range(plan.results, count):
                if not group.constraint.accepts(op.results[i].type):
                    self._wrong_type(op, "result", i, op.results[i].type, group.constraint)

    def _wrong_type(
        self, op: Operation, what: str, i: int, type: Type, constraint: Constraint
    ) -> None:
        self.report(op, f"{what} {i} is {type}: expected {constraint.description}")

    def _missing(self, op: Operation, name: str, declared: DeclaredAttribute) -> None:
        known = {a.name for a in op.definition.attributes.values()}
        near = difflib.get_close_matches(name, [n for n in op.attributes if n not in known], 1)
        hint = f": it has {near[0]!r}" if near else ""
        self.report(
            op, f"attribute {name!r} is missing: expected {declared.codec.description}{hint}"
        )

    def _region_shapes(self, op: Operation, plan: _Plan) -> None:
        if len(op.regions) != len(plan.regions):
            self.report(op, f"has {len(op.regions)} regions: expected {len(plan.regions)}")
            return
        for region, declared in zip(op.regions, plan.regions, strict=True):
            if not region.blocks and not declared.optional:
                self.report(op, f"region {declared.name!r} is empty: expected a block")
            if not self.ends:
                continue
            if declared.terminated and any(
                b.last is None or not _may_end(b.last) for b in region.blocks
            ):
                self.report(op, "a block in it does not end in a terminator")
            for block in region.blocks:
                for inner in block:
                    if inner.terminator and inner is not block.last:
                        self.report(inner, "ends its block, and other ops follow it")

    # -- what the class computes ----------------------------------------------------------------

    def _own_rules(self, op: Operation, plan: _Plan) -> None:
        try:
            if plan.infers:
                inferred = op.infer()
                actual = [result.type for result in op.results]
                if list(inferred) != actual:
                    self.report(
                        op,
                        f"has results of type {result_text(tuple(actual))}: its operands and "
                        f"attributes give {result_text(tuple(inferred))}",
                    )
            if plan.verifies:
                op.verify()
        except Exception as error:
            self._failed(op, error)

    def _failed(self, op: Operation, error: Exception) -> None:
        """Record what an op's own rule raised."""
        if isinstance(error, IRError):
            self.found.extend(error.diagnostics)
            return
        pass_interrupt(error)
        # Rules may assume what no declaration guarantees, e.g. a block's arguments.
        self.report(op, f"is malformed: checking it failed with {type(error).__name__}")

    def _symbols(self, op: Operation, plan: _Plan) -> None:
        for name in plan.symbols:
            reference = op.attributes.get(name)
            symbol = getattr(reference, "name", None)
            if symbol is None:
                continue
            target = self.symbols.get(symbol)
            if target is None:
                self.hints += 1
                hint = did_you_mean(symbol, self.symbols, "@") if self.hints <= MAX_HINTS else ""
                self.report(op, f"no symbol @{symbol} is defined{hint}")
                continue
            nested = getattr(reference, "nested", ())
            if nested:
                self._nested(op, target, symbol, nested)
                continue
            signature = target.attributes.get("function_type")
            if isinstance(signature, TypeAttr) and isinstance(signature.value, FunctionType):
                self._call(op, symbol, signature.value)
            held, result_types = target.attributes.get("type"), [r.type for r in op.results]
            if result_types and isinstance(held, TypeAttr) and result_types != [held.value]:
                self.report(op, f"gives another type than that of @{symbol}, {held.value}")

    def _nested(self, op: Operation, outer: Operation, symbol: str, names: Sequence[str]) -> None:
        """Check an op that names a symbol inside others, of which the first is `outer`."""
        target = outer
        for name in names:
            table = self.table(target) if target.symbol_table else {}
            found = table.get(name)
            if found is None:
                hint = did_you_mean(name, table, "@")
                self.report(op, f"no symbol @{name} is defined in @{symbol}{hint}")
                return
            target, symbol = found, name
        try:
            op.verify_target(target)
        except Exception as error:
            self._failed(op, error)

    def _call(self, op: Operation, symbol: str, promised: FunctionType) -> None:
        """Check a call against the type of the function that it names."""
        target = self.symbols[symbol]
        arguments = target.regions[0].blocks[0].arguments if target.regions[0].blocks else ()
        if any(arena_bytes(argument) is not None for argument in arguments):
            self.report(op, f"calls @{symbol}, which takes an arena: only the runtime may")
        actual = FunctionType(tuple(v.type for v in op.operands), tuple(r.type for r in op.results))
        if actual is not promised:
            self.report(op, f"is used as {actual} and @{symbol} is {promised}")

    # -- regions --------------------------------------------------------------------------------

    def _regions(self, op: Operation, sound: bool) -> None:
        outer, symbols, around = self.visible, self.symbols, self.around
        if op.isolated or around is None:
            self.around = op
        if op.symbol_table:
            self.symbols = self.table(op)
        for region in op.regions:
            for block in region.blocks:
                self.visible = set() if op.isolated else outer
                self._block(block, sound)
        self.visible, self.symbols, self.around = outer, symbols, around

    def _block(self, block: Block, sound: bool) -> None:
        """Check a block. Its values are visible from their definition to its end."""
        defined: list[Value] = [*block.arguments]
        self.visible.update(defined)
        for op in block:
            self.operation(op, sound)
            defined += op.results
        self.visible.difference_update(defined)

    def table(self, op: Operation) -> dict[str, Operation]:
        """The ops in it by their symbols."""
        symbols = self.tables.get(op)
        if symbols is not None:
            return symbols
        symbols = self.tables[op] = {}
        for inner in _members(op):
            name = inner.attributes.get("sym_name")
            if isinstance(name, StringAttr) and symbols.setdefault(name.value, inner) is not inner:
                first = symbols[name.value].location.describe()
                self.report(inner, f"symbol @{name.value} is defined twice: first at {first}")
        return symbols


def _members(op: Operation) -> Iterator[Operation]:
    for region in op.regions:
        for block in region.blocks:
            yield from block


def _may_end(op: Operation) -> bool:
    """Unregistered ops may be terminators."""
    return op.terminator or isinstance(op, UnregisteredOp)


def _segments_problem(op: Operation, sizes: Attribute | None) -> str:
    groups = op.definition.operands
    declared = sizes if isinstance(sizes, DenseArrayAttr) and sizes.element is i32 else None
    if declared is None or len(declared.values) != len(groups):
        return f"{SEGMENTS} is {sizes}: expected {len(groups)} lengths, array<i32: ...>"
    if sum(declared.values) != len(op.operands) or min(declared.values) < 0:
        return f"{SEGMENTS} is {sizes}: expected lengths that add up to {len(op.operands)}"
    for group, size in zip(groups, declared.values, strict=True):
        if not group.variadic and size != 1:
            return f"{SEGMENTS} is {sizes}: expected 1 for {group.name!r}"
    return ""


def _why_invisible(op: Operation, position: int, value: Value) -> str:
    """The sentence for an operand that the op cannot use."""
    name = f"operand {position}" + (f" (%{value.name})" if value.name else "")
    definition = value.defining_op
    block = value.owner if isinstance(value, BlockArgument) else definition and definition.block
    if not isinstance(block, Block) or block.region is None:
        return f"{name} is a value that no longer exists"
    place = definition.location.describe() if definition else "a block argument"
    barrier = _barrier(op, block)
    if barrier is None:
        return f"{name} is defined inside another region, at {place}"
    if barrier is not op:
        return f"{name} comes from outside {barrier.name}, which is isolated"
    return f"{name} is used before it is defined, at {place}"


def _barrier(op: Operation, block: Block) -> Operation | None:
    """The isolated op between an op and a block around it; the op itself if none is between.

    None where the block is not around the op.
    """
    found, inner = op, op
    while inner.block is not block:
        parent = inner.parent
        if parent is None:
            return None
        inner = parent
        if inner.isolated and found is op:
            found = inner
    return found
