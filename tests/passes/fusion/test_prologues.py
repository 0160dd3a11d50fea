"""Prologues: elementwise ops that a contraction computes where it reads or packs a factor."""

from __future__ import annotations

import numpy as np
import pytest
from loops_interpreter import run_job
from tensor_programs import FUSED, lowered, same_bits

from penstock.ir.dialects import memref, vector
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.record import replace
from penstock.ir.types import byte_width
from penstock.passes.fusion import prologues

DTYPES = {"f32": np.float32, "i8": np.int8}
RELU = '"flow.relu"(%p) : ({0}) -> {0}'
SCALE = '"flow.multiply"(%p, %s) : ({0}, tensor<f32>) -> {0}'
ROW = '"flow.multiply"(%p, %r) : ({0}, tensor<{1}xf32>) -> {0}'
COLUMN = '"flow.add"(%p, %c) : ({0}, tensor<{2}x1xf32>) -> {0}'
MASK = '"flow.multiply"(%p, %m) : ({0}, {0}) -> {0}'


def job(
    factor: int,
    sizes: tuple[int, int, int],
    turned: bool,
    chain: list[str],
    element: str = "f32",
) -> Module:
    """A matmul, one factor of which is a chain of ops on a feed."""
    m, k, n = sizes
    shapes = [(k, m) if turned and not factor else (m, k), (n, k) if turned and factor else (k, n)]
    inner, outer = shapes[factor][1], shapes[factor][0]
    types = [f"tensor<{a}x{b}xf32>" for a, b in shapes]
    lines, whole = [], types[factor]
    arguments = whole.replace("f32", element)
    fed = [*types]
    fed[factor] = arguments
    value = ("%a", "%b")[factor]
    if element != "f32":
        lines.append(f'%cast = "flow.cast"({value}) {{element = f32}} : ({arguments}) -> {whole}')
        value = "%cast"
    for i, op in enumerate(chain):
        lines.append(f"%v{i} = {op.format(whole, inner, outer).replace('%p', value)}")
        value = f"%v{i}"
    names = ["%a", "%b"]
    names[factor] = value
    which = "transpose_b" if factor else "transpose_a"
    text = f"""module attributes {{job.type = "predict"}} {{
      func.func @job(%a: {fed[0]} {{job.feed = "a"}}, %b: {fed[1]} {{job.feed = "b"}},
          %s: tensor<f32> {{job.feed = "s"}}, %r: tensor<{inner}xf32> {{job.feed = "r"}},
          %c: tensor<{outer}x1xf32> {{job.feed = "c"}}, %m: {whole} {{job.feed = "m"}})
          -> (tensor<{m}x{n}xf32> {{job.fetch = "0"}}) {{
        {chr(10).join(lines)}
        %y = "flow.matmul"({", ".join(names)}) {{{which} = {str(turned).lower()}}}
          : ({types[0]}, {types[1]}) -> tensor<{m}x{n}xf32>
        return %y : tensor<{m}x{n}xf32>
      }} }}"""
    return parse_module(text)


@pytest.mark.parametrize(
    ("factor", "m", "turned", "chain", "element"),
    [
        (1, 3, False, [ROW, SCALE], "i8"),
        (1, 8, False, [COLUMN, RELU, SCALE], "f32"),
        (1, 8, True, [ROW, COLUMN], "i8"),
        (0, 13, True, [ROW, COLUMN, MASK], "f32"),
        (0, 13, False, [COLUMN, MASK], "f32"),
    ],
    ids=["in place", "lanes", "lanes along the sum", "rows across the sum", "rows"],
)
def test_a_factor_is_computed_where_it_is_read(
    factor: int,
    m: int,
    turned: bool,
    chain: list[str],
    element: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The chain has no kernel and no buffer of its own, and results are bit-identical."""
    # Small rows are profitable, too.
    monkeypatch.setattr(prologues, "PACKED_LANE_BYTES", 1)
    monkeypatch.setattr(prologues, "TARGET", replace(prologues.TARGET, l1=1024))
    module = job(factor, (m, 39, 101), turned, chain, element)
    lowered_module = lowered(module, f"{FUSED},bufferize")
    assert len(list(lowered_module.functions())) == 2, "the job and one group"
    assert [op for op in lowered_module.walk() if isinstance(op, vector.OuterProduct)]
    draw = np.random.default_rng(2)
    arrays = [
        (draw.standard_normal(a.type.shape) * 9).astype(DTYPES[str(a.type.element)])
        for a in module.job.arguments
    ]
    got = run_job(lowered_module, dict(zip("absrcm", arrays, strict=True)))["0"]
    assert same_bits(got, interpret(lowered(module, "lower"), arrays)[0])
    apart = lowered(module, f"{FUSED.replace('fuse-elementwise,', '')},bufferize")
    assert len(list(apart.functions())) > 2
    assert stored(lowered_module) < stored(apart)


def stored(module: Module) -> int:
    """The total bytes of a job's buffers in the arena."""
    views = [op.view.type for op in module.walk() if isinstance(op, memref.View)]
    return sum(view.count * byte_width(view.element) for view in views)
