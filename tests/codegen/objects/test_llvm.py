"""LLVM preserves the text's semantics and gets the options we want."""

import ctypes
import os
import re
import signal
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from penstock.codegen.math.scalar_table import CALLED, LIBM, TABLE
from penstock.codegen.objects import llvm, llvm_machine
from penstock.codegen.text.llvm_text import emit_llvm
from penstock.codegen.writer import LLVMText
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module

Array = np.ndarray[Any, Any]
Run = Callable[..., list[Array]]


def axpy(body: str, cpu: str) -> str:
    """Assembly text of a loop `z[i] = f(x[i], y[i])` over f32."""
    source = f"""
    func.func @job(%x: memref<1024xf32> {{llvm.noalias}}, %y: memref<1024xf32> {{llvm.noalias}},
                   %z: memref<1024xf32> {{llvm.noalias}}) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 1024 : index
      scf.for %i = %c0 to %n step %c1 {{
        %a = memref.load %x[%i] : memref<1024xf32>
        %b = memref.load %y[%i] : memref<1024xf32>
        {body}
        memref.store %r, %z[%i] : memref<1024xf32>
      }}
      return
    }}
    """
    return llvm.compile_assembly(emit_llvm(parse_module(source)), llvm.target_machine(cpu))


PRODUCT_AND_SUM = "%p = arith.mulf %a, %b : f32\n%r = arith.addf %p, %a : f32"
FUSED = "%r = math.fma %a, %b, %a : f32"


def test_a_multiply_and_an_add_are_not_contracted(run: Run) -> None:
    text = axpy(PRODUCT_AND_SUM, "x86-64-v4")
    assert "vmulps" in text
    assert "vaddps" in text
    assert "fmadd" not in text


def test_an_fma_is_one_vector_instruction() -> None:
    assert re.search(r"vfmadd\d+ps\s.*%zmm", axpy(FUSED, "x86-64-v4"))
    assert re.search(r"vfmadd\d+ps\s.*%ymm", axpy(FUSED, "x86-64-v3"))


def test_a_sum_is_not_reordered(run: Run) -> None:
    """It is sequential, although LLVM could vectorise it if order did not matter."""
    source = """
    func.func @job(%x: memref<1000xf32>, %y: memref<f32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 1000 : index
      %zero = arith.constant 0.0 : f32
      %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> (f32) {
        %v = memref.load %x[%i] : memref<1000xf32>
        %u = arith.addf %t, %v : f32
        scf.yield %u : f32
      }
      memref.store %s, %y[] : memref<f32>
      return
    }
    """
    x = (np.random.default_rng(3).standard_normal(1000) * 1e3).astype(np.float32)
    total = np.float32(0)
    for value in x:
        total += value
    assert run(source, x, np.zeros((), np.float32))[1] == total


def test_the_object_calls_libm_and_nothing_else() -> None:
    """No op calls a function of a compiler's runtime library."""
    names = {name for row in TABLE.values() for name in re.findall(CALLED, row)}
    assert {name for name in names if not name.startswith("llvm.")} <= LIBM
    library = ctypes.CDLL("libm.so.6")
    assert all(getattr(library, f"{name}{ending}") for name in LIBM for ending in ("", "f"))


def test_llvm_errors_have_the_location_of_the_op() -> None:
    module = parse_module('func.func @job() { return } loc("job.py":3:1)')
    wrong = LLVMText("define void @f() {\n  %a = fadd i32 1, 2\n}\n", (None, module.job, None))
    with pytest.raises(IRError) as caught:
        llvm.compile_object(wrong)
    assert str(caught.value) == (
        "job.py:3: error: func.func: LLVM rejects `%a = fadd i32 1, 2`, line 2 of stage llvm: "
        "invalid operand type for instruction"
    )
    (found,) = caught.value.diagnostics
    assert "\n" not in found.message
    nowhere = LLVMText("define void @f() {\n  br label %x\nx:\n  %p = phi i32\n", (None,) * 4)
    with pytest.raises(IRError, match="LLVM rejects"):
        llvm.compile_object(nowhere)


def test_errors_of_llvms_verifier_are_one_line() -> None:
    text = "define void @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  %v = add i32 1, 2\n"
    text += "  br label %b\nb:\n  %w = add i32 %v, 1\n  ret void\n}\n"
    with pytest.raises(IRError) as caught:
        llvm.compile_object(LLVMText(text, (None,) * 10))
    (found,) = caught.value.diagnostics
    assert found.message.startswith("LLVM rejects the module's text: Instruction does not dominate")
    assert "\n" not in found.message


def test_an_unknown_processor_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no processor 'x86-64-v9' to compile for"):
        llvm.target_machine("x86-64-v9")


def test_one_target_machine_per_processor() -> None:
    assert llvm.target_machine(None) is llvm.target_machine(None)


def test_text_and_object_are_deterministic() -> None:
    source = "func.func @job(%x: memref<4xf32>) { return }"
    texts = {emit_llvm(parse_module(source)).text for _ in range(3)}
    assert len(texts) == 1
    source = LLVMText(texts.pop(), ())
    assert len({llvm.compile_object(source) for _ in range(3)}) == 1


def test_a_child_of_a_fork_compiles_what_another_thread_was_about_to() -> None:
    with llvm_machine._initialising:
        child = os.fork()
        if child == 0:
            signal.alarm(10)
            llvm_machine.initialise(*llvm_machine.NATIVE)
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_only_a_few_calls_are_compiled_in_a_hurry() -> None:
    call = "  call void @kernel(ptr %context, ptr %x)"
    text = f"""define i32 @job(ptr %context, ptr %arguments) #0 {{
  %slot.0 = getelementptr inbounds nuw ptr, ptr %arguments, i64 0
  %x = load ptr, ptr %slot.0, align 8
{call}
  ret i32 0
}}
declare hidden void @kernel(ptr %context, ptr %x) #0
attributes #0 = {{ nounwind }}
"""
    assert llvm.is_plain(text)
    assert llvm.compile_object(LLVMText(text, ()))
    assert not llvm.is_plain(text.replace(call, "  store float 0.0, ptr %x, align 4"))
    assert not llvm.is_plain(text.replace(call, f"  br label %then\nthen:\n{call}"))
    assert not llvm.is_plain(text.replace(call, "\n".join([call] * 100)))
