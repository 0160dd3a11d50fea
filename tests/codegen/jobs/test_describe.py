"""The description of a job, and the errors if the module lacks a part of it."""

import json
import re

import pytest

from penstock.codegen.jobs.describe import describe
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module
from penstock.runtime.description import Description

SOURCE = """
module @train_job attributes {job.type = "train"} {
  func.func @train_job(
      %arena: memref<?xi8> {job.arena = 4096 : i64, llvm.align = 64 : i64},
      %images: memref<100x1x28x28xf32> {job.feed = "images"} loc("train.py":12:4),
      %w: memref<512x784xf32> {
        job.variable = "hidden-weight", job.trainable = true,
        job.initializer = {kind = "truncated_normal", mean = 0.0 : f64, stddev = 0.1 : f64}
      } loc("train.py":14:8),
      %step: memref<i64> {
        job.variable = "System-Train-TrainStep-train_job", job.trainable = false,
        job.initializer = {kind = "constant", value = 0 : i64}
      },
      %loss: memref<100xf32> {job.fetch = "0"},
      %taps: memref<2xi8> {job.taps = [
        {id = 0 : i64, name = "dense1/y", shape = [100, 512], dtype = "f32", loc = "train.py:21"},
        {id = 1 : i64, name = "labels", shape = [], dtype = "i32"}]}) {
    return
  } loc("train.py":10:1)
}
"""


def test_a_complete_description() -> None:
    got = describe(parse_module(SOURCE))
    assert got == {
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
            {
                "role": "variable",
                "name": "System-Train-TrainStep-train_job",
                "shape": [],
                "dtype": "i64",
                "initializer": {"kind": "constant", "value": 0},
                "trainable": False,
            },
            {"role": "fetch", "name": "0", "shape": [100], "dtype": "f32"},
            {"role": "taps"},
        ],
        "taps": [
            {
                "id": 0,
                "name": "dense1/y",
                "shape": [100, 512],
                "dtype": "f32",
                "loc": "train.py:21",
            },
            {"id": 1, "name": "labels", "shape": [], "dtype": "i32"},
        ],
    }


def test_the_runtime_reads_it() -> None:
    """Through JSON, as in an artifact."""
    read = Description.from_dict(json.loads(json.dumps(describe(parse_module(SOURCE)))))
    assert [variable.name for variable in read.variables] == [
        "hidden-weight",
        "System-Train-TrainStep-train_job",
    ]


def test_a_variable_that_the_caller_passes_is_a_feed() -> None:
    source = """
    module @step attributes {job.type = "predict"} {
      func.func @step(%x: memref<2xf32> {job.feed = "x"},
          %w: memref<2xf32> {job.variable = "w", job.passed, job.updated},
          %v: memref<2xf32> {job.variable = "v", job.passed}) {
        return
      }
    }"""
    feed = {"role": "feed", "shape": [2], "dtype": "f32"}
    arguments = describe(parse_module(source))["arguments"]
    assert arguments == [
        {**feed, "name": "x"}, {**feed, "name": "w", "updated": True}, {**feed, "name": "v"},
    ]  # fmt: skip
    found = Description.from_dict(describe(parse_module(source)))
    assert [argument.updated for argument in found.feeds] == [False, True, False]
    assert found.to_dict()["arguments"] == arguments
    assert not found.variables


COUNTED = """
module @exp attributes {job.type = "predict"} {
  func.func @exp(%count: memref<i64> {job.count}, %x: memref<?xf32> {job.feed = "x"},
      %s: memref<f32> {job.feed = "s"}, %y: memref<?xf64> {job.fetch = "0"}) {
    return
  }
}
"""


def test_arguments_of_any_number_of_elements() -> None:
    assert describe(parse_module(COUNTED))["arguments"] == [
        {"role": "count"},
        {"role": "feed", "name": "x", "shape": [], "dtype": "f32", "counted": True},
        {"role": "feed", "name": "s", "shape": [], "dtype": "f32"},
        {"role": "fetch", "name": "0", "shape": [], "dtype": "f64", "counted": True},
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("%count: memref<i64> {job.count}, ", "", "argument 0 (%x) of @exp is memref<?xf32>: "),
        ("memref<i64>", "memref<1xi64>", "argument 0 (%count) of @exp is memref<1xi64>: expected"),
        ("memref<f32>", "memref<i64>", "argument 2 (%s) of @exp is the second one with the role"),
        ("memref<?xf32>", "memref<2x?xf32>", "expected a row-major memref of static shape"),
    ],
)
def test_invalid_counts(old: str, new: str, message: str) -> None:
    source = COUNTED.replace(old, new)
    if "second" in message:
        source = source.replace('job.feed = "s"', "job.count")
    with pytest.raises(IRError, match=re.escape(message)):
        describe(parse_module(source))


MISTAKES = {
    "no type of job": ('job.type = "train"', "x", 'expected job.type = "train" or "predict"'),
    "another type of job": ('"train"}', '"serve"}', 'expected job.type = "train" or "predict"'),
    "no role": ('job.feed = "images"', "x", "argument 1 (%images) of @train_job needs one of the"),
    "two roles": (
        'job.feed = "images"',
        'job.feed = "images", job.fetch = "1"',
        "argument 1 (%images) of @train_job needs one of the attributes job.arena, job.feed, "
        "job.variable, job.fetch, job.shown, job.taps, job.count, job.place, "
        "got job.feed and job.fetch",
    ),
    "a name that is no string": (
        'job.feed = "images"',
        "job.feed = 1",
        "argument 1 (%images) of @train_job has job.feed = 1 : i64: expected a string",
    ),
    "a feed in pieces": (
        "memref<100x1x28x28xf32>",
        "memref<100x28xf32, strided<[32, 1]>>",
        "is memref<100x28xf32, strided<[32, 1]>>: expected a row-major memref of static shape",
    ),
    "a dtype that no array has": (
        "memref<100xf32> {job.fetch",
        "memref<100xi4> {job.fetch",
        "argument 4 (%loss) of @train_job holds i4: expected one of f16, bf16, f32, f64, i8, i16",
    ),
    "no initializer": (
        'job.initializer = {kind = "constant", value = 0 : i64}',
        "x",
        "argument 3 (%step) of @train_job has job.initializer = None: expected a dictionary with",
    ),
    "an initializer without a kind": (
        'kind = "constant", ',
        "",
        "argument 3 (%step) of @train_job has job.initializer = {value = 0 : i64}: expected a dic",
    ),
    "not said whether it is trained": (
        "job.trainable = false,",
        "",
        "argument 3 (%step) of @train_job has job.trainable = None: expected true or false",
    ),
    "an arena of floats": (
        "%arena: memref<?xi8>",
        "%arena: memref<4xf32>",
        "argument 0 (%arena) of @train_job is memref<4xf32> with job.arena = 4096 : i64: expected",
    ),
    "two arenas": (
        'job.fetch = "0"',
        "job.arena = 4 : i64",
        "argument 4 (%loss) of @train_job is the second one with the role arena: expected one",
    ),
    "too few flags": (
        "memref<2xi8>",
        "memref<1xi8>",
        "argument 5 (%taps) of @train_job is memref<1xi8> for 2 taps: expected memref<2xi8>",
    ),
    "taps out of order": ("id = 1 : i64", "id = 3 : i64", "and ids that count from 0"),
    "a tap without a shape": (
        "shape = [], ",
        "",
        'argument 5 (%taps) of @train_job has the tap {dtype = "i32", id = 1 : i64, '
        'name = "labels"}: expected {id, name, shape, dtype, how, whole, origin, loc}',
    ),
}


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES.values(), ids=MISTAKES)
def test_missing_parts_are_errors_at_the_job(old: str, new: str, message: str) -> None:
    assert old in SOURCE
    module = parse_module(SOURCE.replace(old, new, 1))
    with pytest.raises(IRError) as caught:
        describe(module)
    (found,) = caught.value.diagnostics
    assert message in found.message
    assert "\n" not in found.message
    about_module = 'job.type = "' in old + message
    assert found.place() == ("unknown location" if about_module else "train.py:10")
