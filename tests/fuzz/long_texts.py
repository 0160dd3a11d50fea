"""Texts at the limits: 64 KiB of one repeated piece, 10,000 nested brackets, unterminated tokens of
1 MiB."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

SIZE = 2**16
DEEP = 10_000
LONG = 2**20

TOKENS = [
    '"', "\\", "%", "@", "#", "!", "^", "-", "0", "0x", "1.", "/", "//", "// \n", "\n", " ", "{",
    "}", "(", ")", "<", ">", "[", "]", ",", ":", "=", "->", "::", "?", "*", "+", "|", "a", "a.",
    "$", "é", "\0", "%x", "%0:9", "@f", '@"a"', '"s"', "#a", "!a", "^bb", "loc(", "loc(#l)",
    '"\\22', "1.0e", "dense<", "tensor<", "memref<", "vector<", "memref<*x", "affine_map<",
    "strided<[", "array<i64:", "func.func", "module", "return", "scf.for", "-0x", "%a#0", '"a" ',
    "0.0 ", "tensor<4xf32> ", "func.func @f(",
]  # fmt: skip
ATTRIBUTES = [
    "1", "1.0", "0x7F800000 : f32", '"s"', "@f", "@f::@g", "unit", "true", "f32", "tensor<4xf32>",
    "tensor<{i}xf32>", "affine_map<(d0) -> (d0)>", "affine_map<(d0) -> (d0 + {i})>", "{i} : i65000",
    "array<i64: 1, 2>", "dense<1> : tensor<{j}xi32>", "dense<[1,2]> : tensor<2xi32>", "#a.b<{i}>",
    "!a.b<{i}>", "{{b{i} = 1}}", "[]", "[{i}]", "(f32) -> f32", "(tensor<{i}xf32>) -> (f32, f32)",
    '"s{i}"', "{i} : index", "-{i}.5", "strided<[{i}], offset: ?>", "i{j}", "vector<{j}xf32>",
    "memref<{i}x?xf32, strided<[?, 1]>>", "#linalg.iterator_type<parallel>", "-0x1 : i64",
    "dense<1> : tensor<{j}xi8191>", "dense<1> : tensor<99999999x{j}xi512>", "#undefined{i}",
    "1." + "1" * 700, '#a.b<[(){{}}]"x">', "tensor<4xf32, {{a = [{i}]}}>",
    "memref<4x{j}xf32, affine_map<(d0, d1) -> (d0 * {j} + d1)>>",
]  # fmt: skip
OPS = [
    "%v{i} = math.exp %x : f32", "%v = math.exp %x : f32", "%v{i} = math.exp %u{i} : f32",
    '%v{i} = "math.exp"(%x) : (f32) -> f32', "%v{i} = arith.constant {i} : index",
    "%v{i} = memref.load %m[%n] : memref<8xf32>", "memref.store %x, %m[%n] : memref<8xf32>",
    "scf.for %i = %n to %n step %n {{\n}}", "scf.if %p {{\n}} else {{\n}}",
    '%v{i} = "flow.relu"(%t) : (tensor<8xf32>) -> tensor<8xf32>', "return", "scf.yield",
    "call @g{i}() : () -> ()", "call @f(%x, %m, %n, %t, %p) : (f32, memref<8xf32>, index, "
    "tensor<8xf32>, i1) -> ()", "%v{i} = arith.addf %x, %n : f32", "^bb{i}(%b{i}: f32):", "^bb{i}:",
    "scf.if %p {{\nscf.if %p {{\n%y = math.exp %x : f32\n}}\n}}", '"arith.constant"() : () -> f32',
    '"math.exp"(%x) {{a = 1}} : (f32) -> i32', "%{long}{i} = math.exp %x : f32",
]  # fmt: skip
FUNCTION = "func.func @f(%x: f32, %m: memref<8xf32>, %n: index, %t: tensor<8xf32>, %p: i1) {\n"
ATTRIBUTE = "module attributes {a = ", "} {}"
MAP = "affine_map<(d0, d1)[s0, s1] -> ("


def filled(before: str, piece: str, after: str, separator: str = "", size: int = SIZE) -> str:
    """The piece, repeated to fill; {i} and {j} are its number and the next one."""
    room = size - len(before) - len(after)
    pieces: list[str] = []
    for i in count():
        text = (
            piece.format(i=i, j=i + 1, long="ab" * 15)
            if "{i}" in piece or "{j}" in piece
            else piece
        )
        room -= len(text) + len(separator)
        if room < 0:
            return before + separator.join(pieces) + after
        pieces.append(text)
    raise AssertionError


def repeated() -> Iterator[tuple[str, str]]:
    """Each token and production of the grammar, repeated to 64 KiB, by name."""
    opening, closing = ATTRIBUTE
    for token in TOKENS:
        for where, before, after in (
            ("at the top", "", ""),
            ("in an attribute", opening, closing),
            ("in a body", FUNCTION, "\n  return\n}"),
            ("in a type", "func.func private @f(", ")"),
        ):
            # Unformatted, since these braces are literal.
            plain = token * ((SIZE - len(before) - len(after)) // len(token))
            yield f"{token!r} {where}", before + plain + after
        yield f"lines of {token!r}", f"{token}\n" * (SIZE // (len(token) + 1))
    for one in ATTRIBUTES:
        piece = one if "{i}" in one or "{j}" in one else one.replace("{{", "{").replace("}}", "}")
        yield f"array of {one[:40]}", filled(f"{opening}[", piece, f"]{closing}", ", ")
        yield f"entries {one[:40]}", filled("module attributes {", f"a{{i}} = {one}", "} {}", ", ")
    for op in OPS:
        piece = op if "{i}" in op else op.replace("{{", "{").replace("}}", "}")
        yield f"ops {op[:40]}", filled(FUNCTION, f"{piece}\n", "  return\n}\n")
    yield from _numbers()
    yield from _maps()
    yield from _aliases()
    yield from _lists()


def _numbers() -> Iterator[tuple[str, str]]:
    opening, closing = ATTRIBUTE
    for type in ("i1", "i8", "i64", "i512", "i16777215", "index", "f32", "bf16"):
        value = "1.0" if "f" in type else "1"
        many = 60_000 // (len(value) + 2)
        rows = ", ".join([value] * many)
        yield f"dense {type}", f"{opening}dense<[{rows}]> : tensor<{many}x{type}>{closing}"
        rows = ", ".join([f"[{value}]"] * (many // 2))
        yield f"rows {type}", f"{opening}dense<[{rows}]> : tensor<{many // 2}x1x{type}>{closing}"
        yield f"splat {type}", f"{opening}dense<{value}> : tensor<{2**40}x{2**20}x{type}>{closing}"
        hexadecimal = f'dense<"0x{"01" * 30_000}"> : tensor<{3750}x{type}>'
        yield f"hexadecimal {type}", opening + hexadecimal + closing
        values = filled(f"{opening}array<{type}: ", value, f">{closing}", ", ")
        yield f"array<{type}>", values
    for digits in ("1", "0x1", "1.", "1.1", "1.0e9", "1.0e-9", "-1"):
        for type in ("", " : i16777215", " : bf16", " : index"):
            yield f"digits {digits}{type}", f"{opening}{digits}{'1' * 60_000}{type}{closing}"


def _maps() -> Iterator[tuple[str, str]]:
    opening, closing = ATTRIBUTE
    for operator in ("+", "-", "*", "floordiv", "mod", "ceildiv"):
        for operand in ("d0", "s0", "2", "(d0 + s1)", "-s0", "(d0 mod 3)"):
            text = f" {operator} ".join(["(d0 + d1 + s0 + 3)", *[operand] * 40])
            yield (
                f"maps {operator} {operand}",
                filled(f"{opening}[", f"{MAP}{text})>", f"]{closing}", ", "),
            )
    nested = "(d0 + d1)"
    for _ in range(30):
        nested = f"({nested}) * (s0 + s1)"
    yield "products", filled(f"{opening}[", f"{MAP}{nested})>", f"]{closing}", ", ")
    yield "dimensions", filled(f"{opening}affine_map<(", "d{i}", f") -> ()>{closing}", ", ")
    yield "symbols", filled(f"{opening}affine_map<()[", "d{i}", f"] -> ()>{closing}", ", ")
    yield "results", filled(f"{opening}{MAP}", "d0 + d1", f")>{closing}", ", ")
    yield "strides", filled(f"{opening}strided<[", "{i}", f"]>{closing}", ", ")
    yield "extents", filled(f"{opening}tensor<", "{i}x", f"f32>{closing}")


def _aliases() -> Iterator[tuple[str, str]]:
    opening, closing = ATTRIBUTE
    half = SIZE // 2
    listed = ", ".join(map(str, range(5000)))
    places = ", ".join(f'"a":{i}:1' for i in range(2000))
    yield "aliases", filled("", "#a{i} = [1]\n", "")
    yield "a chain of aliases", filled("#a0 = [1]\n", "#a{j} = [#a{i}]\n", "")
    yield "doubling aliases", filled("#a0 = [1]\n", "#a{j} = [#a{i}, #a{i}]\n", "")
    yield (
        "a chain of places",
        filled('#a0 = loc("a":1:1)\n', "#a{j} = loc(callsite(#a{i} at #a0))\n", ""),
    )
    yield "fused places", filled('#a0 = loc("a":1:1)\n', "#a{j} = loc(fused[#a{i}, #a0])\n", "")
    for meaning in (
        f"[{listed}]",
        f"dense<[{listed}]> : tensor<5000xi32>",
        "dense<1> : tensor<9xi8>",
    ):
        uses = filled(f"{opening}[", "#a", f"]{closing}", ", ", half)
        yield f"uses of {meaning[:20]}", f"#a = {meaning}\n{uses}"
    uses = filled("module {\n", "func.func private @f{i}() loc(#a)\n", "}", size=half)
    yield "uses of a place", f"#a = loc(fused[{places}])\n{uses}"
    uses = filled("module {} loc(fused[", "#a", "])", ", ", half)
    yield "fused uses of a place", f"#a = loc(fused[{places}])\n{uses}"


def _lists() -> Iterator[tuple[str, str]]:
    half = SIZE // 2
    yield "functions", filled("module {\n", "func.func private @f{i}()\n", "}")
    yield "functions of a name", filled("module {\n", "func.func private @f()\n", "}")
    yield (
        "calls of calls",
        filled("", "func.func @f{i}() {{ call @f{j}() : () -> () return }}\n", ""),
    )
    for missing in ("", "x"):
        known = filled("module {\n", "func.func private @f{long}{i}()\n", "", size=half)
        calls = filled(
            "func.func @g() {\n", f"call @f{{long}}{missing}{{i}}() : () -> ()\n", "", "", half
        )
        yield f"calls{missing}", f"{known}{calls} return }} }}"
    wide = f"({', '.join(f'tensor<{i}xf32>' for i in range(1900))})"
    yield (
        "wrong calls",
        filled(
            f"func.func private @g{wide}\nfunc.func @m() {{\n", "call @g() : () -> ()\n", "return }"
        ),
    )
    yield (
        "arguments",
        filled("func.func @f(", '%a{i}: f32 {{a = 1}} loc("a")', ") { return }", ", "),
    )
    yield "results", filled("func.func private @f() -> (", "f32 {{a = {i}}}", ")", ", ")
    yield "operands", filled('func.func @f(%x: f32) { "func.return"(', "%x", ") : () -> () }", ", ")
    yield "operand types", filled('func.func @f() { "func.return"() : (', "f32", ") -> () }", ", ")
    yield (
        "names",
        filled("func.func @f(%x: f32) {\n", "%r{i}", ' = "math.exp"(%x) : (f32) -> f32 }', ", "),
    )
    yield "regions", filled('"builtin.module"() (', "{}", ") : () -> ()", ", ")
    yield (
        "block arguments",
        filled('"builtin.module"() ({^bb0(', "%a{i}: f32", "): }) : () -> ()", ", "),
    )
    yield "places", filled("module {} loc(fused[", '"a{i}":{i}:1', "])", ", ")
    yield (
        "carried",
        filled(
            f"{FUNCTION} scf.for %i = %n to %n step %n iter_args(",
            "%a{i} = %n",
            ") -> () {} }",
            ", ",
        ),
    )
    near = filled(FUNCTION, "%{long}{i} = math.exp %x : f32\n", "")
    yield "near names", f"{near}math.exp %{'ba' * 15} : f32 }}"


NESTED = [
    ("module {", "}"), ('"builtin.module"() ({', "}) : () -> ()"), ("func.func @f() {", "}"),
    (f"{FUNCTION}scf.if %p {{", "}"), ("scf.for %i = %n to %n step %n {", "}"),
    *((f"{ATTRIBUTE[0]}{opening}", closing) for opening, closing in (
        ("[", "]"), ("{a = ", "}"), ("(", ")"), ("() -> (", ")"), ("tensor<4xf32, [", "]>"),
        ("tensor<4x", "f32>"), ("vector<4x", ">"), ("memref<4xvector<4x", ">>"), ("#a.b<", ">"),
        ("!a.b<[", "]>"), ("dense<[", "]> : tensor<1xi8>"), ("dense<", ">"), ("memref<*x", ">"),
        ("affine_map<", ">"), ("array<", ">"), ("@a::", "@b"), ("-", "1"),
    )),
    *((f"{ATTRIBUTE[0]}{MAP}{opening}", closing) for opening, closing in (
        ("(", ")"), ("-", ""), ("-(", ")"), ("d0 + (", ")"), ("2 * (", ")"), ("d0 mod (", ")"),
    )),
    *((f"module {{}} loc({opening}", closing) for opening, closing in (
        ('"a"(', ")"), ("callsite(", " at unknown)"), ("callsite(unknown at ", ")"),
        ("fused[", "]"), ('fused<"a">[', "]"), ("fused<[", "]>[]"), ("loc(", ")"),
    )),
]  # fmt: skip
"""The opening and the closing text of a level; the opening includes required context."""


def nested() -> Iterator[tuple[str, str]]:
    """10,000 levels of each bracket, closed and unclosed."""
    heads = (ATTRIBUTE[0] + MAP, ATTRIBUTE[0], "module {} loc(", FUNCTION)
    for first, closing in NESTED:
        head = next((head for head in heads if first.startswith(head)), "")
        opening = first.removeprefix(head)
        yield f"{opening!r} never closed", head + opening * DEEP
        yield f"{opening!r} closed", head + opening * DEEP + closing * DEEP


def endless() -> Iterator[tuple[str, str]]:
    """An unterminated token of 1 MiB."""
    for begin, rest in (
        ('"', "a"), ('"', "\\22"), ('"', "\\"), ('@"', "a"), ("// ", "a"), ("a", "a"), ("a", ".a"),
        ("%", "a"), ("%a#", "1"), ("@", "a"), ("#", "a"), ("!", "a."), ("^", "a"), ("1", "1"),
        ("0x", "F"), ("1.", "1"), ("1.0e", "1"), ("-", "1"), ('dense<"0x', "F"), ("#a.b<", '"a'),
        ("#a.b<", "a"), ("tensor<", "1x"), ("", "\n"), ("", " "), ("/", "/"),
    ):  # fmt: skip
        text = begin + rest * (LONG // len(rest))
        yield f"{begin + rest!r} at the top", text
        yield f"{begin + rest!r} as an attribute", ATTRIBUTE[0] + text
        yield f"{begin + rest!r} as a type", f"func.func private @f({text}"
        yield f"{begin + rest!r} in a body", FUNCTION + text
