"""Buffers: loads, stores, views, copies, and every element type in memory."""

import re
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from penstock.codegen.text.llvm_text import emit_llvm
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.verify.verifier import verify

Array = np.ndarray[Any, Any]
Run = Callable[..., list[Array]]

INDICES = "\n".join(f"%c{i} = arith.constant {i} : index" for i in (0, 1, 2, 3, 4, 8, 64))


def job(arguments: str, body: str) -> str:
    """A module whose only function is the job."""
    return f"func.func @job({arguments}) {{ {INDICES}\n{body}\nreturn }}"


def test_relu_of_a_matrix(run: Run) -> None:
    source = job(
        "%x: memref<3x8xf32>, %y: memref<3x8xf32>",
        """
        %zero = arith.constant 0.0 : f32
        scf.for %i = %c0 to %c3 step %c1 {
          scf.for %j = %c0 to %c8 step %c1 {
            %v = memref.load %x[%i, %j] : memref<3x8xf32>
            %r = arith.maximumf %v, %zero : f32
            memref.store %r, %y[%i, %j] : memref<3x8xf32>
          }
        }""",
    )
    x = np.random.default_rng(0).standard_normal((3, 8)).astype(np.float32)
    x[1, 2] = np.nan
    np.testing.assert_array_equal(run(source, x, np.zeros_like(x))[1], np.maximum(x, 0))


def test_a_scalar_buffer_has_no_subscripts(run: Run) -> None:
    source = job(
        "%x: memref<f64>, %y: memref<f64>",
        """
        %v = memref.load %x[] : memref<f64>
        %w = arith.mulf %v, %v : f64
        memref.store %w, %y[] : memref<f64>""",
    )
    assert run(source, np.array(3.0), np.array(0.0))[1] == 9.0


def test_empty_buffers_are_not_accessed(run: Run) -> None:
    source = job(
        "%x: memref<0x4xf32>, %y: memref<0x4xf32>, %z: memref<4xf32>",
        """
        memref.copy %x, %y : memref<0x4xf32> to memref<0x4xf32>
        scf.for %i = %c0 to %c0 step %c1 {
          scf.for %j = %c0 to %c4 step %c1 {
            %v = memref.load %x[%i, %j] : memref<0x4xf32>
            memref.store %v, %z[%j] : memref<4xf32>
          }
        }""",
    )
    empty = np.zeros((0, 4), np.float32)
    z = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(run(source, empty, empty, z)[2], z)


ELEMENTS = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
    "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "ui8": np.uint8, "index": np.int64,
}  # fmt: skip


@pytest.mark.parametrize(("element", "dtype"), ELEMENTS.items())
def test_every_element_type_is_read_and_written(run: Run, element: str, dtype: Any) -> None:
    type = f"memref<4x{element}>"
    source = job(
        f"%x: {type}, %y: {type}",
        f"""
        scf.for %i = %c0 to %c4 step %c1 {{
          %v = memref.load %x[%i] : {type}
          %last = arith.subi %c3, %i : index
          memref.store %v, %y[%last] : {type}
        }}""",
    )
    x = np.array([0, 1, 1, 0] if element == "i1" else [0, 1, 100, 3]).astype(dtype)
    np.testing.assert_array_equal(run(source, x, np.zeros(4, dtype))[1], x[::-1])


def test_a_bool_is_a_byte_of_0_or_1_in_memory(run: Run) -> None:
    source = job(
        "%x: memref<4xf32>, %y: memref<4xi8>, %z: memref<4xi1>",
        """
        %zero = arith.constant 0.0 : f32
        scf.for %i = %c0 to %c4 step %c1 {
          %v = memref.load %x[%i] : memref<4xf32>
          %p = arith.cmpf ogt, %v, %zero : f32
          %b = arith.extui %p : i1 to i8
          memref.store %b, %y[%i] : memref<4xi8>
          memref.store %p, %z[%i] : memref<4xi1>
        }""",
    )
    x = np.array([1, -1, np.nan, 3], np.float32)
    _, bytes_, bools = run(source, x, np.full(4, 77, np.int8), np.full(4, 77, np.uint8))
    assert bytes_.tolist() == bools.tolist() == [1, 0, 0, 1]


def test_views_of_the_arena_start_at_their_offset(run: Run) -> None:
    source = job(
        "%arena: memref<?xi8>, %x: memref<2x3xf32>, %y: memref<3x2xf32>",
        """
        %a = memref.view %arena[%c64][] : memref<?xi8> to memref<2x3xf32>
        memref.copy %x, %a : memref<2x3xf32> to memref<2x3xf32>
        %flat = memref.collapse_shape %a [[0, 1]] : memref<2x3xf32> into memref<6xf32>
        %b = memref.expand_shape %flat [[0, 1]] output_shape [3, 2]
          : memref<6xf32> into memref<3x2xf32>
        memref.copy %b, %y : memref<3x2xf32> to memref<3x2xf32>""",
    )
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    arena, _, y = run(source, np.zeros(128, np.int8), x, np.zeros((3, 2), np.float32))
    np.testing.assert_array_equal(y, x.reshape(3, 2))
    np.testing.assert_array_equal(arena[64:88].view(np.float32), x.ravel())
    assert not arena[:64].any()
    assert not arena[88:].any()


SUBVIEW = "memref<4x8xf32> to memref<2x2xf32, strided<[16, 2], offset: ?>>"


def test_subviews_are_strided_and_shifted_at_run_time(run: Run) -> None:
    part = "memref<2x2xf32, strided<[16, 2], offset: ?>>"
    source = job(
        f"%x: memref<4x8xf32>, %y: memref<2x2xf32>, %z: memref<8xf32>",  # noqa: F541
        f"""
        %row = arith.addi %c1, %c0 : index
        %p = memref.subview %x[%row, 3] [2, 2] [2, 2] : {SUBVIEW}
        memref.copy %p, %y : {part} to memref<2x2xf32>
        %v = memref.load %p[%c1, %c1] : {part}
        %w = arith.addf %v, %v : f32
        memref.store %w, %p[%c0, %c0] : {part}
        %r = memref.subview %x[2, 0] [1, 8] [1, 1]
          : memref<4x8xf32> to memref<8xf32, strided<[1], offset: 16>>
        memref.copy %r, %z : memref<8xf32, strided<[1], offset: 16>> to memref<8xf32>""",
    )
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    after, y, z = run(source, x, np.zeros((2, 2), np.float32), np.zeros(8, np.float32))
    np.testing.assert_array_equal(y, x[1::2, 3:7:2])
    np.testing.assert_array_equal(z, x[2])
    assert after[1, 3] == 2 * x[3, 5]


def test_a_subview_of_a_subview_adds_up(run: Run) -> None:
    source = job(
        "%x: memref<4x8xi32>, %y: memref<2xi32>",
        """
        %i = arith.addi %c1, %c1 : index
        %a = memref.subview %x[%i, 0] [2, 8] [1, 1]
          : memref<4x8xi32> to memref<2x8xi32, strided<[8, 1], offset: ?>>
        %b = memref.subview %a[%c1, %c3] [1, 2] [1, 1]
          : memref<2x8xi32, strided<[8, 1], offset: ?>> to memref<2xi32, strided<[1], offset: ?>>
        memref.copy %b, %y : memref<2xi32, strided<[1], offset: ?>> to memref<2xi32>""",
    )
    x = np.arange(32, dtype=np.int32).reshape(4, 8)
    assert run(source, x, np.zeros(2, np.int32))[1].tolist() == x[3, 3:5].tolist()


def test_a_part_is_passed_as_the_pointer_to_its_first_element(run: Run) -> None:
    part = "memref<4xf32, strided<[8], offset: ?>>"
    source = f"""
    func.func private @negate(%p: {part} {{llvm.noalias}}) {{
      {INDICES}
      scf.for %i = %c0 to %c4 step %c1 {{
        %v = memref.load %p[%i] : {part}
        %n = arith.negf %v : f32
        memref.store %n, %p[%i] : {part}
      }}
      return
    }}
    func.func @job(%x: memref<4x8xf32>) {{
      {INDICES}
      scf.for %j = %c1 to %c8 step %c2 {{
        %p = memref.subview %x[0, %j] [4, 1] [1, 1] : memref<4x8xf32> to {part}
        func.call @negate(%p) : ({part}) -> ()
      }}
      return
    }}
    """
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    want = x.copy()
    want[:, 1::2] *= -1
    np.testing.assert_array_equal(run(source, x)[0], want)


def test_constant_globals_are_in_the_object(run: Run) -> None:
    source = f"""
    memref.global "private" constant @table : memref<4xi32> = dense<[1, -2, 3, -4]>
    memref.global "private" constant @ones : memref<2x2xf64> = dense<1.5>
    func.func @job(%x: memref<4xi32>, %y: memref<2x2xf64>) {{
      {INDICES}
      %t = memref.get_global @table : memref<4xi32>
      memref.copy %t, %x : memref<4xi32> to memref<4xi32>
      %o = memref.get_global @ones : memref<2x2xf64>
      memref.copy %o, %y : memref<2x2xf64> to memref<2x2xf64>
      return
    }}
    """
    x, y = run(source, np.zeros(4, np.int32), np.zeros((2, 2)))
    assert x.tolist() == [1, -2, 3, -4]
    assert y.tolist() == [[1.5, 1.5], [1.5, 1.5]]


def test_pointer_attributes_are_in_the_text() -> None:
    source = """
    func.func private @f(%x: memref<4x8xf32> {llvm.align = 64 : i64, llvm.noalias},
                         %y: memref<4x2xf32, strided<[8, 1], offset: ?>>) { return }
    func.func @job(%x: memref<4x8xf32> {llvm.noalias}, %n: memref<0xf32>) { return }
    """
    text = emit_llvm(parse_module(source)).text
    assert "ptr noalias align 64 dereferenceable(128) %x.1, ptr dereferenceable(104) %y.2" in text
    assert "@job.body(ptr %context, ptr noalias align 64 dereferenceable(128) %x.1, ptr align 64 %n"
    assert ", ptr align 64 %n.2) #0" in text


def test_a_prefetch_changes_nothing(run: Run) -> None:
    source = job(
        "%x: memref<4x8xf32>, %y: memref<f32>",
        """
        memref.prefetch %x[%c3, %c4], read, locality<2>, data : memref<4x8xf32>
        memref.prefetch %y[], write, locality<3>, data : memref<f32>
        %v = memref.load %x[%c3, %c4] : memref<4x8xf32>
        memref.store %v, %y[] : memref<f32>""",
    )
    text = emit_llvm(parse_module(source)).text
    calls = re.findall(r"call void @llvm.prefetch.p0\(ptr \S+, (.*)\)", text)
    assert calls == ["i32 0, i32 2, i32 1", "i32 1, i32 3, i32 1"]
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    assert run(source, x, np.zeros((), np.float32))[1] == 28


@pytest.mark.parametrize(
    ("op", "said"),
    [
        ("%x[%c1], read, locality<2>", "reads memref<4x8xf32> with 1 subscripts"),
        ("%x[%c1, %c1], read, locality<4>", "expected a locality of 0 to 3, got 4"),
    ],
)
def test_invalid_prefetches(op: str, said: str) -> None:
    body = f"memref.prefetch {op}, data : memref<4x8xf32>"
    with pytest.raises(IRError, match=re.escape(said)):
        verify(parse_module(job("%x: memref<4x8xf32>", body)))


def test_scratch_rows_have_distinct_page_offsets() -> None:
    """Their addresses differ in the low bits from each other and from those of large arrays."""
    source = job(
        "%y: memref<f32>",
        """
        %row = memref.alloca() : memref<256xf32>
        %more = memref.alloca() : memref<256xf32>
        %few = memref.alloca() : memref<255xf32>
        %v = memref.load %row[%c3] : memref<256xf32>
        %w = memref.load %few[%c3] : memref<255xf32>
        %u = memref.load %more[%c3] : memref<256xf32>
        memref.store %u, %y[] : memref<f32>
        memref.store %v, %y[] : memref<f32>
        memref.store %w, %y[] : memref<f32>""",
    )
    text = emit_llvm(parse_module(source)).text
    assert "alloca [3072 x i8], align 4096" in text
    assert "alloca [3584 x i8], align 4096" in text
    assert "alloca [1020 x i8], align 64" in text
