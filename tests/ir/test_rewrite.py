"""Patterns, and the driver's order, revisits, fuel, counts and termination."""

from dataclasses import dataclass

import pytest

from penstock.ir import types as ty
from penstock.ir.attributes import FloatAttr, IntegerAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import arith, func, math, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.rewriting.rewrite import Rewriter, pattern, pattern_where, post_order, rewrite
from penstock.ir.rewriting.rewrite_session import RewriteSession, opened
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify
from penstock.ir.write.folding import constant_of, fold

CHAIN = """
func.func @f(%x: f32) -> f32 {
  %a = arith.negf %x : f32
  %b = arith.negf %a : f32
  %c = arith.negf %b : f32
  %d = arith.negf %c : f32
  return %d : f32
}
"""

LOOP = """
func.func @f(%x: f32, %i: index) {
  %a = math.exp %x : f32
  scf.for %k = %i to %i step %i {
    %b = math.log %a : f32
  }
  %c = math.sin %x : f32
  return
}
"""


@pattern
def double_negation(op: arith.NegF, rewriter: Rewriter) -> None:
    """negf(negf(x)) -> x"""
    inner = op.operands[0].defining_op
    if isinstance(inner, arith.NegF):
        rewriter.replace(op, inner.operands[0])


@pattern_where(lambda cls: cls.pure)
def unused(op: Operation, rewriter: Rewriter) -> None:
    if op.is_unused:
        rewriter.erase(op)


def names(module: Module) -> list[str]:
    return [op.name for op in module.functions()[0].body]


def test_a_pattern_and_the_dead_ops_that_it_leaves() -> None:
    module = parse_module(CHAIN)
    assert rewrite(module, [double_negation, unused])
    assert names(module) == ["func.return"]
    assert module.job.returned.operands[0] is module.job.arguments[0]
    assert not rewrite(module, [double_negation, unused])


def test_any_callable_is_a_pattern() -> None:
    @dataclass
    class Replace:
        by: type[Operation]

        def __call__(self, op: math.Exp | math.Log, rewriter: Rewriter) -> None:
            rewriter.replace(op, rewriter.create(self.by, op.operands[0]))

    module = parse_module(LOOP)
    assert rewrite(module, [Replace(math.Tanh)])
    assert [op.name for op in module.walk() if op.name.startswith("math")] == [
        "math.tanh",
        "math.tanh",
        "math.sin",
    ]


def test_a_method_is_a_pattern() -> None:
    class Notebook:
        seen: list[str]

        def note(self, op: arith.NegF, rewriter: Rewriter) -> None:
            self.seen.append(op.name)

    notebook = Notebook()
    notebook.seen = []
    assert not rewrite(parse_module(CHAIN), [notebook.note])
    assert notebook.seen == ["arith.negf"] * 4


def test_a_base_class_matches_all_its_ops() -> None:
    @pattern
    def note(op: math.Unary, rewriter: Rewriter) -> None:
        seen.append(op.name)

    seen: list[str] = []
    rewrite(parse_module(LOOP), [note])
    assert seen == ["math.exp", "math.log", "math.sin"]


def test_the_annotation_is_required() -> None:
    @pattern
    def lost(op, rewriter):  # type: ignore[no-untyped-def]
        return None

    with pytest.raises(TypeError, match=r"pattern lost \(.*test_rewrite.py:\d+\) must annotate"):
        rewrite(parse_module(CHAIN), [lost])


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("pre", ["func.func", "math.exp", "scf.for", "math.log", "scf.yield", "math.sin"]),
        ("post", ["math.exp", "math.log", "scf.yield", "scf.for", "math.sin", "func.return"]),
    ],
)
def test_the_order_of_visits(order: str, expected: list[str]) -> None:
    @pattern
    def note(op: Operation, rewriter: Rewriter) -> None:
        seen.append(op.name)

    seen: list[str] = []
    module = parse_module(LOOP)
    rewrite(module, [note], order=order)  # type: ignore[arg-type]
    assert seen[:6] == expected
    assert [op.name for op in post_order(module)][:6] == ["math.exp", "math.log", "scf.yield",
        "scf.for", "math.sin", "func.return"]  # fmt: skip


def test_only_what_a_change_affects_is_visited_again() -> None:
    @pattern
    def once(op: math.Exp, rewriter: Rewriter) -> None:
        rewriter.replace(op, rewriter.create(math.Log, op.operands[0]))

    @pattern
    def note(op: Operation, rewriter: Rewriter) -> None:
        seen.append(op.name)

    seen: list[str] = []
    module = parse_module(
        "func.func @f(%x: f32) -> f32 {\n"
        "  %a = math.sin %x : f32\n  %b = math.exp %a : f32\n  %c = math.cos %b : f32\n"
        "  %d = math.sqrt %c : f32\n  return %d : f32\n}"
    )
    rewrite(module, [once, note])
    # The new op, its operand's op and its user; the first and last op only once.
    assert sorted(seen) == sorted(
        ["func.func", "math.sin", "math.sin", "math.log", "math.cos", "math.sqrt", "func.return"]
    )


def test_new_ops_are_visited_with_their_bodies() -> None:
    @pattern
    def wrap(op: math.Exp, rewriter: Rewriter) -> None:
        loop = next(o for o in module.walk() if o.name == "scf.for")
        copy = loop.clone()
        rewriter.insert(copy)
        rewriter.replace(op, op.operands[0])

    @pattern
    def note(op: math.Log, rewriter: Rewriter) -> None:
        seen.append(op)

    seen: list[Operation] = []
    module = parse_module(LOOP)
    rewrite(module, [wrap, note])
    assert len(set(map(id, seen))) == 2


def test_returning_true_reports_a_changed_attribute() -> None:
    @pattern
    def count_up(op: arith.Constant, rewriter: Rewriter) -> bool:
        value = op.attributes["value"]
        assert isinstance(value, IntegerAttr)
        if value.value == 3:
            return False
        op.attributes["value"] = IntegerAttr(value.value + 1, value.type)
        return True

    module = parse_module("func.func @f() { %a = arith.constant 0 : i64\n return }")
    with opened(RewriteSession()) as session:
        assert rewrite(module, [count_up])
    assert session.rewrites["count_up"] == 3
    assert "arith.constant 3 : i64" in print_module(module)


def test_set_operand_and_builder_keep_the_location() -> None:
    module = parse_module(
        "func.func @f(%x: f32) -> f32 {\n"
        '  %a = math.exp %x : f32 loc("train.py":5:1)\n  return %a : f32\n}'
    )

    @pattern
    def scale(op: math.Exp, rewriter: Rewriter) -> None:
        if not isinstance(op.operands[0].defining_op, arith.NegF):
            rewriter.set_operand(op, 0, rewriter.create(arith.NegF, op.operands[0]).result)

    rewrite(module, [scale])
    assert [op.location.describe() for op in module.job.body] == [
        "train.py:5",
        "train.py:5",
        "unknown location",
    ]
    verify(module)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (lambda op: [], "has 1 results, but is replaced by 0 values"),
        (lambda op: op.parent.arguments[1], "a result of f32 was replaced by one of index"),
    ],
)
def test_a_wrong_replacement(values, message: str) -> None:  # type: ignore[no-untyped-def]
    @pattern
    def wrong(op: math.Exp, rewriter: Rewriter) -> None:
        rewriter.replace(op, values(op))

    with pytest.raises(IRError, match=f"math.exp: {message}"):
        rewrite(parse_module(LOOP), [wrong])


def test_patterns_that_undo_each_other_are_named() -> None:
    @pattern
    def there(op: math.Exp, rewriter: Rewriter) -> None:
        rewriter.replace(op, rewriter.create(math.Log, op.operands[0]))

    @pattern
    def back(op: math.Log, rewriter: Rewriter) -> None:
        rewriter.replace(op, rewriter.create(math.Exp, op.operands[0]))

    with pytest.raises(
        IRError, match=r"rewriting does not end: pattern (there|back) \(.*\) made 1[01] of 21"
    ):
        rewrite(parse_module(LOOP), [there, back], limit=20)


def test_fuel_is_spent_one_by_one() -> None:
    for fuel in range(10):
        module = parse_module(CHAIN)
        with opened(RewriteSession(fuel=fuel)) as session:
            rewrite(module, [double_negation, unused])
        verify(module)
        assert session.rewrites.total() == min(fuel, 4)
        assert bool(session.last) is (0 < fuel <= 4)
    with opened(RewriteSession(fuel=1)) as session:
        rewrite(parse_module(CHAIN), [double_negation])
    assert session.last == "double_negation on arith.negf at unknown location"


def test_required_rewrites_take_no_fuel() -> None:
    module = parse_module(CHAIN)
    with opened(RewriteSession(fuel=1)) as session:
        rewrite(module, [double_negation, unused], required=True)
    assert names(module) == ["func.return"]
    assert session.fuel == 1


def test_times_and_tries_are_counted_on_request() -> None:
    with opened(RewriteSession(timed=True)) as session:
        rewrite(parse_module(CHAIN), [double_negation])
    assert session.tries["double_negation"] >= 4
    assert session.seconds["double_negation"] > 0
    with opened(RewriteSession()) as session:
        rewrite(parse_module(CHAIN), [double_negation])
    assert not session.tries


def test_rewriting_is_deterministic() -> None:
    texts = set()
    for _ in range(5):
        module = parse_module(CHAIN)
        with opened(RewriteSession(fuel=3)):
            rewrite(module, [double_negation, unused])
        texts.add(print_module(module))
    assert len(texts) == 1


# -- constants -------------------------------------------------------------------------------------


def test_constants_are_recognised() -> None:
    module = parse_module(
        "func.func @f(%m: memref<f32>) -> (f32, f32, f32) {\n"
        "  %a = arith.constant 2.0 : f32\n  %b = memref.load %m[] : memref<f32>\n"
        "  %c = arith.addf %a, %a : f32\n  return %a, %b, %c : f32, f32, f32\n}"
    )
    known = [constant_of(v) for v in module.job.returned.operands]
    assert known == [FloatAttr.of(2.0, ty.f32), None, None]
    assert constant_of(module.job.arguments[0]) is None


def test_a_fold_of_the_wrong_length_is_an_error() -> None:
    class Broken(arith.NegF):
        """Folds to more values than it has results."""

        name = "test.broken"

        def fold(self, constants: object) -> list[Value]:
            return [self.operands[0], self.operands[0]]

    from penstock.ir.opdef import registry

    registry.pop(Broken.name)
    module = parse_module(CHAIN)
    op = Builder.ahead_of(module.job.returned).create(Broken, module.job.arguments[0])
    with pytest.raises(IRError, match="test.broken: folds to 2 values and has 1 results"):
        fold(op)


def test_queued_ops_may_be_erased_with_their_parent() -> None:
    @pattern
    def erase_loop(op: math.Exp, rewriter: Rewriter) -> None:
        for user in op.results[0].users():
            if user.parent is not None and not isinstance(user.parent, func.Func):
                rewriter.erase(user.parent)

    @pattern
    def note(op: math.Log, rewriter: Rewriter) -> None:
        raise AssertionError("it was erased with its loop")

    module = parse_module(LOOP)
    rewrite(module, [erase_loop, note])
    assert names(module) == ["math.exp", "math.sin", "func.return"]


def test_ops_inside_an_erased_op_are_not_visited() -> None:
    module = parse_module(LOOP.replace("math.log %a", "math.log %a : f32\n    %e = math.absf %b"))
    seen: list[int] = []

    @pattern
    def drop(op: scf.For, rewriter: Rewriter) -> None:
        rewriter.erase(op)

    @pattern
    def look(op: math.Log, rewriter: Rewriter) -> None:
        seen.append(len(op.operands))

    assert rewrite(module, [drop, look])
    assert seen == []
    assert names(module) == ["math.exp", "math.sin", "func.return"]
