"""Each access at `loops` against its map at `fused`, for every point: see access_oracle.py."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from access_cases import KINDS, case
from access_oracle import Held, hold
from tensor_programs import FUSED

from penstock.ir.dialects.builtin import Module
from penstock.ir.parser import parse_module
from penstock.passes import generics
from penstock.passes.manager import run_pipeline

CASES = int(os.environ.get("PENSTOCK_ACCESS_CASES", "300"))
CHUNK = len(KINDS)


def held(seed: int) -> Held:
    found = case(seed)
    target = "x86-64-v4" if seed % 3 else "x86-64-v3"
    run_pipeline(found.module, FUSED, verify_each=False)
    return hold(found.module, found.arguments, target)


@pytest.mark.parametrize("first", range(0, CASES, CHUNK))
def test_loops_reach_what_maps_say(first: int) -> None:
    total = Held()
    for seed in range(first, min(first + CHUNK, CASES)):
        total += held(seed)
    print(total)
    assert total.ops >= min(CHUNK, CASES - first)
    assert total.points > 1000


JOB = """
module @job attributes {{job.type = "predict", sbp.ranks = 1 : i64}} {{
  func.func @job({arguments}) -> ({result} {{job.fetch = "0"}}) {{
    {body}
    func.return %y : {result}
  }}
}}"""


def generic(maps: Sequence[str], kinds: str, ins: Sequence[str], out: str, body: str) -> Module:
    """A job of one generic: `ins` and `out` are types, `kinds` a letter for each dimension."""
    names = [f"%x{i}" for i in range(len(ins) + 1)]
    types = [*ins, out]
    arguments = ", ".join(
        f'{n}: {t} {{job.feed = "{n[1:]}"}}' for n, t in zip(names, types, strict=True)
    )
    iterators = ", ".join('"parallel"' if kind == "p" else '"reduction"' for kind in kinds)
    scalars = ", ".join(f"%a{i}: {t.split('x')[-1][:-1]}" for i, t in enumerate(types))
    *given, written = names
    op = (
        f"%y = linalg.generic {{indexing_maps = [{', '.join(f'affine_map<{m}>' for m in maps)}], "
        f"iterator_types = [{iterators}]}} ins({', '.join(given)} : {', '.join(ins)}) "
        f"outs({written} : {out}) {{\n^bb0({scalars}):\n{body}\n}} -> {out}"
    )
    text = JOB.format(arguments=arguments, result=out, body=op)
    return parse_module(text)


COPY = "linalg.yield %a0 : f32"
EXP = "%e = math.exp %a0 : f32\nlinalg.yield %e : f32"
FMA = "%s = math.fma %a0, %a1, %a2 : f32\nlinalg.yield %s : f32"
MATRIX = "tensor<64x64xf32>"
MAPS = {
    "written backward": ([f"(d0, d1) -> ({at})" for at in ("d0, d1", "d0, -d1 + 63")], "pp",
                         [MATRIX], MATRIX, EXP),
    "written backward, in rows": ([f"(d0, d1) -> ({at})" for at in ("d0, d1", "-d0 + 63, d1")],
                                  "pp", [MATRIX], MATRIX, EXP),
    "a diagonal": ([f"(d0, d1) -> ({at})" for at in ("d1, d0, d0", "d0, d1")], "pp",
                   ["tensor<32x64x64xf32>"], "tensor<64x32xf32>", COPY),
    "mod and floordiv": (
        [f"(d0, d1) -> ({at})" for at in ("d0 floordiv 2, (d1 + 3) mod 64", "d0, d1")], "pp",
        ["tensor<32x64xf32>"], MATRIX, EXP),
    "a product of diagonals": (
        [f"(d0, d1, d2) -> ({at})" for at in ("d0, d0, d2", "d2, d1", "d0, d1")], "ppr",
        ["tensor<9x9x7xf32>", "tensor<7x20xf32>"], "tensor<9x20xf32>", FMA),
    "a product by mod": (
        [f"(d0, d1, d2) -> ({at})" for at in ("(d0 + 2) mod 9, d2", "d2, d1", "d0, d1")], "ppr",
        ["tensor<9x7xf32>", "tensor<7x20xf32>"], "tensor<9x20xf32>", FMA),
    "rows and lanes in one subscript": (
        [f"(d0, d1, d2) -> ({at})" for at in ("d0 * 16 + d1 + d2", "d2", "d0, d1")], "ppr",
        ["tensor<150xf32>", "tensor<7xf32>"], "tensor<8x16xf32>", FMA),
    "a sum taken backward": (
        [f"(d0, d1, d2) -> ({at})"
         for at in ("d0, -d2 + 6", "-d2 + 6, -d1 + 19", "d2", "d0, d1")], "ppr",
        ["tensor<9x7xf32>", "tensor<7x20xf32>", "tensor<7xf32>"], "tensor<9x20xf32>",
        FMA.replace("%a2", "%a3")),
    "the only window of longer rows": (
        [f"(d0, d1, d2, d3, d4) -> ({at})"
         for at in ("d0, d3, d2 + d4", "d1, d3, d4", "d1, d0, d2")],
        "ppprr", ["tensor<20x3x6xf32>", "tensor<9x3x4xf32>"], "tensor<9x20x1xf32>", FMA),
}  # fmt: skip


@pytest.mark.parametrize("target", ["x86-64-v2", "x86-64-v4"])
@pytest.mark.parametrize("name", MAPS)
def test_any_map_of_a_written_module_is_lowered_right(name: str, target: str) -> None:
    """A lowering that does not handle a map leaves the group to one that does."""
    module = generic(*MAPS[name])
    draw = np.random.default_rng(3)
    shapes = [generics.shape_of(value) for value in module.job.arguments]
    given = [draw.standard_normal(shape).astype(np.float32) for shape in shapes]
    run_pipeline(module, "outline-groups", verify_each=False)
    assert hold(module, given, target).ops == 1
