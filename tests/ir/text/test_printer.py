"""Printed text parses to the same module and prints again byte for byte."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from effort import lines
from structure import difference

from penstock.ir import types as ty
from penstock.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    IntegerAttr,
    StringAttr,
    TypeAttr,
)
from penstock.ir.builder import Builder
from penstock.ir.core import Block, Operation, Region, Value
from penstock.ir.dialects import arith, func, math, memref, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.location import UNKNOWN, FileLocation
from penstock.ir.opdef import SEGMENTS, UnregisteredOp
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify

PROGRAMS = sorted((Path(__file__).parents[1] / "programs").glob("*.mlir"))


def read(text: str) -> Module:
    return parse_module(text, allow_unregistered=True)


def check_round_trip(module: Module) -> None:
    """Both forms, with and without locations, read back to the same module and text."""
    for generic in (False, True):
        for locations in (False, True):
            text = print_module(module, generic, locations)
            assert text.endswith("\n")
            assert text.isascii()
            again = read(text)
            assert print_module(again, generic, locations) == text
            assert not difference(module, again, locations)
            assert not difference(again, module, locations=locations)


# -- whole programs --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_round_trips(path: Path) -> None:
    module = read(path.read_text())
    check_round_trip(module)
    copy = module.clone()
    assert isinstance(copy, Module)
    assert print_module(copy) == print_module(module)
    generic, custom = print_module(module, generic=True), print_module(module)
    assert print_module(read(generic)) == custom
    assert print_module(read(custom), generic=True) == generic
    if path.stem == "every_op":
        verify(module)
        assert '"func.' not in print_module(module, locations=False)


def test_the_custom_forms() -> None:
    """The complete text, as people read it."""
    text = """\
module @m attributes {job.type = "train"} {
  memref.global "private" constant @table : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>
  func.func private @tap(f32 {a.b}, index) -> (f32 {job.fetch = "0"})
  func.func @f(%x: memref<4x8xf32> {job.feed = "x"}, %p: i1, %n: index) -> index attributes {fast} {
    %c0 = arith.constant 0 : index
    %r:2 = scf.for %i = %c0 to %n step %n iter_args(%a = %c0, %b = %n) -> (index, index) {
      %v = memref.load %x[%i, %c0] : memref<4x8xf32>
      %w = func.call @tap(%v, %i) : (f32, index) -> f32
      memref.store %w, %x[%i, %i] : memref<4x8xf32>
      scf.yield %b, %a : index, index
    } {unroll = 4 : i64}
    scf.if %p {
      %0 = memref.subview %x[0, %n] [4, 4] [1, 1] : memref<4x8xf32> to \
memref<4x4xf32, strided<[8, 1], offset: ?>>
    } else {
      %t = memref.get_global @table : memref<2x2xi32>
    }
    %s = arith.select %p, %r#0, %r#1 : index
    func.return %s : index
  }
}
"""
    module = read(text)
    verify(module)
    assert print_module(module) == text
    check_round_trip(module)


def test_the_generic_form() -> None:
    text = """\
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
  ^bb0(%x: f32):
    %y = "arith.cmpf"(%x, %x) <{predicate = 1 : i64}> {zz.a = [1, 2.0]} : (f32, f32) -> i1
    %a:2 = "zz.op"(%y) <{c = 1 : i64, operandSegmentSizes = array<i32: 1>}> ({
    }, {
    ^bb0:
    }) {b} : (i1) -> (f32, f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) {job.type = "train"} : () -> ()
"""
    assert print_module(read(text), generic=True) == text
    assert print_module(read(text).clone(), generic=True) == text


# -- names -----------------------------------------------------------------------------------------


def named(*names: str) -> Module:
    """A module of constants with these names."""
    module = Module.empty()
    b = Builder.at_end(module.body)
    for name in names:
        b.create(arith.Constant, value=IntegerAttr(0)).result.name = name
    return module


def printed_names(module: Module) -> list[str]:
    return [line.split()[0] for line in print_module(module).splitlines()[1:-1]]


@pytest.mark.parametrize(
    ("names", "printed"),
    [
        (["x", "", "y", ""], ["%x", "%0", "%y", "%1"]),
        (["x", "x", "x"], ["%x", "%x_0", "%x_1"]),
        (["x_0", "x", "x"], ["%x_0", "%x", "%x_1"]),
        (["x", "x_0", "x"], ["%x", "%x_0", "%x_1"]),
        (["x", "x", "x_0", "x_0"], ["%x", "%x_0", "%x_0_0", "%x_0_1"]),
        (["0", "12", "1a"], ["%_0", "%_12", "%_1a"]),
        (["a b", "é", "dense/weight:0", "#"], ["%a_b", "%_", "%dense_weight_0", "%__0"]),
        (["a-b", "a.b$c", "$", "-"], ["%a-b", "%a.b$c", "%$", "%-"]),
    ],
)
def test_names_are_kept_and_made_unique(names: list[str], printed: list[str]) -> None:
    module = named(*names)
    assert printed_names(module) == printed
    check_round_trip(module)
    again = read(print_module(module))
    assert printed_names(again) == printed


def test_many_values_of_one_name_take_linear_time() -> None:
    module = named(*["x"] * 20_000)
    names, run = lines(lambda: printed_names(module))
    assert names[-1] == "%x_19998"
    assert run < 200 * len(names)


def test_an_isolated_op_has_its_own_names() -> None:
    text = """\
module {
  func.func @f(%x: f32) {
    %0 = math.exp %x : f32
    func.return
  }
  func.func @g(%x: f32) {
    %0 = math.exp %x : f32
    func.return
  }
}
"""
    assert print_module(read(text)) == text
    assert print_module(read(print_module(read(text), generic=True))) == text


def test_names_in_regions_do_not_shadow_outer_ones() -> None:
    module = read(
        "func.func @f(%x: f32, %n: index) {\n  scf.for %i = %n to %n step %n {\n  }\n"
        "  scf.for %i = %n to %n step %n {\n    %y = math.exp %x : f32\n  }\n  return\n}"
    )
    assert print_module(module).count("%i ") == 1
    assert "%i_0 = " in print_module(module)
    check_round_trip(module)


def test_results_share_a_name() -> None:
    module = read(
        '%a, %b:2 = "zz.op"() : () -> (f32, f32, i1)\n"zz.use"(%b#1, %a) : (i1, f32) -> ()'
    )
    assert print_module(module).splitlines()[1:3] == [
        '  %a:3 = "zz.op"() : () -> (f32, f32, i1)',
        '  "zz.use"(%a#2, %a#0) : (i1, f32) -> ()',
    ]


def test_a_value_from_elsewhere_still_has_a_name() -> None:
    x = Block([ty.f32], ["x"]).arguments[0]
    assert print_module(math.Exp([x])) == "%0 = math.exp %x : f32\n"


# -- ops that break their rules --------------------------------------------------------------------

SOUND = """
memref.global "private" @g : memref<4xf32> = dense<1.0>
func.func @f(%x: f32, %m: memref<4x8xf32>, %p: i1, %n: index) {
  %v = memref.load %m[%n, %n] : memref<4x8xf32>
  %c = arith.cmpf olt, %x, %v : f32
  %k = arith.constant 1.0 : f32
  %s = memref.subview %m[%n, 0] [1, 1] [1, 1] : memref<4x8xf32> to memref<1x1xf32, strided<[8, 1]>>
  %a = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %n to %n step %n {
    memref.store %x, %m[%i, %n] : memref<4x8xf32>
  }
  %r = scf.for %i = %n to %n step %n iter_args(%z = %x) -> (f32) {
    scf.yield %z : f32
  }
  scf.if %p {
  } else {
  }
  return
}
"""


def find(module: Module, cls: type[Operation]) -> Operation:
    return next(op for op in module.walk() if isinstance(op, cls))


def with_attribute(name: str, value: Attribute) -> Callable[[Operation], None]:
    return lambda op: op.attributes.update({name: value})


DAMAGES: list[tuple[str, type[Operation], Callable[[Operation], object]]] = [
    ("operand too many", arith.CmpF, lambda op: setattr(op, "operands", [*op.operands] * 2)),
    ("operand too few", memref.Load, lambda op: op.drop_operands()),
    ("no result", memref.Alloc, lambda op: op.results.clear()),
    ("result of another type", memref.Load, lambda op: setattr(op.results[0], "type", ty.f64)),
    ("attribute missing", arith.CmpF, lambda op: op.attributes.clear()),
    ("attribute of another kind", arith.CmpF, with_attribute("predicate", StringAttr("olt"))),
    ("number of another width", arith.CmpF, with_attribute("predicate", IntegerAttr(4, ty.i32))),
    ("segments missing", memref.Alloc, lambda op: op.attributes.pop(SEGMENTS)),
    ("segments wrong", memref.SubView,
     with_attribute(SEGMENTS, DenseArrayAttr(ty.i32, (1, 0, 1, 0)))),
    ("markers without values", memref.SubView,
     with_attribute("static_offsets", DenseArrayAttr(ty.i64, (0, 0)))),
    ("region too many", scf.For, lambda op: setattr(op, "regions", [*op.regions, Region()])),
    ("loop without end", scf.For, lambda op: op.body.terminator.erase()),
    ("loop of another argument", scf.For,
     lambda op: setattr(op.body.arguments[0], "type", ty.f32)),
    ("loop that carries too little", scf.For, lambda op: op.body.add_argument(ty.f32)),
    ("branch of two blocks", scf.If, lambda op: op.regions[0].append(Block())),
    ("branch with an argument", scf.If, lambda op: op.regions[1].blocks[0].add_argument(ty.f32)),
    ("function of another type", func.Func,
     with_attribute("function_type", TypeAttr(ty.FunctionType((), ())))),
    ("function of no type", func.Func, with_attribute("function_type", TypeAttr(ty.f32))),
    ("function of odd attributes", func.Func, with_attribute("arg_attrs", ArrayAttr(()))),
    ("global of another value", memref.Global, with_attribute("initial_value", StringAttr("x"))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("cls", "damage"), [case[1:] for case in DAMAGES], ids=[case[0] for case in DAMAGES]
)
def test_ops_beyond_their_custom_form_are_printed_generic(
    cls: type[Operation], damage: Callable[[Operation], object]
) -> None:
    module = read(SOUND)
    damage(find(module, cls))
    text = print_module(module)
    assert f'"{cls.name}"' in text
    again = read(text)
    assert print_module(again) == text
    assert print_module(again, generic=True) == print_module(module, generic=True)


def test_a_module_of_two_blocks_round_trips() -> None:
    module = read(SOUND)
    module.region.append(Block([ty.f32]))
    check_round_trip(module)


def test_an_unfinished_function_has_its_custom_form() -> None:
    result = func.Func.make("f", [ty.f32], names=["x"])
    Builder.at_end(result.body).create(math.Exp, result.arguments[0])
    assert print_module(result) == "func.func @f(%x: f32) {\n  %0 = math.exp %x : f32\n}\n"


# -- locations -------------------------------------------------------------------------------------


def test_a_loop_s_end_shares_its_location() -> None:
    text = """\
module {
  func.func @f(%n: index, %p: i1) {
    scf.for %i = %n to %n step %n {
    } loc("a.py":1:1)
    scf.for %i_0 = %n to %n step %n {
      scf.yield loc("b.py":1:1)
    } loc("a.py":1:1)
    scf.if %p {
      scf.yield
    } else {
      scf.yield {a.b}
    } loc("a.py":1:1)
    func.return
  }
}
"""
    module = read(text)
    assert print_module(module) == text
    check_round_trip(module)
    ends = [op.location for op in module.walk() if isinstance(op, scf.Yield)]
    a, b = FileLocation("a.py", 1, 1), FileLocation("b.py", 1, 1)
    assert ends == [a, b, UNKNOWN, UNKNOWN]
    assert "scf.yield\n" not in print_module(module, locations=False)


def test_an_end_after_an_end_is_kept() -> None:
    module = read("func.func @f(%n: index) {\n  scf.for %i = %n to %n step %n {\n  }\n  return\n}")
    find(module, scf.For).body.append(scf.Yield())
    assert print_module(module).count("scf.yield") == 2
    check_round_trip(module)


def test_a_loop_whose_arguments_have_locations_is_printed_generic() -> None:
    module = read("func.func @f(%n: index) {\n  scf.for %i = %n to %n step %n {\n  }\n  return\n}")
    find(module, scf.For).body.arguments[0].location = FileLocation("a.py", 1, 1)
    assert '"scf.for"' in print_module(module)
    assert '"scf.for"' not in print_module(module, locations=False)
    check_round_trip(module)


def test_locations_left_out() -> None:
    module = read('func.func @f(%x: f32 loc("x")) {\n  return loc("a":1:2)\n} loc(unknown)')
    assert "loc" not in print_module(module, locations=False)
    assert "unknown" not in print_module(module)
    check_round_trip(module)


# -- random modules
# --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_any_nest_of_unregistered_ops_round_trips(seed: int) -> None:
    choose = random.Random(seed)
    module = Module.empty(choose.choice([None, "m", "odd name", "0"]))
    fill(module.body, choose, [], 3)
    check_round_trip(module)


def fill(block: Block, choose: random.Random, values: list[Value], depth: int) -> None:
    """Put ops into a block: any operands, results, attributes, names, locations and regions."""
    visible: list[Value] = [*values, *block.arguments]
    kinds = [ty.f32, ty.index, ty.TensorType((2,), ty.i8), ty.FunctionType((), (ty.i1, ty.f32))]
    for _ in range(choose.randrange(4)):
        operands = [choose.choice(visible) for _ in range(choose.randrange(3))] if visible else []
        regions = []
        for _ in range(choose.choice([0, 0, 1, 2]) if depth else 0):
            region = Region()
            for _ in range(choose.randrange(3)):
                inner = Block([choose.choice(kinds) for _ in range(choose.randrange(3))])
                for argument in inner.arguments:
                    argument.name = choose.choice(["", "", "a", "a", "b c"])
                    argument.location = choose.choice([UNKNOWN, FileLocation("r.py", 3)])
                region.append(inner)
            regions.append(region)
        op = UnregisteredOp(
            choose.choice(["zz.a", "zz.b"]),
            operands,
            [choose.choice(kinds) for _ in range(choose.randrange(4))],
            {name: choose.choice([IntegerAttr(1), StringAttr('"'), TypeAttr(kinds[3])])
             for name in choose.sample(["a", "b c", "0", "é", "x.y"], choose.randrange(3))},
            regions,
            choose.choice([UNKNOWN, FileLocation("q.py", 1, 2)]),
        )  # fmt: skip
        for result in op.results:
            result.name = choose.choice(["", "x", "x", "x_0", "7", "é"])
        block.append(op)
        for region in regions:
            for inner in region.blocks:
                fill(inner, choose, visible, depth - 1)
        visible += op.results


@pytest.mark.parametrize("inside", ["({})", "({^bb0:\n})", ""])
def test_the_end_of_a_forall_with_another_region(inside: str) -> None:
    """IR that the verifier refuses still prints and reads back."""
    text = f"""
"func.func"() <{{function_type = () -> (), sym_name = "f"}}> ({{
  "scf.forall"() <{{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>,
      staticStep = array<i64: 1>, staticUpperBound = array<i64: 16>}}> ({{
  ^bb0(%t: index):
    "scf.forall.in_parallel"() {inside} : () -> ()
  }}) : () -> ()
  "func.return"() : () -> ()
}}) : () -> ()
"""
    printed = print_module(parse_module(text))
    assert print_module(parse_module(printed)) == printed


def test_a_long_signature_has_an_argument_a_line() -> None:
    text = """\
module {
  func.func @short(%x: f32, %y: f32) -> f32 {
    func.return %x : f32
  }
  func.func @long(
      %first-weight: tensor<512x784xf32> {job.variable = "first-weight"},
      %second-weight: tensor<512x784xf32> {job.variable = "second-weight"}) -> (
      tensor<512x784xf32> {job.update = "first-weight of the network"},
      tensor<512x784xf32> {job.update = "second-weight of the network"}) {
    func.return %first-weight, %second-weight : tensor<512x784xf32>, tensor<512x784xf32>
  }
  func.func private @outside(
      tensor<512x784xf32> {job.variable = "first-weight"},
      tensor<512x784xf32> {job.variable = "second-weight, which is long enough"})
}
"""
    module = parse_module(text)
    assert print_module(module, locations=False) == text
    assert print_module(parse_module(print_module(module))) == print_module(module)
