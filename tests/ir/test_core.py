"""Values, operations, blocks and regions: uses and order stay consistent under every mutation."""

import random
from collections import Counter

import pytest

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr, StringAttr
from penstock.ir.core import Block, Operation, Region, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.location import FileLocation
from penstock.ir.opdef import UnregisteredOp
from penstock.ir.text.printer import print_module

NESTED = """
func.func @f(%x: f32, %p: i1, %n: index) -> f32 {
  %a = math.exp %x : f32
  %r = scf.if %p -> (f32) {
    %b = math.log %a : f32
    scf.yield %b : f32
  } else {
    scf.yield %x : f32
  }
  %s = scf.for %i = %n to %n step %n iter_args(%c = %r) -> (f32) {
    %d = arith.addf %c, %a : f32
    scf.yield %d : f32
  }
  return %s : f32
}
"""


def make(name: str, operands: list[Value] | None = None, results: int = 0) -> UnregisteredOp:
    return UnregisteredOp(f"test.{name}", operands or [], [ty.f32] * results)


def holder(*names: str) -> tuple[UnregisteredOp, Block]:
    """An op with one block that holds ops of these names."""
    block = Block()
    for name in names:
        block.append(make(name))
    return UnregisteredOp("test.holder", [], [], {}, [Region(block)]), block


def names(block: Block) -> list[str]:
    return [op.name.removeprefix("test.") for op in block]


def check(root: Operation) -> None:
    """Check that every link and every use is stored exactly once at both ends."""
    values: set[Value] = set()
    uses: Counter[tuple[Value, Operation, int]] = Counter()
    for op in root.walk():
        for i, result in enumerate(op.results):
            assert (result.op, result.index, result.owner) == (op, i, op)
            values.add(result)
        for i, operand in enumerate(op.operands):
            uses[operand, op, i] += 1
        for region in op.regions:
            assert region.op is op
            for block in region.blocks:
                assert block.region is region
                check_links(block)
                for i, argument in enumerate(block.arguments):
                    assert (argument.block, argument.index, argument.owner) == (block, i, block)
                    values.add(argument)
    stored = Counter((value, user, i) for value in values for user, i in value.uses)
    inside = Counter({use: count for use, count in uses.items() if use[0] in values})
    assert stored == inside
    assert all(count == 1 for count in uses.values())
    for value in values:
        assert set(value.users()) == {user for user, _ in value.uses}


def check_links(block: Block) -> None:
    forward, backward = list(block), list(reversed(block))
    assert forward == backward[::-1]
    assert (block.first, block.last) == ((forward or [None])[0], (forward or [None])[-1])
    for before, op in zip([None, *forward], forward, strict=False):
        assert op.block is block
        assert op.previous is before
        assert op.next is None or op.next.previous is op


# -- uses ------------------------------------------------------------------------------------------


def test_uses_are_in_order_of_creation() -> None:
    source = make("source", results=1)
    value = source.result
    first, second = make("a", [value, value]), make("b", [value])
    assert list(value.uses) == [(first, 0), (first, 1), (second, 0)]
    assert value.users() == [first, second]
    assert not source.is_unused
    first.set_operand(0, second.operands[0])
    assert value.users() == [first, second]


def test_setting_operands_moves_the_uses() -> None:
    one, two = make("one", results=1), make("two", results=1)
    user = make("user", [one.result, one.result])
    user.set_operand(1, two.result)
    assert list(one.result.uses) == [(user, 0)]
    assert list(two.result.uses) == [(user, 1)]
    user.operands = [two.result, two.result, one.result]
    assert list(one.result.uses) == [(user, 2)]
    assert list(two.result.uses) == [(user, 0), (user, 1)]
    user.operands = reversed(user.operands)
    assert list(user.operands) == [one.result, two.result, two.result]
    user.drop_operands()
    assert one.is_unused
    assert two.is_unused


def test_replacing_a_value_replaces_every_use_and_passes_on_its_name() -> None:
    old, new = make("old", results=1), make("new", results=1)
    old.result.name = "hint"
    user = make("user", [old.result, new.result, old.result])
    old.result.replace_all_uses_with(new.result)
    assert list(user.operands) == [new.result] * 3
    assert old.is_unused
    assert new.result.name == "hint"
    new.result.replace_all_uses_with(new.result)
    assert len(new.result.uses) == 3


def test_replacing_keeps_an_existing_name() -> None:
    old, new = make("old", results=1), make("new", results=1)
    old.result.name, new.result.name = "old", "new"
    old.result.replace_all_uses_with(new.result)
    assert new.result.name == "new"


def test_an_op_whose_types_cannot_be_inferred_leaves_no_use() -> None:
    from penstock.ir.diagnostics import IRError
    from penstock.ir.dialects import arith

    block = Block([ty.f32, ty.f64])
    with pytest.raises(IRError, match="expected operands of one type"):
        arith.AddF(block.arguments)
    assert all(not argument.uses for argument in block.arguments)


def test_the_only_result_must_be_the_only_one() -> None:
    with pytest.raises(ValueError, match="test.two has 2 results, not one"):
        _ = make("two", results=2).result


# -- erasing and moving ----------------------------------------------------------------------------


def test_erasing_a_used_op_is_an_error_and_changes_nothing() -> None:
    root, block = holder("a", "b")
    source = make("source", results=1)
    block.append(source)
    block.append(make("user", [source.result]))
    with pytest.raises(ValueError, match="test.source cannot be erased: test.user still uses"):
        source.erase()
    assert names(block) == ["a", "b", "source", "user"]
    check(root)


def test_erasing_drops_the_uses_of_nested_ops() -> None:
    module = parse_module(NESTED)
    function = module.function("f")
    ops = list(function.body)
    with pytest.raises(ValueError, match="scf.for cannot be erased"):
        ops[2].erase()
    ops[3].erase()
    ops[2].erase()
    check(module)
    ops[1].erase()
    check(module)
    assert not ops[0].results[0].uses
    assert [a.name for a in function.arguments if a.uses] == ["x"]


def test_insertion_order() -> None:
    root, block = holder("a", "b")
    last = block.last
    assert last is not None
    block.insert_before(last, make("c"))
    assert names(block) == ["a", "c", "b"]
    first = block.first
    assert first is not None
    block.insert_before(first, make("d"))
    block.append(make("e"))
    assert names(block) == ["d", "a", "c", "b", "e"]
    check(root)
    last.move_before(first)
    assert names(block) == ["d", "b", "a", "c", "e"]
    first.detach()
    first.detach()
    assert names(block) == ["d", "b", "c", "e"]
    assert (first.block, first.next, first.previous, first.parent) == (None, None, None, None)
    check(root)


def test_moving_an_op_before_itself_changes_nothing() -> None:
    root, block = holder("a", "b", "c")
    op = block.last
    assert op is not None
    op.move_before(op)
    assert names(block) == ["a", "b", "c"]
    check(root)


def test_moving_to_another_block() -> None:
    one, first = holder("a", "b")
    two, second = holder("c")
    assert first.first is not None
    assert second.first is not None
    first.first.move_before(second.first)
    assert (names(first), names(second)) == (["b"], ["a", "c"])
    assert second.first.parent is two
    check(one)
    check(two)


def test_block_arguments() -> None:
    block = Block([ty.f32, ty.i1], ["x"])
    root = UnregisteredOp("test.holder", [], [], {}, [Region(block)])
    added = block.add_argument(ty.index, "n", FileLocation("train.py", 3))
    assert [(a.name, str(a.type), a.index) for a in block.arguments] == [
        ("x", "f32", 0), ("", "i1", 1), ("n", "index", 2),
    ]  # fmt: skip
    block.append(make("user", [block.arguments[0]]))
    with pytest.raises(ValueError, match="block argument 0 is still used"):
        block.erase_argument(0)
    block.erase_argument(1)
    assert added.index == 1
    assert added.defining_op is None
    check(root)


# -- walking ---------------------------------------------------------------------------------------


def test_walk_is_in_preorder() -> None:
    assert [op.name for op in parse_module(NESTED).walk()] == [
        "builtin.module", "func.func", "math.exp", "scf.if", "math.log", "scf.yield", "scf.yield",
        "scf.for", "arith.addf", "scf.yield", "func.return",
    ]  # fmt: skip


@pytest.mark.parametrize("victim", ["scf.if", "scf.for", "math.exp", "arith.addf", "func.return"])
def test_walk_continues_when_the_current_op_is_erased(victim: str) -> None:
    module = parse_module(NESTED)
    expected = [op.name for op in module.walk()]
    inside = {"scf.if": 3, "scf.for": 2}.get(victim, 0)
    at = expected.index(victim)
    del expected[at + 1 : at + 1 + inside]
    seen = []
    for op in module.walk():
        seen.append(op.name)
        if op.name == victim:
            for result in op.results:
                replacement = module.function("f").arguments[0]
                result.replace_all_uses_with(replacement)
            op.erase()
    assert seen == expected
    check(module)


def test_walk_stays_inside_its_root() -> None:
    _, block = holder("a", "b")
    assert block.first is not None
    assert [op.name for op in block.first.walk()] == ["test.a"]


def test_ops_may_be_erased_during_iteration() -> None:
    root, block = holder("a", "b", "c")
    for op in block:
        if op.name != "test.b":
            op.erase()
    assert names(block) == ["b"]
    check(root)


# -- copying ---------------------------------------------------------------------------------------


def test_a_clone_is_equal_and_shares_nothing() -> None:
    module = parse_module(NESTED)
    text = print_module(module)
    mapping: dict[Value, Value] = {}
    copy = module.clone(mapping)
    assert print_module(copy) == text
    check(copy)
    check(module)
    ours = {op for op in module.walk()}
    assert not ours & set(copy.walk())
    assert all(new is not old and str(new.type) == str(old.type) for old, new in mapping.items())
    for op in copy.walk():
        op.attributes["touched"] = StringAttr("yes")
    assert print_module(module) == text


def test_a_clone_uses_mapped_values() -> None:
    module = parse_module(NESTED)
    body = module.function("f").body
    branch = list(body)[1]
    inner = next(op for op in branch.walk() if op.name == "math.log")
    x = body.arguments[0]
    copy = branch.clone({inner.operands[0]: x})
    twin = next(op for op in copy.walk() if op.name == "math.log")
    assert twin.operands[0] is x
    assert (copy.block, copy.parent) == (None, None)
    assert copy.operands[0] is body.arguments[1]
    copy.erase()
    check(module)


def test_a_clone_of_an_unregistered_op_keeps_its_name() -> None:
    op = UnregisteredOp("other.op", [], [ty.f32], {"a": IntegerAttr(1)}, [], FileLocation("f", 1))
    copy = op.clone()
    assert (copy.name, copy.attributes, copy.location) == (op.name, op.attributes, op.location)
    assert copy.attributes is not op.attributes


# -- random mutations
# --------------------------------------------------------------------------------------


def inside(op: Operation) -> set[Value]:
    """Every value defined by an op or inside it."""
    found: set[Value] = {result for inner in op.walk() for result in inner.results}
    for inner in op.walk():
        found |= {a for region in inner.regions for b in region.blocks for a in b.arguments}
    return found


def erase(op: Operation, values: list[Value]) -> None:
    """Erase an op after replacing its results by other values."""
    own = inside(op)
    others = [value for value in values if value not in own]
    for value in own if others else ():
        value.replace_all_uses_with(others[0])
    if not any(value.uses for value in own):
        op.erase()


def change_operands(op: Operation, values: list[Value], choose: random.Random) -> None:
    if op.operands and choose.random() < 0.5:
        op.set_operand(choose.randrange(len(op.operands)), choose.choice(values))
    else:
        op.operands = choose.choices(values, k=choose.randrange(4))


def change_arguments(block: Block, choose: random.Random) -> None:
    if block.arguments:
        position = choose.randrange(len(block.arguments))
        if not block.arguments[position].uses:
            block.erase_argument(position)
            return
    block.add_argument(ty.f32, "more")


def mutate(module: Module, choose: random.Random) -> None:
    """A random change by one of the core's methods."""
    ops = [op for op in module.walk() if op is not module]
    values = sorted(inside(module), key=lambda value: (value.name, str(value.type)))
    if not ops or len(values) < 2:
        return
    op, anchor = choose.choice(ops), choose.choice(ops)
    assert op.block is not None
    match choose.randrange(7):
        case 0:
            change_operands(op, values, choose)
        case 1:
            old, new = choose.sample(values, 2)
            old.replace_all_uses_with(new)
        case 2:
            erase(op, values)
        case 3 if anchor not in set(op.walk()):
            op.move_before(anchor)
        case 4:
            op.block.insert_before(op, op.clone())
        case 5:
            op.block.append(make("new", choose.choices(values, k=2), 1))
        case _:
            change_arguments(op.block, choose)


@pytest.mark.parametrize("seed", range(20))
def test_uses_stay_consistent_under_every_mutation(seed: int) -> None:
    choose = random.Random(seed)
    module = parse_module(NESTED)
    for _ in range(40):
        mutate(module, choose)
        check(module)
