"""A module that cannot be compiled gives one error of one sentence, at the op."""

import pytest

from penstock.codegen.objects import llvm
from penstock.codegen.text.llvm_text import emit_llvm
from penstock.ir.builder import Builder
from penstock.ir.diagnostics import IRError, Span
from penstock.ir.dialects import func
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module

INDICES = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
"""

# A line at `<<here>>`, and the error for it at line 7 of user.py.
BODIES = {
    "an allocation": (
        "%m = memref.alloc() : memref<4xf32>",
        "memref.alloc: there is no code for it at stage loops: expected scf.for, scf.forall",
    ),
    "an op of another stage": (
        "%e = tensor.empty() : tensor<4xf32>",
        "tensor.empty: there is no code for it at stage loops",
    ),
    "a constant tensor": (
        "%k = arith.constant dense<0.0> : tensor<4xf32>",
        "arith.constant: dense<0.0> : tensor<4xf32> is not a constant of a float, integer or "
        "vector",
    ),
    "a view of floats": (
        "%v = memref.view %x[%c0][] : memref<4xf32> to memref<4xi32>",
        "memref.view: expected a view of a byte buffer, memref<?xi8>, got one of memref<4xf32>",
    ),
    "a view between elements": (
        "%v = memref.view %arena[%c3][] : memref<?xi8> to memref<4xf32>",
        "memref.view: byte 3 is not aligned for elements of f32: align it",
    ),
    "too few subscripts": (
        "memref.store %f, %y[%c0] : memref<4x4xf32>",
        "memref.store: writes memref<4x4xf32> with 1 subscripts",
    ),
    "a copy to another shape": (
        "memref.copy %x, %y : memref<4xf32> to memref<4x4xf32>",
        "memref.copy: expected buffers of one shape and element, got memref<4xf32> and",
    ),
    "a copy of unknown length": (
        "memref.copy %arena, %arena : memref<?xi8> to memref<?xi8>",
        "memref.copy: expected a static shape, got memref<?xi8>",
    ),
    "strides known at run time only": (
        "%v = memref.cast %x : memref<4xf32> to memref<4xf32, strided<[?]>>",
        "memref.cast: memref<4xf32, strided<[?]>> has strides known only at run time",
    ),
    "a loop that carries a buffer": (
        "%v = scf.for %i = %c0 to %c1 step %c1 iter_args(%m = %x) -> (memref<4xf32>) "
        "{ scf.yield %m : memref<4xf32> }",
        "scf.for: expected a scalar and got a buffer of memref<4xf32>",
    ),
    "a branch that gives a buffer": (
        "%v = scf.if %p -> (memref<4xf32>) { scf.yield %x : memref<4xf32> } else "
        "{ scf.yield %x : memref<4xf32> }",
        "scf.yield: expected a scalar and got a buffer of memref<4xf32>",
    ),
    "an integer that no register holds": (
        "%k = arith.extsi %n : i32 to i48",
        "arith.extsi: values of type i48 have no LLVM type: expected a float, an integer of 1, 8",
    ),
    "a cast without a row": (
        "%k = arith.index_cast %n : i32 to i64",
        "arith.index_cast: there is no code for it from i32 to i64 on this target",
    ),
    "a reduction there is no code for": (
        "%k = vector.reduction <minnumf>, %vector : vector<4xf32> into f32",
        "vector.reduction: there is no code for combining f32 by minnumf",
    ),
    "what LLVM finds": (
        "%k = arith.bitcast %n : i32 to i64",
        "arith.bitcast: LLVM rejects `%k.",
    ),
    "an unknown function": (
        "func.call @nowhere() : () -> ()",
        "func.call: no symbol @nowhere is defined",
    ),
    "a call with other types": (
        "func.call @helper(%f) : (f32) -> ()",
        "func.call: is used as (f32) -> () and @helper is (f64) -> ()",
    ),
    "a call of something else": (
        "func.call @table() : () -> ()",
        "func.call: @table is not a function",
    ),
    "an unknown op": ('"mine.op"() : () -> ()', "mine.op: "),
}


def module_text(line: str) -> str:
    return f"""
memref.global "private" constant @table : memref<4xf32> = dense<0.0>
func.func private @helper(%x: f64) {{ return }}
func.func @job(%arena: memref<?xi8>, %x: memref<4xf32>, %y: memref<4x4xf32>) {{
  {INDICES}
  %f = arith.constant 1.0 : f32
  %n = arith.constant 1 : i32
  %p = arith.constant true
  %vector = arith.constant dense<1.0> : vector<4xf32>
  {line} loc("user.py":7:3)
  return
}}
"""


def the_error(text: str) -> IRError:
    module = parse_module(text, allow_unregistered=True)
    with pytest.raises(IRError) as caught:
        llvm.compile_object(emit_llvm(module))
    return caught.value


@pytest.mark.parametrize(("line", "message"), BODIES.values(), ids=BODIES)
def test_one_error_at_the_operation(line: str, message: str) -> None:
    error = the_error(module_text(line))
    (found,) = error.diagnostics
    assert found.message.startswith(message), found.message
    assert not isinstance(found.where, Span)
    assert "\n" not in found.message
    if "scf." not in line:
        assert found.place() == "user.py:7"


JOBS = {
    "two public functions": (
        "func.func @a() { return } func.func @b() { return }",
        "builtin.module: expected one public function, the job, and got 2",
    ),
    "a job with results": (
        "func.func @a(%x: memref<f32>) -> f32 { %v = memref.load %x[] : memref<f32> "
        "return %v : f32 }",
        "func.func: the job @a is (memref<f32>) -> f32: expected memrefs to nothing",
    ),
    "a job of scalars": (
        "func.func @a(%x: f32) { return }",
        "func.func: the job @a is (f32) -> (): expected memrefs to nothing",
    ),
    "a job without a body": (
        "func.func @a()",
        "func.func: @a has no body: expected the job's",
    ),
    "two results": (
        "func.func private @f(%x: f32) -> (f32, f32) { return %x, %x : f32, f32 } "
        "func.func @a() { return }",
        "func.func: @f returns (f32, f32): expected at most one scalar",
    ),
    "a global that changes": (
        'memref.global "private" @g : memref<4xf32> = uninitialized func.func @a() { return }',
        "memref.global: expected a constant with a dense value",
    ),
    "dynamic strides of an argument": (
        "func.func @a(%x: memref<4x?xf32>) { return }",
        "func.func: memref<4x?xf32> has strides known only at run time",
    ),
}


@pytest.mark.parametrize(("text", "message"), JOBS.values(), ids=JOBS)
def test_one_error_at_the_function(text: str, message: str) -> None:
    error = the_error(text)
    (found,) = error.diagnostics
    assert found.message.startswith(message), found.message


def test_a_job_without_a_name() -> None:
    job = func.Func.make("", [])
    Builder.at_end(job.body).create(func.Return, [])
    module = Module.empty()
    module.body.append(job)
    with pytest.raises(IRError, match="a symbol needs a name without a zero character, got ''"):
        emit_llvm(module)
