"""Proofs that accesses are in bounds: sound, and precise enough for our loops."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from penstock.ir import types as ty
from penstock.ir.core import Block, Operation, Value
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import arith, func, memref, scf
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.opdef import registry
from penstock.ir.verify.known import IntegerInterface, is_counted, limits
from penstock.ir.verify.reach import AccessInterface
from penstock.ir.verify.verifier import verify
from penstock.ir.verify.walk import Proof

PROGRAMS = int(os.environ.get("PENSTOCK_BOUNDS_PROGRAMS", 50))
EXTENTS = (4, 9, 16, 25, 64, 200)
"""The sizes of the buffers."""
POINTS = 4000
"""The most iterations of a random program."""


def proof_of(body: str, arguments: str = "") -> Proof:
    module = parse_module(f"func.func @f({arguments}) {{ {body} return }}")
    return Proof(module.functions()[0])


def said(body: str, arguments: str = "") -> str:
    """The verifier's error for a function; empty if it accepts it."""
    module = parse_module(f"func.func @f({arguments}) {{ {body} return }}")
    try:
        verify(module)
    except IRError as error:
        return "; ".join(d.message for d in error.diagnostics)
    return ""


def numbers(*values: int) -> str:
    """Constants named after their values: `%c0`, `%c8`, `%cm1`."""
    names = ((f"%c{n}" if n >= 0 else f"%cm{-n}", n) for n in values)
    return " ".join(f"{name} = arith.constant {n} : index" for name, n in names)


# -- what is refused ------------------------------------------------------------------------------

X = "%x: memref<8xf32>"
OUTSIDE = {
    "load": (X, "%y = memref.load %x[%c8] : memref<8xf32>", "reads element 8 of dimension 0 of %x"),
    "negative": (X, "%y = memref.load %x[%cm1] : memref<8xf32>", "reads element -1 "),
    "store": (
        X,
        "%z = arith.constant 0.0 : f32 memref.store %z, %x[%big] : memref<8xf32>",
        "writes element 4000000000 ",
    ),
    "rows backwards": (
        "%x: memref<31xf32>",
        "%c24 = arith.constant 24 : index %c32 = arith.constant 32 : index "
        "scf.for %i = %c0 to %c32 step %c1 { %q = arith.divsi %i, %c8 : index "
        "%r = arith.remsi %i, %c8 : index %m = arith.muli %q, %c8 : index "
        "%f = arith.subi %c24, %m : index %s = arith.addi %f, %r : index "
        "%y = memref.load %x[%s] : memref<31xf32> }",
        "reads elements 0 to 31 ",
    ),
    "vector.load": (
        X,
        "%y = vector.load %x[%c1] : memref<8xf32>, vector<8xf32>",
        "reads elements 1 to 8 ",
    ),
    "vector.store": (
        X,
        "%z = arith.constant dense<0.0> : vector<4xf32> "
        "vector.store %z, %x[%c8] : memref<8xf32>, vector<4xf32>",
        "writes elements 8 to 11 ",
    ),
    "transfer_read": (
        "%x: memref<4x8xf32>",
        "%p = arith.constant 0.0 : f32 %y = vector.transfer_read %x[%c1, %c0], %p "
        "{in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>",
        "reads elements 1 to 4 of dimension 0 ",
    ),
    "permuted transfer": (
        "%x: memref<4x8xf32>",
        "%p = arith.constant 0.0 : f32 %y = vector.transfer_read %x[%c1, %c0], %p "
        "{in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : "
        "memref<4x8xf32>, vector<4xf32>",
        "reads elements 1 to 4 of dimension 0 ",
    ),
    "masked": (
        X,
        "%m = vector.constant_mask [3] : vector<4xi1> %p = arith.constant dense<0.0> : "
        "vector<4xf32> %y = vector.maskedload %x[%c6], %m, %p : memref<8xf32>, vector<4xi1>, "
        "vector<4xf32> into vector<4xf32>",
        "reads elements 6 to 8 ",
    ),
    "gather": (
        X,
        "%i = arith.constant dense<[0, 9]> : vector<2xindex> %m = arith.constant dense<true> : "
        "vector<2xi1> %p = arith.constant dense<0.0> : vector<2xf32> %y = vector.gather %x[%c0]"
        "[%i], %m, %p : memref<8xf32>, vector<2xindex>, vector<2xi1>, vector<2xf32> into "
        "vector<2xf32>",
        "reads elements 0 to 9 ",
    ),
    "loop": (
        X,
        "scf.for %i = %c0 to %c8 step %c1 { %j = arith.addi %i, %c1 : index "
        "%y = memref.load %x[%j] : memref<8xf32> }",
        "reads elements 1 to 8 ",
    ),
    "backwards": (
        X,
        "scf.for %i = %c0 to %c8 step %c1 { %j = arith.subi %c6, %i : index "
        "%y = memref.load %x[%j] : memref<8xf32> }",
        "reads elements -1 to 6 ",
    ),
    "tasks": (
        X,
        "scf.forall (%i) in (9) { %y = memref.load %x[%i] : memref<8xf32> }",
        "reads elements 0 to 8 ",
    ),
    "arena": (
        "%a: memref<?xi8> {job.arena = 128 : i64}",
        "%v = memref.view %a[%c64][] : memref<?xi8> to memref<17xf32>",
        "covers elements 64 to 131 of dimension 0 of %a, memref<?xi8>: expected 0 to 127",
    ),
    "view between elements": (
        "%a: memref<?xi8> {job.arena = 128 : i64}",
        "%v = memref.view %a[%c6][] : memref<?xi8> to memref<4xf32>",
        "begins at a byte that may be no multiple of 4",
    ),
    "subview": (
        X,
        "%v = memref.subview %x[4] [3] [2] : memref<8xf32> to "
        "memref<3xf32, strided<[2], offset: 4>>",
        "covers elements 4 to 8 ",
    ),
    "subview of another size": (
        X,
        "%v = memref.subview %x[0] [4] [1] : memref<8xf32> to memref<1000xf32, strided<[1]>>",
        "expected the shape that its sizes give",
    ),
    "subview of other strides": (
        X,
        "%v = memref.subview %x[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[100]>>",
        "which do not follow from",
    ),
    "subview from elsewhere": (
        X,
        "%v = memref.subview %x[0] [4] [1] : memref<8xf32> to "
        "memref<4xf32, strided<[1], offset: 99>>",
        "has the offset 99",
    ),
    "collapse": (
        "%x: memref<2x4xf32>",
        "%v = memref.collapse_shape %x [[0, 1]] : memref<2x4xf32> into memref<9xf32>",
        "expected as many elements",
    ),
    "collapse with gaps": (
        "%x: memref<2x4xf32, strided<[8, 1]>>",
        "%v = memref.collapse_shape %x [[0, 1]] : memref<2x4xf32, strided<[8, 1]>> into "
        "memref<8xf32, strided<[1]>>",
        "expected joined dimensions to be contiguous",
    ),
    "expand": (
        X,
        "%v = memref.expand_shape %x [[0, 1]] output_shape [2, 5] : memref<8xf32> into "
        "memref<2x5xf32>",
        "expected as many elements",
    ),
    "copy": (
        f"{X}, %z: memref<9xf32>",
        "memref.copy %x, %z : memref<8xf32> to memref<9xf32>",
        "expected buffers of one shape",
    ),
    "tensor.extract": (
        "%t: tensor<4xf32>",
        "%y = tensor.extract %t[%c8] : tensor<4xf32>",
        "reads element 8 ",
    ),
    "extract_slice": (
        "%t: tensor<4xf32>",
        "%y = tensor.extract_slice %t[2] [3] [1] : tensor<4xf32> to tensor<3xf32>",
        "covers elements 2 to 4 ",
    ),
    "insert_slice": (
        "%t: tensor<4xf32>, %s: tensor<3xf32>",
        "%y = tensor.insert_slice %s into %t[2] [3] [1] : tensor<3xf32> into tensor<4xf32>",
        "covers elements 2 to 4 ",
    ),
    "tensor.collapse_shape": (
        "%t: tensor<2x4xf32>",
        "%y = tensor.collapse_shape %t [[0, 1]] : tensor<2x4xf32> into tensor<7xf32>",
        "expected as many elements",
    ),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_accesses_out_of_bounds_are_refused(name: str) -> None:
    arguments, body, wanted = OUTSIDE[name]
    constants = numbers(0, 1, 6, 8, 64, -1) + " %big = arith.constant 4000000000 : index"
    assert wanted in said(f"{constants} {body}", arguments)


@pytest.mark.parametrize(
    ("expr", "extent", "comes_to"),
    [
        ("d0 + 3", 4, 6),
        ("d0 - 1", 4, -1),
        ("-d0 + 3", 4, None),
        ("-d0 + 2", 4, -1),
        ("d0 * 1000000000", 4, 3000000000),
        ("d0 floordiv 2", 2, None),
        ("d0 floordiv 2", 1, 1),
        ("d0 mod 3", 3, None),
        ("d0 mod 3", 2, 2),
        ("d0 - (d0 floordiv 2) * 2", 2, None),
        ("d0 + d1", 6, None),
        ("d0 - d1", 4, -2),
        ("d0 * 2 - d1 + 2", 9, None),
        ("d0 * 2 - d1 + 2", 8, 8),
    ],
)
def test_maps_are_checked_against_their_tensors(
    expr: str, extent: int, comes_to: int | None
) -> None:
    text = (
        f"%y = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> ({expr})>, "
        "affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ['parallel', 'parallel']} "
        f"ins(%x : tensor<{extent}xf32>) outs(%e : tensor<4x3xf32>) {{ "
        "^bb0(%a: f32, %b: f32): linalg.yield %a : f32 } -> tensor<4x3xf32>"
    ).replace("'", '"')
    found = said(text, f"%x: tensor<{extent}xf32>, %e: tensor<4x3xf32>")
    if comes_to is None:
        assert not found
    else:
        assert f"reaches {comes_to}" in found


# -- what is proved -------------------------------------------------------------------------------

INSIDE = {
    "a remainder of vectors": (
        "memref<20001xf32>",
        "scf.forall (%t) in (4) { %a = arith.muli %t, %c5024 : index %b = arith.addi %a, %c5024 : "
        "index %e = arith.minsi %b, %c20000 : index scf.for %i = %a to %e step %c32 { "
        "%y = vector.load %x[%i] : memref<20001xf32>, vector<32xf32> } }",
    ),
    "blocks of a block": (
        "memref<150xf32>",
        "scf.for %i = %c0 to %c150 step %c64 { %a = arith.addi %i, %c64 : index "
        "%e = arith.minsi %a, %c150 : index scf.for %j = %i to %e step %c1 { "
        "%y = memref.load %x[%j] : memref<150xf32> } }",
    ),
    "quotient and remainder": (
        "memref<4x8xf32>",
        "scf.for %i = %c0 to %c32 step %c1 { %q = arith.divsi %i, %c8 : index "
        "%r = arith.remsi %i, %c8 : index %y = memref.load %x[%q, %r] : memref<4x8xf32> }",
    ),
    "rows backwards": (
        "memref<32xf32>",
        "scf.for %i = %c0 to %c32 step %c1 { %q = arith.divsi %i, %c8 : index "
        "%r = arith.remsi %i, %c8 : index %m = arith.muli %q, %c8 : index "
        "%f = arith.subi %c24, %m : index %s = arith.addi %f, %r : index "
        "%y = memref.load %x[%s] : memref<32xf32> }",
    ),
    "columns backwards": (
        "memref<32xf32>",
        "scf.for %i = %c0 to %c32 step %c1 { %q = arith.divsi %i, %c8 : index "
        "%r = arith.remsi %i, %c8 : index %m = arith.muli %q, %c8 : index "
        "%f = arith.addi %m, %c7 : index %s = arith.subi %f, %r : index "
        "%y = memref.load %x[%s] : memref<32xf32> }",
    ),
    "rows of a range backwards": (
        "memref<32xf32>",
        "scf.for %i = %c0 to %c16 step %c1 { %j = arith.addi %i, %c5 : index "
        "%q = arith.divsi %j, %c8 : index %r = arith.remsi %j, %c8 : index "
        "%m = arith.muli %q, %c8 : index %f = arith.subi %c24, %m : index "
        "%s = arith.addi %f, %r : index %y = memref.load %x[%s] : memref<32xf32> }",
    ),
    "put together again": (
        "memref<32xf32>",
        "scf.for %i = %c0 to %c32 step %c1 { %q = arith.divsi %i, %c8 : index "
        "%r = arith.remsi %i, %c8 : index %m = arith.muli %q, %c8 : index "
        "%s = arith.addi %m, %r : index %y = memref.load %x[%s] : memref<32xf32> }",
    ),
    "a counter": (
        "memref<8xf32>",
        "%n = scf.for %i = %c0 to %c8 step %c1 iter_args(%k = %c0) -> (index) { "
        "%y = memref.load %x[%k] : memref<8xf32> %z = arith.constant 0.0 : f32 "
        "%b = arith.cmpf olt, %y, %z : f32 %m = arith.addi %k, %c1 : index "
        "%w = arith.select %b, %m, %k : index scf.yield %w : index }",
    ),
    "a guard": (
        "memref<8xi32>",
        "%v = memref.load %x[%c0] : memref<8xi32> %i = arith.index_cast %v : i32 to index "
        "%b = arith.cmpi ult, %i, %c8 : index "
        "scf.if %b { %y = memref.load %x[%i] : memref<8xi32> }",
    ),
    "two guards": (
        "memref<8xi32>",
        "%v = memref.load %x[%c0] : memref<8xi32> %i = arith.index_cast %v : i32 to index "
        "%b = arith.cmpi sge, %i, %c0 : index %d = arith.cmpi slt, %i, %c8 : index "
        "%g = arith.andi %b, %d : i1 scf.if %g { %y = memref.load %x[%i] : memref<8xi32> }",
    ),
    "clamped": (
        "memref<8xi32>",
        "%v = memref.load %x[%c0] : memref<8xi32> %i = arith.index_cast %v : i32 to index "
        "%a = arith.maxsi %i, %c0 : index %b = arith.minsi %a, %c1 : index "
        "%y = memref.load %x[%b] : memref<8xi32>",
    ),
    "chosen": (
        "memref<8xi32>",
        "%v = memref.load %x[%c0] : memref<8xi32> %i = arith.index_cast %v : i32 to index "
        "%b = arith.cmpi ult, %i, %c8 : index %j = arith.select %b, %i, %c0 : index "
        "%y = memref.load %x[%j] : memref<8xi32>",
    ),
    "a masked tail": (
        "memref<20xf32>",
        "scf.for %i = %c0 to %c20 step %c8 { %n = arith.subi %c20, %i : index "
        "%m = vector.create_mask %n : vector<8xi1> %p = arith.constant dense<0.0> : vector<8xf32> "
        "%y = vector.maskedload %x[%i], %m, %p : memref<20xf32>, vector<8xi1>, vector<8xf32> into "
        "vector<8xf32> }",
    ),
    "rows of a task": (
        "memref<8xf32>",
        "scf.forall (%t) in (10) { %a = arith.muli %t, %c56 : index "
        "%u = arith.addi %t, %c1 : index %b = arith.muli %u, %c56 : index "
        "%p = arith.divsi %a, %c10 : index %q = arith.divsi %b, %c10 : index "
        "%n = arith.subi %q, %p : index "
        "%m = arith.addi %n, %c2 : index scf.for %i = %c0 to %m step %c1 { "
        "%y = memref.load %x[%i] : memref<8xf32> } }",
    ),
    "windows of a task's rows": (
        "memref<43xf32>",
        "scf.forall (%t) in (6) { %a = arith.muli %t, %c112 : index "
        "%u = arith.addi %t, %c1 : index %b = arith.muli %u, %c112 : index "
        "%p = arith.divsi %a, %c6 : index %q = arith.divsi %b, %c6 : index "
        "%n = arith.subi %q, %p : index %d = arith.muli %n, %c2 : index "
        "%m = arith.addi %d, %c5 : index scf.for %i = %c0 to %m step %c1 { "
        "%y = memref.load %x[%i] : memref<43xf32> } }",
    ),
    "a choice that is made": (
        "memref<8xf32>",
        "%b = arith.cmpi slt, %c8, %c3 : index %j = arith.select %b, %c20, %c3 : index "
        "%y = memref.load %x[%j] : memref<8xf32>",
    ),
    "a smaller last block": (
        "memref<19xf32>",
        "scf.for %d = %c0 to %c19 step %c16 { %a = arith.addi %d, %c16 : index "
        "%e = arith.minsi %a, %c19 : index %r = arith.remsi %e, %c16 : index "
        "%w = arith.subi %e, %r : index scf.for %k = %w to %e step %c3 { "
        "%y = vector.load %x[%k] : memref<19xf32>, vector<3xf32> } }",
    ),
    "a loop without iterations": (
        "memref<0xf32>",
        "scf.for %i = %c0 to %c0 step %c1 { %y = memref.load %x[%i] : memref<0xf32> }",
    ),
}


@pytest.mark.parametrize("name", INSIDE)
def test_accesses_in_bounds_are_proved(name: str) -> None:
    type, body = INSIDE[name]
    constants = numbers(
        0, 1, 2, 3, 5, 6, 7, 8, 10, 16, 19, 20, 24, 32, 56, 64, 112, 150, 5024, 20000
    )
    proof = proof_of(f"{constants} {body}", f"%x: {type}")
    assert not proof.problems
    assert not proof.unproved
    assert proof.proved


def test_data_dependent_accesses_are_counted_not_proved() -> None:
    body = (
        f"{numbers(0)} %v = memref.load %x[%c0] : memref<8xi32> "
        "%i = arith.index_cast %v : i32 to index %y = memref.load %x[%i] : memref<8xi32>"
    )
    proof = proof_of(body, "%x: memref<8xi32>")
    assert (proof.proved["memref.load"], proof.unproved["memref.load"]) == (1, 1)
    assert not proof.problems


def test_facts_hold_only_in_their_region() -> None:
    access = "%y = memref.load %x[%i] : memref<8xi32>"
    body = (
        f"{numbers(0, 8)} %v = memref.load %x[%c0] : memref<8xi32> "
        "%i = arith.index_cast %v : i32 to index %b = arith.cmpi ult, %i, %c8 : index "
        f"scf.if %b {{ {access} }} else {{ {access} }} {access}"
    )
    proof = proof_of(body, "%x: memref<8xi32>")
    assert (proof.proved["memref.load"], proof.unproved["memref.load"]) == (2, 2)


NOT_PROVED = {
    "grown by what each iteration adds": (
        "%x: memref<13xf32>",
        "%o = scf.for %i = %c0 to %c8 step %c1 iter_args(%k = %c0) -> (index) { "
        "%y = memref.load %x[%k] : memref<13xf32> %d = arith.subi %c7, %i : index "
        "%m = arith.addi %k, %d : index scf.yield %m : index }",
    ),
    "one bit as a signed number": (
        X,
        "%k = arith.constant 1 : i32 %t = arith.trunci %k : i32 to i1 "
        "%s = arith.extsi %t : i1 to i32 %j = arith.index_cast %s : i32 to index "
        "%y = memref.load %x[%j] : memref<8xf32>",
    ),
    "one bit as an index": (
        X,
        "%t = arith.index_cast %c1 : index to i1 %j = arith.index_cast %t : i1 to index "
        "%y = memref.load %x[%j] : memref<8xf32>",
    ),
    "bits as places": (
        X,
        "%m = arith.constant dense<true> : vector<4xi1> "
        "%i = arith.extsi %m : vector<4xi1> to vector<4xi32> "
        "%p = arith.constant dense<0.0> : vector<4xf32> %y = vector.gather %x[%c0][%i], %m, %p : "
        "memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
    ),
    "a comparison of bits": (
        X,
        "%a = arith.constant 1 : i32 %b = arith.constant 0 : i32 "
        "%t = arith.trunci %a : i32 to i1 %u = arith.trunci %b : i32 to i1 "
        "%c = arith.cmpi slt, %t, %u : i1 scf.if %c { %y = memref.load %x[%c20] : memref<8xf32> }",
    ),
    "a cast to more elements": (
        X,
        "%v = memref.cast %x : memref<8xf32> to memref<1000xf32> "
        "%y = memref.load %v[%c20] : memref<1000xf32>",
    ),
    "a cast there and back": (
        X,
        "%v = memref.cast %x : memref<8xf32> to memref<?xf32> "
        "%w = memref.cast %v : memref<?xf32> to memref<1000xf32> "
        "%y = memref.load %w[%c20] : memref<1000xf32>",
    ),
    "a cast to other strides": (
        X,
        "%v = memref.cast %x : memref<8xf32> to memref<8xf32, strided<[100]>>",
    ),
    "an arena of elements": (
        "%a: memref<?xf32> {job.arena = 128 : i64}",
        "%y = memref.load %a[%c64] : memref<?xf32>",
    ),
    "an arena of two dimensions": (
        "%a: memref<?x?xi8> {job.arena = 128 : i64}",
        "%y = memref.load %a[%c64, %c64] : memref<?x?xi8>",
    ),
    "a view with strides": (
        "%a: memref<?xi8> {job.arena = 128 : i64}",
        "%v = memref.view %a[%c0][] : memref<?xi8> to memref<4xf32, strided<[100]>>",
    ),
    "a gather from one element": (
        "%z: memref<f32>",
        "%i = arith.constant dense<[0, 9]> : vector<2xindex> "
        "%m = arith.constant dense<true> : vector<2xi1> "
        "%p = arith.constant dense<0.0> : vector<2xf32> %y = vector.gather %z[][%i], %m, %p : "
        "memref<f32>, vector<2xindex>, vector<2xi1>, vector<2xf32> into vector<2xf32>",
    ),
    "a product of wide integers": (
        "%x: memref<8xi32>",
        "%v = memref.load %x[%c0] : memref<8xi32> %l = arith.extsi %v : i32 to i64 "
        "%a = arith.extsi %l : i64 to i128 %b = arith.muli %a, %a : i128 "
        "%z = arith.constant 0 : i128 %c = arith.maxsi %b, %z : i128 "
        "%s = arith.constant 62 : i128 %d = arith.shrui %c, %s : i128 "
        "%j = arith.index_cast %d : i128 to index %y = memref.load %x[%j] : memref<8xi32>",
    ),
    "an element at no position": (
        X,
        "%v = vector.step : vector<4xindex> "
        "%e = vector.extract %v[%c20] : index from vector<4xindex> "
        "%y = memref.load %x[%e] : memref<8xf32>",
    ),
    "a transfer that begins before": (
        X,
        "%p = arith.constant 0.0 : f32 %y = vector.transfer_read %x[%cm1], %p "
        "{in_bounds = [false]} : memref<8xf32>, vector<4xf32>",
    ),
    "a vector of a higher rank": (
        X,
        "%y = vector.load %x[%c0] : memref<8xf32>, vector<2x4xf32>",
    ),
}


@pytest.mark.parametrize("name", NOT_PROVED)
def test_accesses_that_may_be_out_of_bounds_are_not_proved(name: str) -> None:
    arguments, body = NOT_PROVED[name]
    body = f"{numbers(0, 1, 7, 8, 20, 64, -1)} {body}"
    if not said(body, arguments):
        assert proof_of(body, arguments).unproved


def test_an_arena_is_that_of_the_entry() -> None:
    module = parse_module(
        "func.func private @g(%a: memref<?xi8> {job.arena = 128 : i64}) { return } "
        "func.func @f(%b: memref<?xi8>) { func.call @g(%b) : (memref<?xi8>) -> () return }"
    )
    with pytest.raises(IRError, match="takes an arena"):
        verify(module)


@pytest.mark.parametrize(
    "chain",
    [
        "%b{k} = arith.andi %b{j}, %b{j} : i1",
        "%b{k} = arith.ori %b{j}, %b{j} : i1",
    ],
)
def test_nested_conditions_are_checked_in_linear_time(chain: str) -> None:
    lines = " ".join(chain.format(k=k + 1, j=k) for k in range(1200))
    body = (
        f"{numbers(0, 8)} %v = memref.load %x[%c0] : memref<8xi32> "
        "%i = arith.index_cast %v : i32 to index %b0 = arith.cmpi ult, %i, %c8 : index "
        f"{lines} scf.if %b1200 {{ }} else {{ %y = memref.load %x[%i] : memref<8xi32> }}"
    )
    assert not said(body, "%x: memref<8xi32>")


def test_sums_of_many_and_large_numbers_are_bounded() -> None:
    loads = " ".join(
        f"%v{k} = memref.load %x[%c0] : memref<8xindex> %s{k + 1} = arith.addi %s{k}, %v{k} : index"
        for k in range(1200)
    )
    squares = " ".join(f"%m{k + 1} = arith.muli %m{k}, %m{k} : index" for k in range(40))
    body = (
        f"{numbers(0, 3)} %s0 = arith.addi %c0, %c0 : index {loads} %m0 = arith.addi %c3, %c0 : "
        f"index {squares} %y = memref.load %x[%s1200] : memref<8xindex>"
    )
    assert proof_of(body, "%x: memref<8xindex>").unproved["memref.load"] == 1


def test_wrapping_sums_are_not_bounded() -> None:
    body = (
        f"{numbers(0, 1, 8)} %big = arith.constant 9223372036854775807 : index "
        "%w = arith.addi %big, %c1 : index %b = arith.cmpi slt, %w, %c8 : index "
        "%i = arith.select %b, %big, %c0 : index %y = memref.load %x[%i] : memref<8xi32>"
    )
    assert "reads element 9223372036854775807 " in said(body, "%x: memref<8xi32>")


def test_long_chains_are_walked() -> None:
    chain = " ".join(f"%v{k + 1} = arith.addi %v{k}, %c1 : index" for k in range(5000))
    body = f"{numbers(0, 1)} %v0 = arith.addi %c0, %c0 : index {chain} "
    access = "%y = memref.load %x[%v5000] : memref<5000xf32>"
    assert "reads element 5000 " in said(body + access, "%x: memref<5000xf32>")


# -- soundness: every value of random programs lies within its bounds -----------------------------


class Maker:
    """Generates the text of a function with loops, branches and integer arithmetic."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0
        self.constants: dict[str, int] = {}

    def text(self) -> str:
        self.block(self.numbers(6), depth=0)
        constants = [f"{n} = arith.constant {v} : index" for n, v in self.constants.items()]
        buffers = ", ".join(f"%x{n}: memref<{n}xf32>" for n in EXTENTS)
        return f"func.func @f({buffers}) {{ {' '.join(constants + self.lines)} return }}"

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def number(self, value: int) -> str:
        name = f"%c{value}" if value >= 0 else f"%m{-value}"
        self.constants[name] = value
        return name

    def numbers(self, count: int) -> list[str]:
        return [self.number(self.random.randint(-3, 20)) for _ in range(count)]

    def block(self, known: list[str], depth: int) -> list[str]:
        """Write some ops; returns the values that later ops may use."""
        known = list(known)
        for _ in range(self.random.randint(2, 6)):
            kind = self.random.random()
            if kind < 0.25 and depth < 3:
                known += self.loop(known, depth)
            elif kind < 0.4 and depth < 3:
                known += self.branch(known, depth)
            else:
                known.append(self.arithmetic(known))
            if self.random.random() < 0.5:
                extent, index = self.random.choice(EXTENTS), self.random.choice(known[-6:])
                load = f"memref.load %x{extent}[{index}] : memref<{extent}xf32>"
                self.lines.append(f"{self.fresh()} = {load}")
        return known

    def loop(self, known: list[str], depth: int) -> list[str]:
        pick = self.random.choice
        iv, carried, result = self.fresh(), self.fresh(), self.fresh()
        step = self.number(pick([1, 1, 2, 3, 4]))
        bounds = [pick(known) if self.random.random() < 0.5 else self.numbers(1)[0] for _ in "ab"]
        self.lines.append(
            f"{result} = scf.for {iv} = {bounds[0]} to {bounds[1]} step {step} "
            f"iter_args({carried} = {pick(known)}) -> (index) {{"
        )
        inside = self.block([*known, iv, carried, iv, carried], depth + 1)
        bound = pick(inside)
        if self.random.random() < 0.6:
            bound, more = self.fresh(), self.fresh()
            condition = self.condition(inside)
            self.lines.append(
                f"{more} = arith.addi {carried}, {self.number(pick([1, 2, -1]))} : index"
            )
            self.lines.append(f"{bound} = arith.select {condition}, {more}, {carried} : index")
        self.lines.append(f"scf.yield {bound} : index }}")
        return [result]

    def branch(self, known: list[str], depth: int) -> list[str]:
        condition, result = self.condition(known), self.fresh()
        self.lines.append(f"{result} = scf.if {condition} -> (index) {{")
        for word in ("} else {", "}"):
            inside = self.block(known, depth + 1)
            self.lines.append(f"scf.yield {self.random.choice(inside)} : index {word}")
        return [result]

    def condition(self, known: Sequence[str]) -> str:
        pick = self.random.choice
        names = []
        for _ in range(2):
            names.append(self.fresh())
            word = pick(arith.INTEGER_PREDICATES)
            self.lines.append(
                f"{names[-1]} = arith.cmpi {word}, {pick(known)}, {pick(known)} : index"
            )
        both = self.fresh()
        self.lines.append(f"{both} = arith.{pick(['andi', 'ori'])} {names[0]}, {names[1]} : i1")
        return pick([both, names[0]])

    def arithmetic(self, known: Sequence[str]) -> str:
        pick, name = self.random.choice, self.fresh()
        kind = pick([
            "addi", "subi", "muli", "minsi", "maxsi", "minui", "maxui", "divsi", "remsi", "divui",
            "remui", "floordivsi", "andi", "shli", "shrui", "select", "narrow", "ori",
        ])  # fmt: skip
        left, right = pick(known), pick(known)
        if kind in ("divsi", "remsi", "divui", "remui", "floordivsi"):
            right = self.number(pick([1, 2, 3, 4, 8]))
        if kind in ("shli", "shrui"):
            right = self.number(pick([0, 1, 3]))
        if kind == "andi":
            right = self.number(pick([3, 5, 7]))
        if kind == "select":
            condition = self.condition(known)
            self.lines.append(f"{name} = arith.select {condition}, {left}, {right} : index")
        elif kind == "narrow":
            width, half = pick(["i8", "i32"]), self.fresh()
            self.lines.append(f"{half} = arith.index_cast {left} : index to {width}")
            twice = self.fresh()
            self.lines.append(f"{twice} = arith.addi {half}, {half} : {width}")
            self.lines.append(f"{name} = arith.index_cast {twice} : {width} to index")
        else:
            self.lines.append(f"{name} = arith.{kind} {left}, {right} : index")
        return name


def wrapped(value: int, type: ty.Type) -> int:
    """The value, wrapped like the machine's."""
    width = type.width if isinstance(type, ty.IntegerType) else 64
    half = 1 << (width - 1)
    return value & 1 if width == 1 else (value + half) % (2 * half) - half


def shape_of(buffer: Value) -> tuple[int, ...]:
    assert isinstance(buffer.type, ty.MemRefType)
    return buffer.type.shape


def unsigned(value: int) -> int:
    return value % 2**64


def divided(x: int, y: int) -> int:
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


MEANING: dict[str, Callable[[int, int], int]] = {
    "addi": lambda x, y: x + y,
    "subi": lambda x, y: x - y,
    "muli": lambda x, y: x * y,
    "minsi": min,
    "maxsi": max,
    "minui": lambda x, y: min(x, y, key=unsigned),
    "maxui": lambda x, y: max(x, y, key=unsigned),
    "divsi": divided,
    "remsi": lambda x, y: x - divided(x, y) * y,
    "floordivsi": lambda x, y: x // y,
    "divui": lambda x, y: unsigned(x) // y,
    "remui": lambda x, y: unsigned(x) % y,
    "andi": lambda x, y: x & y,
    "ori": lambda x, y: x | y,
    "shli": lambda x, y: x << y,
    "shrui": lambda x, y: unsigned(x) >> y,
}
ORDER: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}


class Run:
    """One run of a function, with the minimum and maximum of each integer value."""

    def __init__(self, function: func.Func) -> None:
        self.values: dict[Value, int] = {}
        self.seen: dict[Value, tuple[int, int]] = {}
        self.outside: set[Operation] = set()
        """Out-of-bounds loads."""
        self.left = POINTS
        self.block(function.body)

    def note(self, value: Value, number: Any) -> None:
        number = wrapped(int(number), value.type)
        self.values[value] = number
        low, high = self.seen.get(value, (number, number))
        self.seen[value] = min(low, number), max(high, number)

    def block(self, block: Block) -> list[int]:
        for op in block:
            if isinstance(op, memref.Load):
                index, extent = self.values[op.operands[1]], shape_of(op.operands[0])[0]
                self.outside |= set() if 0 <= index < extent else {op}
                continue
            arrays = [self.values[v] for v in op.operands]
            if op.terminator:
                return arrays
            for result, number in zip(op.results, self.op(op, arrays), strict=True):
                self.note(result, number)
        return []

    def op(self, op: Operation, given: list[int]) -> list[Any]:
        match op:
            case arith.Constant():
                return [arith.scalar_of(op.value)]
            case scf.For():
                return self.loop(op, given)
            case scf.If():
                taken = op.then_block if given[0] else op.else_block
                assert taken is not None
                return self.block(taken)
            case arith.CmpI():
                word = op.predicate
                pair = map(unsigned, given) if word[0] == "u" else given
                return [ORDER[word[-2:]](*pair)]
            case arith.Select():
                return [given[1] if given[0] else given[2]]
            case arith.IndexCast():
                return given
            case _:
                return [MEANING[op.name.partition(".")[2]](*given)]

    def loop(self, op: scf.For, bound: list[int]) -> list[int]:
        lower, upper, step, *carried = bound
        while lower < upper and self.left:
            self.left -= 1
            for argument, number in zip(op.body.arguments, [lower, *carried], strict=True):
                self.note(argument, number)
            carried = self.block(op.body)
            lower += step
        return carried


def block_of(value: Value) -> Block:
    op = value.defining_op
    owner = op.block if op is not None else value.owner
    assert isinstance(owner, Block)
    return owner


def test_every_value_of_random_programs_lies_within_its_bounds() -> None:
    compared = narrowed = proved = 0
    for seed in range(PROGRAMS):
        text = Maker(seed).text()
        function = parse_module(text).functions()[0]
        proof = Proof(function)
        known, run = proof.known, Run(function)
        assert run.outside <= set(proof.left), (seed, run.outside - set(proof.left))
        proved += sum(proof.proved.values())
        if not run.left:
            continue
        for value, (least, most) in run.seen.items():
            if not is_counted(value.type) or value.type is ty.i1:
                continue
            form, solver = known.of(value), known.solver_of(block_of(value))
            low, high = solver.least(form), solver.most(form)
            bottom, top = limits(value.type)
            if bottom <= low and high <= top:  # otherwise it is equal only modulo 2^64
                assert low <= least, (seed, value, low, least)
                assert most <= high, (seed, value, high, most)
                compared += 1
                narrowed += (low, high) != (bottom, top)
                modulo, rest = form.modulo()
                assert not modulo or (least - rest) % modulo == 0, (seed, value)
    print(
        f"{compared} values of {PROGRAMS} programs within their bounds, {narrowed} of them narrow; "
        f"{proved} accesses proved"
    )
    assert proved
    assert narrowed > compared / 2


def test_the_ops_with_hooks_have_the_interfaces_that_call_them() -> None:
    hooks = [(IntegerInterface, ("integers", "finish", "facts", "entails"))]
    hooks += [(AccessInterface, ("reaches",))]
    for cls in registry.values():
        for interface, names in hooks:
            for name in names:
                assert hasattr(cls, name) == issubclass(cls, interface), (cls.name, name)
