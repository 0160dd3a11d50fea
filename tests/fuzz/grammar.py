"""Random texts from the grammar: mostly well-formed, and about half of them valid modules.

Every registered op has functions, taken from programs that contain it, in generic and in custom
form. The grammar varies their types, attributes, affine maps, locations, aliases, names and
nesting.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from cases import all_cases

from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func, Return
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.opdef import registry
from penstock.ir.text.printer import print_module

PROGRAMS = Path(__file__).parent.parent / "ir" / "programs"
RARE = """
module attributes {job.type = "predict"} {
  func.func @f(%x: tensor<4xf32>, %s: f32, %i: i32, %r: tensor<f32>) -> tensor<4xf32> {
    %a = "builtin.unrealized_conversion_cast"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %b = "flow.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %d = arith.divf %s, %s : f32
    %m0 = math.acos %s : f32
    %m1 = math.acosh %s : f32
    %m2 = math.asin %s : f32
    %m3 = math.asinh %s : f32
    %m4 = math.atan %s : f32
    %m5 = math.atanh %s : f32
    %m6 = math.cosh %s : f32
    %m7 = math.erfc %s : f32
    %m8 = math.exp2 %s : f32
    %m9 = math.log2 %s : f32
    %m10 = math.sinh %s : f32
    %m11 = math.tan %s : f32
    %m = math.atan2 %s, %s : f32
    %i0 = arith.divui %i, %i : i32
    %i1 = arith.maxui %i, %i : i32
    %i2 = arith.minui %i, %i : i32
    %i3 = arith.remui %i, %i : i32
    %i4 = arith.shli %i, %i : i32
    %i5 = arith.shrui %i, %i : i32
    %y = "sbp.collective"(%x) {kind = "all_reduce", reduction = "sum", ranks = array<i64: 0, 1>,
      counts = array<i64: 4>, deferred} : (tensor<4xf32>) -> tensor<4xf32>
    "sbp.await"(%y, %x) : (tensor<4xf32>, tensor<4xf32>) -> ()
    "job.rate"(%r) : (tensor<f32>) -> ()
    %c = "job.listening"() {names = ["a", "b"]} : () -> i1
    "job.watch"(%b) {name = "b"} : (tensor<4xf32>) -> ()
    "job.watchable"(%b) {name = "b"} : (tensor<4xf32>) -> ()
    "job.watch_diff"(%b) {name = "b"} : (tensor<4xf32>) -> ()
    "job.minimize"(%b) {optimizer = {kind = "sgd"}, schedule = {kind = "piecewise_constant",
      boundaries = [], values = [0.1], base_lr = 0.1}} : (tensor<4xf32>) -> ()
    "sbp.give"(%a) {number = 0 : i64} : (tensor<4xf32>) -> ()
    %t = "sbp.take"() {number = 1 : i64} : () -> tensor<4xf32>
    return %a : tensor<4xf32>
  }
}
"""
MOST = 6
"""The most functions per op."""
SPACES = [" ", "\n", "  ", " // a comment\n", "\t"]
SCALARS = ["f32", "f64", "f16", "bf16", "i1", "i8", "i32", "i64", "ui8", "si4", "i128", "index"]
TYPE = re.compile(
    r"(?:tensor|memref|vector)<(?:[^<>\n]|<[^<>\n]*>)*>|\b(?:f32|f64|i1|i8|i32|i64|index)\b"
)
MAP = re.compile(r"affine_map<\([^<>\n]*-> ?\([^<>\n]*\)>")
NUMBER = re.compile(r"(?<![\w.%#@x])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")
OP_LINE = re.compile(r'^ *(?:%[\w, :%]+ = )?"?[a-z_]+\.[\w.]+.*[)\w>}]$', re.MULTILINE)
DICTIONARY = re.compile(r"(?<=[\w>)]) \{(?=\w)")


def functions() -> dict[str, list[str]]:
    """For each registered op, the text of functions that contain it and what it needs."""
    found: dict[str, list[str]] = {}
    modules = [
        parse_module(path.read_text(), str(path), True) for path in sorted(PROGRAMS.glob("*.mlir"))
    ]
    modules += [parse_module(RARE)]
    modules += [case.program()[0] for case in all_cases()]
    for module in modules:
        for op in module.walk():
            if op.name not in registry or isinstance(op, Module | Func) or op.terminator:
                continue
            if isinstance(op.parent, Func) and len(found.get(op.name, ())) < MOST:
                found.setdefault(op.name, []).extend(_alone(op))
    return found


def _alone(op: Operation) -> Iterator[str]:
    """The text of one op alone, in custom and in generic form."""
    inside = set(op.walk())
    used = [v for inner in inside for v in inner.operands if _owner(v) not in inside]
    outside = list(dict.fromkeys(used))
    function = Func.make("f", [value.type for value in outside])
    mapping: dict[Value, Value] = dict(zip(outside, function.arguments, strict=True))
    function.body.append(op.clone(mapping))
    function.body.append(Return((), (), {}))
    function.update_type()
    module = Module.empty()
    module.body.append(function)
    for generic in (False, True):
        text = print_module(module, generic)
        yield text[text.index("\n") + 1 : text.rindex("}")] if not generic else text


def _owner(value: Value) -> object:
    owner = value.owner
    return owner if isinstance(owner, Operation) else owner.region.op


class Grammar:
    """Random pieces of text from the rules of the grammar."""

    def __init__(self, choose: random.Random) -> None:
        self.choose = choose
        self.depth = 0
        self.aliases: dict[str, str] = {}

    # -- types --------------------------------------------------------------------------------

    def type(self) -> str:
        self.depth += 1
        pick = self.choose.randrange(10 if self.depth < 4 else 3)
        try:
            return self._type(pick)
        finally:
            self.depth -= 1

    def _type(self, pick: int) -> str:
        element = self.choose.choice(SCALARS)
        shape = self.shape()
        match pick:
            case 0 | 1 | 2:
                return element
            case 3 | 4:
                encoding = f", {self.attribute()}" if self.choose.random() < 0.2 else ""
                return f"tensor<{shape}{element}{encoding}>"
            case 5:
                layout = self.choose.choice(
                    ["", "", f", {self.strided(shape.count('x'))}", f", {self.map()}", ", 1 : i64"]
                )
                return f"memref<{shape}{element}{layout}>"
            case 6:
                return f"vector<{shape.replace('?', '4').replace('0x', '2x') or '4x'}{element}>"
            case 7:
                return f"memref<*x{element}>"
            case 8:
                return f"({self.types()}) -> ({self.types()})"
            case _:
                return self.choose.choice(["none", "!a.b", f"!a.b<{self.attribute()}>", "i0", "f3"])

    def types(self) -> str:
        return ", ".join(self.type() for _ in range(self.choose.randrange(3)))

    def shape(self) -> str:
        extents = ["1x", "4x", "?x", "0x", "16x", "123456789x"]
        return "".join(
            self.choose.choice(extents) for _ in range(self.choose.choice((0, 1, 1, 2, 3)))
        )

    def strided(self, rank: int) -> str:
        strides = ", ".join(self.choose.choice(["1", "?", "64"]) for _ in range(rank))
        return f"strided<[{strides}]{self.choose.choice(['', ', offset: ?', ', offset: 3'])}>"

    # -- affine maps --------------------------------------------------------------------------

    def map(self) -> str:
        dims = [f"d{i}" for i in range(self.choose.randrange(4))]
        symbols = [f"s{i}" for i in range(self.choose.choice((0, 0, 1, 2)))]
        listed = f"[{', '.join(symbols)}]" if symbols else ""
        results = ", ".join(
            self.expression(dims + symbols, 0) for _ in range(self.choose.randrange(4))
        )
        return f"affine_map<({', '.join(dims)}){listed} -> ({results})>"

    def expression(self, names: list[str], depth: int) -> str:
        pick = self.choose.randrange(7 if depth < 5 else 3)
        if pick < 3:
            return self.choose.choice([*names, *names, str(self.choose.randrange(-3, 99))])
        left, right = (self.expression(names, depth + 1) for _ in range(2))
        if pick == 3:
            return f"-({left})"
        if pick == 4:
            constant = self.choose.choice(["2", "4", "-1", "s0", right])
            word = self.choose.choice(["*", "mod", "floordiv", "ceildiv"])
            return f"({left}) {word} {constant}"
        return f"({left} {self.choose.choice('+-')} {right})"

    # -- attributes ---------------------------------------------------------------------------

    def attribute(self) -> str:
        self.depth += 1
        try:
            nested = self.depth < 5 and self.choose.random() < 0.6
            return self._nested() if nested else self._plain()
        finally:
            self.depth -= 1

    def _plain(self) -> str:
        choose = self.choose
        match choose.randrange(9):
            case 0:
                return str(choose.choice([0, 1, -1, 255, 2**63 - 1, -(2**63), 2**64]))
            case 1:
                return f"{choose.randrange(-300, 300)} : {choose.choice(SCALARS)}"
            case 2:
                return self.float()
            case 3:
                return f"{self.float()} : {choose.choice(['f16', 'bf16', 'f32', 'f64', 'i8'])}"
            case 4:
                return f"0x{choose.randrange(2**17):X} : {choose.choice(SCALARS)}"
            case 5:
                return self.string()
            case 6:
                return choose.choice(["@f", "@f::@g", '@"odd name"', "@a::@b::@c"])
            case 7:
                return choose.choice(
                    ["unit", "true", "false", "#a.b", "#linalg.iterator_type<parallel>"]
                )
            case _:
                return "[]"

    def _nested(self) -> str:
        choose = self.choose
        many = range(choose.randrange(4))
        match choose.randrange(9):
            case 0 | 1:
                return f"[{', '.join(self.attribute() for _ in many)}]"
            case 2:
                return f"{{{', '.join(self.entry(i) for i in many)}}}"
            case 3:
                return self.type()
            case 4:
                return self.map()
            case 5:
                return self.strided(choose.randrange(3))
            case 6:
                element = choose.choice(["i1", "i8", "i32", "i64", "f32", "f64", "i4"])
                value = "1.5" if element[0] == "f" else choose.choice(["1", "-1", "true"])
                values = ", ".join([value] * choose.randrange(4))
                return f"array<{element}{': ' if values else ''}{values}>"
            case 7:
                return self.dense()
            case _:
                return self.alias("#", self.attribute())

    def float(self) -> str:
        return self.choose.choice(
            ["0.0", "-0.0", "1.5", "-2.5e-9", "1.0e+30", "1.0e999", "3.", "0x7FC00000"]
        )

    def string(self) -> str:
        pieces = [
            "a",
            "é",
            "\\22",
            "\\\\",
            "\\n",
            "\\00",
            " ",
            "{",
            ">",
            "//",
            "\\FF",
            "%x",
            "loc(",
        ]
        return (
            '"' + "".join(self.choose.choice(pieces) for _ in range(self.choose.randrange(5))) + '"'
        )

    def dense(self) -> str:
        element = self.choose.choice(["i1", "i8", "i32", "i64", "f32", "bf16", "index", "i128"])
        value = self.float() if element[-2:] in ("32", "16") and "f" in element else "1"
        match self.choose.randrange(5):
            case 0:
                return f"dense<{value}> : tensor<{self.shape().replace('?', '3')}{element}>"
            case 1:
                rows, columns = self.choose.randrange(4), self.choose.randrange(1, 4)
                row = f"[{', '.join([value] * columns)}]"
                body = ", ".join([row] * rows)
                return f"dense<[{body}]> : tensor<{rows}x{columns}x{element}>"
            case 2:
                return f'dense<"0x{"0F" * self.choose.randrange(9)}"> : vector<4x{element}>'
            case 3:
                return f"dense<> : tensor<0x{element}>"
            case _:
                return f"dense<[{value}, {value}]> : memref<2x{element}>"

    def entry(self, number: int) -> str:
        name = self.choose.choice([f"a{number}", f"job.x{number}", f'"odd {number}"', "sym_name"])
        return f"{name} = {self.attribute()}" if self.choose.random() < 0.8 else name

    def alias(self, mark: str, meaning: str) -> str:
        name = f"{mark}{self.choose.choice(['a', 'map', 'x.y', '0'])}{len(self.aliases)}"
        self.aliases[name] = meaning
        return name

    # -- locations ----------------------------------------------------------------------------

    def location(self) -> str:
        self.depth += 1
        pick = self.choose.randrange(9 if self.depth < 5 else 4)
        two = [self.location() for _ in range(2)] if pick > 3 else ["", ""]
        self.depth -= 1
        choose = self.choose
        line = choose.choice([1, 7, 2**32 - 1])
        return [
            "unknown",
            f"{self.string()}:{line}:{choose.randrange(3)}",
            f'"a.py":{line}:3 to {choose.choice(["", "9"])}:{line}',
            '"name"',
            f'"name"({two[0]})',
            f"callsite({two[0]} at {two[1]})",
            f"fused[{', '.join(two)}]",
            f"fused<{self.string()}>[{two[1]}]",
            self.alias("#", f"loc({two[0]})"),
        ][pick]

    # -- modules ------------------------------------------------------------------------------

    def module(self, texts: Sequence[str]) -> str:
        """A module of some functions, each with small variations or none."""
        choose = self.choose
        parts = [self.varied(text, i) for i, text in enumerate(texts)]
        for _ in range(choose.choice((0, 0, 1, 2))):
            parts.append(self.declaration())
        body = choose.choice(SPACES).join(parts)
        match choose.randrange(6):
            case 0:
                body = f"module {{ {body} }}"
            case 1:
                body = (
                    f"module @m attributes {{{self.entry(0)}}} {{ {body} }} loc({self.location()})"
                )
            case 2:
                body = f"module {{\nmodule {{\n {body} }} }}"
            case 3:
                body = f'"builtin.module"() ({{\n{body}\n}}) {{{self.entry(1)}}} : () -> ()'
        defined = "".join(f"\n{name} = {meaning}" for name, meaning in self.aliases.items())
        return f"{defined}\n{body}" if choose.random() < 0.5 else f"{body}\n{defined}\n"

    def declaration(self) -> str:
        choose = self.choose
        arguments = ", ".join(
            self.type()
            + (f" {{{self.entry(i)}}}" if choose.random() < 0.3 else "")
            + (f" loc({self.location()})" if choose.random() < 0.3 else "")
            for i in range(choose.randrange(3))
        )
        name = choose.choice(["d0", "d1", '"odd d"', "d.x"])
        where = f" loc({self.location()})" if choose.random() < 0.5 else ""
        return f"func.func private @{name}({arguments}) -> ({self.types()}){where}"

    def varied(self, text: str, number: int) -> str:
        """The function under a unique name, with random changes."""
        choose = self.choose
        text = text.replace("@f(", f"@f{number}(").replace('"f"', f'"f{number}"')
        for _ in range(choose.choice((0, 0, 1, 1, 2))):
            match choose.randrange(8):
                case 0 | 1:
                    text = self.replaced(TYPE, text, self.type())
                case 2:
                    text = self.replaced(MAP, text, self.map())
                case 3:
                    text = self.replaced(
                        NUMBER, text, str(choose.choice([0, 1, -1, 3, 2**40, 1.5]))
                    )
                case 4:
                    text = self.replaced(OP_LINE, text, None, f" loc({self.location()})")
                case 5:
                    text = self.replaced(DICTIONARY, text, f" {{zz.a = {self.attribute()}, ")
                case 6:
                    text = self.replaced(TYPE, text, None, "", "!")
                case _:
                    text = text.replace(" ", choose.choice(SPACES), choose.choice((1, 3, -1)))
        return text

    def replaced(
        self, what: re.Pattern[str], text: str, by: str | None, after: str = "", mark: str = ""
    ) -> str:
        """Replace one match, or all equal ones, or append to it, or define an alias for it."""
        found = list(what.finditer(text))
        if not found:
            return text
        match = self.choose.choice(found)
        new = self.alias(mark, match[0]) if mark else f"{match[0] if by is None else by}{after}"
        if self.choose.random() < 0.5:
            return text.replace(match[0], new)
        return text[: match.start()] + new + text[match.end() :]
