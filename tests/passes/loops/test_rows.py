"""Vectorised rows: correct for every width, dtype and number of tasks; few passes over memory.

The interpreter runs the tasks in random order and detects data races.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import loops_interpreter
import numpy as np
import pytest
from loops_interpreter import run_job
from tensor_programs import FUSED, lowered, same_bits
from test_loops import with_names

from penstock.codegen.memref_values import ARRAY_ALIGNMENT
from penstock.ir.attributes import numpy_dtype, python_value
from penstock.ir.core import Operation
from penstock.ir.dialects import arith, math, memref, scf, vector
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.reductions import reduction
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.ir.types import MemRefType, VectorType, byte_width
from penstock.ir.verify.verifier import verify
from penstock.passes.analysis import segments
from penstock.passes.costs import task_count
from penstock.passes.costs.target import TARGETS
from penstock.passes.loops.rows import fold_rows, row_overlap, row_plan

Array = np.ndarray[Any, Any]
WIDTHS = (1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 50, 64, 65, 127, 130)


@pytest.fixture(params=["one task", "many tasks"])
def tasks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With small tasks, small tensors are parallelised, and sums combine partial sums of tasks;
    with slow memory, rows overlap.
    """
    if request.param == "many tasks":
        for name, value in (
            ("LOOP_SERIAL_CYCLES", 20),
            ("LOOP_TASK_CYCLES", 20),
            ("MOST_LOOP_TASKS", 5),
        ):
            monkeypatch.setattr(task_count, name, value)
        for name, value in (("PARTIAL", 2), ("SUMMED_ROWS", 3)):
            monkeypatch.setattr(row_plan, name, value)
        monkeypatch.setattr(segments, "FOLDED", 2)
        monkeypatch.setattr(segments, "UNCACHED_ELEMENTS", 10)
        monkeypatch.setattr(fold_rows, "SHARED_COMBINATION", 100)
        monkeypatch.setattr(row_overlap, "is_far", lambda value, target: True)
    return str(request.param)


def job(arguments: Sequence[tuple[Sequence[int], str]], body: str, result: str) -> Module:
    """A job of tensor ops on %a0, %a1, ..., each given by shape and element; it returns %y."""
    types = [f"tensor<{''.join(f'{n}x' for n in shape)}{e}>" for shape, e in arguments]
    words = {f"t{i}": type for i, type in enumerate(types)}
    for name, type in words.items():
        body, result = body.replace(f"!{name}", type), result.replace(f"!{name}", type)
    named = ", ".join(f"%a{i}: {type}" for i, type in enumerate(types))
    module = parse_module(f"func.func @job({named}) -> {result} {{ {body} return %y : {result} }}")
    return with_names(module)


def run(module: Module, *arrays: Array, width: int | None = None) -> tuple[Array, Module]:
    lowered_module = lowered(module, f"{FUSED},bufferize")
    verify(lowered_module)
    got = run_job(lowered_module, {f"a{i}": array for i, array in enumerate(arrays)})
    return got["0"], lowered_module


def normal(*shape: int, seed: int = 0, dtype: Any = np.float32) -> Array:
    return np.asarray(np.random.default_rng(seed).standard_normal(shape) * 2).astype(dtype)


def close(got: Array, wanted: Array, ulps: float = 4) -> None:
    """Equal within some ulps of the largest element of the row."""
    assert got.shape == wanted.shape
    step = np.finfo(got.dtype).eps
    scale = np.abs(wanted).max(-1, initial=0, keepdims=True) if wanted.ndim else abs(wanted)
    assert (np.abs(got - wanted) <= ulps * step * scale).all(), np.abs(got - wanted).max()


# -- element by element -------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.parametrize("width", WIDTHS)
def test_a_chain_is_one_loop(tasks: str, width: int) -> None:
    body = """
    %e = "flow.exp"(%a0) : (!t0) -> !t0
    %m = "flow.multiply"(%e, %a1) : (!t0, !t1) -> !t0
    %y = "flow.relu"(%m) : (!t0) -> !t0
    """
    x, z = normal(3, width), normal(3, width, seed=1)
    got, result = run(job([((3, width), "f32")] * 2, body, "!t0"), x, z)
    close(got, np.maximum(np.exp(x.astype(float)) * z, 0))
    if tasks == "one task":
        assert sum(isinstance(op, scf.For) for op in result.walk()) <= 1, print_module(result)
    assert (
        not [op for op in result.walk() if isinstance(op, (memref.Load, memref.Store))] or width < 9
    )


@pytest.mark.sampled
@pytest.mark.parametrize("width", WIDTHS)
def test_broadcasts_of_rows_columns_and_scalars(tasks: str, width: int) -> None:
    body = """
    %p = "flow.add"(%a0, %a1) : (!t0, !t1) -> !t0
    %q = "flow.multiply"(%p, %a2) : (!t0, !t2) -> !t0
    %y = "flow.subtract"(%q, %a3) : (!t0, !t3) -> !t0
    """
    shapes = [(5, width), (width,), (5, 1), ()]
    arrays = [normal(*shape, seed=i) for i, shape in enumerate(shapes)]
    got, _ = run(job([(shape, "f32") for shape in shapes], body, "!t0"), *arrays)
    x, row, column, number = arrays
    assert same_bits(got, (x + row) * column - number)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("source", "target"),
    [("f32", "f64"), ("f64", "f32"), ("i32", "f32"), ("f32", "i32"), ("i8", "f32"), ("i32", "i64"),
     ("i64", "i8"), ("f64", "i64")],
)  # fmt: skip
@pytest.mark.parametrize("width", [5, 32, 75])
def test_casts_between_widths(tasks: str, source: str, target: str, width: int) -> None:
    body = f'%y = "flow.cast"(%a0) {{element = {target}}} : (!t0) -> tensor<{width}x{target}>'
    dtypes = {"f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32, "i64": np.int64}
    x = (normal(width) * 20).astype(dtypes[source])
    got, _ = run(job([((width,), source)], body, f"tensor<{width}x{target}>"), x)
    assert same_bits(got, x.astype(dtypes[target]))


# -- along rows ---------------------------------------------------------------------------------

SOFTMAX = '%y = "flow.softmax"(%a0) {axis = 1 : i64} : (!t0) -> !t0'


def softmax(x: Array, axis: int = -1) -> Array:
    e = np.exp(x - x.max(axis, keepdims=True))
    return np.asarray(e / e.sum(axis, keepdims=True))


@pytest.mark.sampled
@pytest.mark.parametrize("width", WIDTHS)
def test_softmax_reads_each_row_while_it_is_cached(tasks: str, width: int) -> None:
    x = normal(7, width)
    got, result = run(job([((7, width), "f32")], SOFTMAX, "!t0"), x)
    close(got, softmax(x.astype(float)))
    groups = [f for f in result.functions() if f is not result.job]
    assert width == 1 or [len(f.arguments) for f in groups] == [2], "no workspace"


def test_softmax_takes_three_passes_over_a_row() -> None:
    _, result = run(job([((7, 96), "f32")], SOFTMAX, "!t0"), normal(7, 96))
    rows = next(op for op in result.walk() if isinstance(op, scf.For))
    passes = [op for op in rows.body if isinstance(op, scf.For)]
    assert len(passes) == 3
    moved = [sum(isinstance(op, (vector.Load, vector.Store)) for op in p.body) for p in passes]
    assert moved == [1, 2, 2], "read x; read x and write e; read e and write y"


@pytest.mark.sampled
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("shape", [(3, 5, 33), (4, 17, 2), (9, 1, 8), (1, 40, 3)])
def test_softmax_along_any_axis(tasks: str, axis: int, shape: tuple[int, ...]) -> None:
    x = normal(*shape)
    body = SOFTMAX.replace("axis = 1", f"axis = {axis}")
    got, _ = run(job([(shape, "f32")], body, "!t0"), x)
    wanted = softmax(x.astype(float), axis)
    assert np.abs(got - wanted).max() <= 4 * np.finfo(np.float32).eps


@pytest.mark.sampled
@pytest.mark.parametrize("width", WIDTHS)
def test_layer_norm(tasks: str, width: int) -> None:
    row, one = f"tensor<6x{width}xf32>", "tensor<6x1xf32>"
    mean = (
        f'"flow.reduce_mean"({{}}) {{{{axes = array<i64: 1>, keepdims = true}}}} : ({row}) -> {one}'
    )
    body = f"""
    %m = {mean.format("%a0")}
    %d = "flow.subtract"(%a0, %m) : (!t0, {one}) -> !t0
    %q = "flow.square"(%d) : (!t0) -> !t0
    %v = {mean.format("%q")}
    %w = "flow.add"(%v, %a2) : ({one}, !t2) -> {one}
    %s = "flow.rsqrt"(%w) : ({one}) -> {one}
    %n = "flow.multiply"(%d, %s) : (!t0, {one}) -> !t0
    %y = "flow.multiply"(%n, %a1) : (!t0, !t1) -> !t0
    """
    x, scale, small = normal(6, width), normal(width, seed=1), np.float32(1e-3)
    got, _ = run(job([((6, width), "f32"), ((width,), "f32"), ((), "f32")], body, "!t0"),
                 x, scale, np.asarray(small))  # fmt: skip
    z = x.astype(float)
    d = z - z.mean(1, keepdims=True)
    close(got, d / np.sqrt((d * d).mean(1, keepdims=True) + small) * scale, ulps=40)


# -- reductions -----------------------------------------------------------------------------------

REDUCTIONS: dict[str, Callable[..., Any]] = {
    "reduce_sum": np.sum, "reduce_max": np.max, "reduce_min": np.min,
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("dtype", ["f32", "f64", "i32"])
@pytest.mark.parametrize("shape", [(3, 4, 41), (7, 35, 2), (33, 3, 1), (2, 1, 64)])
def test_reductions(
    tasks: str,
    shape: tuple[int, ...],
    dtype: str,
    name: str,
    axes: tuple[int, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Sums in f64 alone; test_pairwise.py has the others.
    monkeypatch.setattr(reduction, "LEAST_NARROW_SUM", 1 << 40)
    kept = "".join(f"{n}x" for axis, n in enumerate(shape) if axis not in axes)
    numbers = ", ".join(map(str, axes))
    result = f"tensor<{kept}{dtype}>"
    body = f'%y = "flow.{name}"(%a0) {{axes = array<i64: {numbers}>}} : (!t0) -> {result}'
    module = job([(shape, dtype)], body, result)
    type = module.job.arguments[0].type
    x = (normal(*shape) * 10).astype(numpy_dtype(type.element))  # type: ignore[attr-defined]
    got, _ = run(module, x)
    wanted = REDUCTIONS[name](x.astype(float) if dtype == "f32" else x, axis=axes)
    if dtype == "f64" and name == "reduce_sum":
        scale = np.abs(x).sum(axis=axes)
        assert (np.abs(got - wanted) <= 1e-15 * 8 * scale).all()
    else:
        assert same_bits(got, np.asarray(wanted).astype(x.dtype))


@pytest.mark.parametrize("width", [1, 8, 33, 100, 227])
def test_argmax_is_the_first_maximum(tasks: str, width: int) -> None:
    """With ties, NaN, and rows of only the lowest value."""
    x = np.round(normal(5, width))
    x[1, width // 2 :] = np.nan
    x[2] = -np.inf
    x[3] = 0
    x[3, width // 3 :] = -0.0
    for axis, shape in ((1, (5,)), (0, (width,))):
        result = f"tensor<{shape[0]}xi32>"
        body = f'%y = "flow.argmax"(%a0) {{axis = {axis} : i64}} : (!t0) -> {result}'
        got, _ = run(job([((5, width), "f32")], body, result), x)
        assert same_bits(got, np.argmax(x, axis).astype(np.int32))


@pytest.mark.parametrize("classes", [1, 3, 10, 40])
def test_cross_entropy(tasks: str, classes: int) -> None:
    labels = np.arange(6, dtype=np.int32) % classes
    logits = normal(6, classes)
    body = """%y = "flow.sparse_softmax_cross_entropy"(%a0, %a1) : (!t0, !t1) -> tensor<6xf32>"""
    module = job([((6,), "i32"), ((6, classes), "f32")], body, "tensor<6xf32>")
    got, _ = run(module, labels, logits)
    wanted = -np.log(softmax(logits.astype(float))[np.arange(6), labels])
    assert np.abs(got - wanted).max() <= 1e-6 * (1 + np.abs(logits).max())


@pytest.mark.sampled
@pytest.mark.parametrize("shape", [(9, 130), (64, 33), (50, 3), (33, 16)])
def test_sums_over_rows_in_the_loops_of_the_rows(tasks: str, shape: tuple[int, int]) -> None:
    """As in the gradient of a layer norm, where the sums read a result of each row."""
    m, n = shape
    one, row = f"tensor<{m}x1xf32>", f"tensor<{n}xf32>"
    body = f"""
    %m = "flow.reduce_mean"(%a0) {{axes = array<i64: 1>, keepdims = true}} : (!t0) -> {one}
    %d = "flow.subtract"(%a0, %m) : (!t0, {one}) -> !t0
    %e = "flow.multiply"(%d, %a1) : (!t0, !t0) -> !t0
    %s = "flow.reduce_sum"(%e) {{axes = array<i64: 0>}} : (!t0) -> {row}
    %q = "flow.square"(%d) : (!t0) -> !t0
    %v = "flow.reduce_sum"(%q) {{axes = array<i64: 1>, keepdims = true}} : (!t0) -> {one}
    %w = "flow.multiply"(%d, %v) : (!t0, {one}) -> !t0
    %t = "flow.reduce_sum"(%w) {{axes = array<i64: 0>}} : (!t0) -> {row}
    %y = "flow.add"(%s, %t) : ({row}, {row}) -> {row}
    """
    x, z = normal(*shape), normal(*shape, seed=1)
    got, _ = run(job([(shape, "f32")] * 2, body, row), x, z)
    d = x - x.astype(float).mean(1, keepdims=True)
    terms = [d * z, d * (d * d).sum(1, keepdims=True)]
    wanted = sum(term.sum(0) for term in terms)
    scale = sum(np.abs(term).sum(0) for term in terms)
    assert (np.abs(got - wanted) <= 1e-6 * scale).all()


@pytest.mark.parametrize("rows", [1, 3, 50])
def test_the_last_loop_of_a_row_is_fused_with_the_first_of_the_next(tasks: str, rows: int) -> None:
    """The first loop of a row adds to a sum over rows, and stores what the last loop of the row
    reads, over what the previous row's last loop has just read.
    """
    matrix, one, row = f"tensor<{rows}x70xf32>", f"tensor<{rows}x1xf32>", "tensor<70xf32>"
    text = f"""func.func @job(%a0: {matrix}, %a1: {row}) -> ({matrix}, {row}) {{
      %g = "flow.multiply"(%a0, %a1) : ({matrix}, {row}) -> {matrix}
      %m = "flow.reduce_sum"(%g) {{axes = array<i64: 1>, keepdims = true}} : ({matrix}) -> {one}
      %s = "flow.reduce_sum"(%a0) {{axes = array<i64: 0>}} : ({matrix}) -> {row}
      %y = "flow.subtract"(%g, %m) : ({matrix}, {one}) -> {matrix}
      return %y, %s : {matrix}, {row} }}"""
    x, factors = normal(rows, 70), normal(70, seed=1)
    module = lowered(with_names(parse_module(text)), f"{FUSED},bufferize")
    got = run_job(module, {"a0": x, "a1": factors})
    g = (x * factors).astype(float)
    assert np.abs(got["0"] - (g - g.sum(1, keepdims=True))).max() <= 1e-5
    assert np.abs(got["1"] - x.sum(0, dtype=float)).max() <= 1e-5


def loops_around(op: Operation) -> int:
    around = op.parent
    return 0 if around is None else loops_around(around) + isinstance(around, scf.For)


@pytest.mark.parametrize("rows", [64, 65, 100])
def test_rows_overlap_from_block_to_block(tasks: str, rows: int) -> None:
    """The last loop of a block's last row is fused with the next block's first loop, so only the
    last block has an epilogue. The partial sums of each block are widened in between.
    """
    matrix, one, row = f"tensor<{rows}x70xf32>", f"tensor<{rows}x1xf32>", "tensor<70xf32>"
    text = f"""func.func @job(%a0: {matrix}, %a1: {matrix}) -> ({matrix}, {row}) {{
      %m = "flow.reduce_mean"(%a0) {{axes = array<i64: 1>, keepdims = true}} : ({matrix}) -> {one}
      %d = "flow.subtract"(%a0, %m) : ({matrix}, {one}) -> {matrix}
      %e = "flow.multiply"(%d, %a1) : ({matrix}, {matrix}) -> {matrix}
      %s = "flow.reduce_sum"(%e) {{axes = array<i64: 0>}} : ({matrix}) -> {row}
      %q = "flow.square"(%d) : ({matrix}) -> {matrix}
      %v = "flow.reduce_sum"(%q) {{axes = array<i64: 1>, keepdims = true}} : ({matrix}) -> {one}
      %y = "flow.divide"(%d, %v) : ({matrix}, {one}) -> {matrix}
      return %y, %s : {matrix}, {row} }}"""
    x, z = normal(rows, 70), normal(rows, 70, seed=1)
    module = lowered(with_names(parse_module(text)), f"{FUSED},bufferize")
    got = run_job(module, {"a0": x, "a1": z})
    d = x - x.astype(float).mean(1, keepdims=True)
    close(got["0"], d / (d * d).sum(1, keepdims=True))
    assert (np.abs(got["1"] - (d * z).sum(0)) <= 1e-6 * np.abs(d * z).sum(0) + 1e-5).all()
    if tasks == "many tasks":
        ends = [op for op in module.walk() if isinstance(op, arith.DivF) and vectors(op)]
        assert sorted(map(loops_around, ends)) == [0, 1, 2, 3]


def vectors(op: Operation) -> bool:
    return isinstance(op.results[0].type, VectorType)


@pytest.mark.sampled
@pytest.mark.parametrize(("factor", "loops"), [("multiply", 2), ("divide", 3)])
@pytest.mark.parametrize("rows", [1, 65])
def test_half_of_a_row_is_fused_with_the_next(
    tasks: str, rows: int, factor: str, loops: int
) -> None:
    """With enough registers, reductions and sums over rows are fused, too. Values that the next row
    would overwrite are recomputed unless that is expensive.
    """
    matrix, one, row = (f"tensor<{shape}xf32>" for shape in (f"{rows}x128", f"{rows}x1", "128"))
    arguments, results = f"%a0: {matrix}, %a1: {matrix}, %a2: {row}", f"{matrix}, {row}, {row}"
    text = f"""func.func @job({arguments}) -> ({results}) {{
      %m = "flow.reduce_mean"(%a0) {{axes = array<i64: 1>, keepdims = true}} : ({matrix}) -> {one}
      %d = "flow.subtract"(%a0, %m) : ({matrix}, {one}) -> {matrix}
      %q = "flow.square"(%d) : ({matrix}) -> {matrix}
      %v = "flow.reduce_sum"(%q) {{axes = array<i64: 1>, keepdims = true}} : ({matrix}) -> {one}
      %z = "flow.divide"(%d, %v) : ({matrix}, {one}) -> {matrix}
      %g = "flow.{factor}"(%a1, %a2) : ({matrix}, {row}) -> {matrix}
      %h = "flow.reduce_sum"(%g) {{axes = array<i64: 1>, keepdims = true}} : ({matrix}) -> {one}
      %p = "flow.multiply"(%g, %z) : ({matrix}, {matrix}) -> {matrix}
      %c = "flow.reduce_sum"(%p) {{axes = array<i64: 1>, keepdims = true}} : ({matrix}) -> {one}
      %k = "flow.multiply"(%z, %c) : ({matrix}, {one}) -> {matrix}
      %n = "flow.subtract"(%g, %h) : ({matrix}, {one}) -> {matrix}
      %y = "flow.subtract"(%n, %k) : ({matrix}, {matrix}) -> {matrix}
      %r = "flow.multiply"(%a1, %z) : ({matrix}, {matrix}) -> {matrix}
      %s = "flow.reduce_sum"(%r) {{axes = array<i64: 0>}} : ({matrix}) -> {row}
      %t = "flow.reduce_sum"(%a1) {{axes = array<i64: 0>}} : ({matrix}) -> {row}
      return %y, %s, %t : {results} }}"""
    x, dy, gain = (
        normal(rows, 128),
        np.abs(normal(rows, 128, seed=1)),
        1 + np.abs(normal(128, seed=2)),
    )
    module = lowered(with_names(parse_module(text)), f"{FUSED},bufferize{{target=x86-64-v4}}")
    got = run_job(module, {"a0": x, "a1": dy, "a2": gain})
    d = x - x.astype(float).mean(1, keepdims=True)
    z = d / (d * d).sum(1, keepdims=True)
    g = dy.astype(float) * gain if factor == "multiply" else dy.astype(float) / gain
    y = g - g.sum(1, keepdims=True) - z * (g * z).sum(1, keepdims=True)
    close(got["0"], y, 16)
    scale = np.abs(dy * z).sum(0)
    assert (np.abs(got["1"] - (dy * z).sum(0)) <= 1e-6 * scale + 1e-7).all()
    assert (np.abs(got["2"] - dy.sum(0, dtype=float)) <= 1e-6 * dy.sum(0)).all()
    if tasks == "many tasks" and rows > 1:
        inside = [op for op in module.walk() if isinstance(op, scf.For) and loops_around(op) == 2]
        assert len([op for op in inside if op.results]) == loops


@pytest.mark.parametrize("rows", [1, 65])
def test_values_computed_from_an_overwritten_variable_are_not_recomputed(
    tasks: str, rows: int
) -> None:
    """When the end of a row runs with the next row, the variable already has its new values."""
    matrix, one = f"tensor<{rows}x128xf32>", f"tensor<{rows}x1xf32>"
    variable = 'job.variable = "w", job.initializer = {kind = "constant", value = 0.0}'
    text = f"""module attributes {{job.type = "predict"}} {{
      func.func @job(%a: {matrix} {{job.feed = "a"}}, %w: {matrix} {{{variable}}})
          -> ({matrix} {{job.update = "w"}}, {matrix} {{job.fetch = "0"}}) {{
        %g = "flow.square"(%w) : ({matrix}) -> {matrix}
        %h = "flow.reduce_sum"(%g) {{axes = array<i64: 1>, keepdims = true}} : ({matrix}) -> {one}
        %k = "flow.divide"(%g, %h) : ({matrix}, {one}) -> {matrix}
        %y = "flow.exp"(%k) : ({matrix}) -> {matrix}
        %x = "flow.multiply"(%y, %a) : ({matrix}, {matrix}) -> {matrix}
        %c = "flow.reduce_sum"(%x) {{axes = array<i64: 1>, keepdims = true}} : ({matrix}) -> {one}
        %z = "flow.multiply"(%g, %c) : ({matrix}, {one}) -> {matrix}
        return %y, %z : {matrix}, {matrix} }} }}"""
    a, w = np.abs(normal(rows, 128)), 1 + np.abs(normal(rows, 128, seed=1))
    module = lowered(parse_module(text), f"{FUSED},bufferize{{target=x86-64-v4}}")
    assert not [op for op in module.walk() if isinstance(op, memref.Copy)], "it is overwritten"
    got = run_job(module, {"a": a, "w": w})
    g = w.astype(float) ** 2
    y = np.exp(g / g.sum(1, keepdims=True))
    close(got["w"], y)
    close(got["0"], g * (y * a).sum(1, keepdims=True), 16)


@pytest.mark.parametrize("level", ["v3", "v4"])
@pytest.mark.parametrize("first", ["maxima", "functions"])
def test_rows_overlap_only_after_a_loop_with_one_result(tasks: str, first: str, level: str) -> None:
    """The first loop stores a row of maxima or of values that it also reduces; the last loop reads
    it after the next row's first loop.
    """
    matrix, one = "tensor<9x70xf32>", "tensor<9x1xf32>"
    cube = "tensor<9x70x4xf32>" if first == "maxima" else matrix
    steps = {
        "maxima": f"""
      %t = "flow.reduce_max"(%a0) {{axes = array<i64: 2>, keepdims = false}} : ({cube}) -> {matrix}
      %d = "flow.subtract"(%a1, %t) : ({matrix}, {matrix}) -> {matrix}""",
        "functions": f"""
      %t = "flow.tanh"(%a0) : ({matrix}) -> {matrix}
      %m = "flow.reduce_max"(%t) {{axes = array<i64: 1>, keepdims = true}} : ({matrix}) -> {one}
      %d = "flow.subtract"(%t, %m) : ({matrix}, {one}) -> {matrix}""",
    }
    text = f"""func.func @job(%a0: {cube}, %a1: {matrix}) -> {matrix} {{{steps[first]}
      %e = "flow.exp"(%d) : ({matrix}) -> {matrix}
      %s = "flow.reduce_sum"(%e) {{axes = array<i64: 1>, keepdims = true}} : ({matrix}) -> {one}
      %q = "flow.divide"(%e, %s) : ({matrix}, {one}) -> {matrix}
      %y = "flow.add"(%q, %t) : ({matrix}, {matrix}) -> {matrix}
      return %y : {matrix} }}"""
    x = normal(9, 70, 4) if first == "maxima" else normal(9, 70)
    z = normal(9, 70, seed=1)
    module = with_names(parse_module(text))
    lowered_module = lowered(module, f"{FUSED},bufferize{{target=x86-64-{level}}}")
    got = run_job(lowered_module, {"a0": x, "a1": z})["0"]
    t = x.astype(float).max(2) if first == "maxima" else np.tanh(x.astype(float))
    d = z - t if first == "maxima" else t - t.max(1, keepdims=True)
    close(got, np.exp(d) / np.exp(d).sum(1, keepdims=True) + t)


# -- elements at computed places ------------------------------------------------------------------


@pytest.mark.parametrize("width", [5, 40, 70])
def test_slices_are_read_with_vector_loads(tasks: str, width: int) -> None:
    numbers = f"starts = array<i64: 1, 2>, sizes = array<i64: 3, {width - 3}>"
    result = f"tensor<3x{width - 3}xf32>"
    body = f'%y = "flow.slice"(%a0) {{{numbers}, steps = array<i64: 1, 1>}} : (!t0) -> {result}'
    x = normal(5, width)
    got, outcome = run(job([((5, width), "f32")], body, result), x)
    assert same_bits(got, x[1:4, 2:-1])
    assert not [op for op in outcome.walk() if isinstance(op, vector.Gather)]


@pytest.mark.parametrize("width", [5, 40, 70])
def test_strided_slices_and_borders_are_gathered(tasks: str, width: int) -> None:
    count = -(-(width - 1) // 3)
    result = f"tensor<2x{count}xf32>"
    body = f"""
    %s = "flow.slice"(%a0) {{starts = array<i64: 0, 1>, sizes = array<i64: 2, {count}>,
        steps = array<i64: 2, 3>}} : (!t0) -> {result}
    %y = "flow.concat"(%s, %a1) {{axis = 1 : i64}} : ({result}, !t1) -> tensor<2x{count + 4}xf32>
    """
    x, z = normal(4, width), normal(2, 4, seed=1)
    shapes = [((4, width), "f32"), ((2, 4), "f32")]
    got, _ = run(job(shapes, body, f"tensor<2x{count + 4}xf32>"), x, z)
    assert same_bits(got, np.concatenate([x[::2, 1::3], z], axis=1))


@pytest.mark.parametrize("width", [1, 5, 40])
@pytest.mark.parametrize(("before", "after"), [(0, 3), (2, 0), (9, 11)])
def test_padding_is_read_with_vector_loads(tasks: str, width: int, before: int, after: int) -> None:
    result = f"tensor<5x{before + width + after}xf32>"
    body = f"""
    %y = "flow.pad"(%a0) {{before = array<i64: 1, {before}>, after = array<i64: 2, {after}>,
        inside = array<i64: 0, 0>, value = 7.0 : f64}} : (!t0) -> {result}
    """
    x = normal(2, width)
    got, outcome = run(job([((2, width), "f32")], body, result), x)
    assert same_bits(got, np.pad(x, [(1, 2), (before, after)], constant_values=7))
    assert not [op for op in outcome.walk() if isinstance(op, vector.Gather)]
    if width > 1:
        assert [op for op in outcome.walk() if isinstance(op, vector.MaskedLoad)]


@pytest.mark.parametrize("width", [3, 17, 40])
def test_elements_picked_by_indices(tasks: str, width: int) -> None:
    x = normal(6, width)
    places = np.arange(6, dtype=np.int32) * 5 % width
    body = '%y = "flow.pick"(%a0, %a1) : (!t0, !t1) -> tensor<6xf32>'
    got, _ = run(job([((6, width), "f32"), ((6,), "i32")], body, "tensor<6xf32>"), x, places)
    assert same_bits(got, x[np.arange(6), places])


# -- form -----------------------------------------------------------------------------------------


def test_results_do_not_depend_on_the_order_and_number_of_tasks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The number of tasks normally follows from the sizes; here it is forced."""
    x = normal(40, 57)
    seen = []
    for task, count in ((60_000, 64), (50, 3), (50, 7), (50, 64)):
        monkeypatch.setattr(task_count, "LOOP_SERIAL_CYCLES", task)
        monkeypatch.setattr(task_count, "LOOP_TASK_CYCLES", task)
        monkeypatch.setattr(task_count, "MOST_LOOP_TASKS", count)
        seen.append(run(job([((40, 57), "f32")], SOFTMAX, "!t0"), x)[0])
    assert all(same_bits(seen[0], other) for other in seen)


def test_vectors_are_at_most_four_registers_and_tails_are_narrower() -> None:
    _, result = run(job([((7, 100), "f32")], SOFTMAX, "!t0"), normal(7, 100))
    widths = set()
    for op in result.walk():
        if isinstance(op, vector.Load):
            widths.add(op.results[0].type.shape[0])  # type: ignore[attr-defined]
    assert widths == {32, 4}


def test_accumulators_leave_registers_free() -> None:
    """Two sums in one loop have half the lanes each, eight registers in total."""
    sums = """
    %m = "flow.reduce_sum"(%a0) {axes = array<i64: 1>} : (!t0) -> tensor<8xf32>
    %q = "flow.square"(%a0) : (!t0) -> !t0
    %n = "flow.reduce_sum"(%q) {axes = array<i64: 1>} : (!t0) -> tensor<8xf32>
    %y = "flow.add"(%m, %n) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    """
    x = normal(8, 96)
    got, result = run(job([((8, 96), "f32")], sums, "tensor<8xf32>"), x)
    z = x.astype(float)
    close(got, z.sum(1) + (z * z).sum(1))
    for op in result.walk():
        if isinstance(op, scf.For):
            types = [value.type for value in op.results]
            vectors = [type for type in types if isinstance(type, VectorType)]
            assert sum(type.shape[0] * 8 for type in vectors) <= 8 * 32


def test_scratch_is_in_the_task_and_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that only a later pass over the same row reads needs no workspace."""
    monkeypatch.setattr(task_count, "LOOP_SERIAL_CYCLES", 20)
    body = SOFTMAX + '%y = "flow.reduce_max"(%p) {axes = array<i64: 1>} : (!t0) -> tensor<4xf32>'
    x = normal(4, 100)
    got, result = run(job([((4, 100), "f32")], body.replace("%y", "%p", 1), "tensor<4xf32>"), x)
    close(got, softmax(x.astype(float)).max(1))
    scratch = [op for op in result.walk() if isinstance(op, memref.Alloca)]
    types = [op.results[0].type for op in scratch]
    assert types == [MemRefType((100,), scratch[0].results[0].type.element)]  # type: ignore[attr-defined]
    assert all(isinstance(op.parent, scf.Forall) for op in scratch)


@pytest.mark.parametrize("shape", [(0, 5), (5, 0)])
def test_empty_tensors(tasks: str, shape: tuple[int, int]) -> None:
    body = (
        '%y = "flow.reduce_sum"(%a0) {axes = array<i64: 1>} : (!t0) -> ' + f"tensor<{shape[0]}xf32>"
    )
    got, _ = run(job([(shape, "f32")], body, f"tensor<{shape[0]}xf32>"), normal(*shape))
    assert same_bits(got, np.zeros(shape[0], np.float32))


def test_results_larger_than_the_cache_are_non_temporal() -> None:
    body = '%y = "flow.exp"(%a0) : (!t0) -> !t0'
    for count, past in ((1 << 16, False), (1 << 23, True)):
        module = job([((count,), "f32")], body, "!t0")
        lowered_module = lowered(module, f"{FUSED},bufferize")
        stores = [op for op in lowered_module.walk() if isinstance(op, vector.Store)]
        assert {bool(op.nontemporal) for op in stores} == {past}
        (group,) = (f for f in lowered_module.functions() if f is not lowered_module.job)
        align = group.argument_attributes(1).get("llvm.align")
        assert (align is not None) is past
        # C callers pass memory from malloc, with its alignment.
        assert align is None or python_value(align) == ARRAY_ALIGNMENT


def test_intermediate_rows_are_then_in_scratch() -> None:
    """Non-temporal result rows cannot hold what later passes read."""
    module = job([((1 << 13, 1 << 10), "f32")], SOFTMAX, "!t0")
    lowered_module = lowered(module, f"{FUSED},bufferize")
    stores = [op for op in lowered_module.walk() if isinstance(op, vector.Store)]
    # The first row; then each row with the last stage of the previous one; then the last stage of
    # the last row.
    assert [bool(op.nontemporal) for op in stores] == [False, True, False, True]
    (scratch,) = (op for op in lowered_module.walk() if isinstance(op, memref.Alloca))
    assert scratch.results[0].type == MemRefType((1 << 10,), stores[0].base.type.element)  # type: ignore[attr-defined]


def test_rows_with_several_passes_are_prefetched() -> None:
    """The first pass over a row prefetches a line of each large input for the next row; for the
    last row, of itself. Short rows are prefetched into L1.
    """
    body = """
    %m = "flow.reduce_max"(%a0) {axes = array<i64: 1>, keepdims = true} : (!t0) -> tensor<600x1xf32>
    %s = "flow.subtract"(%a0, %m) : (!t0, tensor<600x1xf32>) -> !t0
    %y = "flow.multiply"(%s, %a1) : (!t0, !t1) -> !t0
    """
    x, row = normal(600, 240), normal(240, seed=1)
    got, result = run(job([((600, 240), "f32"), ((240,), "f32")], body, "!t0"), x, row)
    assert same_bits(got, (x - x.max(1, keepdims=True)) * row)
    asked = [op for op in result.walk() if isinstance(op, memref.Prefetch)]
    # An iteration of 32 lanes is two lines; the remainder of 16 is one. The first row is peeled.
    assert len(asked) == 2 * 3
    assert len({op.memref for op in asked}) == 1
    assert {python_value(op.attributes["localityHint"]) for op in asked} == {3}
    # A quarter of L1 holds the next row.
    for columns, cache in ((2048, 3), (2064, 2)):
        shape = (600, columns)
        long = lowered(job([(shape, "f32"), (shape[1:], "f32")], body, "!t0"), f"{FUSED},bufferize")
        asked = [op for op in long.walk() if isinstance(op, memref.Prefetch)]
        assert {python_value(op.attributes["localityHint"]) for op in asked} == {cache}
    for small in ((100, 240), (600, 240 * 64)):
        text = body.replace("600", str(small[0]))
        few = lowered(job([(small, "f32"), (small[1:], "f32")], text, "!t0"), f"{FUSED},bufferize")
        assert not [op for op in few.walk() if isinstance(op, memref.Prefetch)], small


def test_two_inputs_are_prefetched_in_two_loops() -> None:
    """Each is prefetched by a stage that reads it; the second, by the one with more time left."""
    body = """
    %m = "flow.reduce_max"(%a0) {axes = array<i64: 1>, keepdims = true} : (!t0) -> tensor<600x1xf32>
    %n = "flow.reduce_max"(%a1) {axes = array<i64: 1>, keepdims = true} : (!t1) -> tensor<600x1xf32>
    %s = "flow.subtract"(%a0, %m) : (!t0, tensor<600x1xf32>) -> !t0
    %e = "flow.exp"(%s) : (!t0) -> !t0
    %p = "flow.multiply"(%e, %a1) : (!t0, !t0) -> !t0
    %z = "flow.reduce_sum"(%p) {axes = array<i64: 1>, keepdims = true} : (!t0) -> tensor<600x1xf32>
    %q = "flow.multiply"(%p, %z) : (!t0, tensor<600x1xf32>) -> !t0
    %y = "flow.subtract"(%q, %n) : (!t0, tensor<600x1xf32>) -> !t0
    """
    x, other = normal(600, 256), normal(600, 256, seed=1)
    got, result = run(job([((600, 256), "f32")] * 2, body, "!t0"), x, other)
    product = np.exp(x - x.max(1, keepdims=True)) * other
    close(got, product * product.sum(1, keepdims=True) - other.max(1, keepdims=True), 256)
    asked = [op for op in result.walk() if isinstance(op, memref.Prefetch)]
    blocks = {op.memref: {o.block for o in asked if o.memref is op.memref} for op in asked}
    assert len(blocks) == 2
    assert not set.intersection(*blocks.values())


def test_the_division_of_a_row_overlaps_the_exponentials_of_the_next() -> None:
    """Not the search for the maximum, which takes less time than a division, if there are enough
    registers.
    """
    module = job([((1 << 13, 1 << 10), "f32")], SOFTMAX, "!t0")
    kinds = {math.Exp: "exp", arith.DivF: "div", arith.MaximumF: "max"}
    for level, shared in (("v4", ["exp", "div"]), ("v3", ["max", "div"])):
        lowered_module = lowered(module, f"{FUSED},bufferize{{target=x86-64-{level}}}")
        inner = [op for op in lowered_module.walk() if isinstance(op, scf.For) and not nested(op)]
        found = [[word for kind, word in kinds.items() if holds(op, kind)] for op in inner]
        # The first row has no predecessor, and the last one no successor.
        rest = [[word] for word in ("max", "exp", "max", "exp", "div")]
        rest.remove([shared[0]])
        assert sorted(found) == sorted([*rest, sorted(shared, key=list(kinds.values()).index)])


def holds(loop: scf.For, kind: type[Operation]) -> bool:
    return any(isinstance(op, kind) for op in loop.walk())


def nested(loop: scf.For) -> bool:
    return any(isinstance(op, scf.For) and op is not loop for op in loop.walk())


STREAMS = {
    "element by element": ('%y = "flow.exp"(%a0) : (!t0) -> !t0', (4224,)),
    "rows and a row": ('%y = "flow.add"(%a0, %a1) : (!t0, !t1) -> !t0', (3, 2112)),
    "along rows": (
        '%y = "flow.reduce_sum"(%a0) {axes = array<i64: 1>} : (!t0) -> tensor<9xf32>', (9, 2112),
    ),
    "over rows": (
        '%y = "flow.reduce_sum"(%a0) {axes = array<i64: 0>} : (!t0) -> tensor<2112xf32>',
        (17, 2112),
    ),
}  # fmt: skip
"""Ops that read memory once: the op and the shape of %a0."""


@pytest.mark.parametrize("name", ["rows and a row", "along rows", "over rows"])
def test_the_end_of_a_row_prefetches_the_next_rows(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that everything but the start of the first rows is prefetched."""
    for module, number, value in (
        (row_overlap, "LONG_ROW", 1), (segments, "FOLDED", 2), (segments, "UNCACHED_ELEMENTS", 10),
    ):  # fmt: skip
        monkeypatch.setattr(module, number, value)
    monkeypatch.setattr(row_overlap, "is_far", lambda value, target: True)
    body, shape = STREAMS[name]
    arguments = job([(shape, "f32"), (shape[-1:], "f32")], body, body.rpartition("-> ")[2])
    lowered_module = lowered(arguments, f"{FUSED},bufferize{{target=x86-64-v4}}")
    asked = set()

    def record(runner: Any, op: Operation, values: list[Any]) -> list[Any]:
        if isinstance(op, memref.Prefetch) and len(values) == 3:
            asked.add((int(values[1]), int(values[2]) // 16))
        return plain(runner, op, values)

    plain = loops_interpreter._Runner.memory
    monkeypatch.setattr(loops_interpreter._Runner, "memory", record)
    x, row = normal(*shape), normal(shape[-1], seed=1)
    run_job(lowered_module, {"a0": x, "a1": row})
    together = {"rows and a row": 1, "along rows": 4, "over rows": 8}[name]
    ahead = TARGETS["x86-64-v4"].ahead // 64
    begun = set(itertools.product(range(together), range(ahead)))
    assert asked == set(itertools.product(range(shape[0]), range(shape[1] // 16))) - begun


@pytest.mark.parametrize("name", STREAMS)
def test_rows_are_prefetched_further_along(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the processor level calls for it: one prefetch per line read, none past the end of the
    row.
    """
    for module, number, value in (
        (row_overlap, "LONG_ROW", 2), (segments, "FOLDED", 2), (segments, "UNCACHED_ELEMENTS", 10),
    ):  # fmt: skip
        monkeypatch.setattr(module, number, value)
    monkeypatch.setattr(row_overlap, "is_far", lambda value, target: True)
    body, shape = STREAMS[name]
    x, row = normal(*shape), normal(shape[-1], seed=1)
    arguments = job([(shape, "f32"), (shape[-1:], "f32")], body, body.rpartition("-> ")[2])
    wanted = {
        "element by element": np.exp(x), "rows and a row": x + row, "along rows": x.sum(-1),
        "over rows": x.sum(0),
    }[name]  # fmt: skip
    lowered_module = lowered(arguments, f"{FUSED},bufferize{{target=x86-64-v4}}")
    close(run_job(lowered_module, {"a0": x, "a1": row})["0"], wanted, 16)
    loads = [op for op in lowered_module.walk() if isinstance(op, vector.Load)]
    asked = [op for op in lowered_module.walk() if isinstance(op, memref.Prefetch)]
    assert asked
    for block in {op.block for op in asked}:
        bases = [op.memref for op in asked if op.block is block]
        read = [op.results[0].type for op in loads if op.block is block and op.base in bases]
        vectors = [type for type in read if isinstance(type, VectorType)]
        assert len(bases) == sum(t.count * byte_width(t.element) // 64 for t in vectors)
    for number, target in ((2, "x86-64-v3"), (9, "x86-64-v4")):
        monkeypatch.setattr(row_overlap, "LONG_ROW", number)
        lowered_module = lowered(arguments, f"{FUSED},bufferize{{target={target}}}")
        assert not [op for op in lowered_module.walk() if isinstance(op, memref.Prefetch)]


def test_an_op_that_reads_two_rows_puts_them_into_one_nest(tasks: str) -> None:
    """Neither %s nor %g reads the other; they share a loop nest because %y reads both."""
    body = """
    %m = "flow.reduce_max"(%a0) {axes = array<i64: 1>, keepdims = true} : (!t0) -> tensor<9x1xf32>
    %s = "flow.subtract"(%a0, %m) : (!t0, tensor<9x1xf32>) -> !t0
    %g = "flow.multiply"(%a1, %a2) : (!t0, !t2) -> !t0
    %h = "flow.reduce_max"(%g) {axes = array<i64: 1>, keepdims = true} : (!t0) -> tensor<9x1xf32>
    %p = "flow.multiply"(%s, %g) : (!t0, !t0) -> !t0
    %y = "flow.subtract"(%p, %h) : (!t0, tensor<9x1xf32>) -> !t0
    """
    shapes = [(9, 33), (9, 33), (33,)]
    x, z, row = (normal(*shape, seed=i) for i, shape in enumerate(shapes))
    got, result = run(job([(shape, "f32") for shape in shapes], body, "!t0"), x, z, row)
    g = z * row
    wanted = (x - x.max(1, keepdims=True)) * g - g.max(1, keepdims=True)
    assert same_bits(got, wanted)
    nests = [op for f in result.functions() if f is not result.job for op in f.body if op.regions]
    assert len(nests) == 1, print_module(result)


# -- turned ---------------------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.parametrize("order", [(1, 0), (0, 2, 1), (2, 0, 1), (1, 0, 2), (2, 1, 0)])
@pytest.mark.parametrize("shape", [(1, 9, 3), (16, 24, 8), (7, 5, 2), (17, 33, 19), (100, 70, 1)])
@pytest.mark.parametrize("dtype", ["f32", "f64", "i8"])
def test_transposes(tasks: str, dtype: str, shape: tuple[int, ...], order: Sequence[int]) -> None:
    shape = shape[: len(order)]
    numbers = ", ".join(map(str, order))
    result = f"tensor<{''.join(f'{shape[axis]}x' for axis in order)}{dtype}>"
    body = f'%y = "flow.transpose"(%a0) {{permutation = array<i64: {numbers}>}} : (!t0) -> {result}'
    module = job([(shape, dtype)], body, result)
    dtypes = {"f32": np.float32, "f64": np.float64, "i8": np.int8}
    x = (normal(*shape) * 20).astype(dtypes[dtype])
    got, _ = run(module, x)
    assert same_bits(got, np.ascontiguousarray(x.transpose(order)))


@pytest.mark.parametrize("shape", [(9, 3), (16, 24), (33, 70)])
def test_transposes_with_other_operands(tasks: str, shape: tuple[int, int]) -> None:
    """A transpose combined with a row, a column and a matrix in the result's layout."""
    m, n = shape
    turned = f"tensor<{n}x{m}xf32>"
    body = f"""
    %t = "flow.transpose"(%a0) {{permutation = array<i64: 1, 0>}} : (!t0) -> {turned}
    %p = "flow.add"(%t, %a1) : ({turned}, !t1) -> {turned}
    %q = "flow.multiply"(%p, %a2) : ({turned}, !t2) -> {turned}
    %y = "flow.subtract"(%q, %a3) : ({turned}, !t3) -> {turned}
    """
    shapes = [(m, n), (m,), (n, 1), (n, m)]
    arrays = [normal(*s, seed=i) for i, s in enumerate(shapes)]
    got, result = run(job([(s, "f32") for s in shapes], body, turned), *arrays)
    x, row, column, other = arrays
    assert same_bits(got, (x.T + row) * column - other)
    assert any(isinstance(op, vector.TransferRead) for op in result.walk())
