"""Programs: results of `compile_module`, loaded and run."""

import gc
import signal
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from loading import load_program

from penstock.codegen.jobs.program import compile_module
from penstock.codegen.text.llvm_text import ModuleText, emit_llvm
from penstock.codegen.text.parts.text_target import target_of
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module

Array = np.ndarray[Any, Any]

# One step of gradient descent on w for the loss (w . x)**2 / 2 per row, in place.
SOURCE = """
module @step attributes {job.type = "train"} {
  func.func private @descend_0(%x: memref<3xf64> {llvm.noalias}, %w: memref<3xf64> {llvm.noalias},
                               %scratch: memref<f64> {llvm.noalias}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0.0 : f64
    %rate = arith.constant 0.125 : f64
    %dot = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (f64) {
      %a = memref.load %x[%i] : memref<3xf64>
      %b = memref.load %w[%i] : memref<3xf64>
      %t = math.fma %a, %b, %s : f64
      scf.yield %t : f64
    }
    memref.store %dot, %scratch[] : memref<f64>
    %scale = arith.mulf %dot, %rate : f64
    scf.for %i = %c0 to %c3 step %c1 {
      %a = memref.load %x[%i] : memref<3xf64>
      %b = memref.load %w[%i] : memref<3xf64>
      %d = arith.mulf %a, %scale : f64
      %n = arith.subf %b, %d : f64
      memref.store %n, %w[%i] : memref<3xf64>
    }
    return
  }
  func.func @step(%arena: memref<?xi8> {job.arena = 64 : i64, llvm.noalias},
                  %x: memref<3xf64> {job.feed = "x"},
                  %w: memref<3xf64> {job.variable = "w", job.trainable = true,
                    job.initializer = {kind = "constant", value = 1.0 : f64}},
                  %out: memref<f64> {job.fetch = ""}) {
    %c0 = arith.constant 0 : index
    %dot = memref.view %arena[%c0][] : memref<?xi8> to memref<f64>
    func.call @descend_0(%x, %w, %dot) : (memref<3xf64>, memref<3xf64>, memref<f64>) -> ()
    memref.copy %dot, %out : memref<f64> to memref<f64>
    return
  }
}
"""


def test_a_program_runs_and_updates_in_place(
    align: Callable[[Array], Array], call_entry: Callable[..., None]
) -> None:
    program = compile_module(parse_module(SOURCE))
    assert program.description["entry"] == "step"
    address, keep_alive = load_program(program)
    x, w = align(np.array([1.0, 2.0, 3.0])), align(np.ones(3))
    out = align(np.zeros(()))
    arrays = [align(np.zeros(64, np.int8)), x, w, out]
    del program
    gc.collect()
    for _ in range(2):
        before = w.copy()
        call_entry(address, arrays)
        # With these values every sum and product is exact in any order.
        dot = sum(before * x)
        assert out == dot
        np.testing.assert_array_equal(w, before - dot * 0.125 * x)
    assert keep_alive is not None


def test_every_form_is_readable() -> None:
    program = compile_module(parse_module(SOURCE))
    assert "define i32 @step(ptr %context, ptr %arguments)" in program.llvm
    assert "define internal void @descend_0(ptr %context, ptr noalias" in program.llvm
    assert "vfmadd" in compile_module(parse_module(SOURCE), "x86-64-v3").asm
    assert all(code.startswith(b"\x7fELF") for code in program.objects)
    assert "descend_0:" in program.asm, "groups are found by name in the assembly text"
    assert program.asm is program.asm


def test_a_program_for_a_named_processor_is_not_the_host_s() -> None:
    wide = SOURCE.replace("memref<3xf64>", "memref<3000xf64>").replace(
        "constant 3 ", "constant 3000 "
    )
    module = parse_module(wide)
    assert (
        compile_module(module, "x86-64-v4").objects != compile_module(module, "x86-64-v3").objects
    )
    with pytest.raises(ValueError, match="there is no processor 'pentium'"):
        compile_module(module, "pentium")


def test_the_text_of_stage_loops_is_sufficient() -> None:
    """A module that was printed and parsed compiles to the same object."""
    module = parse_module(SOURCE)
    again = parse_module(print_module(module))
    first, second = compile_module(module), compile_module(again)
    assert (first.objects, first.description) == (second.objects, second.description)


def test_programs_are_loaded_concurrently() -> None:
    first, second = (load_program(compile_module(parse_module(SOURCE))) for _ in range(2))
    assert first[0] != second[0]


def test_compiling_a_group_early_changes_no_text() -> None:
    module, written = parse_module(SOURCE), []
    text = ModuleText(target_of(module), lambda name, lines: written.append(name))
    group, _ = module.functions()
    text.ahead(group)
    assert written == ["@descend_0"]
    assert text.of(module).text == emit_llvm(module).text
    assert written == ["@descend_0", ""]


def test_a_job_written_before_verification_is_written_once() -> None:
    module, written = parse_module(SOURCE), []
    text = ModuleText(target_of(module), lambda name, lines: written.append(name))
    for function in module.functions():
        text.ahead(function)
    assert written == ["@descend_0", ""]
    assert text.of(module).text == emit_llvm(module).text
    assert len(written) == 2


def test_an_error_in_a_group_is_reported_with_its_module() -> None:
    wrong = SOURCE.replace("%c0 = arith", "%m = memref.alloc() : memref<f64>\n    %c0 = arith", 1)
    module = parse_module(wrong)
    text = ModuleText(target_of(module))
    group, _ = module.functions()
    text.ahead(group)
    text.ahead(group)
    with pytest.raises(IRError, match="memref.alloc: there is no code for it at stage loops"):
        text.of(module)


def test_a_bug_in_codegen_is_not_blamed_on_a_pass() -> None:
    module = parse_module(SOURCE)
    text = ModuleText(target_of(module), lambda name, lines: {}[name])
    text.ahead(next(iter(module.functions())))
    with pytest.raises(KeyError, match="descend_0"):
        text.of(module)


def test_an_exception_of_a_signal_handler_is_raised_at_once() -> None:
    def handler(number: int, frame: object) -> None:
        raise TimeoutError("took too long")

    module = parse_module(SOURCE)
    text = ModuleText(target_of(module), lambda name, lines: signal.raise_signal(signal.SIGUSR1))
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        with pytest.raises(TimeoutError, match="^took too long$"):
            text.ahead(next(iter(module.functions())))
    finally:
        signal.signal(signal.SIGUSR1, before)
