"""Contractions for sm_90a: panels that tensor maps copy, products of warpgroups."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from gpu_modules import Step
from scheduled_jobs import Array, edit, ops_of, run, schedule
from warpgroup_cases import DTYPES, Case

from penstock.codegen.gpu.assembler import assemble, ptxas_path
from penstock.codegen.gpu.program import GpuProgram, compile_gpu
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.record import replace
from penstock.ir.text.printer import print_module
from penstock.runtime.gpu.simulator import SimulatorError


@cache
def compiled(case: Case) -> GpuProgram:
    """The code of a case, whatever the order that it runs in."""
    module = case.edited()
    run(module, "bufferize{target=sm_90a}")
    text = print_module(module)
    assert print_module(parse_module(text)) == text
    return compile_gpu(module, "sm_90a")


def computed(case: Case, program: GpuProgram) -> tuple[Array, Array]:
    """What the simulated device computes, and what is right."""
    given, wanted = case.arrays()
    found = np.zeros(wanted.shape, DTYPES[case.element])
    Step(program, [*given, found], case.order).run(program.plan["steps"])
    return found.astype(np.float64), wanted


WHOLE = Case((128, 128, 128), tile=(128, 128), warpgroups=2)
CASES = {
    "whole": WHOLE,
    "as late as possible": replace(WHOLE, order="lazy"),
    "in any order": replace(WHOLE, order="random:1"),
    "b transposed": Case((64, 128, 128), tb=True, grid=1, order="lazy"),
    "a transposed": Case((128, 64, 128), ta=True, grid=1, group=2, order="random:2"),
    "both transposed": Case((128, 128, 64), ta=True, tb=True, grid=3, group=2),
    "ragged": Case((100, 72, 88), stages=3, grid=3),
    "ragged and transposed": Case((72, 40, 200), ta=True, stages=3, grid=1, order="lazy"),
    "f16": Case((64, 64, 96), element="f16", order="random:3"),
    "batches": Case((3, 64, 40, 72), tb=True, tile=(64, 40), grid=2),
    "rows of 64 bytes": Case((64, 64, 128), ta=True, swizzle=64, order="lazy"),
    "rows of 32 bytes": Case((64, 48, 64), tb=True, tile=(64, 48), swizzle=32, depth=32),
    "tf32": Case((72, 48, 96), tb=True, element="f32", mma="tf32", depth=32, grid=1, order="lazy"),
    "tf32 in rows of 64 bytes": Case(
        (128, 64, 80), tb=True, element="f32", mma="tf32", depth=16, swizzle=64, tile=(128, 64),
        warpgroups=2, order="random:2",
    ),
    "three warpgroups": Case((192, 72, 64), tile=(192, 72), tb=True, warpgroups=3),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_numbers_are_right(name: str) -> None:
    case = CASES[name]
    found, wanted = computed(case, compiled(replace(case, order="eager")))
    if not case.mma:
        np.testing.assert_allclose(found, wanted, rtol=2**-7, atol=2**-7 * np.abs(wanted).max())
        return
    # Each product is off by 2^-9 at most, and it is what was asked for: f32 would be closer.
    (a, b, _), _ = case.arrays()
    sums = np.abs(a).astype(np.float64) @ np.abs(b.T if case.tb else b)
    off = np.abs(found - wanted)
    assert (off <= (2.0**-9 + case.shape[-1] * 2.0**-24) * sums + 2.0**-22).all()
    assert (off > 2.0**-14 * sums).any()


def test_code_has_no_spills() -> None:
    """The usual schedule of a large product: ptxas finds room for 128 sums, and gives no warning
    that it runs products one after another."""
    path = ptxas_path()
    if path is None:
        pytest.skip("ptxas is not installed (NVIDIA's CUDA toolkit)")
    module = Case((4096, 4096, 4096), tb=True).module()
    chosen = schedule(ops_of(module)[0])
    assert (chosen["tile"], chosen["warpgroups"], chosen["grid"]) == ([128, 256], 2, 132)
    run(module, "bufferize{target=sm_90a}")
    program = compile_gpu(module, "sm_90a")
    assembly = assemble(program.ptx, "sm_90a", path)
    (used,) = assembly.usage.values()
    assert (used.registers, used.stack, used.spill_stores) == (168, 0, 0)
    assert not assembly.warnings, "products run one after another"
    (kernel,) = program.plan["kernels"].values()
    assert (kernel["shared"], kernel["dynamic"]) == (1024, 4 * 64 * (128 + 256) * 2)
    assert program.ptx.count("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16") == 4


def test_tf32_by_warpgroups_has_no_spills() -> None:
    """Factors with neighbours along the depth; others stay with warps."""
    case = Case((4096, 4096, 4096), tb=True, element="f32", mma="tf32")
    module = case.module()
    chosen = schedule(ops_of(module)[0])
    assert (chosen["tile"], chosen["mma"], chosen["depth"]) == ([128, 256], "tf32", 32)
    across = schedule(ops_of(replace(case, tb=False).module())[0])
    assert across["mma"] == "tf32"
    assert across["warp"]
    path = ptxas_path()
    if path is None:
        pytest.skip("ptxas is not installed (NVIDIA's CUDA toolkit)")
    run(module, "bufferize{target=sm_90a}")
    program = compile_gpu(module, "sm_90a")
    assert program.ptx.count("wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32") == 4
    assembly = assemble(program.ptx, "sm_90a", path)
    (used,) = assembly.usage.values()
    assert (used.registers, used.stack, used.spill_stores) == (168, 0, 0)
    assert not assembly.warnings


def test_other_products_keep_to_warps() -> None:
    """Where rows are no multiple of 16 bytes apart, tensor maps cannot describe a factor."""
    for shape, ta in (((64, 64, 60), False), ((60, 64, 64), True)):
        chosen = schedule(ops_of(Case(shape, ta).module())[0])
        assert "warp" in chosen
        assert "warpgroups" not in chosen


UNFIT: list[tuple[dict[str, Any], str]] = [
    ({"warpgroups": 4}, "warpgroups = 4 and swizzle = 128: expected 1 to 3, and 32, 64 or 128"),
    ({"swizzle": 16}, "warpgroups = 2 and swizzle = 16: expected 1 to 3, and 32, 64 or 128"),
    (
        {"tile": [64, 128]},
        r"tile = \[64, 128\]: expected \[128, a multiple of 8 up to 256\] for ",
    ),
    ({"tile": [128, 512]}, r"tile = \[128, 512\]: expected \[128, a multiple of 8 up to 256\]"),
    ({"tile": [128, 72]}, r"tile = \[128, 72\]: expected a multiple of 64 columns, as rows of swi"),
    ({"depth": 32}, "depth = 32: expected a multiple of 64 up to 256, as rows of swizzle = 128"),
    ({"stages": 1}, "stages = 1, whose panels take 32768 bytes of shared memory: expected 2 or"),
    ({"stages": 9}, "stages = 9, whose panels take 294912 bytes of shared memory: expected 2 or"),
    ({"group": 3}, "group = 3: expected a divisor of 1, the tiles above each other"),
    ({"warp": [64, 32]}, "with warpgroups, and warp, thread or mma: remove the others"),
    ({"block": 256}, "block = 256 and grid = 1: its warpgroups need 384, and its 1 tiles as many"),
    ({"grid": 2}, "block = 384 and grid = 2: its warpgroups need 384, and its 1 tiles as many"),
]


@pytest.mark.parametrize("number", range(len(UNFIT)))
def test_an_unfit_schedule_gives_one_sentence(number: int) -> None:
    changes, said = UNFIT[number]
    module = WHOLE.edited()
    for op in ops_of(module):
        shared = {key: changes[key] for key in ("grid", "block") if key in changes}
        edit(op, **(changes if schedule(op)["kind"] == "tile" else shared))
    with pytest.raises(IRError, match=said) as failed:
        run(module, "bufferize{target=sm_90a}")
    (found,) = failed.value.diagnostics
    assert re.fullmatch(r"job\.py:\d", found.place())
    assert "\n" not in found.message


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (Case((64, 64, 60)), "tensor maps cannot describe its factors: expected tensors in memory"),
        (Case((64, 64, 64), element="f32"), "its factors are not both bf16 or f16"),
        (
            Case((64, 64, 64), element="f32", mma="tf32", depth=32),
            "neighbours in memory across the",
        ),
        (Case((64, 64, 64), element="f32", mma="3xtf32"), "its factors are not both bf16 or f16"),
        (Case((64, 64, 64), mma="tf32"), "and warp, thread or mma: remove the others"),
    ],
)
def test_what_warpgroups_cannot_multiply(case: Case, said: str) -> None:
    with pytest.raises(IRError, match=said):
        run(case.edited(), "bufferize{target=sm_90a}")


def test_other_architectures_refuse_the_code() -> None:
    module = WHOLE.edited()
    run(module, "bufferize{target=sm_90a}")
    with pytest.raises(IRError, match=r"there is no llvm\.nvvm\.\S+ on sm_80; lower it to ops"):
        compile_gpu(module, "sm_80")


RING = Case((64, 64, 256), tb=True)
"""Four turns in two stages."""
_BRANCH = r"(try_wait\.parity\.shared\.b64 %p\d+, \[{}[^\n]*\n[^\n]*not\.pred[^\n]*\n)[^\n]*bra.*"
_FIXED = 1 << 62 | 64 << 32 | 1 << 16
FAULTS = {
    "fewer bytes expected": (r"(mov\.b32\s+%r\d+,) 16384;", r"\1 8192;", "eager", "asynchronous"),
    "more bytes expected": (r"(mov\.b32\s+%r\d+,) 16384;", r"\1 32768;", "eager", "deadlock"),
    "stages never released": (r"mbarrier\.arrive\.shared\.b64.*", "", "lazy", "deadlock"),
    "no wait for panels": (_BRANCH.format("%rd"), r"\1", "lazy", "asynchronous"),
    "no wait for space": (_BRANCH.format(r"\w+\+"), r"\1", "lazy", "arrives at an mbarrier more"),
    "no wait for products": (r"wgmma\.wait_group.*", "", "eager", "before wgmma.wait_group"),
    "no fence of registers": (r"wgmma\.fence.*", "", "eager", "needs a wgmma.fence"),
    "another swizzle": (str(_FIXED), str(_FIXED - (3 << 62)), "eager", ""),
    "another stride": (str(_FIXED), str(_FIXED ^ 96 << 32), "eager", ""),
    "a step of another depth": (r"(add\.s64\s+%rd\d+, %rd\d+,) 2;", r"\1 4;", "eager", ""),
}  # fmt: skip
"""What is replaced in the code by what, the order, and what the simulated device says; empty where
results are wrong."""


@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_are_caught(name: str) -> None:
    old, new, order, said = FAULTS[name]
    program, case = compiled(RING), replace(RING, order=order)
    ptx, count = re.subn(old, new, program.ptx)
    assert count
    if said:
        with pytest.raises(SimulatorError, match=said):
            computed(case, replace(program, ptx=ptx))
        return
    found, wanted = computed(case, replace(program, ptx=ptx))
    assert np.abs(found - wanted).max() > 0.1 * np.abs(wanted).max()


@pytest.mark.parametrize("order", ["eager", "lazy", "random:5"])
def test_without_a_fault_it_is_right(order: str) -> None:
    found, wanted = computed(replace(RING, order=order), compiled(RING))
    np.testing.assert_allclose(found, wanted, rtol=2**-7, atol=2**-7 * np.abs(wanted).max())
