"""Stock MLIR and xDSL parse our text with the same meaning, construct by construct."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest
from interop_tools import require, xdsl_opt
from structure import difference

from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module

PROGRAMS = sorted((Path(__file__).parent.parent / "ir" / "programs").glob("*.mlir"))
FORMS = {
    "custom": (),
    "generic": ("--mlir-print-op-generic",),
    "located": ("--mlir-print-op-generic", "--mlir-print-debuginfo"),
    "inline": ("--mlir-print-op-generic", "--mlir-print-debuginfo", "--mlir-print-local-scope"),
}

# In MLIR's grammar, not as we would print it.
ATTRIBUTES = r"""
1 | -1 | 0x10 : i8 | 255 : i8 | -128 : i8 | 255 : ui8 | -128 : si8 | 0x8000000000000000
9223372036854775807 | -9223372036854775808 | 18446744073709551615 | 007 | -5 : index
9223372036854775807 : index | true | false | 1 : i1 | -1 : i1 | 0 : si1 | 1 : ui1 | 3 : i3
170141183460469231731687303715884105727 : i128 | -170141183460469231731687303715884105728 : i128
1.5 | 1. : f32 | 1.e5 | -0.0 | -0.0 : f16 | 0.1 | 0.1 : f32 | 0.1 : f16 | 0.1 : bf16
0x7FC00000 : f32 | 0xFFC00001 : f32 | 0x7F800001 : f32 | 0x7F800000 : f32 | 0xFF800000 : f32
0x7FF0000000000000 : f64 | 0x7FF8000000000001 : f64 | 0x7E00 : f16 | 0x7C01 : f16 | 0x7F81 : bf16
0x0001 : f16 | 1.4e-45 : f32 | 4.9406564584124654e-324 | 3.4028234663852886e38 : f32
1.7976931348623157e308 | 1.0e400 | 65520.0 : f16 | 65519.99 : f16 | 123456789.0 : f32
1234567.0 : f32 | 9999999.0 : f32 | 1.0e22 | 0.0001 : f32 | 0.00001 | 3.14159265358979 : bf16
"hello" | "a\"b" | "tab\09x" | "nl\0Ax\00y\ff" | "\n\t\\" | "é" | "" | "//"
[] | [1, 2.0, "a", true, unit, [1 : i32], {a = 1}] | [1 : i64, 2.0 : f64, -0.0, 1 : index]
{} | {a, "b c" = 1, "0" = 2, a.b = 3, "a$" = 4, _x = 5, "é" = 6} | @foo | @"odd name"
@foo::@bar | @"a"::@"b c"::@d | @"a-b" | @"0" | @a.b | dense<0.0> : tensor<4xf32>
dense<1> : tensor<2xi32> | dense<[1,2,3]> : tensor<3xi32> | dense<[[1,2],[3,4]]> : tensor<2x2xi32>
dense<5> : tensor<i32> | dense<> : tensor<0xf32> | dense<> : tensor<4x0xi32>
dense<[]> : tensor<0xi32> | dense<[[],[]]> : tensor<2x0xf32> | dense<true> : tensor<4xi1>
dense<[true,false,true]> : tensor<3xi1> | dense<"0x05"> : tensor<3xi1> | dense<-1> : tensor<4xi1>
dense<[true,false,true,true,true,false,true,true,true,false,false,true,true,true,false,true,true]>
 : tensor<17xi1>
dense<"0xFF"> : tensor<9xi1> | dense<"0xAF01"> : tensor<9xi1> | dense<"0x00000000"> : tensor<4xf32>
dense<"0x0000803F0000004000004040"> : tensor<3xf32>
dense<[0x7FC00000, 1.0, 0xFF800000]> : tensor<3xf32> | dense<[-0.0, 0.0]> : tensor<2xf32>
dense<0x7FC00001> : tensor<4xf32> | dense<[255, -1, 0]> : tensor<3xi8>
dense<[255, 1, 0]> : tensor<3xui8> | dense<[1, -2]> : tensor<2xindex> | dense<1.0> : vector<4xf32>
dense<[1.0, 2.5]> : vector<2xbf16> | dense<0> : tensor<1000000000000xi32> | dense<3> : tensor<2xi4>
dense<[3, -8, 7]> : tensor<3xi4> | dense<3> : tensor<2xi128> | dense<[0x10, 0xFF]> : tensor<2xi32>
dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32> | dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi8>
dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0]>
 : tensor<17xf16>
array<i64> | array<i64: 1, 2> | array<i32: -1, 2147483647> | array<i8: 255> | array<i8: -128>
array<i1: true, false> | array<f32: 1.0, -0.0, 0x7FC00000> | array<f64: 1.0> | array<bf16: 1.5>
affine_map<(d0, d1) -> (d0, d1)> | affine_map<() -> ()> | affine_map<() -> (5)>
affine_map<(i, j) -> (i * 2 + j, i floordiv 4, j mod 3, i ceildiv 2)>
affine_map<(i, j) -> (i - j, -i, 2 * i - 3 * j + 1 - 4)> | affine_map<(i) -> (-(i + 1))>
affine_map<(i) -> (i - (i mod 4) * 4)> | affine_map<(d0)[s0, s1] -> (d0 + s0 * s1)>
affine_map<()[s0] -> (s0)> | affine_map<(d0) -> (d0 * 0)> | affine_map<(d0) -> (1 + d0)>
affine_map<(d0) -> (2 * (d0 + 1))> | affine_map<(d0) -> ((d0 + 1) + 2)>
affine_map<(d0) -> (d0 mod 1, d0 floordiv 1, 8 mod 3)> | affine_map<(d0) -> (d0 mod -2)>
affine_map<(d0, d1) -> (d1 + d0)> | affine_map<(d0, d1) -> (d0 - d0, d0 + (d1 + d0))>
affine_map<(d0, d1) -> (d0 * 2 * 3, d0 - d1 * 2, (d0 mod 2) floordiv 3, d0 - 1 - 3)>
affine_map<(d0) -> (9223372036854775807)> | f32 | i1 | index | none | () -> ()
(i32) -> (f32, f32) | (f32) -> (() -> ()) | tensor<f32> | tensor<?x4x?xf32> | tensor<4xf32, "enc">
tensor<4xf32, {a = 1}> | tensor<?x4xf32, #zz.bound<[16, 4]>> | tensor<0x1xi1> | tensor<4x!zz.y>
tensor<4xvector<4xf32>> | memref<4xvector<4xf32>> | memref<f32> | memref<*xf32> | memref<*xf32, 1>
memref<4x4xf32, strided<[4, 1], offset: ?>> | memref<4x4xf32, 1> | memref<4xf32, 0>
memref<4x4xf32, strided<[4, 1]>, 1> | memref<4x4xf32, affine_map<(d0, d1) -> (d0, d1)>>
memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>> | memref<4xf32, "space"> | memref<?xf32, 1 : i32>
memref<4x4xf32, affine_map<(d0, d1) -> (d0, d1)>, 3> | memref<f32, strided<[], offset: 3>>
memref<4x4xf32, strided<[0, ?]>> | vector<4xf32> | vector<f32> | vector<2x3xindex> | si4 | ui8
i16777215 | !zz.x | !zz.x<"a, b", [1]> | !zz.x<!zz.y<4 -> 3>> | #zz.x | #zz.x<1> | #zz.x<"a>b">
#zz.x<a: b * c ? d / e & `f` @> | strided<[]> | strided<[?, 1], offset: ?>
strided<[4, 1], offset: 5>
"""


def mlir_opt(text: str, *flags: str) -> str:
    """The output of mlir-opt for a text, which it must accept."""
    done = subprocess.run(
        [require("mlir-opt-22"), "--allow-unregistered-dialect", *flags],
        input=text, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[:2000]
    return done.stdout


def read(text: str) -> Module:
    return parse_module(text, allow_unregistered=True)


@cache
def program(path: Path) -> Module:
    return read(path.read_text())


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_mlir_runs_the_program_with_the_same_result(path: Path) -> None:
    assert not difference(program(path), read(mlir_opt(path.read_text())))


@pytest.mark.sampled
@pytest.mark.parametrize("locations", [False, True])
@pytest.mark.parametrize("generic", [False, True])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_mlir_runs_our_text_with_the_same_result(
    path: Path, form: str, generic: bool, locations: bool
) -> None:
    module = program(path)
    again = read(mlir_opt(print_module(module, generic, locations), *FORMS[form]))
    kept = locations and "--mlir-print-debuginfo" in FORMS[form]
    assert not difference(module, again, locations=kept)


@pytest.mark.parametrize("locations", [False, True])
@pytest.mark.parametrize("name", ["every_op", "structure"])
def test_xdsl_reads_our_generic_form(name: str, locations: bool, tmp_path: Path) -> None:
    path = next(path for path in PROGRAMS if path.stem == name)
    text = print_module(program(path), generic=True, locations=locations)
    assert xdsl_opt(text, tmp_path, "--allow-unregistered-dialect")


def attributes() -> list[str]:
    """One op for each attribute."""
    texts = ATTRIBUTES.replace("\n : ", " : ").replace("\n", " | ").split(" | ")
    return [f'"zz.op"() {{a = {text}}} : () -> ()' for text in texts if text]


@pytest.mark.parametrize("flag", ["--mlir-print-local-scope", "--mlir-print-op-generic"])
def test_mlir_reads_every_attribute_the_same(flag: str) -> None:
    text = "\n".join(attributes())
    ours = read(text)
    for module in (read(mlir_opt(text, flag)), read(mlir_opt(print_module(ours), flag))):
        pairs = zip(attributes(), ours.body, module.body, strict=True)
        found = [(text, difference(one, other)) for text, one, other in pairs]
        assert [entry for entry in found if entry[1]] == []


def test_the_comparison_can_fail() -> None:
    texts = [
        '"zz.op"() {a = 1} : () -> ()', '"zz.op"() {a = 2} : () -> ()', '"zz.po"() : () -> ()',
        '"zz.op"() {a = affine_map<(d0) -> (d0)>} : () -> ()',
        '"zz.op"() {a = affine_map<(d0) -> (d0 + 1)>} : () -> ()',
        '%a, %b = "zz.two"() : () -> (f32, f32)\n"zz.use"(%a) : (f32) -> ()',
        '%a, %b = "zz.two"() : () -> (f32, f32)\n"zz.use"(%b) : (f32) -> ()',
        '"zz.op"() ({}) : () -> ()', '"zz.op"() ({^bb0(%x: f32):}) : () -> ()',
        '"zz.op"() ({^bb0(%x: i1):}) : () -> ()', '"zz.op"() : () -> f32',
    ]  # fmt: skip
    for i, one in enumerate(texts):
        for j, other in enumerate(texts):
            assert bool(difference(read(one), read(other))) == (i != j)
    located = [read(f'"zz.op"() : () -> () loc("a":{line}:1)') for line in (1, 2)]
    assert not difference(*located)
    assert difference(*located, locations=True)
