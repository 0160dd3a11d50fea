"""What is known about the integers of a function, collected op by op in program order.

Op classes say it in `integers`: `arith.addi` notes a sum of forms, `scf.for` a symbol between its
bounds. Whatever nobody speaks of is some number of its type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import gcd

from penstock.ir import types as ty
from penstock.ir.core import Block, BlockArgument, Operation, Value
from penstock.ir.types import IndexType, IntegerType, Type, element_of
from penstock.ir.verify.linear import LEAST, MOST, Form, Solver, Symbol, Terms


def is_counted(type: Type) -> bool:
    """Whether values of a type are integers or vectors of integers."""
    return isinstance(element_of(type), IntegerType | IndexType)


def has_form(type: Type) -> bool:
    """Whether forms can describe a type. i1 cannot, being both 1 and -1, nor can wide integers,
    since forms are modulo 2^64."""
    element = element_of(type)
    return not isinstance(element, IntegerType) or 1 < element.width <= 64


@cache
def limits(type: Type) -> tuple[int, int]:
    """The least and the largest number of an integer type, or of the elements of a vector's.

    One bit is both 0 or 1 and, as a signed number, 0 or -1.

    >>> limits(ty.i32)
    (-2147483648, 2147483647)
    """
    type = element_of(type)
    if not isinstance(type, IntegerType):
        return LEAST, MOST
    if type is ty.i1:
        return -1, 1
    half = 1 << (type.width - 1)
    return (0, 2 * half - 1) if type.sign == "u" else (-half, half - 1)


TERMS = 32
"""The most terms of a form, and the most parts of a condition."""
CASES = 16
"""The most values of an induction variable for which it is analysed case by case."""


class Known:
    """The forms of the values seen so far, and the facts that hold at the current point."""

    def __init__(
        self,
        trusting: bool = True,
        fixed: Mapping[Value, int] | None = None,
        whole: Known | None = None,
    ) -> None:
        self.fixed = fixed or {}
        """Induction variables that are fixed to one of their values."""
        self.ranges: dict[Value, tuple[int, int, bool]] = {} if whole is None else whole.ranges
        """Bounds of loop-carried values and loop results, and whether they are `told`."""
        self.trusting = trusting
        """Whether carried values are assumed not to overflow."""
        self.broken = False
        """Whether this assumption was refuted."""
        self.forms: dict[Value, Form] = {}
        self.solver = Solver()
        """The solver with the facts that hold in the current block."""
        self.few: dict[Value, range] = {}
        """Induction variables with few values, and these values."""
        self._symbols = 0
        self._solvers: dict[Block, Solver] = {}
        self._entered: set[Value] = set()
        """Values whose operands were evaluated first."""
        self._quotients: dict[tuple[Solver, Terms, int, int], Form] = {}
        self._lanes: dict[int, Form] = {}

    # -- values ---------------------------------------------------------------------------------

    def of(self, value: Value) -> Form:
        """The form of an integer, or of any element of a vector of integers."""
        found = self.forms.get(value)
        return self._found(value) if found is None else found

    def _found(self, value: Value) -> Form:
        """Evaluate an op after its operands; with an explicit stack, since chains may be long."""
        around, waiting = self.solver, [value]
        while waiting:
            last = waiting[-1]
            op = last.defining_op
            if last in self.forms or op is None or op.regions or op.block is None:
                self.forms.setdefault(last, self.unknown(last.type))
                waiting.pop()
                continue
            needed = [v for v in op.operands if v not in self.forms and is_counted(v.type)]
            if needed and last not in self._entered:
                self._entered.add(last)
                waiting += needed
                continue
            self.solver = self.solver_of(op.block)
            if isinstance(op, IntegerInterface):
                op.integers(self)
            if last not in self.forms:
                self.forms[last] = self.unknown(last.type)
            waiting.pop()
        self.solver = around
        return self.forms[value]

    def solver_of_op(self, op: Operation) -> Solver:
        """The facts that hold at an op."""
        return self.solver if op.block is None else self.solver_of(op.block)

    def solver_of(self, block: Block) -> Solver:
        """The facts that hold in a block: those around it, and those that its op adds."""
        missing: list[Block] = []
        around: Block | None = block
        while around is not None and around not in self._solvers:
            missing.append(around)
            op = around.region.op if around.region is not None else None
            around = op.block if op is not None else None
        before = self.solver
        found = self._solvers[around] if around is not None else Solver()
        for inner in reversed(missing):
            region = inner.region
            if region is not None and isinstance(op := region.op, IntegerInterface):
                self.solver = found
                facts = op.facts(op.regions.index(region), self)
                found = Solver([*found.facts, *facts]) if facts else found
            self._solvers[inner] = found
        self.solver = before
        return found

    def exact(self, value: Value) -> Form:
        """The form of a value if it is exact, not only modulo 2^64; else an unknown of its type."""
        form = self.of(value)
        return form if self.solver.fits(form) else self.unknown(value.type)

    def note(self, value: Value, form: Form) -> None:
        """Record the form of a value. If it may overflow a narrower type, the value is unknown."""
        low, high = limits(value.type)
        number = form.number
        if number is not None:
            form = Form((), (number + 2**63) % 2**64 - 2**63)
        is_large = len(form.terms) > TERMS or any(abs(f) > MOST for _, f in form.terms)
        if is_large or not has_form(value.type):
            form = self.unknown(value.type)
        if low != LEAST and not (low <= self.least(form) and self.most(form) <= high):
            form = self.unknown(value.type)
        self.forms[value] = form

    def least(self, form: Form) -> int:
        return self.solver.least(form)

    def most(self, form: Form) -> int:
        return self.solver.most(form)

    def entails(self, condition: Value, truth: bool) -> Sequence[Form]:
        """Forms that are nonnegative if a condition equals `truth`."""
        waiting, seen = [condition], set[Value]()
        found: list[Form] = []
        while waiting and len(seen) < TERMS:
            value = waiting.pop()
            op = value.defining_op
            if op is None or value in seen:
                continue
            seen.add(value)
            if op.conjoins is truth:
                waiting += op.operands
            elif isinstance(op, IntegerInterface):
                found += op.entails(truth, self)
        return found

    # -- symbols --------------------------------------------------------------------------------

    def unknown(self, type: Type) -> Form:
        """An unknown number of a type."""
        return self._free(*limits(type)).form

    def _free(self, low: int, high: int) -> Symbol:
        """A new symbol that depends on data or arguments."""
        symbol = self._symbol([], (1, 0), told=False)
        symbol.lower, symbol.upper = [(1, Form((), low))], [(1, Form((), high))]
        return symbol

    def between(
        self,
        low: int,
        high: int,
        lower: Sequence[Form] = (),
        upper: Sequence[Form] = (),
        modulo: tuple[int, int] = (1, 0),
        of: Sequence[Form] = (),
    ) -> Form:
        """A new symbol from `low` to `high` that is also bounded by forms."""
        if low == high:
            return Form((), low)
        symbol = self._symbol([*lower, *upper, *of], modulo)
        symbol.lower = [*((1, form) for form in lower if form.terms), (1, Form((), low))]
        symbol.upper = [*((1, form) for form in upper if form.terms), (1, Form((), high))]
        return symbol.form

    def _symbol(
        self, of: Sequence[Form], modulo: tuple[int, int] = (1, 0), told: bool = True
    ) -> Symbol:
        self._symbols += 1
        return Symbol(self._symbols, *modulo, told and all(form.told for form in of))

    def lane(self, lanes: int) -> Form:
        """The lane number in a vector of this many lanes."""
        if lanes not in self._lanes:
            self._lanes[lanes] = self.between(0, lanes - 1)
        return self._lanes[lanes]

    def loop(self, induction: Value, first: Form, end: Form, step: Form) -> None:
        """Record the induction variable of a loop; all three forms are exact."""
        fixed = self.fixed.get(induction)
        form = self.counted(first, end, step) if fixed is None else Form((), fixed)
        self.forms[induction] = form
        low, by = first.number, step.number
        if low is not None and by is not None and by > 0 and self.most(end) - low <= CASES * by:
            self.few[induction] = range(low, self.most(end), by)

    def counted(self, first: Form, end: Form, step: Form) -> Form:
        """The induction variable of a loop from `first` to before `end`; all three are exact."""
        low, by = self.least(first), step.number
        if self.least(step) < 1 or self.most(end) + self.most(step) > MOST:
            return self.between(LEAST, MOST, of=[first, end, step])
        if by is None:
            return self.between(
                low, max(self.most(end) - 1, low), [first], [end.plus(-1)], of=[step]
            )
        (m1, r1), (m2, r2) = first.modulo(), end.modulo()
        if m1 == m2 == 0:
            high = r1 + max(r2 - r1 - 1, 0) // by * by
            if high == low:
                return first
            return self.between(low, high, modulo=(by, r1 % by))
        common = gcd(m1, by, m2)
        short = (r2 - r1 - 1) % common + 1
        high = max(self.most(end) - short, low)
        own = gcd(m1, by)
        return self.between(low, high, [first], [end.plus(-short)], (own, r1 % own))

    def carried(
        self, argument: BlockArgument, initial: Value, given: Value, bounds: Sequence[Form]
    ) -> None:
        """Record a loop-carried value; `stepped` adds bounds once the loop's end is known.

        `given` is its value in the next iteration. If that depends on nothing else, as in
        `%next = arith.addi %argument, %argument`, an overflow is found before the loop is walked.
        """
        if argument.owner.arguments[0] in self.fixed:
            # A single iteration does not determine the carried value.
            self.forms[argument] = self._ranging(argument)
            return
        low, high = limits(argument.type)
        if self.trusting:
            low, high = low // 2, high // 2
        symbol = self._free(low, high)
        self.forms[argument] = symbol.form
        op = given.defining_op
        depends_on_it_alone = op is not None and not op.regions and set(op.operands) == {argument}
        if self.trusting and depends_on_it_alone:
            self.broken = self.broken or self._growth(argument, initial, given, bounds) is None

    def _growth(
        self, argument: BlockArgument, initial: Value, given: Value, bounds: Sequence[Form]
    ) -> tuple[Form, int, int] | None:
        """The change of a carried value per iteration, and the value's bounds in all iterations;
        None if it may overflow."""
        start = self.of(initial)
        change = self.of(given) - self.of(argument)
        first, end, step = bounds
        by = step.number
        if by is None or by < 1:
            return None
        half = limits(argument.type)[1] // 2
        count = max(self.most(end - first) - 1, -1) // by + 1
        least = self.least(start) + min(self.least(change), 0) * count
        most = self.most(start) + max(self.most(change), 0) * count
        return None if least < -half or most > half else (change, least, most)

    def _ranging(self, value: Value) -> Form:
        """A new symbol for a loop-carried value or a loop result, in any iteration."""
        low, high, told = self.ranges.get(value, (*limits(value.type), False))
        return self.between(low, high) if told else self._free(low, high).form

    def stepped(
        self,
        argument: BlockArgument,
        initial: Value,
        value: Value,
        outcome: Value,
        induction: Value,
        bounds: Sequence[Form],
    ) -> None:
        """Bound a carried value, and the loop's result, by the growth per iteration."""
        if induction in self.fixed:
            self.forms[outcome] = self._ranging(outcome)
            return
        growth = self._growth(argument, initial, value, bounds) if self.trusting else None
        if growth is None:
            self.forms[outcome] = self.unknown(outcome.type)
            self.broken = self.trusting
            return
        change, least, most = growth
        low, high = self.least(change), self.most(change)
        mine, start = self.of(argument), self.of(initial)
        first, _, step = bounds
        ((symbol, _),) = mine.terms
        iterations = self.of(induction) - first
        symbol.told = all(form.told for form in (start, change, *bounds))
        for rate, ends, number in ((low, symbol.lower, least), (high, symbol.upper, most)):
            ends[-1] = 1, Form((), number)
            ends.append((step.constant, start * step.constant + iterations * rate))
        for solver in self._solvers.values():
            solver.forget()
        if not self.fixed:
            self.ranges[argument] = self.ranges[outcome] = least, most, symbol.told
        self.forms[outcome] = self.between(
            least,
            most,
            [start] if low >= 0 else [],
            [start] if high <= 0 else [],
            of=[start, change, *bounds],
        )

    # -- nonlinear operations -------------------------------------------------------------------

    def minimum(self, left: Form, right: Form) -> Form:
        """The smaller of two exact forms."""
        low = min(self.least(left), self.least(right))
        high = min(self.most(left), self.most(right))
        return self.between(low, high, [], [left, right], _common(left, right))

    def maximum(self, left: Form, right: Form) -> Form:
        """The larger of two exact forms."""
        low = max(self.least(left), self.least(right))
        high = max(self.most(left), self.most(right))
        return self.between(low, high, [left, right], [], _common(left, right))

    def either(self, left: Form, right: Form, when: Solver, otherwise: Solver) -> Form:
        """`left` where the facts of `when` hold, and `right` where those of `otherwise` do."""
        if when.dead or otherwise.dead:
            return right if when.dead else left
        low = min(when.least(left), otherwise.least(right))
        high = max(when.most(left), otherwise.most(right))
        less, more = left - right, right - left
        upper = [f for f, d, s in ((left, more, otherwise), (right, less, when)) if s.most(d) <= 0]
        lower = [f for f, d, s in ((left, more, otherwise), (right, less, when)) if s.least(d) >= 0]
        return self.between(low, high, lower, upper, _common(left, right), of=[left, right])

    def joined(self, left: Form, right: Form, when: Solver, otherwise: Solver) -> Form:
        """The same for forms of two blocks, whose symbols have no meaning outside."""
        live = [(f, s) for f, s in ((left, when), (right, otherwise)) if not s.dead]
        if not live:
            return left
        low, high = min(s.least(f) for f, s in live), max(s.most(f) for f, s in live)
        return self.between(low, high, modulo=_common(live[0][0], live[-1][0]), of=[left, right])

    def quotient(self, form: Form, divisor: int) -> Form:
        """An exact form divided by a positive number, rounded down."""
        if divisor == 1:
            return form
        key = self.solver, form.terms, form.constant, divisor
        found = self._quotients.get(key)
        if found is None:
            low, high = self.least(form) // divisor, self.most(form) // divisor
            if low == high:
                found = Form((), low)
            else:
                symbol = self._symbol([form])
                symbol.upper = [(divisor, form), (1, Form((), high))]
                symbol.lower = [(divisor, form.plus(1 - divisor)), (1, Form((), low))]
                symbol.divided = divisor, form
                found = symbol.form
            self._quotients[key] = found
        return found

    def remainder(self, form: Form, divisor: int) -> Form:
        """The nonnegative remainder of an exact form modulo a positive number."""
        return form - self.quotient(form, divisor) * divisor


class IntegerInterface(Operation):
    """An op that states what it knows about integers."""

    __slots__ = ()

    def integers(self, known: Known) -> None:
        """Record what is known about its integer results and its regions' arguments."""

    def finish(self, end: Operation, known: Known) -> None:
        """Record what is known once the walk reaches the terminator of one of its regions."""

    def facts(self, region: int, known: Known) -> Sequence[Form]:
        """Forms that are nonnegative wherever that region runs."""
        return ()

    def entails(self, truth: bool, known: Known) -> Sequence[Form]:
        """Forms that are nonnegative if its only result, a condition, equals `truth`."""
        return ()


def _common(left: Form, right: Form) -> tuple[int, int]:
    """(m, r): both forms are r modulo m."""
    (m1, r1), (m2, r2) = left.modulo(), right.modulo()
    common = gcd(m1, m2, r1 - r2)
    return (common, r1 % common) if common else (1, 0)
