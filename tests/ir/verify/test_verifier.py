"""Every message of the verifier, on modules that a pass or a text could produce."""

import random
from pathlib import Path

import pytest

from penstock.ir import types as ty
from penstock.ir.attributes import (
    ArrayAttr,
    DenseArrayAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    unit,
)
from penstock.ir.builder import Builder
from penstock.ir.core import Block, Operation, Region
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import arith, func, math, memref, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.location import FileLocation
from penstock.ir.opdef import SEGMENTS, UnregisteredOp, registry, result, results
from penstock.ir.verify.verifier import verify

JOB = """
func.func private @show(f32)
func.func @job(%x: f32, %m: memref<4xf32>, %p: i1, %i: index) -> f32 {
  %two = arith.constant 2.0 : f32
  %y = arith.mulf %x, %two : f32
  scf.if %p {
    func.call @show(%y) : (f32) -> ()
    memref.store %y, %m[%i] : memref<4xf32>
  }
  scf.for %k = %i to %i step %i {
    %z = memref.load %m[%k] : memref<4xf32>
    memref.store %z, %m[%i] : memref<4xf32>
  }
  %c = arith.cmpf olt, %x, %y : f32
  return %y : f32
}
"""


@pytest.fixture
def module() -> Module:
    return parse_module(JOB)


def find(module: Module, cls: type[Operation]) -> Operation:
    """The first op of that class in the job."""
    return next(op for op in module.job.walk() if isinstance(op, cls))


def findings(root: Operation) -> list[str]:
    with pytest.raises(IRError) as caught:
        verify(root)
    return [found.message for found in caught.value.diagnostics]


def finding(root: Operation) -> str:
    (message,) = findings(root)
    return message


def test_a_valid_module_passes(module: Module) -> None:
    verify(module)
    verify(module.job)


def test_errors_have_the_location(module: Module) -> None:
    op = find(module, arith.MulF)
    op.location = FileLocation("train.py", 20, 8)
    op.operands = op.operands[:1]
    with pytest.raises(IRError, match=r"train.py:20: error: arith.mulf: has 1 operands"):
        verify(module)


# -- what classes declare --------------------------------------------------------------------------


def test_operand_count(module: Module) -> None:
    op = find(module, arith.MulF)
    op.operands = [*op.operands, *op.operands]
    assert finding(module) == "arith.mulf: has 4 operands: expected 2"


def test_operand_count_where_some_vary(module: Module) -> None:
    find(module, memref.Store).operands = []
    assert finding(module) == "memref.store: has 0 operands: expected 2 or more"


def test_operand_type(module: Module) -> None:
    find(module, arith.MulF).set_operand(0, module.job.arguments[3])
    assert findings(module) == [
        "arith.mulf: operand 0 is index: expected a float or a vector of floats"
    ]


def test_operand_type_in_a_group(module: Module) -> None:
    find(module, memref.Store).set_operand(2, module.job.arguments[0])
    assert finding(module) == "memref.store: operand 2 is f32: expected an index"


def test_result_count(module: Module) -> None:
    Builder.ahead_of(module.job.returned).insert(math.Exp([module.job.arguments[0]], []))
    assert finding(module) == "math.exp: has 0 results: expected 1"


def test_result_count_where_some_vary() -> None:
    class Wide(Operation):
        """Has one or more results."""

        name = "test.wide"
        first = result()
        others = results()

    registry.pop(Wide.name)
    module = Module.empty()
    module.body.append(Wide([], []))
    assert finding(module) == "test.wide: has 0 results: expected 1 or more"


def test_result_type(module: Module) -> None:
    b = Builder.ahead_of(module.job.returned)
    view = memref.View([module.job.arguments[1], module.job.arguments[3]], [ty.f32])
    b.insert(view)
    assert finding(module) == "memref.view: result 0 is f32: expected a memref"


def test_result_type_in_a_group() -> None:
    module = parse_module(
        """
        func.func @f(%x: tensor<2xf32>) {
          "linalg.generic"(%x) <{
            indexing_maps = [affine_map<(d0) -> (d0)>],
            iterator_types = [#linalg.iterator_type<parallel>],
            operandSegmentSizes = array<i32: 0, 1>
          }> ({
          ^bb0(%e: f32):
            linalg.yield %e : f32
          }) : (tensor<2xf32>) -> i32
          return
        }
        """
    )
    assert finding(module) == "linalg.generic: result 0 is i32: expected a tensor"


def test_missing_attribute(module: Module) -> None:
    op = find(module, arith.CmpF)
    op.attributes["predicat"] = op.attributes.pop("predicate")
    message = finding(module)
    assert message.startswith("arith.cmpf: attribute 'predicate' is missing: expected a predicate")
    assert message.endswith(": it has 'predicat'")


def test_attribute_of_another_kind(module: Module) -> None:
    find(module, arith.CmpF).attributes["predicate"] = StringAttr("olt")
    message = finding(module)
    assert message.startswith("arith.cmpf: attribute 'predicate' is \"olt\": expected a predicate")


def test_attributes_nobody_declared_are_kept(module: Module) -> None:
    find(module, arith.CmpF).attributes["flow.op"] = StringAttr("less")
    verify(module)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        (None, "is None: expected 4 lengths, array<i32: ...>"),
        (DenseArrayAttr(ty.i32, (1, 0)), "expected 4 lengths"),
        (DenseArrayAttr(ty.i64, (1, 0, 0, 0)), "expected 4 lengths, array<i32: ...>"),
        (DenseArrayAttr(ty.i32, (1, 0, 0, 1)), "expected lengths that add up to 1"),
        (DenseArrayAttr(ty.i32, (1, 1, 0, -1)), "expected lengths that add up to 1"),
        (DenseArrayAttr(ty.i32, (0, 1, 0, 0)), "expected 1 for 'source'"),
    ],
)
def test_segments(sizes: DenseArrayAttr | None, expected: str) -> None:
    block = Block([ty.MemRefType((4,), ty.f32)])
    attributes = {
        name: DenseArrayAttr(ty.i64, (1,))
        for name in ("static_offsets", "static_sizes", "static_strides")
    }
    if sizes is not None:
        attributes[SEGMENTS] = sizes
    types = [ty.MemRefType((1,), ty.f32)]
    block.append(memref.SubView(block.arguments, types, attributes))
    module = Module(regions=[Region(block)])
    assert expected in finding(module)


# -- regions ---------------------------------------------------------------------------------------


def test_region_count(module: Module) -> None:
    branch = find(module, scf.If)
    branch.regions = branch.regions[:1]
    assert finding(module) == "scf.if: has 1 regions: expected 2"


def test_missing_terminator(module: Module) -> None:
    find(module, scf.For).body.terminator.erase()
    assert finding(module) == "scf.for: a block in it does not end in a terminator"


def test_empty_block(module: Module) -> None:
    find(module, scf.If).regions[1].append(Block())
    assert finding(module) == "scf.if: a block in it does not end in a terminator"


def test_terminator_in_the_middle(module: Module) -> None:
    b = Builder(module.job.body, module.job.body.first)
    b.create(func.Return, module.job.returned.operands)
    assert "func.return: ends its block, and other ops follow it" in findings(module)


def test_an_unregistered_op_may_end_a_block(module: Module) -> None:
    module.job.returned.erase()
    module.job.body.append(UnregisteredOp("cf.unreachable"))
    verify(module)


# -- values ----------------------------------------------------------------------------------------


def test_use_before_definition(module: Module) -> None:
    find(module, arith.MulF).move_before(find(module, arith.Constant))
    assert finding(module) == (
        "arith.mulf: operand 1 (%two) is used before it is defined, at unknown location"
    )


def test_use_outside_the_region(module: Module) -> None:
    loaded = find(module, memref.Load).results[0]
    find(module, arith.CmpF).set_operand(0, loaded)
    assert finding(module) == (
        "arith.cmpf: operand 0 (%z) is defined inside another region, at unknown location"
    )


def test_use_of_a_block_argument_outside(module: Module) -> None:
    induction = find(module, scf.For).body.arguments[0]
    find(module, memref.Store).set_operand(2, induction)
    assert finding(module) == (
        "memref.store: operand 2 (%k) is defined inside another region, at a block argument"
    )


def test_use_of_an_erased_value(module: Module) -> None:
    constant = find(module, arith.Constant)
    constant.detach()
    assert finding(module) == "arith.mulf: operand 1 (%two) is a value that no longer exists"


def test_an_isolated_op_sees_nothing_outside() -> None:
    module = parse_module("func.func @f() { return }")
    outside = Builder(module.body, module.body.first).create(
        arith.Constant, value=FloatAttr.of(1.0, ty.f32)
    )
    inner = Builder.ahead_of(module.job.returned).create(math.Exp, outside.result)
    assert inner.parent is module.job
    assert finding(module) == (
        "math.exp: operand 0 comes from outside func.func, which is isolated"
    )


# -- types and symbols -----------------------------------------------------------------------------


def test_result_types_are_those_inferred(module: Module) -> None:
    find(module, memref.Load).results[0].type = ty.f64
    assert findings(module)[0] == (
        "memref.load: has results of type f64: its operands and attributes give f32"
    )


def test_an_op_whose_types_cannot_be_inferred(module: Module) -> None:
    find(module, arith.MulF).set_operand(1, find(module, arith.CmpF).operands[1])
    double = Builder.ahead_of(find(module, arith.MulF)).create(
        arith.ExtF, module.job.arguments[0], types=[ty.f64]
    )
    find(module, arith.MulF).set_operand(1, double.result)
    assert finding(module) == "arith.mulf: expected operands of one type, got f32 and f64"


def test_rules_of_the_op_class(module: Module) -> None:
    module.job.returned.operands = []
    assert finding(module) == "func.return: returns () where @job promises f32"


def test_exceptions_in_rules_of_the_op_class(
    module: Module, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scf.For, "verify", lambda self: [][0])
    assert finding(module) == "scf.for: is malformed: checking it failed with IndexError"


def test_a_region_without_a_block(module: Module) -> None:
    find(module, scf.For).regions[0].blocks.clear()
    assert finding(module) == "scf.for: region 'code' is empty: expected a block"


def test_unknown_symbol(module: Module) -> None:
    find(module, func.Call).attributes["callee"] = SymbolRefAttr("shaw")
    assert finding(module) == "func.call: no symbol @shaw is defined: did you mean @show?"


def test_call_of_another_type(module: Module) -> None:
    find(module, func.Call).set_operand(0, module.job.arguments[3])
    assert finding(module) == ("func.call: is used as (index) -> () and @show is (f32) -> ()")


def test_symbol_defined_twice(module: Module) -> None:
    module.body.append(func.Func.make("show", [], external=True))
    assert finding(module) == "func.func: symbol @show is defined twice: first at unknown location"


def test_every_finding_is_reported(module: Module) -> None:
    find(module, func.Call).attributes["callee"] = SymbolRefAttr("missing_entirely")
    find(module, arith.CmpF).attributes.clear()
    find(module, scf.For).body.terminator.erase()
    assert len(findings(module)) == 3


# -- random damage -----------------------------------------------------------------------

TYPES = [ty.f32, ty.index, ty.i1, ty.none, ty.TensorType((), ty.f32), ty.MemRefType((4,), ty.f32)]
ATTRIBUTES = [
    IntegerAttr(3), StringAttr("x"), unit, TypeAttr(ty.f32), ArrayAttr(()), SymbolRefAttr("job"),
    DenseArrayAttr(ty.i64, (1, 2)), FloatAttr.of(1.0),
]  # fmt: skip


def damage(module: Module, choose: random.Random) -> None:
    """Make a random change, valid or not."""
    op = choose.choice(list(module.walk())[1:])
    blocks = [block for region in op.regions for block in region.blocks]
    kind = choose.randrange(7)
    if kind == 0:
        op.operands = op.operands[1:]
    elif kind == 1:
        op.operands = [*op.operands, *op.operands[:1]]
    elif kind == 2 and op.results:
        op.results[0].type = choose.choice(TYPES)
    elif kind == 3 and op.attributes:
        del op.attributes[choose.choice(list(op.attributes))]
    elif kind == 4 and op.attributes:
        op.attributes[choose.choice(list(op.attributes))] = choose.choice(ATTRIBUTES)
    elif kind == 5 and blocks and blocks[0].last is not None:
        blocks[0].last.detach()
    elif kind == 6 and blocks:
        blocks[0].add_argument(choose.choice(TYPES))


def test_the_verifier_never_crashes_on_damaged_ir() -> None:
    pristine = [parse_module(JOB)]
    folder = Path(__file__).parents[2] / "filecheck"
    pristine += [parse_module((folder / name).read_text()) for name in ("cse.mlir", "dce.mlir")]
    found = 0
    for seed in range(1500):
        choose = random.Random(seed)
        module = choose.choice(pristine).clone()
        assert isinstance(module, Module)
        for _ in range(choose.randint(1, 3)):
            damage(module, choose)
        try:
            verify(module)
        except IRError:
            found += 1
    assert found > 500
