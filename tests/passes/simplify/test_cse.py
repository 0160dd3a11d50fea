"""Which ops are equal, and in which scopes; see also tests/filecheck/cse.mlir."""

import pytest

from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.location import Location, fuse
from penstock.ir.verify.verifier import verify
from penstock.passes.manager import run_pipeline
from penstock.passes.simplify import cse

BODY = """
  %{name} = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]}} outs(%e : tensor<4xf32>) {{
  ^bb0(%out: f32):
    {inside}
  }} -> tensor<4xf32>
"""


def generics(*bodies: str) -> Module:
    """A function with one linalg.generic per body."""
    names = [f"r{i}" for i in range(len(bodies))]
    text = "".join(BODY.format(name=n, inside=b) for n, b in zip(names, bodies, strict=True))
    types = ", ".join(["tensor<4xf32>"] * len(names))
    return parse_module(
        f"func.func @f(%p: f32, %q: f32) -> ({types}) {{\n"
        f"  %e = tensor.empty() : tensor<4xf32>\n{text}"
        f"  return {', '.join(f'%{n}' for n in names)} : {types}\n}}"
    )


def distinct(module: Module) -> int:
    """How many distinct values the job returns after CSE."""
    run_pipeline(module, "cse")
    verify(module)
    return len(set(module.job.returned.operands))


def test_bodies_that_differ_in_names_only() -> None:
    yields = "%{0} = math.exp %out : f32\n    linalg.yield %{0} : f32"
    assert distinct(generics(yields.format("a"), yields.format("b"))) == 1


def test_bodies_that_differ() -> None:
    bodies = [
        "%a = math.exp %out : f32\n linalg.yield %a : f32",
        "%a = math.log %out : f32\n linalg.yield %a : f32",
        "%a = math.exp %out : f32\n linalg.yield %out : f32",
        "%a = arith.constant 1.0 : f32\n linalg.yield %a : f32",
        "%a = arith.constant 2.0 : f32\n linalg.yield %a : f32",
    ]
    assert distinct(generics(*bodies)) == len(bodies)


def test_bodies_that_use_other_values_from_outside() -> None:
    assert distinct(generics(*[f"linalg.yield %{v} : f32" for v in "pqp"])) == 2


def test_all_results_of_an_op_are_replaced() -> None:
    module = parse_module(
        "func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {\n"
        + "".join(
            f"  %{n}:2 = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, "
            'affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} '
            "outs(%x, %x : tensor<4xf32>, tensor<4xf32>) {\n"
            "  ^bb0(%a: f32, %b: f32):\n    linalg.yield %b, %a : f32, f32\n"
            "  } -> (tensor<4xf32>, tensor<4xf32>)\n"
            for n in "rs"
        )
        + "  return %r#0, %s#1 : tensor<4xf32>, tensor<4xf32>\n}"
    )
    run_pipeline(module, "cse")
    first, second = module.job.returned.operands
    assert first.defining_op is second.defining_op
    assert first is not second


def test_ops_of_different_functions_are_not_merged() -> None:
    one = "func.func{} @{}() -> f32 {{\n  %a = arith.constant 1.0 : f32\n  return %a : f32\n}}\n"
    module = parse_module(one.format(" private", "f") + one.format("", "g"))
    assert not run_pipeline(module, "cse").rewrites


def test_types_are_compared() -> None:
    module = parse_module(
        "func.func @f(%x: i64) -> (f32, f64) {\n"
        "  %a = arith.sitofp %x : i64 to f32\n  %b = arith.sitofp %x : i64 to f64\n"
        "  return %a, %b : f32, f64\n}"
    )
    assert distinct(module) == 2


def test_an_unnamed_op_takes_the_name_of_its_duplicate() -> None:
    module = parse_module(
        "func.func @f(%x: f32) -> (f32, f32) {\n"
        "  %0 = math.exp %x : f32\n  %hidden = math.exp %x : f32\n"
        "  return %0, %hidden : f32, f32\n}"
    )
    assert distinct(module) == 1
    assert module.job.returned.operands[0].name == "hidden"


def test_a_merged_op_has_all_locations(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 50
    ops = "".join(f'  %{i} = math.exp %x : f32 loc("a.py":{i + 1}:0)\n' for i in range(count))
    used = "".join(f"  %s{i} = arith.negf %{i} : f32\n" for i in range(count))
    returned = ", ".join(f"%s{i}" for i in range(count))
    types = ", ".join(["f32"] * count)
    text = f"func.func @f(%x: f32) -> ({types}) {{\n{ops}{used}  return {returned} : {types}\n}}"
    module = parse_module(text)
    passed = []

    def counted(*locations: Location) -> Location:
        passed.append(len(locations))
        return fuse(*locations)

    monkeypatch.setattr(cse, "fuse", counted)
    run_pipeline(module, "cse")
    first = module.job.body.first
    assert first is not None
    assert [at.line for at in first.location.files()] == list(range(1, count + 1))
    # Each location is visited once, not once per later op.
    assert sum(passed) == 2 * count
