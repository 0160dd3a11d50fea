"""Dead code and what keeps ops alive; see also tests/filecheck/dce.mlir."""

from penstock.ir.attributes import SymbolRefAttr, attribute
from penstock.ir.builder import Builder
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.passes.manager import run_pipeline


def test_a_dead_chain_is_removed_in_one_sweep() -> None:
    lines = [f"  %v{i + 1} = math.exp %v{i} : f32\n" for i in range(50)]
    module = parse_module(f"func.func @f(%v0: f32) {{\n{''.join(lines)}  return\n}}")
    assert run_pipeline(module, "dce").rewrites == {"dce": 50}
    assert [op.name for op in module.job.body] == ["func.return"]


def test_ops_with_effects_and_their_operands_stay() -> None:
    module = parse_module(
        "func.func @f(%x: tensor<4xf32>) {\n"
        '  %a = "flow.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n'
        '  %b = "flow.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n  return\n}'
    )
    first = module.job.body.first
    assert first is not None
    Builder.ahead_of(module.job.returned).create(job.Watch, first.results[0], label="a")
    run_pipeline(module, "dce")
    assert [op.name for op in module.job.body] == ["flow.exp", "job.watch", "func.return"]


def names(module: Module) -> str:
    run_pipeline(module, "dce")
    return module.function_names()


PRIVATE = "func.func private @g()\n"


def test_public_functions_stay() -> None:
    assert names(parse_module("func.func @f() {\n  return\n}")) == "@f"


def test_symbols_used_in_other_attributes_stay() -> None:
    module = parse_module(PRIVATE + "func.func @f() {\n  return\n}")
    module.job.attributes["my.handlers"] = attribute([{"first": SymbolRefAttr("g")}])
    assert names(module) == "@g, @f"
    del module.job.attributes["my.handlers"]
    assert names(module) == "@f"


def test_symbols_used_by_unnamed_ops_of_the_module_stay() -> None:
    module = parse_module(
        PRIVATE + 'func.func @f() {\n  return\n}\n"test.table"() {g = @g} : () -> ()',
        allow_unregistered=True,
    )
    assert names(module) == "@g, @f"


def test_fuel_stops_dce() -> None:
    module = parse_module(PRIVATE + "func.func @f() {\n  return\n}")
    assert run_pipeline(module, "dce", fuel=0).rewrites.total() == 0
    assert names(module) == "@f"
