"""The text of passes and pipelines: parsing, printing, and one sentence per error."""

import re
from typing import ClassVar, Literal

import pytest

from penstock.ir.dialects.builtin import Module
from penstock.lowering.modules import PIPELINES, pipeline_of
from penstock.passes import PASSES
from penstock.passes.base import Order, Pass, PipelineError, option_types
from penstock.passes.buffers.bufferize import Bufferize
from penstock.passes.pipeline import (
    PassSpec,
    Pipeline,
    known_passes,
    load_pass,
    parse_pipeline,
    pipeline_text,
    register,
)
from penstock.passes.simplify.canonicalize import Canonicalize
from penstock.passes.simplify.cse import CSE


class Tile(Pass):
    """A pass with an option of each kind."""

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
    """Parse a pipeline that may name the passes of this module."""
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
        ('tile{kind="column" size=4}', [Tile(4, kind="column")]),
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
        ("my.zzz", "there is no pass 'my.zzz': import the file that registers it, as by --import"),
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
def test_errors(text: str, message: str, parse) -> None:  # type: ignore[no-untyped-def]
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


class Early(Pass):
    """Runs before `lower`, and after `mark-blobs` if the pipeline has it."""

    name = "early"
    before: ClassVar[Order] = {"lower": "it reads tensor ops"}
    after: ClassVar[Order] = {"mark-blobs": None}
    depth: int = 1

    def run(self, module: Module) -> None: ...


class Last(Pass):
    """A pass without `before` and `after`."""

    name = "last"

    def run(self, module: Module) -> None: ...


class Late(Pass):
    """Runs after two passes."""

    name = "late"
    after: ClassVar[Order] = {"lower": "it reads generics", "cse": None}

    def run(self, module: Module) -> None: ...


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the passes above to the table, as their only registration."""
    for cls in (Early, Late, Last):
        monkeypatch.setitem(PASSES, cls.name, f"{__name__}:{cls.__name__}")


@pytest.mark.parametrize(
    ("text", "step", "expected"),
    [
        ("cse,lower,dce,lower", "early", "cse,early,lower,dce,lower"),
        ("mark-blobs,cse,lower", "early", "mark-blobs,cse,early,lower"),
        ("mark-blobs,cse", "early", "mark-blobs,early,cse"),
        ("lower,cse,dce,cse,fold", "late", "lower,cse,dce,cse,late,fold"),
        ("fold,lower,dce", "late", "fold,lower,late,dce"),
        ("dce", "late", "dce,late"),
        ("lower,cse", "last", "lower,cse,last"),
        ("", "early", "early"),
        ("lower", PassSpec.of("early", depth=2), "early{depth=2},lower"),
    ],
)
@pytest.mark.usefixtures("own")
def test_a_pass_is_inserted_where_its_class_says(
    text: str, step: PassSpec | str, expected: str
) -> None:
    usual = Pipeline.parse(text)
    assert str(usual.insert(step)) == expected
    assert str(usual) == text, "a pipeline never changes"


def test_several_passes_are_inserted_and_one_at_a_chosen_place() -> None:
    usual = Pipeline.of("autodiff", "lower", "fuse-elementwise", "outline-groups")
    tapped = usual.insert("name-locations", "copy-blobs", "tap-blobs")
    assert str(tapped) == (
        "autodiff,name-locations,lower,copy-blobs,fuse-elementwise,outline-groups,tap-blobs"
    )
    assert str(usual.insert("mark-blobs", after="autodiff")).startswith("autodiff,mark-blobs,lower")


@pytest.mark.usefixtures("own")
def test_no_position_fits_a_pass() -> None:
    with pytest.raises(PipelineError) as caught:
        Pipeline.parse("lower,mark-blobs").insert("early")
    assert str(caught.value) == (
        "pipeline 'lower,mark-blobs' has no place for pass 'early', which comes after 'mark-blobs' "
        "and before 'lower'; change their order"
    )
    with pytest.raises(PipelineError, match="'lower' has no pass 'cse' to insert another after"):
        Pipeline.of("lower").insert("dce", after="cse")


def test_the_options_of_a_step() -> None:
    step = PassSpec.of("bufferize", target="x86-64-v3", tiles=("1x2 a b", "none"), twice=True)
    assert str(step) == 'bufferize{target=x86-64-v3 tiles="1x2 a b","none" twice=true}'
    usual = Pipeline.of("lower", "bufferize")
    again = usual.replace(step)
    assert str(again) == f"lower,{step}"
    assert again.passes()[1] == Bufferize("x86-64-v3", ("1x2 a b", "none"), True)
    assert Pipeline.parse(str(again)).passes() == again.passes()
    assert parse_pipeline(pipeline_text(again.passes())) == again.passes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "lower,autodiff",
            "pass 'autodiff' comes after 'lower', but must come before it, since generics have no "
            "gradients: move 'autodiff' ahead of 'lower'",
        ),
        ("bufferize,cse,lower", "pass 'lower' comes after 'bufferize', but must come before it"),
        ("outline-groups,lower,outline-groups", "'lower' comes after 'outline-groups'"),
        ("copy-blobs,autodiff", "'autodiff' comes after 'copy-blobs', but must come before it"),
        ("late,lower", "'lower' comes after 'late', but must come before it, since it reads gen"),
    ],
)
@pytest.mark.usefixtures("own")
def test_a_wrong_order_is_refused(text: str, message: str) -> None:
    with pytest.raises(PipelineError) as caught:
        parse_pipeline(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "name-locations,lower", "lower,name-locations", "fuse-elementwise,lower", "lower,place",
        "canonicalize,bufferize,canonicalize", "mark-blobs,autodiff,mark-blobs",
        "autodiff,lower,outline-groups,lower,bufferize,autodiff",
    ],
)  # fmt: skip
def test_orders_that_work_are_accepted(text: str) -> None:
    assert [step.name for step in parse_pipeline(text)] == text.split(",")


@pytest.mark.parametrize("tapped", [False, True])
def test_the_pipelines_of_all_stages_keep_all_orders(tapped: bool) -> None:
    """Including the orders that are not necessary."""
    stages = (pipeline_of(stage, "x86-64-v3", tapped) for stage in PIPELINES)
    passes = sum(stages, Pipeline()).passes()
    names = [step.name for step in passes]
    for step in passes:
        first = names.index(step.name)
        assert all(first < names.index(other) for other in step.before if other in names)
        assert all(first > names.index(other) for other in step.after if other in names)


@pytest.mark.parametrize("name", sorted(PASSES))
def test_before_and_after_name_passes(name: str) -> None:
    cls = load_pass(name)
    assert {*cls.before, *cls.after} <= set(PASSES)
    assert "" not in {*cls.before.values(), *cls.after.values()}


class Mine(Pass):
    """A user's pass."""

    name = "mine.pass"
    limit: int = 3

    def run(self, module: Module) -> None: ...


def test_a_registered_pass_is_known_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penstock.passes.pipeline._OWN", {})
    assert register(Mine) is Mine
    assert parse_pipeline("cse,mine.pass{limit=4}")[1] == Mine(4)
    assert "mine.pass" in known_passes()
    with pytest.raises(PipelineError, match="did you mean 'mine.pass'"):
        load_pass("mine.pas")

    class Again(Mine): ...

    register(Again)
    assert load_pass("mine.pass") is Again


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cse", "there is a pass 'cse' in penstock; give Wrong another"),
        ("", "the name of pass Wrong must be letters, digits, points and hyphens, got ''"),
        ("a b", "got 'a b'; write e.g. name = 'mine.my-pass' in its class"),
    ],
)
def test_a_wrong_name_is_refused(name: str, message: str) -> None:
    class Wrong(Mine): ...

    Wrong.name = name
    with pytest.raises(PipelineError, match=re.escape(message)):
        register(Wrong)
    with pytest.raises(PipelineError, match="takes a class derived from Pass"):
        register(name)  # type: ignore[type-var]
