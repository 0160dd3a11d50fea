"""Passes and pipelines as text: both ways, and one sentence for each mistake."""

from typing import Literal

import pytest

from penstock.ir.dialects.builtin import Module
from penstock.passes import PASSES
from penstock.passes.base import Pass, PipelineError, option_types
from penstock.passes.pipeline import load_pass, parse_pipeline, pipeline_text
from penstock.passes.simplify.canonicalize import Canonicalize
from penstock.passes.simplify.cse import CSE


class Tile(Pass):
    """Has an option of each kind."""

    name = "tile"
    size: int
    factor: float = 1.5
    flag: bool = False
    word: str = ""
    maybe: str | None = None
    count: int | None = 3
    kind: Literal["row", "column"] = "row"
    sizes: tuple[int, ...] = ()
    names: tuple[str, ...] = ("a",)

    def run(self, module: Module) -> None:
        raise AssertionError("never run")


@pytest.fixture
def parse(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Parse a pipeline that may name the pass of this module."""
    own = {"tile": Tile}
    monkeypatch.setattr(
        "penstock.passes.pipeline.load_pass", lambda name: own.get(name) or load_pass(name)
    )
    return parse_pipeline


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("canonicalize", [Canonicalize()]),
        (" canonicalize ,\n cse{} ", [Canonicalize(), CSE()]),
        ("tile{size=4}", [Tile(4)]),
        ("tile{size=-4 factor=1e-3 flag}", [Tile(-4, 0.001, True)]),
        ("tile{size=4 flag=false word=abc}", [Tile(4, word="abc")]),
        ('tile{size=4 word="a b,{}=" maybe="none"}', [Tile(4, word="a b,{}=", maybe="none")]),
        ("tile{size=4 maybe=none count=none}", [Tile(4, maybe=None, count=None)]),
        ("tile{kind=column size=4}", [Tile(4, kind="column")]),
        ("tile{size=4 sizes=1,2,3 names=x}", [Tile(4, sizes=(1, 2, 3), names=("x",))]),
        ("tile{names= size=4}", [Tile(4, names=())]),
        ('tile{size=4 names=},tile{size=5 names="a b",c}',
         [Tile(4, names=()), Tile(5, names=("a b", "c"))]),
    ],
)  # fmt: skip
def test_parsing(text: str, expected: list[Pass], parse) -> None:  # type: ignore[no-untyped-def]
    assert parse(text) == expected
    again = pipeline_text(expected)
    assert parse(again) == expected


def test_options_at_their_defaults_are_left_out() -> None:
    assert str(Canonicalize()) == "canonicalize"
    assert str(Tile(4, word='say "a"', sizes=(1, 2), maybe="x")) == (
        'tile{size=4 word="say \\22a\\22" maybe=x sizes=1,2}'
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("canonicalise", "there is no pass 'canonicalise': did you mean 'canonicalize'?"),
        ("zzz", "there is no pass 'zzz': there are"),
        ("cse{fast}", "pass 'cse' has no option 'fast': it has none"),
        ("tile{sise=4}", "pass 'tile' has no option 'sise': did you mean 'size'?"),
        ("tile{q=4}", "has no option 'q': it has count, factor, flag, kind, maybe, names, size"),
        ("tile", "pass 'tile' needs its option 'size'"),
        ("tile{size=four}", "option 'size' of pass 'tile' expects an integer, got 'four'"),
        ("tile{size=4 factor=x}", "option 'factor' of pass 'tile' expects a number, got 'x'"),
        ("tile{size=4 flag=1}", "is a flag: expected true or false, got '1'"),
        ("tile{size=1,2}", "option 'size' of pass 'tile' takes one value, got 2: 1, 2"),
        ("tile{size=}", "takes one value, got 0"),
        ("tile{size=4 kind=diagonal}", "is one of row, column: got 'diagonal'"),
        ("tile{size=4 size=5}", "option 'size' is given twice"),
        ("tile{size=4", "expected an option or '}' at its end"),
        ("tile{size=4}}", "expected ',' between passes, got '}'"),
        ("cse cse", "expected ',' between passes, got 'cse'"),
        ("cse,", "expected a pass at its end"),
        (",cse", "expected a pass, got ','"),
        ('tile{size="4}', "a quote is not closed at '\"4}'"),
        ("tile{size={}", "expected a value of option 'size', got '{'"),
        ('"cse"', "expected a pass, got '\"cse\"'"),
    ],
)
def test_mistakes(text: str, message: str, parse) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(PipelineError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_option_of_an_unsupported_type_is_an_error() -> None:
    class Odd(Pass):
        """Takes a list."""

        name = "odd"
        what: list = ()  # type: ignore[type-arg,assignment]

        def run(self, module: Module) -> None: ...

    with pytest.raises(
        TypeError, match="is declared <class 'list'>, which cannot be written as text"
    ):
        Odd.from_options({"what": ["1"]})


@pytest.mark.parametrize("name", sorted(PASSES))
def test_every_pass_of_the_table(name: str) -> None:
    cls = load_pass(name)
    assert issubclass(cls, Pass)
    assert cls.name == name
    assert "->" in (cls.__doc__ or ""), "its docstring shows IR before -> IR after"
    assert isinstance(option_types(cls), dict)
