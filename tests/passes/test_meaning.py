"""General passes preserve results, and a second run changes nothing."""

import random
from typing import Any, cast

import numpy as np
import pytest
from random_parts import parts_of

from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.func import Func, Return
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.text.printer import print_module
from penstock.passes.manager import run_pipeline

PASSES = ("canonicalize", "cse", "dce", "fold")
SHAPE = (2, 3)
TENSOR = ty.TensorType(SHAPE, ty.f32)
BINARY = ("add", "subtract", "multiply", "maximum", "minimum")
UNARY = ("negative", "tanh", "abs", "sigmoid", "identity", "relu")
SPLATS = (0.0, 1.0, -1.0, 2.0)


def program(seed: int) -> Module:
    """A job of two feeds and up to four results, with watches between."""
    choose = random.Random(seed)
    module = Module.empty("random")
    func = Func.make("random", [TENSOR, TENSOR], names=["x", "y"])
    module.body.append(func)
    b = Builder.at_end(func.body)
    values: list[Value] = list(func.arguments)
    for number in range(choose.randint(1, 25)):
        _one(b, choose, values, number)
    results = choose.sample(values, min(4, len(values)))
    b.create(Return, results)
    func.update_type()
    return module


def _one(b: Builder, choose: random.Random, values: list[Value], number: int) -> None:
    """Append one op, or a few."""
    kind = choose.randrange(10)
    x, y = choose.choice(values), choose.choice(values)
    if kind < 3:
        values.append(make.op(b, choose.choice(BINARY), x, y))
    elif kind < 5:
        values.append(make.op(b, choose.choice(UNARY), x))
    elif kind == 5:
        values.append(make.full(b, choose.choice(SPLATS), SHAPE, ty.f32))
    elif kind == 6:
        array = np.asarray([[1.5, -2.0, 0.0], [0.25, 3.0, -1.0]])
        values.append(make.op(b, "constant", value=DenseElementsAttr.of(array, TENSOR)))
    elif kind == 7:
        flat = make.reshape(b, make.transpose(b, x, (1, 0)), (6,))
        values.append(make.transpose(b, make.reshape(b, flat, (3, 2)), (1, 0)))
    elif kind == 8:
        values.append(make.op(b, choose.choice(BINARY), make.scalar(b, 1.0, ty.f32), x))
    else:
        b.create(job.Watch, x, label=f"watch-{number}")


def feeds(seed: int) -> list[np.ndarray[Any, Any]]:
    """Two arrays, some elements 0."""
    chooser = np.random.default_rng(seed)
    return [
        (chooser.standard_normal(SHAPE) * chooser.integers(0, 2, SHAPE)).astype(np.float32)
        for _ in range(2)
    ]


def outcome(module: Module, seed: int) -> tuple[list[Any], list[tuple[str, Any]]]:
    """Results and watched values, in order."""
    watched: list[tuple[str, Any]] = []
    results = interpret(module, feeds(seed), watch=lambda name, a: watched.append((name, a)))
    return results, watched


def assert_same(module: Module, expected: Module, seed: int) -> None:
    got, wanted = outcome(module, seed), outcome(expected, seed)
    for a, b in zip(got[0], wanted[0], strict=True):
        np.testing.assert_array_equal(a, b)
    for (name, a), (other, b) in zip(got[1], wanted[1], strict=True):
        assert name == other
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("start", parts_of(300, 50))
def test_passes_in_any_order_keep_the_meaning(start: int) -> None:
    for seed in range(start, start + 50):
        module = program(seed)
        expected = cast(Module, module.clone())
        order = random.Random(seed).choices(PASSES, k=4)
        run_pipeline(module, ",".join(order))
        assert_same(module, expected, seed)


@pytest.mark.parametrize("fuel", [1, 3, 7])
def test_stopping_anywhere_keeps_the_meaning(fuel: int) -> None:
    for seed in range(60):
        module = program(seed)
        expected = cast(Module, module.clone())
        run_pipeline(module, "canonicalize,cse,dce", fuel=fuel)
        assert_same(module, expected, seed)


@pytest.mark.parametrize("name", PASSES)
def test_a_second_run_changes_nothing(name: str) -> None:
    changed = 0
    for seed in range(150):
        module = program(seed)
        changed += run_pipeline(module, name).rewrites.total() > 0
        assert not run_pipeline(module, name).rewrites, print_module(module)
    assert changed > 20


def test_the_passes_reach_a_fixed_point() -> None:
    for seed in range(100):
        module = program(seed)
        run_pipeline(module, "canonicalize,cse,canonicalize,cse,dce")
        left = run_pipeline(module, "dce").rewrites
        assert not left


def test_the_text_of_every_result_reads_back() -> None:
    for seed in range(60):
        module = program(seed)
        run_pipeline(module, "canonicalize,cse,dce")
        text = print_module(module)
        assert print_module(parse_module(text)) == text


def test_passes_are_deterministic() -> None:
    for seed in range(40):
        first, second = program(seed), program(seed)
        run_pipeline(first, "canonicalize,cse,dce")
        run_pipeline(second, "canonicalize,cse,dce")
        assert print_module(first) == print_module(second)
