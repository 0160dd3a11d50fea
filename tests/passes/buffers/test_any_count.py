"""Jobs for any number of elements: what they store and access, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from loops_interpreter import run_job
from mlir_runner import check, needs_mlir
from tensor_programs import same_bits

from penstock.ir.diagnostics import IRError, Refused
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.verify.verifier import verify
from penstock.passes.analysis.group_storage import Group
from penstock.passes.costs.target import TARGETS
from penstock.passes.loops.lower_group import lower_group
from penstock.passes.manager import run_pipeline

FUSED = "lower,canonicalize,cse,fuse-elementwise,outline-groups,canonicalize,cse,dce"
V, S = "tensor<4096xf32>", "tensor<f32>"
LEVELS = ("x86-64-v2", "x86-64-v3", "x86-64-v4")


def job(body: str, result: str = V) -> Module:
    return parse_module(f"""
      module @job attributes {{job.type = "predict", job.count = 4096 : i64}} {{
        func.func @job(%x: {V} {{job.feed = "x"}}, %y: {V} {{job.feed = "y"}},
            %s: {S} {{job.feed = "s"}}) -> ({result} {{job.fetch = "0"}}) {{
          {body}
        }}
      }}""")


SQUARE = f"""%a = "flow.subtract"(%x, %s) : ({V}, {S}) -> {V}
          %b = "flow.multiply"(%a, %y) : ({V}, {V}) -> {V}
          return %b : {V}"""
BOOLS, WIDE = "tensor<4096xi8>", "tensor<4096xf64>"
MIXED = f"""%a = "flow.less"(%x, %s) : ({V}, {S}) -> {BOOLS}
          %b = "flow.cast"(%y) {{element = f64}} : ({V}) -> {WIDE}
          %c = "flow.where"(%a, %b, %b) : ({BOOLS}, {WIDE}, {WIDE}) -> {WIDE}
          return %c : {WIDE}"""
SUM = '"flow.reduce_sum"(%x) {axes = array<i64: 0>, keepdims = '


def loops(module: Module, level: str) -> Module:
    run_pipeline(module, f"{FUSED},bufferize{{target={level}}}")
    verify(module)
    return module


@needs_mlir
def test_mlir_opt_accepts_it() -> None:
    check(loops(job(SQUARE), "x86-64-v3"))


@pytest.mark.parametrize("level", LEVELS)
def test_exactly_the_elements_are_stored(level: str) -> None:
    # The interpreter checks each access, and that no task accesses what another one writes. It is
    # slow, so few sizes are parallelised.
    module = loops(job(SQUARE), level)
    random = np.random.default_rng(3)
    for count in (0, 1, 3, 4, 7, 8, 31, 32, 33, 63, 64, 65, 130, 40_001):
        x, y = random.standard_normal((2, count)).astype(np.float32)
        s = np.float32(0.25)
        given = {"x": x, "y": y, "s": np.array(s)}
        assert same_bits(run_job(module, given, count=count)["0"], (x - s) * y), count


@pytest.mark.parametrize("level", LEVELS)
def test_large_results_are_written_past_the_caches(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penstock.passes.loops.rows.any_count.LARGE", 4 * 30_000)
    module = loops(job(SQUARE), level)
    past = [
        function.sym_name
        for function in module.functions()
        if any(getattr(op, "nontemporal", None) for op in function.walk())
    ]
    assert past == ["job_past"]
    x, y = np.random.default_rng(3).standard_normal((2, 30_077)).astype(np.float32)
    given = {"x": x, "y": y, "s": np.array(0.25, np.float32)}
    assert same_bits(run_job(module, given, count=x.size)["0"], (x - np.float32(0.25)) * y)


@pytest.mark.parametrize("level", LEVELS)
def test_the_widest_element_decides_the_vector_length(level: str) -> None:
    module = loops(job(MIXED, "tensor<4096xf64>"), level)
    names = [function.sym_name for function in module.functions()]
    lanes = TARGETS[level].vector_bytes // 8
    assert names == [f"job_by_{4 * lanes}", f"job_by_{lanes}", "job_by_1", "job_past", "job"]
    for count in (1, lanes, 5 * lanes + 1):
        y = np.arange(count, dtype=np.float32)
        given = {"x": y, "y": y, "s": np.array(2, np.float32)}
        assert same_bits(run_job(module, given, count=count)["0"], y.astype(np.float64)), count


def test_a_job_that_only_copies() -> None:
    module = loops(job(f"return %x : {V}"), "x86-64-v3")
    for count in (0, 5, 70):
        x = np.arange(count, dtype=np.float32)
        given = {"x": x, "y": x, "s": np.array(0, np.float32)}
        assert same_bits(run_job(module, given, count=count)["0"], x), count


@pytest.mark.parametrize(
    ("body", "result", "message"),
    [
        (
            f"%a = {SUM}false}} : ({V}) -> {S}\nreturn %a : {S}",
            S,
            "returns tensor<f32>: expected 4096 elements",
        ),
        (
            f'%a = "flow.cumsum"(%x) {{axis = 0 : i64}} : ({V}) -> {V}\nreturn %a : {V}',
            V,
            "cannot be in the group",
        ),
        (
            f"%a = {SUM}true}} : ({V}) -> tensor<1xf32>\nreturn %a : tensor<1xf32>",
            "tensor<1xf32>",
            "has a tensor tensor<1xf32>: expected 4096 elements, or one of rank 0",
        ),
    ],
)
def test_ops_that_are_not_elementwise_are_refused(body: str, result: str, message: str) -> None:
    with pytest.raises(IRError, match=message):
        loops(job(body, result), "x86-64-v3")


def test_a_group_of_unknown_extents_is_refused() -> None:
    # It used to become an empty function.
    module = parse_module("""
      module {
        func.func private @g(%x: tensor<?xf32>) -> tensor<?xf32> {
          %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
              affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
              ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) {
            ^bb0(%v: f32, %o: f32):
              %e = math.exp %v : f32
              linalg.yield %e : f32
          } -> tensor<?xf32>
          func.return %0 : tensor<?xf32>
        }
      }""")
    (function,) = module.functions()
    with pytest.raises(IRError, match="expected tensors of known shape, got tensor<\\?xf32>"):
        lower_group(Group(function), {}, "g", TARGETS["x86-64-v3"])


# -- rows -------------------------------------------------------------------------------------

X, ROW, COLUMN = "tensor<11x23x10xf32>", "tensor<10xf32>", "tensor<11x23xf32>"
SOFTMAX = f"""%a = "flow.add"(%x, %y) : ({X}, {ROW}) -> {X}
          %b = "flow.softmax"(%a) {{axis = 2 : i64}} : ({X}) -> {X}
          return %b : {X}"""
MAX = f"""%a = "flow.argmax"(%x) {{axis = 2 : i64}} : ({X}) -> tensor<11x23xi32>
          return %a : tensor<11x23xi32>"""


def by_row(body: str, result: str) -> Module:
    return parse_module(f"""
      module @job attributes {{job.type = "predict", job.rows = 253 : i64}} {{
        func.func @job(%x: {X} {{job.feed = "x"}}, %y: {ROW} {{job.feed = "y"}})
            -> ({result} {{job.fetch = "0"}}) {{
          {body}
        }}
      }}""")


@pytest.mark.parametrize("level", LEVELS)
def test_all_rows_are_stored_and_no_others_are_reached(level: str) -> None:
    module = loops(by_row(SOFTMAX, X), level)
    random = np.random.default_rng(3)
    for count in (0, 1, 2, 5, 1100):
        x, y = random.standard_normal((count, 10)), random.standard_normal(10)
        given = {"x": x.astype(np.float32), "y": y.astype(np.float32)}
        got = run_job(module, given, count=count)["0"]
        exps = np.exp(x + y)
        np.testing.assert_allclose(got, exps / exps.sum(1, keepdims=True), rtol=1e-5)


@pytest.mark.parametrize("level", LEVELS)
def test_rows_in_the_lanes_of_vectors(level: str) -> None:
    module = loops(by_row(MAX, "tensor<11x23xi32>"), level)
    random = np.random.default_rng(4)
    for count in (0, 1, 7, 33, 130):
        x = random.standard_normal((count, 10)).astype(np.float32)
        got = run_job(module, {"x": x, "y": x[:0].sum(0)}, count=count)["0"]
        assert got.tolist() == x.argmax(1).tolist(), count


@pytest.mark.parametrize(
    ("body", "result", "message"),
    [
        (
            f'%a = "flow.softmax"(%x) {{axis = 0 : i64}} : ({X}) -> {X}\nreturn %a : {X}',
            X,
            "so it cannot be lowered for an unknown number of rows",
        ),
        (
            f'%a = "flow.reduce_sum"(%x) {{axes = array<i64: 0, 1>, keepdims = false}} : ({X}) -> '
            f"{ROW}\nreturn %a : {ROW}",
            ROW,
            "so it cannot be lowered for an unknown number of rows",
        ),
        (
            f'%a = "flow.cumsum"(%x) {{axis = 0 : i64}} : ({X}) -> {X}\nreturn %a : {X}',
            X,
            "is one kernel, so it",
        ),
        (f"return %x : {X}", X, "is not one group"),
    ],
)
def test_rows_that_depend_on_each_other_are_refused(body: str, result: str, message: str) -> None:
    with pytest.raises(Refused, match=message):
        loops(by_row(body, result), "x86-64-v3")
