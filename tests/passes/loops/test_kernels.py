"""Kernels, ops that write their own loops: their form at each stage, and their parallel tasks.

The tests define one, as users may: it adds rows at positions given as data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import pytest
from loops_interpreter import run_job

import penstock as flow
from penstock.ir.constraints import INTEGER_TENSOR, TENSOR
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import memref, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import Array
from penstock.ir.dialects.flow.kernel import BLOCKED, Kernel, Space
from penstock.ir.dialects.func import Call
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.cost import Cost, cost_of
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.meaning.sbp_rules import signatures
from penstock.ir.opdef import operand, registry, result
from penstock.ir.text.printer import print_module
from penstock.ir.types import Type
from penstock.ir.verify.verifier import verify
from penstock.ir.write import scalars
from penstock.ir.write.loop_builder import Buffer, LoopBuilder
from penstock.lowering.modules import PIPELINES
from penstock.passes.manager import run_pipeline
from penstock.runtime import threads

Arrays = dict[str, np.ndarray[Any, Any]]


class AddRows(Kernel):
    """Scatter-add of rows: y[p] is x[p] plus the sum of rows[i] with places[i] = p."""

    name = "example.add_rows"
    in_place: ClassVar[Mapping[int, int]] = {0: 0}
    x = operand(TENSOR)
    rows = operand(TENSOR)
    places = operand(INTEGER_TENSOR)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        return [self.types()[0]]

    def count_flops(self) -> int:
        return self.types()[1].count

    def reference(self, x: Array, rows: Array, places: Array) -> Sequence[Array]:
        y = x.copy()
        np.add.at(y, places, rows)
        return [y]

    def space(self) -> Space:
        """Split along columns, or along the added rows, with x and y as partial sums."""
        return Space([[BLOCKED, 1], [0, 1], [0]], [[BLOCKED, 1]], linear=[0, 1])

    def loops(
        self, b: LoopBuilder, operands: Sequence[Buffer], results: Sequence[Buffer | None]
    ) -> None:
        """Rows in sequence, so that the order of sums is fixed; each task owns some columns."""
        x, rows, places = operands
        (y,) = results
        assert y is not None
        extent, columns = x.shape
        with b.share(columns, 4 * rows.type.count, "column") as column:
            if x.value is not y.value:
                with b.loop(0, extent) as i:
                    y[i, column] = x[i, column]
            with b.loop(0, rows.shape[0]) as i:
                place = b.subscript(places[i])
                y[place, column] = scalars.add(b, y[place, column], rows[i, column])


del registry[AddRows.name]  # Other tests walk the registry.


@pytest.fixture(autouse=True)
def defined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry, AddRows.name, AddRows)


def module_of(text: str) -> Module:
    return parse_module(f'module @m attributes {{job.type = "predict"}} {{\n{text}\n}}')


ADD = """
func.func @m(%w: tensor<5x6xf32> {job.variable = "w",
               job.initializer = {kind = "constant", value = 0.0}, job.trainable = true},
             %r: tensor<4x6xf32> {job.feed = "r"},
             %p: tensor<4xi32> {job.feed = "p"}) -> (tensor<5x6xf32> {job.update = "w"}) {
  %y = "example.add_rows"(%w, %r, %p)
    : (tensor<5x6xf32>, tensor<4x6xf32>, tensor<4xi32>) -> tensor<5x6xf32>
  func.return %y : tensor<5x6xf32>
}"""
SORTS = module_of("""
func.func @m(%x: tensor<3x21xf32> {job.feed = "x"}) -> (tensor<3x21xf32> {job.fetch = "0"},
             tensor<3x21xi32> {job.fetch = "1"}, tensor<3x21xf32> {job.fetch = "2"}) {
  %a = "flow.exp"(%x) : (tensor<3x21xf32>) -> tensor<3x21xf32>
  %b, %i = "flow.sort"(%a) : (tensor<3x21xf32>) -> (tensor<3x21xf32>, tensor<3x21xi32>)
  "job.watch"(%b) {name = "b"} : (tensor<3x21xf32>) -> ()
  %c = "flow.square"(%b) : (tensor<3x21xf32>) -> tensor<3x21xf32>
  %d, %j = "flow.sort"(%c) : (tensor<3x21xf32>) -> (tensor<3x21xf32>, tensor<3x21xi32>)
  %e, %k = "flow.sort"(%x) : (tensor<3x21xf32>) -> (tensor<3x21xf32>, tensor<3x21xi32>)
  %f = "flow.negative"(%d) : (tensor<3x21xf32>) -> tensor<3x21xf32>
  func.return %f, %k, %e : tensor<3x21xf32>, tensor<3x21xi32>, tensor<3x21xf32>
}""")


def at(module: Module, stage: str) -> Module:
    """Lower a copy of a module at stage `job` to another stage; verify and print each stage."""
    module = parse_module(print_module(module))
    for name, pipeline in PIPELINES.items():
        run_pipeline(module, pipeline)
        verify(module)
        text = print_module(module)
        assert print_module(parse_module(text)) == text
        if name == stage:
            return module
    raise AssertionError(stage)


def kernels(module: Module) -> list[Kernel]:
    return [op for op in module.walk() if isinstance(op, Kernel)]


def fed() -> Arrays:
    random = np.random.default_rng(3)
    return {"x": random.standard_normal((3, 21)).astype(np.float32)}


def test_a_kernel_is_its_own_group_and_equal_ones_are_merged() -> None:
    fused = at(SORTS, "fused")
    groups = [function for function in fused.functions() if function is not fused.job]
    alone = [g for g in groups if any(isinstance(op, Kernel) for op in g.body)]
    # The positions of the second sort are unused, so its group has one result fewer.
    assert [len(g.type.results) for g in alone] == [1, 2]
    assert all(len(list(g.body)) == 2 for g in alone)
    calls = [op.callee for op in fused.job.body if isinstance(op, Call)]
    assert sorted(calls.count(g.sym_name) for g in alone) == [1, 2]


def test_every_stage_computes_the_same() -> None:
    passed, seen = fed(), []
    wanted = interpret(SORTS, [passed["x"]], watch=lambda name, array: seen.append(array.copy()))
    for stage in ("grad", "placed", "fused"):
        got = interpret(at(SORTS, stage), [passed["x"]])
        assert all(np.array_equal(a, b) for a, b in zip(got, wanted, strict=True)), stage
    results = run_job(at(SORTS, "loops"), passed, watch=lambda name, array: seen.append(array))
    assert all(np.allclose(results[str(i)], w, rtol=1e-6) for i, w in enumerate(wanted))
    assert len(seen) == 2
    assert np.allclose(seen[0], seen[1], rtol=1e-6)


def test_stage_loops_has_only_upstream_ops() -> None:
    assert not kernels(at(SORTS, "loops"))


def test_an_update_is_in_place() -> None:
    loops = at(module_of(ADD), "loops")
    assert not any(isinstance(op, memref.Copy) for op in loops.walk())
    (function,) = (f for f in loops.functions() if f is not loops.job)
    assert [str(type) for type in function.type.inputs] == [
        "memref<4x6xf32>", "memref<4xi32>", "memref<5x6xf32>",
    ]  # fmt: skip
    w = np.ones((5, 6), np.float32)
    r, p = np.arange(24, dtype=np.float32).reshape(4, 6), np.array([3, 0, 3, 4], np.int32)
    assert np.array_equal(
        run_job(loops, {"w": w, "r": r, "p": p})["w"], interpret(module_of(ADD), [w, r, p])[0]
    )


@pytest.mark.parametrize(("rows", "columns", "tasks"), [(4, 6, 0), (20_000, 40, 40)])
def test_large_kernels_are_parallelised(rows: int, columns: int, tasks: int) -> None:
    text = (
        print_module(module_of(ADD))
        .replace("4x6x", f"{rows}x{columns}x")
        .replace("<4x", f"<{rows}x")
    )
    loops = at(parse_module(text.replace("5x6x", f"5x{columns}x")), "loops")
    found = [op.extents for op in loops.walk() if isinstance(op, scf.Forall)]
    assert found == ([[tasks]] if tasks else [])


def test_signatures_are_as_declared() -> None:
    op = kernels(module_of(ADD))[0]
    found = {str(signature) for signature in signatures(op)}
    assert found == {"B, B, B -> B", "S(1), S(1), B -> S(1)", "P, P, B -> P"}


def test_the_cost_is_what_a_kernel_declares() -> None:
    assert cost_of(kernels(module_of(ADD))[0]) == Cost(
        flops=24, read=4 * (30 + 24 + 4), written=4 * 30
    )


def test_a_kernels_group_has_no_other_op() -> None:
    text = print_module(at(module_of(ADD), "fused")).replace(
        '"example.add_rows"(%w', '"flow.exp"(%w) : (tensor<5x6xf32>) -> tensor<5x6xf32>\n'
        '    %z = "example.add_rows"(%w',
    )  # fmt: skip
    module = parse_module(text)
    with pytest.raises(IRError, match="which must be alone in its group"):
        run_pipeline(module, "bufferize")


def test_a_module_at_stage_fused_compiles() -> None:
    arguments = fed()["x"]
    got = flow.compile(print_module(at(SORTS, "fused")))(arguments)
    wanted = interpret(SORTS, [arguments])
    assert all(np.allclose(a, b, rtol=1e-6) for a, b in zip(got, wanted, strict=True))


def test_native_results_do_not_depend_on_the_number_of_threads() -> None:
    text = print_module(module_of(ADD)).replace("4x6x", "20000x40x").replace("<4x", "<20000x")
    module = at(parse_module(text.replace("5x6x", "5x40x")), "loops")
    random = np.random.default_rng(4)
    w, r = (random.standard_normal((n, 40)).astype(np.float32) for n in (5, 20_000))
    p = random.integers(0, 5, 20_000, np.int32)
    (wanted,) = kernels(module_of(ADD))[0].reference(w, r, p)
    job, results = flow.compile(print_module(module)), []
    for number in (1, 2, 3):
        threads.set_num_threads(number)
        job.load_variables({"w": w})
        job(r, p)
        results.append(job.variables()["w"])
    threads.set_num_threads(None)
    assert results[0].tobytes() == wanted.tobytes()
    assert all(result.tobytes() == results[0].tobytes() for result in results)
