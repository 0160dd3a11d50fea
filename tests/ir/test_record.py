"""Records: required and optional arguments, and comparison."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, field
from functools import cached_property
from inspect import signature

import pytest

from penstock.ir.record import Record, fields, replace


class Tile(Record):
    height: int
    width: int = 16
    rests: list[int] = field(default_factory=list)


class Deep(Tile):
    depth: int = 1

    @cached_property
    def size(self) -> int:
        return self.height * self.width * self.depth


class Counter(Record, frozen=False):
    count: int = 0


class Named(Record, eq=False):
    name: str

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("a name is needed")


class Empty(Record):
    pass


def test_omitted_fields_have_their_defaults() -> None:
    tile = Tile(6)
    assert (tile.height, tile.width, tile.rests) == (6, 16, [])
    assert tile.rests is not Tile(6).rests
    assert Tile(width=8, height=6) == Tile(6, 8)
    assert list(fields(Deep)) == ["height", "width", "rests", "depth"]
    assert Deep(6, 16, [], 2).depth == 2


def test_the_signature_lists_the_fields() -> None:
    shown = "(height: 'int', width: 'int' = 16, rests: 'list[int]' = [], depth: 'int' = 1)"
    assert str(signature(Deep)) == shown
    assert not hasattr(Tile(6), "__signature__")


@pytest.mark.parametrize(
    ("given", "named", "message"),
    [
        ((), {}, "Tile() missing a required argument: 'height'"),
        ((1, 2, [], 4), {}, "Tile() takes 3 arguments but 4 were given"),
        ((1,), {"height": 2}, "Tile() got multiple values for argument 'height'"),
        ((1,), {"length": 2}, "Tile() got an unexpected keyword argument 'length'"),
    ],
)
def test_a_wrong_call(given: tuple[object, ...], named: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        Tile(*given, **named)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_equal_fields_make_equal_records_of_one_class() -> None:
    assert Tile(6, 8) == Tile(6, 8)
    assert Tile(6, 8) != Tile(6, 9)
    assert Tile(6) != Deep(6)
    assert Empty() == Empty()
    assert hash(Empty()) == hash(Empty())
    deep = Deep(2, 3, ())  # type: ignore[arg-type]
    assert deep.size == 6, "what is computed later is no field"
    assert hash(deep) == hash(Deep(2, 3, ()))  # type: ignore[arg-type]
    assert deep == Deep(2, 3, ())  # type: ignore[arg-type]
    assert Named("a") != Named("a")
    assert len({Counter(1), Counter(1)}) == 2


def test_only_unfrozen_records_change() -> None:
    tile, counter = Tile(6), Counter()
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'height'"):
        tile.height = 7  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'height'"):
        del tile.height
    counter.count += 1
    assert counter.count == 1


def test_replacing_fields() -> None:
    assert replace(Deep(2, 3), depth=4) == Deep(2, 3, [], 4)
    with pytest.raises(TypeError, match="Deep has no field 'length'"):
        replace(Deep(2), length=4)
    with pytest.raises(ValueError, match="a name is needed"):
        replace(Named("a"), name="")


def test_the_text_has_every_field() -> None:
    assert repr(Deep(2)) == "Deep(height=2, width=16, rests=[], depth=1)"
