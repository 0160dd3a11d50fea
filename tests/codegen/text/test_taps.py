"""Taps: a flag in memory decides whether the context's callback gets a buffer."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from loading import load_object

from penstock.codegen.objects import llvm
from penstock.codegen.text.llvm_text import emit_llvm
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module

Array = np.ndarray[Any, Any]

SOURCE = """
func.func private @penstock_tap_f32(i32, memref<*xf32>)
func.func private @watch(%taps: memref<2xi8>, %h: memref<2x3xf32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i8
  %flag = memref.load %taps[%c1] : memref<2xi8>
  %on = arith.cmpi ne, %flag, %zero : i8
  scf.if %on {
    %id = arith.constant 1 : i32
    %u = memref.cast %h : memref<2x3xf32> to memref<*xf32>
    func.call @penstock_tap_f32(%id, %u) : (i32, memref<*xf32>) -> ()
  }
  return
}
func.func @job(%arena: memref<?xi8>, %x: memref<2x3xf32>, %taps: memref<2xi8>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i8
  %h = memref.view %arena[%c64][] : memref<?xi8> to memref<2x3xf32>
  memref.copy %x, %h : memref<2x3xf32> to memref<2x3xf32>
  %flag = memref.load %taps[%c0] : memref<2xi8>
  %on = arith.cmpi ne, %flag, %zero : i8
  scf.if %on {
    %id = arith.constant 0 : i32
    %u = memref.cast %h : memref<2x3xf32> to memref<*xf32>
    func.call @penstock_tap_f32(%id, %u) : (i32, memref<*xf32>) -> ()
  }
  func.call @watch(%taps, %h) : (memref<2xi8>, memref<2x3xf32>) -> ()
  return
}
"""


@pytest.mark.parametrize("flags", [(0, 0), (1, 0), (0, 1), (255, 7)])
def test_taps_with_set_flags_see_their_blob(
    flags: tuple[int, int],
    align: Callable[[Array], Array],
    call_entry: Callable[..., None],
) -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    arrays = [align(np.zeros(128, np.int8)), align(x), align(np.array(flags, np.uint8))]
    seen: list[tuple[int | None, int, list[float]]] = []

    def tap(user: int | None, identifier: int, data: int) -> None:
        blob = np.frombuffer(ctypes.string_at(data, x.nbytes), np.float32)
        seen.append((user, identifier, blob.tolist()))

    loaded = load_object(llvm.compile_object(emit_llvm(parse_module(SOURCE))), "job")
    call_entry(loaded.address, arrays, tap, user=0x1234)
    assert seen == [(0x1234, i, x.ravel().tolist()) for i in (0, 1) if flags[i]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "penstock_tap_f32",
            "print",
            "@print has no body, and only taps and call-outs come from outside",
        ),
        (
            "%u = memref.cast %h : memref<2x3xf32> to memref<*xf32>\n    func.call @penstock_tap",
            """%c2 = arith.constant 2 : index
    %p = memref.subview %h[0, 0] [2, 2] [1, 1]
      : memref<2x3xf32> to memref<2x2xf32, strided<[3, 1]>>
    %u = memref.cast %p : memref<2x2xf32, strided<[3, 1]>> to memref<*xf32>
    func.call @penstock_tap""",
            "a tap takes a row-major buffer, got memref<2x2xf32, strided<[3, 1]>>: copy it",
        ),
    ],
)
def test_invalid_taps_are_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(IRError) as caught:
        emit_llvm(parse_module(SOURCE.replace(old, new)))
    assert message in str(caught.value)
    assert len(caught.value.diagnostics) == 1
