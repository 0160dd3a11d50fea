"""Vector ops give the same bits through MLIR's own lowering."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from interop_tools import require
from loops_interpreter import run_job
from mlir_runner import check, run_buffers

from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.verify.verifier import verify

Array = np.ndarray[Any, Any]

HEAD = """
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %f0 = arith.constant 0.0 : f32
    %a = vector.transfer_read %x[%c1, %c0], %f0 {in_bounds = [true, true]} : memref<8x16xf32>, vector<4x8xf32>
    %r = vector.load %x[%c2, %c1] : memref<8x16xf32>, vector<8xf32>
    %col = vector.transfer_read %x[%c1, %c2], %f0 {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x16xf32>, vector<4xf32>
    %ri = vector.load %n[%c8] : memref<64xi32>, vector<8xi32>
"""  # noqa: E501
PROGRAMS = {
    "tiles": """
    %t = vector.transfer_read %x[%c0, %c1], %f0 {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<8x16xf32>, vector<8x4xf32>
    %u = vector.transpose %t, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    %v = vector.transfer_read %x[%c1, %c2], %f0 {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : memref<8x16xf32>, vector<4x8xf32>
    %w = arith.addf %u, %v : vector<4x8xf32>
    vector.transfer_write %w, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<8x16xf32>
    vector.transfer_write %u, %y[%c0, %c8] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, memref<8x16xf32>
    """,  # noqa: E501
    "outer products": """
    %b = vector.outerproduct %col, %r, %a : vector<4xf32>, vector<8xf32>
    %c = vector.outerproduct %col, %r : vector<4xf32>, vector<8xf32>
    %d = vector.outerproduct %r, %f0, %r : vector<8xf32>, f32
    %e = vector.broadcast %d : vector<8xf32> to vector<4x8xf32>
    %f = vector.fma %b, %c, %e : vector<4x8xf32>
    vector.transfer_write %f, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<8x16xf32>
    """,  # noqa: E501
    "a column by a row": """
    %b = vector.shape_cast %col : vector<4xf32> to vector<4x1xf32>
    %c = vector.broadcast %b : vector<4x1xf32> to vector<4x8xf32>
    %d = arith.maximumf %c, %a : vector<4x8xf32>
    vector.transfer_write %d, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<8x16xf32>
    """,  # noqa: E501
    "reductions": """
    %b = vector.reduction <add>, %r : vector<8xf32> into f32
    %c = vector.reduction <add>, %r, %b : vector<8xf32> into f32
    %d = vector.reduction <maximumf>, %r, %f0 : vector<8xf32> into f32
    %e = vector.multi_reduction <add>, %a, %col [1] : vector<4x8xf32> to vector<4xf32>
    %f = vector.multi_reduction <maximumf>, %a, %r [0] : vector<4x8xf32> to vector<8xf32>
    %i = vector.reduction <add>, %ri : vector<8xi32> into i32
    %j = vector.reduction <minsi>, %ri, %i : vector<8xi32> into i32
    memref.store %c, %y[%c0, %c0] : memref<8x16xf32>
    memref.store %d, %y[%c0, %c1] : memref<8x16xf32>
    memref.store %j, %m[%c1] : memref<64xi32>
    vector.store %e, %y[%c1, %c0] : memref<8x16xf32>, vector<4xf32>
    vector.store %f, %y[%c2, %c0] : memref<8x16xf32>, vector<8xf32>
    """,
    "halves": """
    %b = vector.extract_strided_slice %r {offsets = [0], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
    %c = vector.extract_strided_slice %r {offsets = [4], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
    %d = arith.addf %b, %c : vector<4xf32>
    %e = vector.insert_strided_slice %d, %a {offsets = [1, 2], strides = [1]} : vector<4xf32> into vector<4x8xf32>
    %f = vector.insert %r, %e [3] : vector<8xf32> into vector<4x8xf32>
    %g = vector.extract %a[2, 5] : f32 from vector<4x8xf32>
    %h = vector.insert %g, %f [0, 0] : f32 into vector<4x8xf32>
    vector.transfer_write %h, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<8x16xf32>
    """,  # noqa: E501
    "shapes": """
    %b = vector.shape_cast %a : vector<4x8xf32> to vector<32xf32>
    %c = vector.shape_cast %b : vector<32xf32> to vector<8x4xf32>
    %d = vector.bitcast %r : vector<8xf32> to vector<8xi32>
    %e = vector.shuffle %r, %r [8, 0, 7, 15, 3] : vector<8xf32>, vector<8xf32>
    vector.transfer_write %c, %y[%c0, %c0] {in_bounds = [true, true]} : vector<8x4xf32>, memref<8x16xf32>
    vector.store %d, %m[%c0] : memref<64xi32>, vector<8xi32>
    vector.store %e, %y[%c1, %c8] : memref<8x16xf32>, vector<5xf32>
    """,  # noqa: E501
    "masks": """
    %b = vector.constant_mask [5] : vector<8xi1>
    %c = vector.create_mask %c2 : vector<8xi1>
    %d = vector.maskedload %x[%c1, %c8], %b, %r : memref<8x16xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.maskedstore %y[%c1, %c8], %c, %d : memref<8x16xf32>, vector<8xi1>, vector<8xf32>
    %e = vector.gather %x[%c0, %c0][%ri], %b, %d : memref<8x16xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.store %e, %y[%c0, %c0] : memref<8x16xf32>, vector<8xf32>
    %f = vector.step : vector<8xindex>
    %g = arith.index_cast %f : vector<8xindex> to vector<8xi32>
    %h = arith.select %b, %g, %ri : vector<8xi1>, vector<8xi32>
    vector.store %h, %m[%c0] : memref<64xi32>, vector<8xi32>
    """,  # noqa: E501
    "tasks": """
    scf.forall (%i, %j) in (8, 2) {
      %s = memref.alloca() : memref<8xf32>
      %k = arith.muli %j, %c8 : index
      %b = vector.load %x[%i, %k] : memref<8x16xf32>, vector<8xf32>
      vector.store %b, %s[%c0] : memref<8xf32>, vector<8xf32>
      %t = scf.for %l = %c0 to %c8 step %c1 iter_args(%o = %b) -> (vector<8xf32>) {
        %p = memref.load %s[%l] : memref<8xf32>
        %q = vector.broadcast %p : f32 to vector<8xf32>
        %u = arith.addf %o, %q : vector<8xf32>
        scf.yield %u : vector<8xf32>
      }
      vector.store %t, %y[%i, %k] {nontemporal = true} : memref<8x16xf32>, vector<8xf32>
    }
    scf.forall (%i) = (1) to (8) step (3) {
      %b = arith.index_cast %i : index to i32
      memref.store %b, %m[%i] : memref<64xi32>
    } {mapping = [#gpu.thread<x>]}
    """,
    "elementwise": """
    %z = arith.constant dense<0.0> : vector<4x8xf32>
    %b = arith.cmpf ogt, %a, %z : vector<4x8xf32>
    %c = arith.select %b, %a, %z : vector<4x8xi1>, vector<4x8xf32>
    %d = arith.negf %c : vector<4x8xf32>
    %e = arith.fptosi %a : vector<4x8xf32> to vector<4x8xi32>
    %f = arith.sitofp %e : vector<4x8xi32> to vector<4x8xf32>
    %g = math.fma %d, %f, %a : vector<4x8xf32>
    vector.transfer_write %g, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<8x16xf32>
    """,  # noqa: E501
}


def program(body: str) -> Module:
    module = parse_module(f"""
module @job attributes {{job.type = "predict"}} {{
  func.func @job(%x: memref<8x16xf32> {{job.feed = "x"}}, %n: memref<64xi32> {{job.feed = "n"}},
      %y: memref<8x16xf32> {{job.variable = "y"}}, %m: memref<64xi32> {{job.variable = "m"}}) {{
    {HEAD}
    {body}
    return
  }}
}}""")
    verify(module)
    return module


@pytest.fixture(scope="module")
def given() -> dict[str, Array]:
    random = np.random.default_rng(3)
    return {
        "x": random.standard_normal((8, 16), np.float32),
        "n": random.integers(0, 100, 64, dtype=np.int32),
        "y": np.full((8, 16), 7, np.float32),
        "m": np.full(64, 7, np.int32),
    }


@pytest.mark.parametrize("name", PROGRAMS)
def test_mlir_runs_vectors_with_the_same_result(name: str, given: dict[str, Array]) -> None:
    require("mlir-runner-22")
    module = program(PROGRAMS[name])
    check(module)
    ours = run_job(module, given)
    theirs = run_buffers(module, *(given[key] for key in ("x", "n", "y", "m")))
    assert not np.array_equal(ours["y"], given["y"])
    for key, array in zip(("y", "m"), theirs[2:], strict=True):
        np.testing.assert_array_equal(ours[key].view(np.int32), array.view(np.int32), key)


def test_conflicting_tasks_are_detected(given: dict[str, Array]) -> None:
    for body in (
        "memref.store %f0, %y[%c0, %c0] : memref<8x16xf32>",
        "%l = memref.load %y[%i, %c0] : memref<8x16xf32>\n"
        "memref.store %l, %y[%c0, %c0] : memref<8x16xf32>",
    ):
        module = program(f"scf.forall (%i) in (4) {{\n{body}\n}}")
        with pytest.raises(AssertionError, match="a task"):
            run_job(module, given)
