"""Pattern rewriting: patterns, the rewriter that applies them, and a driver with a worklist.

    @pattern
    def double_negation(op: arith.NegF, rewriter: Rewriter) -> None:
        \"\"\"negf(negf(x)) -> x\"\"\"
        inner = op.operands[0].defining_op
        if isinstance(inner, arith.NegF):
            rewriter.replace(op, inner.operands[0])

The annotation of the first parameter is the matcher: an op class, a base class of several, a union,
or `Operation` for every op. Anything callable will do, e.g. an object with options and `__call__`.
"""

from __future__ import annotations

import typing
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import perf_counter
from typing import Any, Literal

from penstock.ir.builder import Builder, O
from penstock.ir.core import Block, Operation, Value
from penstock.ir.diagnostics import IRError, op_error
from penstock.ir.rewriting.rewrite_session import RewriteSession, current

Rule = Callable[[Any, "Rewriter"], bool | None]
"""Changes the op through the rewriter, or leaves it alone.

It returns True if it changed something behind the rewriter's back, e.g. an attribute.
"""


class Pattern:
    """A rule with the op classes it matches; `applies` narrows them by a property of the class."""

    __slots__ = ("_roots", "applies", "apply", "name", "where")

    def __init__(
        self, rule: Rule, applies: Callable[[type[Operation]], bool] = lambda cls: True
    ) -> None:
        self.apply = rule
        self.applies = applies
        self.name = getattr(rule, "__name__", type(rule).__name__)
        code = getattr(_function(rule), "__code__", None)
        self.where = f"{code.co_filename}:{code.co_firstlineno}" if code else "unknown"
        self._roots: tuple[type[Operation], ...] = ()

    @property
    def roots(self) -> tuple[type[Operation], ...]:
        """The op classes of the annotation, looked up when first asked for."""
        if not self._roots:
            self._roots = _annotated(self)
        return self._roots

    def matches(self, cls: type[Operation]) -> bool:
        return issubclass(cls, self.roots) and self.applies(cls)

    def __call__(self, op: Operation, rewriter: Rewriter) -> bool | None:
        return self.apply(op, rewriter)


def pattern(rule: Rule) -> Pattern:
    """Make a pattern of a function or another callable: see the head of the module."""
    return Pattern(rule)


def pattern_where(applies: Callable[[type[Operation]], bool]) -> Callable[[Rule], Pattern]:
    """Make a pattern for those of the annotated classes that `applies` accepts.

    >>> @pattern_where(lambda cls: cls.commutative)
    ... def order(op: Operation, rewriter: Rewriter) -> None: ...
    >>> order.name
    'order'
    """
    return lambda rule: Pattern(rule, applies)


def _function(rule: Rule) -> Any:
    """The function with the annotations of a rule: the rule itself, or `__call__` of its class."""
    return rule if hasattr(rule, "__code__") or hasattr(rule, "__func__") else type(rule).__call__


def _annotated(pattern: Pattern) -> tuple[type[Operation], ...]:
    hints = typing.get_type_hints(_function(pattern.apply))
    hints.pop("return", None)
    first = next(iter(hints.values()), None)
    roots = typing.get_args(first) or (first,)
    if not all(isinstance(root, type) and issubclass(root, Operation) for root in roots):
        raise TypeError(
            f"pattern {pattern.name} ({pattern.where}) must annotate its first parameter with the "
            f"op class it matches, got {first}"
        )
    return typing.cast("tuple[type[Operation], ...]", roots)


class Rewriter(Builder):
    """A builder for patterns, inserting before the matched op.

    A pattern makes all changes through its methods, so that the driver revisits affected ops.
    """

    def __init__(self, worklist: _Worklist) -> None:
        super().__init__(Block())
        self.changed = False
        self.touched: dict[Operation, None] = {}
        """The ops to visit again."""
        self._worklist = worklist

    def start(self, op: Operation) -> None:
        """Start with a new `op`: insert before it, at its location."""
        assert op.block is not None
        self.block, self.before, self.location = op.block, op, op.location
        self.changed = False
        self.touched = {op: None}

    def insert(self, op: O) -> O:
        super().insert(op)
        self.inserted(op)
        return op

    def inserted(self, op: Operation) -> None:
        """Record an op that was inserted by other means."""
        self.changed = True
        self.touched.update(dict.fromkeys(op.walk() if op.regions else (op,)))

    def modified(self, op: Operation) -> None:
        """Record that operands or attributes of `op` were changed by other means."""
        self.changed = True
        self.touched[op] = None

    def set_operand(self, op: Operation, position: int, value: Value) -> None:
        """Make `op` use another value."""
        self._touch_definition(op.operands[position])
        op.set_operand(position, value)
        self.modified(op)

    def replace_uses(self, value: Value, other: Value) -> None:
        """Make the users of `value` use `other`."""
        self.changed = True
        self.touched.update(dict.fromkeys(value.users()))
        self._touch_definition(value)
        value.replace_all_uses_with(other)

    def replace(self, op: Operation, by: Operation | Value | Sequence[Value]) -> None:
        """Replace an op's results by values, or by another op's results, and erase the op."""
        values = _values(by)
        if len(values) != len(op.results):
            raise op_error(
                op, f"has {len(op.results)} results, but is replaced by {len(values)} values"
            )
        for result, value in zip(op.results, values, strict=True):
            if result.type is not value.type:
                raise op_error(op, f"a result of {result.type} was replaced by one of {value.type}")
            if result.uses:
                self.replace_uses(result, value)
        self.erase(op)

    def erase(self, op: Operation) -> None:
        """Remove an op whose results are unused."""
        self.changed = True
        gone = list(op.walk()) if op.regions else [op]
        for inner in gone:
            for value in inner.operands:
                self._touch_definition(value)
        for inner in gone:
            self.touched.pop(inner, None)
            self._worklist.pending.discard(inner)
        op.erase()

    def _touch_definition(self, value: Value) -> None:
        """Revisit the op that defines a value that lost a use: it may be dead."""
        op = value.defining_op
        if op is not None:
            self.touched[op] = None


def _values(by: Operation | Value | Sequence[Value]) -> Sequence[Value]:
    if isinstance(by, Operation):
        return by.results
    return [by] if isinstance(by, Value) else by


class _Worklist:
    """The ops still to visit, without duplicates: a stack of batches, each in order."""

    __slots__ = ("pending", "stack")

    def __init__(self, ops: Iterable[Operation]) -> None:
        self.stack = list(ops)
        self.stack.reverse()
        self.pending = set(self.stack)

    def pop(self) -> Operation | None:
        while self.stack:
            op = self.stack.pop()
            if op in self.pending:
                self.pending.remove(op)
                return op
        return None

    def push(self, ops: Iterable[Operation]) -> None:
        new = [op for op in ops if op not in self.pending]
        self.pending.update(new)
        self.stack.extend(reversed(new))


def rewrite(
    root: Operation,
    rules: Iterable[Rule],
    order: Literal["pre", "post"] = "pre",
    required: bool = False,
    limit: int | None = None,
) -> bool:
    """Apply patterns inside `root` until none changes anything; True if any did.

    Ops are visited in program order, an op before those in its regions ("pre") or after ("post");
    after a change, the affected ops again. For one op the patterns are tried in the order given.
    `required` rewrites take no fuel: a half-finished lowering is not a valid program.

    Raises `IRError` naming the pattern after `limit` rewrites, when patterns undo each other.
    """
    session = current()
    patterns = [rule if isinstance(rule, Pattern) else Pattern(rule) for rule in rules]
    ops = list(post_order(root)) if order == "post" else list(root.walk())[1:]
    limit = limit if limit is not None else 1000 + 50 * len(ops)
    worklist = _Worklist(ops)
    rewriter = Rewriter(worklist)
    tables: dict[type[Operation], list[Pattern]] = {}
    done: Counter[Pattern] = Counter()
    while (op := worklist.pop()) is not None:
        cls = type(op)
        table = tables.get(cls)
        if table is None:
            table = tables[cls] = [p for p in patterns if p.matches(cls)]
        if not table:
            continue
        if not (required or session.may_rewrite()):
            break
        rewriter.start(op)
        changed_by = _first_change(table, op, rewriter, session)
        if changed_by is not None:
            session.count(changed_by.name, op, required)
            done[changed_by] += 1
            if done.total() > limit:
                raise _endless(op, done)
            worklist.push(rewriter.touched)
    return bool(done)


def _first_change(
    table: list[Pattern], op: Operation, rewriter: Rewriter, session: RewriteSession
) -> Pattern | None:
    """Try patterns in order; the one that changed something."""
    for candidate in table:
        if session.timed:
            started = perf_counter()
            changed = candidate.apply(op, rewriter)
            session.seconds[candidate.name] += perf_counter() - started
            session.tries[candidate.name] += 1
        else:
            changed = candidate.apply(op, rewriter)
        if changed or rewriter.changed:
            return candidate
    return None


def _endless(op: Operation, done: Counter[Pattern]) -> IRError:
    looping, times = done.most_common(1)[0]
    return op_error(
        op,
        f"rewriting does not end: pattern {looping.name} ({looping.where}) made {times} of "
        f"{done.total()} rewrites; patterns that undo each other must agree on one form",
    )


def post_order(root: Operation) -> Iterator[Operation]:
    """The ops inside `root` in program order, each after those in its regions."""
    for region in root.regions:
        for block in region.blocks:
            for op in block:
                if op.regions:
                    yield from post_order(op)
                yield op
