"""Damaged texts: each quickly gives a module that prints and reads back, or a located error.

`PENSTOCK_FUZZ_TEXTS` sets how many are tried, `PENSTOCK_FUZZ_SEED` the first; failures name the
number of the text.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from effort import calls
from example_jobs import STAGES, dense, relu, xent

import penstock as flow
from penstock.ir.diagnostics import IRError, Span
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify

COUNT = int(os.environ.get("PENSTOCK_FUZZ_TEXTS", "500"))
SEED = int(os.environ.get("PENSTOCK_FUZZ_SEED", "0"))
CALLS = 60
"""The most function calls per character of a text, to read it twice, verify it and print it five
times."""
SPELLING = 20_000
"""The most function calls to find the name of an op that a misspelt one resembles."""
LEVELS = ("x86-64-v2", "x86-64-v4", "x86-64-v3")
"""The processor levels of the jobs' texts."""
SHARES = 4
"""The number of tests over which the texts are spread, so that they run in parallel."""

EVERY_OP = Path(__file__).parent.parent / "ir" / "programs" / "every_op.mlir"
SNIPPETS = [
    """
#map = affine_map<(d0, d1)[s0] -> (d0 * 2 + d1 - 3, d1 floordiv 4, (d0 + s0) mod 5)>
#set = {a = [1, -2.5, "x\\22y\\00"], b = @f, c, "odd name" = 0xFF : i8}
!t = tensor<4x?xf32, #set>
module @m attributes {job.map = #map, job.type = !t} {
  func.func private @g(!t {job.feed = "x"} loc("a.py":1:2), memref<*xf32>) -> (i1 {a.b})
  func.func private @two(f32) -> (f32, f32)
  func.func @f(%x: f32 loc("x"), %m: memref<4x8xf32, strided<[8, 1], offset: ?>>) -> f32 {
    %c = arith.constant 0x7FC00001 : f32
    %d:2 = call @two(%x) : (f32) -> (f32, f32)
    return %d#1 : f32 loc(callsite("f"("a.py":1:2) at fused["b.py":3:4, unknown]))
  } loc(#loc1)
}
#loc1 = loc("late"(#loc))
#loc = loc("a.py":7:1)
""",
    """
func.func @loops(%m: memref<8xf32>, %v: memref<64xi8>, %p: i1, %n: index) -> (f32, index) {
  %z = arith.constant 0 : index
  %w = arith.constant dense<[1.0, -0.0, 0x7F800000]> : tensor<3xf32>
  %view = memref.view %v[%z][] : memref<64xi8> to memref<4x4xf32>
  %s = memref.subview %m[%n] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2], offset: ?>>
  %r:2 = scf.for %i = %z to %n step %n iter_args(%a = %n, %b = %z) -> (index, index) {
    %l = memref.load %m[%i] : memref<8xf32>
    memref.store %l, %m[%a] : memref<8xf32>
    scf.yield %b, %a : index, index
  } {unroll = 4 : i64}
  %y = scf.if %p -> (f32) {
    %e = arith.constant 1.5 : f32
    scf.yield %e : f32
  } else {
    %e = arith.constant -2.5e-9 : f32
    scf.yield %e : f32
  }
  memref.global "private" constant @table : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>
  return %y, %r#1 : f32, index
}
""",
    """
"builtin.module"() <{sym_name = "g"}> ({
^bb0:
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "f"}> ({
  ^bb0(%x: tensor<4xf32>):
    %e = "tensor.empty"() : () -> tensor<4xf32>
    %y = "linalg.generic"(%x, %e) <{
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = [#linalg.iterator_type<parallel>],
      operandSegmentSizes = array<i32: 1, 1>
    }> ({
    ^bb0(%in: f32, %out: f32):
      %i = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %k = "math.fma"(%in, %in, %out) : (f32, f32, f32) -> f32
      "linalg.yield"(%k) : (f32) -> ()
    }) {flow.op = "square"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%y) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
""",
]
PIECES = [
    "{", "}", "(", ")", "<", ">", "[", "]", ",", ":", "=", "->", "::", "%x", "%0:9", "%d#7", "@f",
    '@"a b"', '"', '"s"', "\\", "#map", "#a.b<c>", "!t", "!a.b<", "^bb0", "loc(", "loc(#loc)", "-",
    "0", "-1", "1.0", "0x1F", "1.0e999", "99999999999999999999", "0.", "?", "*", "+", "/", "//",
    "dense<", "dense<0> : ", "tensor<", "tensor<99999999999x9xf32>", "memref<*x", "vector<",
    "affine_map<", "array<i64: ", "strided<[", "i1", "i65", "ui8", "index", "bf16", "mod",
    "floordiv 0", "unit", "true", "\n", "\t", "\0", "é", "\ud800", "{a = 1}", " {} ", "()",
    "operandSegmentSizes = array<i32: 1>", "function_type = 1", "sym_name = 2", "func.func",
    "scf.for", "scf.yield", "module", "return", "attributes",
]  # fmt: skip


@pytest.fixture(scope="module")
def corpus() -> list[str]:
    """Every stage of small jobs, and texts with constructs that these lack: the same on every
    machine."""
    texts = [*SNIPPETS, EVERY_OP.read_text()]
    for make, level in zip((relu, dense, xent), LEVELS, strict=True):
        flow.clear_default_session()
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PENSTOCK_TARGET", level)
            lowered = make().lower()
            texts += [lowered.as_text(stage) for stage in STAGES]
    texts += [print_module(parse_module(text), generic=True) for text in texts[len(SNIPPETS) :]]
    flow.clear_default_session()
    return texts


def damaged(text: str, choose: random.Random, others: list[str]) -> str:
    """The text with one or more random changes."""
    for _ in range(choose.choice((1, 1, 2, 4))):
        at = choose.randrange(len(text) + 1)
        length = choose.choice((1, 1, 3, 10, 100))
        line = text.rfind("\n", 0, at) + 1
        stop = text.find("\n", at) + 1 or len(text)
        match choose.randrange(8):
            case 0:
                text = text[:at] + text[at + length :]
            case 1:
                text = text[:at] + choose.choice(PIECES) + text[at:]
            case 2:
                text = text[:at] + choose.choice(PIECES) + text[at + length :]
            case 3:
                text = text[:at] + chr(choose.randrange(32, 127)) + text[at + 1 :]
            case 4:
                text = text[:line] + text[stop:]
            case 5:
                text = text[:stop] + text[line:stop] + text[stop:]
            case 6:
                other = choose.choice(others)
                start = choose.randrange(len(other))
                text = text[:at] + other[start : start + length] + text[at:]
            case _:
                text = text[:at]
    return text


def outcome(text: str) -> str:
    """The outcome of a text: error, unsound or sound; anything else fails."""
    found, count = calls(lambda: tried(text))
    assert count <= CALLS * len(text) + SPELLING
    return found


def tried(text: str) -> str:
    try:
        module = parse_module(text)
    except IRError as error:
        found = error.diagnostics
    else:
        found = ()
    assert all(isinstance(one.where, Span) for one in found)
    if found:
        return "error"
    generic, custom = print_module(module, generic=True), print_module(module)
    assert print_module(parse_module(generic), generic=True) == generic
    assert print_module(parse_module(custom)) == custom
    try:
        verify(module)
    except IRError:
        sound = False
    else:
        sound = True
        assert print_module(parse_module(custom), generic=True) == generic
    return "sound" if sound else "unsound"


@pytest.mark.parametrize("share", range(SHARES))
def test_a_damaged_text_is_parsed_or_refused(corpus: list[str], share: int) -> None:
    outcomes = []
    for number in range(SEED + share, SEED + COUNT, SHARES):
        choose = random.Random(number)
        text = damaged(choose.choice(corpus), choose, corpus)
        try:
            outcomes.append(outcome(text))
        except Exception as error:
            error.add_note(f"text {number}:\n{text}") if hasattr(error, "add_note") else None
            raise
    assert outcomes.count("error") > len(outcomes) // 4
    assert outcomes.count("sound") > len(outcomes) // 50


def test_the_corpus_is_sound(corpus: list[str]) -> None:
    assert {outcome(text) for text in corpus} == {"sound"}
