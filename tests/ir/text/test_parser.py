"""Every message of lexer and parser: one misuse, one line, column, caret and sentence."""

from collections.abc import Sequence

import pytest
from effort import calls

from penstock.ir.diagnostics import Diagnostic, IRError, Span
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module

A = "module attributes {a = "
"""The text before an attribute."""

MISUSES = [
    # -- characters and strings
    (";", 1, "unexpected character ';'"),
    ("// fine\n\n  ;", 3, "unexpected character ';'"),
    ("//////////////////////////////////////////\n// %x @f\n;", 1, "unexpected character"),
    ('module @"abc', 8, "the string that begins here is not closed on its line"),
    (A + '"abc\n"}', 24, "the string that begins here is not closed on its line"),
    (A + r'"a\q"}', 26, "unknown escape"),
    ("%", 1, "expected a name after '%'"),
    ("module @", 8, "expected a name after '@'"),
    # -- module, operations and names
    ("1", 1, "expected an operation, got '1'"),
    ("module {", 8, "the region that begins here is never closed"),
    ("module }", 8, "expected '{', got '}'"),
    ("arith.adf", 1, "unknown operation 'arith.adf': did you mean arith.addf?"),
    ('"test.op"() : () -> ()', 1, "unknown operation 'test.op'"),
    ('"arith.addf"', 13, "expected '(', got the end of the text"),
    ('"func.return"()[^bb0] : () -> ()', 16, "successors are not supported"),
    ("flow.relu", 1, "flow.relu has no custom form: write \"flow.relu\"(...)"),
    ("func.func f()", 11, "expected a symbol such as @main, got 'f'"),
    ("func.func @f(f32) {}", 19, "a function with a body names its arguments"),
    ("func.func @f(%x f32)", 17, "expected ':', got 'f32'"),
    ("func.func @f() { return %x : f32 }", 25, "%x is used before it is defined"),
    (
        "func.func @f(%gamma: f32) { return %gama : f32 }",
        36,
        "%gama is used before it is defined: did you mean %gamma?",
    ),
    ("func.func @f(%x: f32, %x: f32)", 23, "%x is defined twice"),
    ("func.func @f(%x: f32) { %y = arith.addf %x : f32 }", 44, "expected ',', got ':'"),
    (
        "func.func @f(%x: f32) { return %x : f64 }",
        25,
        "func.return: values has type (f32), the text says (f64)",
    ),
    ("func.func @f(%x: f32) { %a, %b = math.exp %x : f32 }", 25, "math.exp gives 1 results and 2"),
    ("func.func @f(%x: f32) { %a:99999999999 = math.exp %x : f32 }", 25, "and 99999999999 are"),
    ("func.func @f(%x: f32) { %a:0 = math.exp %x : f32 }", 28, "expected a number of results"),
    ("func.func @f(%x: f32) { %a = math.exp %x#3 : f32 }", 39, "%x stands for one result"),
    ("func.func @f(%x: f32) { %a = math.exp f32 : f32 }", 39, "expected a value such as %x"),
    ('func.func @f(%x: f32) { "func.return"(%x) : (i1) -> () }', 45, "the operands have type"),
    ("func.func @f(%x: i1) { %a = arith.cmpi le, %x, %x : i1 }", 40, "expected a predicate: one"),
    # -- attributes
    (A + "}", 24, "expected an attribute, got '}'"),
    (A + "1, a = 2}", 27, "attribute 'a' is given twice"),
    (A + "1, 2}", 27, "expected the name of an attribute, got '2'"),
    (A + "#b}", 24, "alias #b is not defined"),
    (A + "#a.b<(>}", 30, "expected ')', got '>'"),
    (A + "#a.b<", 28, "'<' is never closed"),
    (A + "1 : tensor<1xf32>}", 24, "a number cannot have type tensor<1xf32>"),
    (A + "1.5 : i32}", 24, "1.5 is not an integer and its type is i32"),
    (A + "256 : i8}", 24, "256 does not fit i8"),
    (A + "-1 : ui8}", 24, "-1 does not fit ui8"),
    (A + "1 : f32}", 24, "expected a decimal point in 1, whose type is f32"),
    (A + "0x1FFFF : f16}", 24, "0x1FFFF does not fit the 16 bits of f16"),
    (A + "array<none: 1.0>}", 30, "array<none>: expected i1 or a type of whole bytes"),
    (A + "dense<1> : tensor<?xi32>}", 29, "a dense constant has a static shape, got tensor<?xi32>"),
    (A + "dense<[1, 2]> : tensor<3xi32>}", 30, "the values have shape (2,) and the type is"),
    (A + "dense<[[1], [1, 2]]> : tensor<3xi32>}", None, "rows of one dense constant have"),
    (A + 'dense<"00"> : tensor<3xi8>}', 30, "expected hexadecimal data that begins with 0x"),
    (A + 'dense<"0x0"> : tensor<3xi8>}', 30, "the hexadecimal data is not pairs of digits"),
    (A + 'dense<"0x0102"> : tensor<3xi8>}', 30, ""),
    (A + "dense<x1> : tensor<3xi8>}", 30, "expected a number, got 'x1'"),
    (A + '"x" : i32}', 28, "expected ',', got ':'"),
    # -- types
    (A + "f33}", 24, "unknown type 'f33'"),
    (A + "i0}", 24, "an integer type has 1 to 16777215 bits, got 0"),
    (A + "tensor}", 30, "expected '<' after 'tensor', got '}'"),
    (A + "tensor<4xindex", 38, "expected '>', got the end of the text"),
    (A + "tensor<4xnone>}", 33, "a tensor of none: expected numbers"),
    (A + "tensor<99999999999999999999xf32>}", 31, "the extent does not fit 64 bits"),
    (A + "tensor<" + "1x" * 1000 + "f32>}", None, "more than 64 dimensions"),
    (A + "vector<0xf32>}", None, "a vector type has extents of 1 and more"),
    (A + "!t}", 24, "alias !t is not defined"),
    # -- affine maps and layouts
    (A + "affine_map<(d0, d0) -> ()>}", 40, "dimension 'd0' is named twice"),
    (A + "affine_map<(d0) -> (d1)>}", 44, "unknown dimension 'd1': expected one of d0"),
    (A + "affine_map<(d0) -> (d0 mod 0)>}", 47, "mod by zero"),
    (A + "affine_map<(d0) -> (d0 * d0)>}", 47, "d0 * d0 is not affine"),
    (A + "affine_map<(d0) -> (99999999999999999999)>}", 44, "does not fit 64 bits"),
    # -- locations and aliases
    ("module {} loc(1)", 15, "expected a location, got '1'"),
    ('module {} loc("a":x)', 19, "expected a line number, got 'x'"),
    ('module {} loc("a":1:-2)', 21, "expected a column number, got -2"),
    ("module {} loc(#l)", 15, "alias #l is not defined"),
    ("#a = 1\nmodule {} loc(#a)", 15, "#a is an attribute: expected a location"),
    ("#a = 1\n#a = 2", 1, "alias #a is defined twice"),
    ("#a = [#b]\n#b = [#a]", None, "is defined in terms of itself"),
]  # fmt: skip


def error_of(text: str) -> IRError:
    with pytest.raises(IRError) as caught:
        parse_module(text, "file.mlir")
    return caught.value


@pytest.mark.parametrize(("text", "column", "sentence"), MISUSES)
def test_a_misuse(text: str, column: int | None, sentence: str) -> None:
    (found,) = error_of(text).diagnostics
    assert sentence in found.message
    assert isinstance(found.where, Span)
    assert column in (None, found.where.column)
    place, line, carets, *rest = str(found).split("\n")
    assert not rest
    assert place.startswith(f"file.mlir:{found.where.line}:{found.where.column}: error: ")
    assert carets.index("^") < len(line) + 1
    assert len(line) < 200
    if column is not None:
        source = text.split("\n")[found.where.line - 1]
        assert line[carets.index("^") :][:20] == source[column - 1 :][:20]


def test_errors_have_the_line() -> None:
    text = "module {\n  func.func @f(%alpha: f32) {\n    return %alpa : f32\n  }\n}\n"
    assert str(error_of(text)) == (
        "file.mlir:3:12: error: %alpa is used before it is defined: did you mean %alpha?\n"
        "      return %alpa : f32\n"
        "             ^^^^^"
    )


# -- pathological texts ----------------------------------------------------------------------------

DEEP = 10_000
HURTING = {
    "string without an end": A + '"' + "a" * (1 << 20),
    "string of backslashes": A + '"' + "\\" * (1 << 20),
    "comment before nothing good": "/" * (1 << 16) + " " * (1 << 16) + "\n;",
    "nested regions": '"builtin.module"() ({' * DEEP,
    "nested custom regions": "module {" * DEEP,
    "nested lists": A + "[" * DEEP,
    "nested dictionaries": A + "{a = " * DEEP,
    "nested functions": A + "(" * DEEP,
    "nested results": A + "() -> (" * DEEP,
    "nested tensors": A + "tensor<1x" * DEEP,
    "nested opaque": A + "#a.b<" * DEEP,
    "closed opaque": A + "#a.b" + "<" * DEEP + ">" * DEEP + "}",
    "nested rows": A + "dense<" + "[" * DEEP,
    "nested parentheses": A + "affine_map<() -> (" + "(" * DEEP,
    "signs": A + "affine_map<() -> (" + "- " * DEEP,
    "a long sum": A + "affine_map<(d0) -> (d0" + " + d0" * DEEP + ")>}",
    "a long product": A + "affine_map<() -> (9" + " * 999999999999" * DEEP + ")>}",
    "nested locations": 'module {} loc("a"' + '("a"' * DEEP,
    "nested call sites": "module {} loc(" + "callsite(" * DEEP,
    "huge splat": A + "dense<0> : tensor<1000000000000xi32>}",
    "huge splat of zero": A + "dense<0.0> : tensor<1000000000000xf32>}",
    "huge type of too few": A + "dense<[1, 1]> : tensor<1000000000000xi32>}",
    "huge bits": A + 'dense<"0x00"> : tensor<1000000000000xi1>}',
    "many results": "%0:99999999999 = module {}",
    "digits": A + "1" * 100_000 + "}",
    "digits of a float": A + "1" * 100_000 + ".5}",
    "digits of an exponent": A + "1.0e" + "9" * 100_000 + "}",
    "digits of bits": A + "0x" + "F" * 100_000 + " : f32}",
    "digits of an extent": A + "tensor<" + "9" * 100_000 + "xf32>}",
    "digits of a width": A + "i" + "9" * 100_000 + "}",
    "digits of a result": "func.func @f(%x: f32) { return %x#" + "9" * 100_000 + " : f32 }",
    "digits of a line": 'module {} loc("a":' + "9" * 100_000 + ":1)",
    "dimensions": A + "tensor<" + "1x" * 1000 + "f32>}",
    "a long name": "%" + "a" * 100_000 + " = module {} " + "%" + "a" * 99_999,
    "a long op": "a" * 100_000,
    "aliases in a row": "\n".join(f"#a{i} = [#a{i + 1}]" for i in range(DEEP)) + "\n#a10000 = 1",
    "hexadecimal that is none": A + "5xAB : f32}",
    "half a surrogate pair": A + '"\ud800"}',
    "a minimum that stands for a value": (
        "func.func @f(%x: memref<4xf32>) {\n"
        "  %y = memref.subview %x[-9223372036854775808] [1] [1] : memref<4xf32> to memref<1xf32>"
    ),
}


CALLS = 12
"""The most function calls per character of a text."""


@pytest.mark.parametrize("name", HURTING)
def test_pathological_texts_end_quickly(name: str) -> None:
    def read_and_write() -> Sequence[Diagnostic]:
        try:
            module = parse_module(HURTING[name])
        except IRError as error:
            return error.diagnostics
        text = print_module(module)
        assert print_module(parse_module(text)) == text
        return ()

    found, count = calls(read_and_write)
    assert count <= CALLS * len(HURTING[name]) + 10_000
    assert all(len(str(one)) < 2000 for one in found)
    assert all(isinstance(one.where, Span) for one in found)


def test_the_deepest_allowed_nesting() -> None:
    """Parser and printer work up to the limit on nesting."""
    deep = 90
    for text in (
        "module {" * deep + "}" * deep,
        A + "[" * deep + "]" * deep + "} {}",
        A + "{a = " * deep + "1" + "}" * deep + "} {}",
        A + "(" * deep + ") -> ()" * deep + "} {}",
        "module {} loc(" + '"a"(' * deep + '"b":1:2' + ")" * deep + ")",
    ):
        for generic in (False, True):
            printed = print_module(parse_module(text), generic=generic)
            assert print_module(parse_module(printed), generic=generic) == printed
            assert print_module(parse_module(text).clone(), generic=generic) == printed


def test_exponential_aliases_are_limited() -> None:
    lines = ["#a0 = 1 : i64", *(f"#a{i} = [#a{i - 1}, #a{i - 1}]" for i in range(1, 60))]
    text = "\n".join([*lines, "module attributes {x = #a59} {}"])

    def read() -> None:
        with pytest.raises(IRError, match="aliases expand to more than 67108864 characters"):
            parse_module(text)

    assert calls(read)[1] <= CALLS * len(text) + 10_000
