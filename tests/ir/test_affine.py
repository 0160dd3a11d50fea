"""Affine expressions and maps: simplified when built, printed so that they read back the same."""

import random

import pytest
from structure import value

from penstock.ir.affine import AffineMap, Binary, Const, Dim, Expr, Symbol, combine
from penstock.ir.attributes import AffineMapAttr
from penstock.ir.dialects.parsing import parse_module

d0, d1, d2 = Dim(0), Dim(1), Dim(2)
s0 = Symbol(0)


def read(text: str) -> AffineMap:
    attr = parse_module(f"module attributes {{a = affine_map<{text}>}} {{}}").attributes["a"]
    assert isinstance(attr, AffineMapAttr)
    return attr.map


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (d0 + 0, "d0"),
        (Const(2) + d0, "d0 + 2"),
        (d0 + 1 + d1 + 2, "d0 + d1 + 3"),
        (d0 + (d1 + 2), "d0 + d1 + 2"),
        (d0 + (d1 + d2), "d0 + (d1 + d2)"),
        (d0 + 3 - 3, "d0"),
        (Const(1) + 2, "3"),
        (Const(4) * 5, "20"),
        (d0 - d1, "d0 - d1"),
        (d0 - 5, "d0 - 5"),
        (-d0 + d1, "-d0 + d1"),
        (-(d0 + d1), "-(d0 + d1)"),
        (d0 - d1 * 2, "d0 - d1 * 2"),
        (d0 - (d1 + d2), "d0 - (d1 + d2)"),
        (d0 * 0, "0"),
        (d0 * 1, "d0"),
        (d0 * 2 * 3, "d0 * 6"),
        (d0 * -2, "d0 * -2"),
        (Const(2) * d0, "d0 * 2"),
        ((d0 + 1) * 2, "(d0 + 1) * 2"),
        (d0 * s0, "d0 * s0"),
        (combine("mod", d0, Const(1)), "0"),
        (combine("floordiv", d0, Const(1)), "d0"),
        (combine("ceildiv", Const(7), Const(2)), "4"),
        (combine("mod", Const(-1), Const(4)), "3"),
        (combine("mod", d0, Const(-2)), "d0 mod -2"),
        (combine("floordiv", combine("mod", d0, Const(8)), Const(3)), "(d0 mod 8) floordiv 3"),
        (d0 - combine("mod", d0, Const(4)) * 4, "d0 - (d0 mod 4) * 4"),
    ],
)
def test_expressions_are_simplified_and_printed(expr: Expr, text: str) -> None:
    assert str(expr) == text
    assert read(f"(d0, d1, d2)[s0] -> ({text})").results == (expr,)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("() -> ()", "() -> ()"),
        ("()[s] -> (s)", "()[s0] -> (s0)"),
        ("(i, j) -> (j, i)", "(d0, d1) -> (d1, d0)"),
        ("(i) -> (i+1-2)", "(d0) -> (d0 - 1)"),
        ("(i) -> (1 + i)", "(d0) -> (d0 + 1)"),
        ("(i) -> (i -1)", "(d0) -> (d0 - 1)"),
        ("(i, j) -> (j + i, 1 + j + i)", "(d0, d1) -> (d0 + d1, d0 + d1 + 1)"),
        ("(i, j) -> (j * 2 + i, j - i)", "(d0, d1) -> (d1 * 2 + d0, d1 - d0)"),
        ("(i) -> (- -i)", "(d0) -> (d0)"),
        ("(i) -> (2 * (i - 1) mod 3)", "(d0) -> (((d0 - 1) * 2) mod 3)"),
        ("(i) -> ((((i))))", "(d0) -> (d0)"),
        ("(i)[n] -> (i floordiv n, i ceildiv 2)", "(d0)[s0] -> (d0 floordiv s0, d0 ceildiv 2)"),
        ("(i) -> (i - -9223372036854775807)", "(d0) -> (d0 + 9223372036854775807)"),
    ],
)
def test_reading(text: str, printed: str) -> None:
    assert str(read(text)) == printed
    assert str(read(printed)) == printed


def random_expr(choose: random.Random, depth: int) -> Expr:
    """A random affine expression, not simplified."""
    if depth == 0 or choose.random() < 0.2:
        return choose.choice([d0, d1, s0, Const(choose.randrange(-4, 9))])
    kind = choose.choice(["+", "+", "+", "*", "mod", "floordiv", "ceildiv"])
    right = random_expr(choose, depth - 1) if kind == "+" else Const(choose.randrange(1, 9))
    return Binary(kind, random_expr(choose, depth - 1), right)


@pytest.mark.parametrize("seed", range(200))
def test_expressions_round_trip_and_keep_their_value(seed: int) -> None:
    choose = random.Random(seed)
    raw = AffineMap(2, tuple(random_expr(choose, 4) for _ in range(3)), 1)
    attr = AffineMapAttr(raw)
    assert read(str(attr.map)) == attr.map
    assert AffineMapAttr(attr.map) is attr
    for _ in range(10):
        point = [choose.randrange(-20, 20) for _ in range(2)], [choose.randrange(20)]
        assert [value(e, *point) for e in raw.results] == [
            value(e, *point) for e in attr.map.results
        ]


def test_evaluation_agrees_with_a_second_implementation() -> None:
    expr = combine("mod", d0 * 3 - d1, Const(5)) + combine("ceildiv", d1, Const(4))
    for x in range(-6, 6):
        for y in range(-6, 6):
            assert expr.evaluate((x, y)) == value(expr, (x, y), ()) == (3 * x - y) % 5 - (-y // 4)


def test_maps() -> None:
    identity = AffineMap.identity(2)
    assert identity.is_identity
    assert not AffineMap.select(2, (1, 0)).is_identity
    assert AffineMap.select(3, (2, 0)).is_projected_permutation
    assert not AffineMap.select(3, (1, 1)).is_projected_permutation
    assert not AffineMap(1, (d0 + 1,)).is_projected_permutation
    assert AffineMap.select(3, (2, 0)).dims() == [2, 0]
    assert AffineMap(2, (d0 * 2 + d1,)).evaluate((3, 4)) == (10,)
    assert list((d0 + d1 * d0).dims()) == [0, 1, 0]


def test_substitution() -> None:
    outer, inner = AffineMap(1, (d0 * 2 + 1,)), AffineMap(2, (d0 - d1,))
    composed = outer.substitute(2, inner.results)
    assert str(composed) == "(d0, d1) -> ((d0 - d1) * 2 + 1)"
    assert composed.evaluate((5, 2)) == outer.evaluate(inner.evaluate((5, 2)))
    assert str(AffineMap(1, (d0 + s0,), 1).substitute(2, [d1])) == "(d0, d1)[s0] -> (d1 + s0)"


def test_a_symbol_has_no_value_here() -> None:
    with pytest.raises(TypeError, match="s0 has symbols, so it has no value"):
        s0.evaluate((1,))
