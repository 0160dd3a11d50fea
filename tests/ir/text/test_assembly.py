"""Custom forms: what format strings print and parse, and invalid format strings."""

from collections.abc import Iterator

import pytest

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr, StringAttr
from penstock.ir.builder import Builder
from penstock.ir.codecs import ATTRIBUTE, BOOL, INTEGER, INTEGERS, STRING, SYMBOL, choice
from penstock.ir.core import Block, Operation, Region
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.opdef import (
    UnregisteredOp,
    attribute,
    operand,
    operands,
    registry,
    result,
    results,
)
from penstock.ir.text.assembly import form_of, named_attributes
from penstock.ir.text.printer import print_module


class Plain(Operation):
    """An op with every kind of element."""

    name = "form.plain"
    left = operand()
    rest = operands()
    count = attribute(INTEGER, 1)
    mode = attribute(choice("a mode", "fast", "slow"))
    target = attribute(SYMBOL, optional=True)
    extra = attribute(ATTRIBUTE, optional=True, key="other name")
    value = result()
    assembly = (
        "$left (`with` `(` $rest^ `:` type($rest) `)`)? `count` `=` $count $mode "
        "(`to` $target^)? (`<` $extra^ `>`)? attr-dict `:` type($left) `->` type($value)"
    )


class Signature(Operation):
    """An op with a functional type."""

    name = "form.signature"
    inputs = operands()
    axes = attribute(INTEGERS)
    flag = attribute(BOOL, False)
    outcomes = results()
    assembly = "`[` $inputs `]` $axes attr-dict `:` functional-type"


class Segmented(Operation):
    """Two groups of any length."""

    name = "form.segmented"
    first = operands()
    second = operands()
    assembly = "`(` $first `:` type($first) `)` `(` $second `:` type($second) `)` attr-dict"


class Words(Operation):
    """A form without operands."""

    name = "form.words"
    label = attribute(STRING, optional=True)
    assembly = "`{` `x` `}` `,` ($label^)? attr-dict"


# Other tests walk the registry and must not find these.
OPS = {cls.name: registry.pop(cls.name) for cls in (Plain, Signature, Segmented, Words)}


@pytest.fixture(autouse=True)
def _ops() -> Iterator[None]:
    registry.update(OPS)
    yield
    for name in OPS:
        registry.pop(name)


def line(op: Operation) -> str:
    """How an op prints in a block that defines `%a`, `%b` and `%c`."""
    return print_module(op.parent or op).splitlines()[2].strip()


def reread(op: Operation) -> Operation:
    """The op read back from its text."""
    assert op.block is not None
    names = ", ".join(f"%{a.name}: {a.type}" for a in op.block.arguments)
    text = f'"test.holder"() ({{\n^bb0({names}):\n  {line(op)}\n}}) : () -> ()'
    module = parse_module(text, allow_unregistered=True)
    first = module.body.first
    assert first is not None
    found = first.body.first
    assert found is not None
    return found


@pytest.fixture
def b() -> Builder:
    block = Block([ty.f32, ty.i8, ty.f32], ["a", "b", "c"])
    UnregisteredOp("test.holder", regions=[Region(block)])
    return Builder.at_end(block)


def check(op: Operation, text: str) -> None:
    assert line(op) == text
    again = reread(op)
    assert line(again) == text
    assert again.attributes == op.attributes
    assert [v.type for v in again.operands] == [v.type for v in op.operands]
    assert [r.type for r in again.results] == [r.type for r in op.results]
    generic = print_module(op, generic=True)
    assert generic.startswith(f'%0 = "{op.name}"' if op.results else f'"{op.name}"')


def test_the_minimal_form(b: Builder) -> None:
    x = b.block.arguments[0]
    op = b.create(Plain, x, [], mode="fast", types=[ty.i1])
    check(op, '%0 = form.plain %a count = 1 "fast" : f32 -> i1')


def test_the_maximal_form(b: Builder) -> None:
    x, y, z = b.block.arguments
    op = b.create(
        Plain, x, [y, z], mode="slow", count=-3, target="f g", extra=StringAttr("e"), types=[ty.f16]
    )
    op.attributes["odd one"] = IntegerAttr(5)
    check(
        op,
        '%0 = form.plain %a with(%b, %c : i8, f32) count = -3 "slow" to @"f g"<"e"> '
        '{"odd one" = 5 : i64} : f32 -> f16',
    )


def test_a_functional_type(b: Builder) -> None:
    x, y, _ = b.block.arguments
    check(
        b.create(Signature, [], axes=[], types=[]),
        "form.signature[] array<i64> : () -> ()",
    )
    op = b.create(Signature, [x, y], axes=[1, 2], flag=True, types=[ty.f32, ty.i1])
    b.block.first.erase()  # type: ignore[union-attr]
    assert line(op) == (
        "%0:2 = form.signature[%a, %b] array<i64: 1, 2> {flag = true} : (f32, i8) -> (f32, i1)"
    )
    assert reread(op).attributes == op.attributes


def test_defaults_are_not_printed(b: Builder) -> None:
    op = b.create(Signature, [], axes=[], flag=False, types=[])
    assert "flag" in op.attributes
    check(op, "form.signature[] array<i64> : () -> ()")


@pytest.mark.parametrize(("first", "second"), [(0, 0), (1, 0), (0, 2), (2, 1)])
def test_groups(b: Builder, first: int, second: int) -> None:
    values = b.block.arguments[:first], b.block.arguments[:second]
    op = b.create(Segmented, *values)
    texts = [
        f"({', '.join(f'%{v.name}' for v in group)} : {', '.join(str(v.type) for v in group)})"
        for group in values
    ]
    assert line(op).replace(" ", "") == f"form.segmented{''.join(texts)}".replace(" ", "")
    again = reread(op)
    assert isinstance(again, Segmented)
    assert ([v.type for v in again.first], [v.type for v in again.second]) == (
        [v.type for v in values[0]],
        [v.type for v in values[1]],
    )


def test_keywords_only(b: Builder) -> None:
    check(b.create(Words), "form.words{x},")
    b.block.first.erase()  # type: ignore[union-attr]
    check(b.create(Words, label="l"), 'form.words{x}, "l"')


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            'form.plain %a count = 1 "medium" : f32 -> i1',
            "mode: expected a mode: one of fast, slow",
        ),
        ('form.plain %a count = "1" "fast" : f32 -> i1', "expected an integer, got '\"1\"'"),
        ('form.plain %a with() count = 1 "fast" : f32 -> i1', "expected ':', got ')'"),
        (
            'form.plain %a with(%b : f32) count = 1 "fast" : f32 -> i1',
            "form.plain: rest has type (i8), the text says (f32)",
        ),
        (
            'form.plain %a count = 1 "fast" : f64 -> i1',
            "form.plain: left has type (f32), the text says (f64)",
        ),
        ('form.plain %a count = 1 "fast" {mode = "slow"} : f32 -> i1', "attribute 'mode' is given"),
        (
            "form.signature[%a] array<i64> : () -> ()",
            "the operands have type (f32), the text says",
        ),
        ("form.signature[%a,] array<i64> : (f32) -> ()", "expected a value such as %x, got ']'"),
        ("form.signature[] [] : () -> ()", "axes: expected a list of integers: array<i64: ...>"),
        ("form.words x", "expected '{', got 'x'"),
    ],
)
def test_misuse(text: str, sentence: str) -> None:
    holder = f'"test.holder"() ({{\n^bb0(%a: f32, %b: i8):\n  {text}\n}}) : () -> ()'
    with pytest.raises(IRError) as caught:
        parse_module(holder, allow_unregistered=True)
    assert sentence in caught.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ("$x ?", r"' \?' is left, or a group is open"),
        ("$x $y", r"\$y: there is no operand or attribute of that name"),
        ("type($y)", r"type\(\$y\): there is no operand or result of that name"),
        ("mixed($y, $x)", r"mixed\(\$y, \$x\): there is no such attribute or no such operand"),
        ("$x (`a`", "is left, or a group is open"),
        ("$x `a` )?", "a group without start or anchor"),
        ("(`a` $x)?", "a group without start or anchor"),
        ("$x & attr-dict", "' & ' is not a valid piece"),
    ],
)
def test_invalid_forms(form: str, sentence: str) -> None:
    class Wrong(Operation):
        """An op with a wrong form."""

        x = operand()
        assembly = form

    with pytest.raises(TypeError, match=sentence):
        form_of(Wrong.definition)


@pytest.mark.parametrize("name", sorted(registry))
def test_every_registered_form_is_valid(name: str) -> None:
    definition = registry[name].definition
    form = form_of(definition)
    shown = named_attributes(definition)
    assert shown <= {declared.name for declared in definition.attributes.values()}
    assert form is None or any(piece.kind == "attr-dict" for piece in form)
