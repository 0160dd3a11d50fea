"""Gradients of attention for sm_90a: panels that tensor maps copy, products of warpgroups."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from gpu_modules import Step
from scheduled_jobs import edit, ops_of, run, schedule
from test_attention import KINDS, Case
from test_attention_by_warpgroups import compiled
from test_attention_masks import case

from penstock.codegen.gpu.assembler import assemble, ptxas_path
from penstock.codegen.gpu.program import GpuProgram
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.record import replace
from penstock.passes.gpu.write.schedule_data import KEY
from penstock.runtime.gpu.simulator import SimulatorError

QUERY, KEYS = KINDS[1:]


def scheduled(made: Case, kind: str, **changes: Any) -> Module:
    """A call of a gradient at stage `scheduled`, with edits of its schedule."""
    module = made.module(kind)
    for op in ops_of(module):
        del op.attributes[KEY]
    run(module, "schedule{target=sm_90a}")
    (op,) = ops_of(module)
    edit(op, **changes)
    return module


def errors(made: Case, kind: str, program: GpuProgram, order: str) -> list[float]:
    """How far results are off, as parts of what is allowed."""
    results = made.results(kind)
    step = Step(program, [*made.arrays(kind), *results], order)
    step.run(step.plan["steps"])
    return [made.error(*pair) for pair in zip(results, made.expected[kind], strict=True)]


long = pytest.mark.long
CASES: Sequence[Any] = (
    # type, queries, keys, features and width of values, causal, batch, group; mask; order, edits
    (("bf16", (128, 150, 64, 64), False, (1,), 1, None), "lazy", {}),
    (("f16", (150, 70, 16, 48), True, (2,), 2, None), "random:1", {}),
    (("bf16", (70, 100, 32, 32), True, (2,), 1, (70, 100), np.float32), "eager", {}),
    *(pytest.param(*given, marks=long) for given in (
        (("bf16", (200, 300, 128, 128), True, (2, 1), 1, None), "lazy", {}),
        (("f16", (300, 77, 128, 64), False, (2,), 1, None), "random:2", {}),
        (("bf16", (100, 230, 80, 64), True, (1,), 1, None), "random:3",
         {"swizzle": 64, "stages": 3}),
        (("f16", (192, 192, 64, 64), True, (1,), 1, None), "lazy",
         {"tile": [192, 32], "warpgroups": 3, "block": 512, "grid": 1}),
        (("bf16", (90, 190, 128, 128), False, (1, 4), 4, (1, 1, 190), np.bool_), "eager", {}),
    )),
)  # fmt: skip


@pytest.mark.parametrize("kind", [QUERY, KEYS])
@pytest.mark.parametrize(("call", "order", "changes"), CASES)
def test_values(call: Sequence[Any], order: str, changes: dict[str, Any], kind: str) -> None:
    made = case(*call)
    module = scheduled(made, kind, **changes)
    assert "warpgroups" in schedule(ops_of(module)[0])
    assert max(errors(made, kind, compiled(module), order)) <= 1


@pytest.mark.parametrize(
    ("width", "causal", "mask"),
    [(128, True, None)]
    + [pytest.param(w, c, m, marks=long) for w in (64, 128) for c in (False, True)
       for m in (None, (256, 200), (1, 200))],
)  # fmt: skip
def test_code_has_no_spills(width: int, causal: bool, mask: tuple[int, ...] | None) -> None:
    """Nor does ptxas say that it runs products one after another."""
    path = ptxas_path()
    if path is None:
        pytest.skip("ptxas is not installed (NVIDIA's CUDA toolkit)")
    made = case("bf16", (256, 200, width, width), causal, (1,), 1, mask, np.float32)
    for kind in (KEYS,) if mask is None and causal else (QUERY, KEYS):
        assembly = assemble(compiled(scheduled(made, kind)).ptx, "sm_90a", path)
        (used,) = assembly.usage.values()
        assert (used.registers, used.stack, used.spill_stores) == (168, 0, 0)
        assert not assembly.warnings, "products run one after another"


def test_what_warpgroups_cannot_compute() -> None:
    """More features than registers have sums for."""
    module = Case("bf16", (60, 70, 144, 32), False, (1,)).module(KEYS)
    (op,) = ops_of(module)
    own = {"warpgroups": 1, "stages": 2, "swizzle": 64, "tile": [64, 32], "warp": None}
    edit(op, **own, block=256, grid=2)
    with pytest.raises(IRError, match="of f16 or bf16 with features by 16s up to 128 and less"):
        run(module, "bufferize{target=sm_90a}")


FULL = case("bf16", (130, 128, 64, 64), True, (), 1, None)
"""Three panels of 64 queries, the last of which is ragged."""


@cache
def ring() -> GpuProgram:
    """Its code, in two stages, by two warpgroups."""
    return compiled(scheduled(FULL, KEYS))


_BRANCH = r"(try_wait\.parity\.shared\.b64 %p\d+, \[{}[^\n]*\n[^\n]*not\.pred[^\n]*\n)[^\n]*bra.*"
FAULTS = {
    "fewer bytes expected": (r"(mov\.b32\s+%r\d+,) 8192;", r"\1 4096;", "eager", "deadlock"),
    "stages never empty": (r"mbarrier\.arrive\.shared\.b64.*", "", "lazy", "deadlock"),
    "no wait for anything": (_BRANCH.format(""), r"\1", "lazy", "asynchronous|arrives at"),
    "no wait for products": (r"(wgmma\.wait_group\.sync\.aligned) 0;", r"\1 1;", "eager",
                             "before wgmma.wait_group"),
    "no fence of registers": (r"wgmma\.fence.*", "", "eager", "needs a wgmma.fence"),
    "another mask": (r"(setp\.\w+\.s32\s+%p\d+, %r\d+,) (\d\d);", r"\1 1\2;", "eager", ""),
}  # fmt: skip
"""What is replaced in the code by what, the order, and what the simulated device says; empty where
results are wrong."""


@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_are_caught(name: str) -> None:
    old, new, order, said = FAULTS[name]
    program = ring()
    ptx, count = re.subn(old, new, program.ptx)
    assert count
    if said:
        with pytest.raises(SimulatorError, match=said):
            errors(FULL, KEYS, replace(program, ptx=ptx), order)
        return
    assert max(errors(FULL, KEYS, replace(program, ptx=ptx), order)) > 10


@pytest.mark.parametrize("order", ["eager", "lazy", "random:5"])
def test_without_a_fault_it_is_right(order: str) -> None:
    assert max(errors(FULL, KEYS, ring(), order)) <= 1
