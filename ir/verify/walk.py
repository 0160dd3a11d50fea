"""Proves accesses to be in bounds: collects facts op by op, and checks each access with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, DictAttr, IntegerAttr
from penstock.ir.core import BlockArgument, Operation, Value
from penstock.ir.diagnostics import Diagnostic
from penstock.ir.verify.known import IntegerInterface, Known
from penstock.ir.verify.linear import LEAST, MOST, Form, Solver
from penstock.ir.verify.reach import AccessInterface, Place, Reach, StridedSpan

ARENA = "job.arena"
"""The attribute with the size in bytes of an argument of dynamic extent."""
NESTED = 2
"""The most nested loops that are analysed one iteration at a time."""
WALKS, VISITS = 400, 400_000
"""The most walks of a function for that purpose, and the most ops visited in them."""

Access = tuple[Operation, Reach]


class Proof:
    """The bounds analysis of a function's accesses.

    >>> from penstock.ir.dialects.parsing import parse_module
    >>> module = parse_module(
    ...     "func.func @f(%x: memref<8xf32>) {"
    ...     "  %a = arith.constant 0 : index  %b = arith.constant 9 : index"
    ...     "  %s = arith.constant 1 : index"
    ...     "  scf.for %i = %a to %b step %s { %y = memref.load %x[%i] : memref<8xf32> }"
    ...     "  return }"
    ... )
    >>> proof = Proof(module.functions()[0])
    >>> print(proof.problems[0].message)
    memref.load: reads elements 0 to 8 of dimension 0 of %x, memref<8xf32>: expected 0 to 7
    """

    def __init__(self, function: Operation) -> None:
        self.function = function
        self.problems: list[Diagnostic] = []
        """Accesses that depend on constants and loops alone, and that may be out of bounds."""
        self.proved: Counter[str] = Counter()
        """The number of proved accesses per op name."""
        self.unproved: Counter[str] = Counter()
        """The number of unproved ones: they depend on data, masks, arguments or dynamic extents."""
        self.known = self._walked(Known())
        """The facts about the function's integers."""
        if self.known.broken:
            self.known = self._walked(Known(trusting=False))
        self.left: list[Operation] = []
        """The ops with unproved accesses or problems."""
        self._walks = 0
        told: list[Access] = []
        reached: list[Access] = [(op, reach) for op in self.reaching for reach in op.reaches()]
        for op, reach in reached:
            problem = self._problem(op, reach, self.known)
            if isinstance(problem, str):
                told.append((op, reach))
            else:
                (self.unproved if problem else self.proved)[op.name] += 1
                self.left += [op] if problem else []
        self.proved.update(op.name for op, _ in told)
        for op, reach in self._split(told, {}):
            problem = self._problem(op, reach, self.known)
            self.problems.append(Diagnostic(f"{op.name}: {problem}", op.location))
            self.proved[op.name] -= 1
            self.left.append(op)

    def _walked(self, known: Known) -> Known:
        """Collect facts from loops and branches, and the ops that access buffers. Stops as soon as
        the facts are known to be broken."""
        self.reaching: list[AccessInterface] = []
        count = 0
        for op in self.function.walk():
            count += 1
            if isinstance(op, AccessInterface):
                self.reaching.append(op)
            if op is self.function:
                continue
            if op.regions:
                known.solver = known.solver_of_op(op)
                if isinstance(op, IntegerInterface):
                    op.integers(known)
            elif op.terminator and isinstance(op.parent, IntegerInterface):
                known.solver = known.solver_of_op(op)
                op.parent.finish(op, known)
            if known.broken:
                return known
        self._most_walks = min(WALKS, VISITS // max(count, 1))
        return known

    def _split(self, told: Sequence[Access], fixed: Mapping[Value, int]) -> Sequence[Access]:
        """The accesses that remain unproved if short loops around them are analysed one iteration
        at a time. `fixed` has the induction variables that are fixed already.

        This is needed if the last block is smaller: the sizes 16 and 3 of 19 are not linear.
        """
        known = self.known
        if fixed:
            self._walks += 1
            known = self._walked(Known(known.trusting, fixed, self.known))
            told = [each for each in told if known.broken or self._problem(*each, known)]
        for induction, values in known.few.items():
            inside = [each for each in told if _is_inside(each[0], induction)]
            if not inside or induction in fixed or len(fixed) == NESTED:
                continue
            if self._walks + len(values) > self._most_walks:
                break
            left = [e for v in values for e in self._split(inside, {**fixed, induction: v})]
            proved = set(map(id, inside)) - set(map(id, left))
            told = [each for each in told if id(each) not in proved]
        return told

    def _problem(self, op: Operation, reach: Reach, known: Known) -> str | bool:
        """The problem with an access; True if it depends on data, False if it is proved."""
        type = reach.buffer.type
        if not isinstance(type, ty.ShapedType):
            return False
        if any(span is not None and span.size == 0 for span in reach.spans):
            return False
        known.solver = solver = known.solver_of_op(op)
        facts = known.entails(reach.mask, True) if reach.mask is not None else ()
        solver = Solver([*solver.facts, *facts]) if facts else solver
        is_masked = reach.mask is not None and not facts and not _is_set(reach.mask)
        for dim, span in enumerate(reach.spans):
            if span is None:
                return True  # the op masks indices past the end, but not negative ones
            first, last = _ends(span, reach, dim, known)
            extent = _extent(reach.buffer, dim)
            low, high = solver.least(first), solver.most(last)
            is_inside = low >= 0 and extent is not None and high < extent
            if (is_inside and _is_aligned(first, reach.align)) or solver.dead:
                continue
            if extent is None or is_masked or not (first.told and last.told):
                return True
            if is_inside:
                return f"begins at a byte that may be no multiple of {reach.align}, an element"
            return _outside(reach, dim, (low, high), extent)
        return False


def _outside(reach: Reach, dim: int, reached: tuple[int, int], extent: int) -> str:
    low, high = reached
    where = f"element {low}" if low == high else f"elements {low} to {high}"
    wanted = f"expected 0 to {extent - 1}" if extent else "it has none"
    return f"{reach.verb} {where} of dimension {dim} of {_named(reach.buffer)}: {wanted}"


def _is_inside(op: Operation, induction: Value) -> bool:
    """Whether an op is in the loop of an induction variable."""
    block = op.block
    while block is not None and block is not induction.owner:
        around = block.region.op if block.region is not None else None
        block = around.block if around is not None else None
    return block is not None


def _named(buffer: Value) -> str:
    return f"%{buffer.name}, {buffer.type}" if buffer.name else str(buffer.type)


def _is_set(mask: Value) -> bool:
    """Whether a mask is a constant with every bit set."""
    op = mask.defining_op
    value = op.attributes.get("value") if op is not None and op.pure and not op.operands else None
    return isinstance(value, DenseElementsAttr) and bool(value.array().all())


def _ends(span: StridedSpan, reach: Reach, dim: int, known: Known) -> tuple[Form, Form]:
    """The first and the last position that is reached in a dimension."""
    first = _form(span.start, known)
    if dim == reach.lanes and reach.places is not None:
        first = first + known.of(reach.places)
        return first, first
    if dim == reach.lanes and reach.mask is not None and isinstance(span.size, int):
        first = first + known.lane(span.size)
        return first, first
    if span.size == 1:
        return first, first
    if isinstance(span.size, int) and isinstance(span.stride, int):
        last = first.plus((span.size - 1) * span.stride)
        return (first, last) if span.stride >= 0 else (last, first)
    stride, more = _form(span.stride, known).number, _form(span.size, known).plus(-1)
    if stride is None:
        anywhere = known.between(LEAST, MOST, of=[_form(span.stride, known)])
        return anywhere, anywhere
    last = first + more * stride
    return (first, last) if stride >= 0 else (last, first)


def _form(place: Place, known: Known) -> Form:
    return Form((), place) if isinstance(place, int) else known.exact(place)


def _is_aligned(form: Form, align: int) -> bool:
    if align == 1:
        return True
    modulo, rest = form.modulo()
    return not modulo % align and not rest % align


def _extent(buffer: Value, dim: int) -> int | None:
    """The extent of a dimension; None if it is dynamic."""
    type = buffer.type
    assert isinstance(type, ty.ShapedType)
    if type.shape[dim] != ty.DYNAMIC:
        return type.shape[dim]
    return arena_bytes(buffer) if isinstance(buffer, BlockArgument) else None


def arena_bytes(argument: BlockArgument) -> int | None:
    """The size of the arena in bytes, if an argument is the arena."""
    region = argument.block.region
    function = region.op if region is not None and region.blocks[0] is argument.block else None
    type = argument.type
    if function is None or not function.isolated or not isinstance(type, ty.MemRefType):
        return None
    if type.rank != 1 or type.layout is not None or type.element is not ty.i8:
        return None
    told = getattr(function.attributes.get("arg_attrs"), "items", ())
    if argument.index >= len(told) or not isinstance(told[argument.index], DictAttr):
        return None
    size = told[argument.index].get(ARENA)
    return size.value if isinstance(size, IntegerAttr) else None
