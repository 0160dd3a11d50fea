"""The fusion report: for every producer and consumer, that they are fused or why not."""

from __future__ import annotations

import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.dialects.parsing import parse_module
from penstock.lowering.modules import PIPELINES
from penstock.passes.manager import run_pipeline

X, Y, ROW = "tensor<64x128xf32>", "tensor<64x32xf32>", "tensor<128xf32>"
W = "tensor<32x128xf32>"
FEW, PRODUCT = "tensor<48x128xf32>", "tensor<48x32xf32>"  # for one thread
ARGUMENTS = f"%x: {X}, %x1: tensor<1x128xf32>, %few: {FEW}, %w: {W}, %w2: {W}"


def report(*lines: str, arguments: str = ARGUMENTS) -> list[str]:
    """The report on a job of these ops, each at a line of its own; `%out` is returned."""
    body = "\n".join(f'{line} loc("net.py":{i}:0)' for i, line in enumerate(lines, 1))
    result = lines[-1].rpartition("-> ")[2]
    text = f"func.func @job({arguments}) -> {result} {{\n{body}\n  return %out : {result}\n}}"
    return run_pipeline(parse_module(text), PIPELINES["fused"], remarks=True).fusion().splitlines()


EXP = f'%e = "flow.exp"(%x) : ({X}) -> {X}'
SMALL = f'%m = "flow.matmul"(%few, %v) {{transpose_b = true}} : ({FEW}, {W}) -> {PRODUCT}'
MATMUL = f'%m = "flow.matmul"(%e, %w) {{transpose_b = true}} : ({X}, {W}) -> {Y}'
SHARED = "fused: the two share their outer loops"


def test_merged_bodies_and_shared_loops() -> None:
    found = report(
        EXP,
        f'%n = "flow.negative"(%e) : ({X}) -> {X}',
        f'%s = "flow.reduce_max"(%n) {{axes = array<i64: 1>}} : ({X}) -> tensor<64xf32>',
        '%out = "flow.sqrt"(%s) : (tensor<64xf32>) -> tensor<64xf32>',
    )
    merged = "fused: one body computes both, element by element"
    assert found == [
        f"net.py:1 exp -> net.py:2 negative: {merged}",
        f"net.py:1,2 exp+negative -> net.py:3 reduce_max: {merged}",
        f"net.py:1,2,3 exp+negative+reduce_max -> net.py:4 sqrt: {SHARED}, and are two bodies: "
        "the producer reduces",
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([EXP, MATMUL.replace("%m", "%out")],
         "net.py:1 exp -> net.py:2 matmul: not fused: a contraction begins loops of its own, and "
         "so dear a body takes longer where vectors are packed one by one"),
        ([EXP.replace("exp", "relu"), MATMUL.replace("%m", "%out")],
         "net.py:1 relu -> net.py:2 matmul: not fused: a contraction begins loops of its own, and "
         "it reads the rows of that factor as they lie, where packing is not worth it"),
        ([f'%v = "flow.relu"(%w) : ({W}) -> {W}', SMALL.replace("%m", "%out")],
         "net.py:1 relu -> net.py:2 matmul: fused: the product computes it where it packs that "
         "factor"),
        ([f'%v = "flow.relu"(%w) : ({W}) -> {W}', SMALL,
          f'%out = "flow.matmul"(%m, %v) : ({PRODUCT}, {W}) -> {FEW}'],
         "net.py:1 relu -> net.py:3 matmul: fused: the product computes it where it packs that "
         "factor"),
        ([f'%v = "flow.relu"(%w) : ({W}) -> {W}', SMALL,
          f'%n = "flow.negative"(%v) : ({W}) -> {W}',
          f'%out = "flow.matmul"(%m, %n) : ({PRODUCT}, {W}) -> {FEW}'],
         "net.py:1 relu -> net.py:2 matmul: not fused: a contraction begins loops of its own, and "
         "that would compute elements again, for other readers"),
        ([f'%v = "flow.relu"(%w) : ({W}) -> {W}', MATMUL.replace("%m", "%out")
          .replace("%w", "%v").replace("%e", "%x")],
         "net.py:1 relu -> net.py:2 matmul: not fused: a contraction begins loops of its own, and "
         "4 tasks would each compute the elements that they pack"),
        ([f'%v = "flow.multiply"(%w, %w2) : ({W}, {W}) -> {W}', MATMUL.replace("%m", "%out")
          .replace("%w", "%v").replace("%e", "%x")],
         "net.py:1 multiply -> net.py:2 matmul: not fused: a contraction begins loops of its own, "
         "and several tensors are read faster in order than panel by panel"),
        ([f'%v = "flow.relu"(%w) : ({W}) -> {W}', '%out = "flow.matmul"(%x1, %v) '
          f"{{transpose_b = true}} : (tensor<1x128xf32>, {W}) -> tensor<1x32xf32>"],
         "net.py:1 relu -> net.py:2 matmul: not fused: a contraction begins loops of its own, and "
         "it reads both factors as they lie, in vectors along the sum"),
        ([EXP, MATMUL, f'%out = "flow.reduce_max"(%m) {{axes = array<i64: 1>}} : ({Y}) -> '
          "tensor<64xf32>"],
         "net.py:2 matmul -> net.py:3 reduce_max: not fused: a product is finished tile by tile, "
         "and the consumer needs whole rows"),
        ([EXP, MATMUL, f'%out = "flow.transpose"(%m) {{permutation = array<i64: 1, 0>}} : ({Y}) -> '
          "tensor<32x64xf32>"],
         "net.py:2 matmul -> net.py:3 transpose: not fused: the consumer turns the product, whose "
         "rows are finished as they lie"),
        ([EXP, MATMUL, *(f'%{r} = "flow.reshape"(%m) {{shape = array<i64: 1, 64, 32>}} : ({Y}) -> '
                           "tensor<1x64x32xf32>" for r in "rs"),
          '%out = "flow.concat"(%r, %s) {axis = 0 : i64} : (tensor<1x64x32xf32>, '
          "tensor<1x64x32xf32>) -> tensor<2x64x32xf32>"],
         "net.py:5 concat -> net.py:5 concat: not fused: each writes a part of its own of the "
         "tensor"),
        ([f'%s = "flow.softmax"(%x) {{axis = 1 : i64}} : ({X}) -> {X}',
          f'%out = "flow.reduce_sum"(%s) {{axes = array<i64: 0>}} : ({X}) -> {ROW}'],
         "net.py:1 subtract+exp -> net.py:1,2 reduce_sum+divide+reduce_sum: not fused: the "
         "consumer sums over a dimension that the loops share out"),
        ([f'%s = "flow.softmax"(%x) {{axis = 1 : i64}} : ({X}) -> {X}',
          f'%r = "flow.reshape"(%s) {{shape = array<i64: 128, 64>}} : ({X}) -> '
          "tensor<128x64xf32>",
          '%out = "flow.exp"(%r) : (tensor<128x64xf32>) -> tensor<128x64xf32>'],
         "net.py:1 reduce_sum+divide -> net.py:3 exp: not fused: a view in another shape stands "
         "between the two"),
        ([f'%t = "flow.reduce_max"(%x) {{axes = array<i64: 0, 1>}} : ({X}) -> tensor<f32>',
          f'%out = "flow.subtract"(%x, %t) : ({X}, tensor<f32>) -> {X}'],
         "net.py:1 reduce_max -> net.py:2 subtract: not fused: the consumer has more dimensions, "
         "or picks elements it computes"),
        ([f'%c = "flow.concat"(%x, %w) {{axis = 0 : i64}} : ({X}, {W}) -> tensor<96x128xf32>',
          '%out = "flow.reduce_max"(%c) {axes = array<i64: 1>} : (tensor<96x128xf32>) -> '
          "tensor<96xf32>"],
         "net.py:1 concat -> net.py:2 reduce_max: not fused: the consumer reads all of a tensor "
         "whose parts are each written by loops of their own"),
        ([f'%c = "flow.concat"(%x, %w) {{axis = 0 : i64}} : ({X}, {W}) -> tensor<96x128xf32>',
          '%out = "flow.exp"(%c) : (tensor<96x128xf32>) -> tensor<96x128xf32>'],
         "net.py:1 concat -> net.py:2 exp: fused: each part computes it where it is made"),
    ],
)  # fmt: skip
def test_reasons_against_fusion(lines: list[str], expected: str) -> None:
    assert expected in report(*lines)


def test_a_body_of_many_arrays() -> None:
    count = 40
    lines = [f'%v0 = "flow.tanh"(%x) : ({X}) -> {X}']
    lines += [f'%v{i} = "flow.tanh"(%v{i - 1}) : ({X}) -> {X}' for i in range(1, count)]
    lines += [f'%a{count} = "flow.exp"(%v{count - 1}) : ({X}) -> {X}']
    for i in reversed(range(count)):
        name = "%out" if i == 0 else f"%a{i}"
        lines.append(f'{name} = "flow.add"(%v{i}, %a{i + 1}) : ({X}, {X}) -> {X}')
    found = report(*lines)
    assert any(line.endswith("would read and write more than 32 tensors") for line in found)


def test_no_remarks_without_a_request() -> None:
    module = parse_module(f"func.func @job(%x: {X}) -> {X} {{\n{EXP}\nreturn %e : {X}\n}}")
    assert run_pipeline(module, PIPELINES["fused"]).fusion() == ""


def test_the_report_from_python() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        return flow.math.tanh(flow.math.exp(x))

    (line,) = job.lower().fuse_report().splitlines()
    assert "exp -> " in line
    assert line.endswith("tanh: fused: one body computes both, element by element")
    assert "test_fuse_report.py:" in line
    with pytest.raises(ValueError, match=r"stage placed comes with its lower\(\)"):
        job.trace().fuse_report()
