"""Descriptions are checked strictly, with one sentence per error."""

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from penstock.runtime import Argument, Description, Executable, Tap

WHOLE: dict[str, Any] = {
    "abi": 3,
    "job": "train_job",
    "type": "train",
    "entry": "train_job",
    "arena": {"bytes": 4096, "align": 64},
    "arguments": [
        {"role": "arena"},
        {
            "role": "feed",
            "name": "images",
            "shape": [100, 1, 28, 28],
            "dtype": "f32",
            "loc": "train.py:12",
        },
        {
            "role": "variable",
            "name": "hidden-weight",
            "shape": [512, 784],
            "dtype": "f32",
            "initializer": {"kind": "truncated_normal", "mean": 0.0, "stddev": 0.1},
            "trainable": True,
            "loc": "train.py:14",
        },
        {"role": "variable", "name": "step", "shape": [], "dtype": "i64", "trainable": False},
        {"role": "fetch", "name": "0", "shape": [100], "dtype": "f32"},
        {"role": "taps"},
    ],
    "taps": [
        {"id": 0, "name": "dense1/y", "shape": [100, 10], "dtype": "f32", "loc": "train.py:21"},
        {"id": 1, "name": "loss", "shape": [], "dtype": "bf16"},
    ],
}


def test_parts() -> None:
    description = Description.from_dict(WHOLE)
    assert (description.job, description.type, description.entry) == (
        "train_job",
        "train",
        "train_job",
    )
    assert (description.arena_bytes, description.arena_align) == (4096, 64)
    assert description.feeds == (
        Argument("feed", "images", (100, 1, 28, 28), "f32", loc="train.py:12"),
    )
    weight, step = description.variables
    assert weight.initializer == {"kind": "truncated_normal", "mean": 0.0, "stddev": 0.1}
    assert weight.trainable
    assert (step.shape, step.dtype, step.trainable, step.initializer) == ((), "i64", False, None)
    assert [fetch.name for fetch in description.fetches] == ["0"]
    assert description.taps == (
        Tap(0, "dense1/y", (100, 10), "f32", "train.py:21"),
        Tap(1, "loss", (), "bf16"),
    )


def test_round_trip_through_json() -> None:
    description = Description.from_dict(json.loads(json.dumps(WHOLE)))
    assert json.loads(json.dumps(description.to_dict())) == WHOLE
    assert Description.from_dict(description.to_dict()) == description


def test_only_a_train_job_with_variables_updates() -> None:
    assert Description.from_dict(WHOLE).updates_variables
    assert not Description.from_dict({**WHOLE, "type": "predict"}).updates_variables
    feeds = [argument for argument in WHOLE["arguments"] if argument["role"] != "variable"]
    assert not Description.from_dict({**WHOLE, "arguments": feeds}).updates_variables


def test_it_is_frozen() -> None:
    description = Description.from_dict(WHOLE)
    with pytest.raises(AttributeError):
        description.job = "other"  # type: ignore[misc]


def test_taps_may_be_left_out() -> None:
    source = {key: value for key, value in WHOLE.items() if key != "taps"}
    source["arguments"] = source["arguments"][:-1]
    assert Description.from_dict(source).taps == ()


def dynamic(extent: str, dimension: int, dtype: str = "i32") -> dict[str, Any]:
    """The description of a job that returns rows and their number."""
    rows = {"role": "fetch", "name": "0", "shape": [8, 2], "dtype": "f32", "extent": extent}
    count = {"role": "fetch", "name": "0/extent", "shape": [1], "dtype": dtype}
    return {**WHOLE, "arguments": [{**rows, "dimension": dimension}, count], "taps": []}


def test_a_fetch_whose_extent_is_another_fetch() -> None:
    source = dynamic("0/extent", 1, "i64")
    rows, count = Description.from_dict(source).fetches
    assert (rows.extent, rows.dimension, count.extent) == ("0/extent", 1, "")
    assert Description.from_dict(source).to_dict() == source


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (dynamic("1", 0), "the extent of fetch '0' must be a fetch of one i32 or i64, got '1'"),
        (dynamic("0", 0), "the extent of fetch '0' must be a fetch of one i32 or i64, got '0'"),
        (dynamic("0/extent", 0, "f32"), "must be a fetch of one i32 or i64, got '0/extent'"),
        (dynamic("0/extent", 2), "the dimension of fetch '0' must be below 2, got 2"),
    ],
)
def test_invalid_extents(source: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        Description.from_dict(source)


COUNTED: dict[str, Any] = {
    **WHOLE,
    "arguments": [
        {"role": "count"},
        {"role": "feed", "name": "x", "shape": [], "dtype": "f32", "counted": True},
        {"role": "feed", "name": "s", "shape": [], "dtype": "f32"},
        {"role": "fetch", "name": "0", "shape": [], "dtype": "f32", "counted": True},
    ],
    "taps": [],
}


def test_arguments_of_any_number_of_elements_are_sized() -> None:
    counted = Description.from_dict(COUNTED)
    assert {key: value for key, value in COUNTED.items() if key != "taps"}.items() <= (
        counted.to_dict().items()
    )
    assert counted.is_counted
    sized = counted.sized((2, 3))
    assert not sized.is_counted
    assert [argument.shape for argument in sized.arguments] == [(), (2, 3), (), (2, 3)]
    assert sized.arguments[0].elements == 6
    assert counted.sized((4, 0)).arguments[0].elements == 0


def test_no_extent_is_negative() -> None:
    with pytest.raises(ValueError, match=re.escape("extents of at least 0, got (2, -1)")):
        Description.from_dict(COUNTED).sized((2, -1))


def test_it_must_be_sized_to_run() -> None:
    with pytest.raises(ValueError, match=r"choose their shape with Description\.sized"):
        Executable(1, COUNTED)


def test_counted_arguments_need_a_count() -> None:
    source = copy.deepcopy(COUNTED)
    del source["arguments"][0]
    with pytest.raises(ValueError, match="the counted feed 'x' must be beside an argument of role"):
        Description.from_dict(source)


def test_any_number_of_rows_is_sized() -> None:
    source = copy.deepcopy(COUNTED)
    source["arguments"][1]["shape"] = [3]
    sized = Description.from_dict(source).sized((2, 5))
    assert [argument.shape for argument in sized.arguments] == [(), (2, 5, 3), (), (2, 5)]
    assert sized.arguments[0].elements == 10


def feed(source: dict[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = source["arguments"][1]
    return entry


def duplicate(source: dict[str, Any]) -> None:
    source["arguments"].append(source["arguments"][2])


MALFORMED: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda s: s.update(type="eval"), "type must be one of train, predict, got 'eval'"),
    (lambda s: s.update(entry=""), "entry must be a string that is not empty, got ''"),
    (lambda s: s.pop("entry"), "the keys of the description must be abi, job, type, entry, "),
    (lambda s: s.update(target="avx"), "the keys of the description must be abi, job, type, "),
    (lambda s: s.update(arena=64), "arena must be a dict with string keys, got 64"),
    (
        lambda s: s.update(arena={"bytes": 1}),
        "the keys of arena must be bytes, align, in_use?, got",
    ),
    (lambda s: s["arena"].update(bytes=-1), "arena bytes must be an integer of at least 0, got -1"),
    (lambda s: s["arena"].update(bytes=True), "arena bytes must be an integer of at least 0"),
    (
        lambda s: s["arena"].update(align=48),
        "arena align must be a power of two up to 4096, got 48",
    ),
    (lambda s: s["arena"].update(align=0), "arena align must be a power of two up to 4096, got 0"),
    (lambda s: s["arena"].update(align=8192), "arena align must be a power of two up to 4096"),
    (lambda s: s.update(arguments={}), "arguments must be a list, got {}"),
    (lambda s: s.update(arguments=["arena"]), "an entry of arguments must be a dict with string"),
    (lambda s: feed(s).update(role="input"), "an argument's role must be one of arena, feed, "),
    (lambda s: feed(s).update(role=["feed"]), "an argument's role must be one of arena, feed, "),
    (lambda s: feed(s).update(trainable=True), "the keys of an argument of role feed must be "),
    (lambda s: feed(s).update(name=""), "the name of a feed must be a string that is not empty"),
    (lambda s: feed(s).update(shape=4), "the shape of feed 'images' must be a list of dimensions"),
    (
        lambda s: feed(s).update(shape=[4, -1]),
        "a dimension of the shape of feed 'images' must be an integer of at least 0, got -1",
    ),
    (lambda s: feed(s).update(shape=[2.0]), "a dimension of the shape of feed 'images' must be"),
    (lambda s: feed(s).update(dtype="float"), "the dtype of feed 'images' must be one of f16, "),
    (lambda s: feed(s).update(loc=12), "the loc of feed 'images' must be a string, got 12"),
    (
        lambda s: s["arguments"][2].update(initializer="zeros"),
        "the initializer of variable 'hidden-weight' must be a dict with string keys, got 'zeros'",
    ),
    (
        lambda s: s["arguments"][2].update(trainable=1),
        "trainable of variable 'hidden-weight' must be true or false, got 1",
    ),
    (duplicate, "each variable argument must be there once, got ['hidden-weight', 'step', "),
    (lambda s: s["arguments"].append({"role": "arena"}), "each arena argument must be there once"),
    (lambda s: s.update(taps=[]), "the argument of role taps must be there exactly when taps are"),
    (lambda s: s["arguments"].pop(), "the argument of role taps must be there exactly when taps"),
    (lambda s: s["taps"][1].update(id=2), "the ids of the taps must be 0, 1, 2 and so on, got [0,"),
    (
        lambda s: s["taps"][1].pop("id"),
        "the keys of a tap must be id, name, shape, dtype, how?, whole?, origin?, loc?",
    ),
    (lambda s: s["taps"][1].update(name=3), "the name of a tap must be a string that is not empty"),
]


@pytest.mark.parametrize(("damage", "sentence"), MALFORMED)
def test_error_messages(damage: Callable[[dict[str, Any]], object], sentence: str) -> None:
    source = copy.deepcopy(WHOLE)
    damage(source)
    with pytest.raises(ValueError, match="^the description of job 'train_job' is malformed: ") as e:
        Description.from_dict(source)
    assert sentence in str(e.value)
    assert str(e.value).endswith("; rebuild the job")


def test_another_abi() -> None:
    with pytest.raises(ValueError, match="^job 'train_job' was compiled for ABI 7, but this runt"):
        Description.from_dict({**WHOLE, "abi": 7})


@pytest.mark.parametrize("job", [None, "", 3])
def test_a_job_has_a_name(job: object) -> None:
    with pytest.raises(ValueError, match="^a job's description must be a dict with the job's name"):
        Description.from_dict({**WHOLE, "job": job})
