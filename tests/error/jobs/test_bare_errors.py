"""Mistakes for which Python, NumPy or the system would raise their own errors."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

import penstock as flow
import penstock.typing as tp

Refused = Callable[..., AbstractContextManager[None]]
Square: Any = tp.Numpy.Placeholder((2, 2))

OPERATORS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda x: x << 1, "x * 2"),
    (lambda x: 2 >> x, "flow.math.floordiv"),
    (round, "flow.math.rint"),
]


@pytest.mark.parametrize(("formula", "text"), OPERATORS, ids=[text for _, text in OPERATORS])
def test_missing_operators(formula: Callable[[Any], Any], text: str) -> None:
    @flow.global_function()
    def job(x: Square) -> tp.Numpy:
        return formula(x)

    with pytest.raises(TypeError, match=r"test_bare_errors.py:\d+: blob x has no") as caught:
        job.trace()
    assert text in str(caught.value)


@pytest.mark.parametrize("annotation", ["tp.Nump", "no Python"])
def test_unreadable_annotation(annotation: str) -> None:
    def job(x: Any) -> Any:
        return x

    job.__annotations__["return"] = annotation
    with pytest.raises(NotImplementedError, match=r"test_bare_errors.py:\d+: an annotation of job"):
        flow.global_function()(job)


def test_nest_that_contains_itself() -> None:
    @flow.global_function()
    def job(x: Square) -> tp.Bundle[tp.Numpy]:
        nest: list[Any] = [x]
        nest.append(nest)
        return nest

    with pytest.raises(ValueError, match="a nest that contains itself"):
        job.trace()


@pytest.mark.parametrize("shape", [(-1,), (0, 2), (2**40, 2**20)])
def test_shape_of_a_constant(refused: Refused, shape: tuple[int, ...]) -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.ones(shape)  # here

    with refused(ValueError, "at least 1" if min(shape) < 1 else "than any machine can hold"):
        job.trace()


def test_variable_larger_than_any_memory(refused: Refused) -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.get_variable("w", (2**40, 2), initializer=flow.ones_initializer())  # here

    with refused(ValueError, "than any machine can hold"):
        job.trace()


def test_padding_larger_than_any_memory(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Square) -> tp.Numpy:
        return flow.pad(x, [(2**40, 2**40)] * 2)  # here

    with refused(ValueError, "than any machine can hold"):
        job.trace()


def test_checkpoint_below_a_file(refused: Refused, tmp_path: Path) -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.get_variable("w", (2,), initializer=flow.ones_initializer())

    job.compile()
    file = tmp_path / "file"
    file.write_text("")
    with refused(ValueError, "flow.checkpoint.save cannot write to", "File exists"):
        flow.checkpoint.save(file / "below")  # here
    with refused(TypeError, "flow.checkpoint.save takes the path of a folder"):
        flow.checkpoint.save("")  # here


def test_texts_without_a_module(refused: Refused) -> None:
    with refused(ValueError, "this text holds no module", "assembly"):
        flow.compile("\t.text\n\tret\n" * 1000)  # here
    with refused(ValueError, "from job to loops", "LLVM IR"):
        flow.compile("define void @job() {\n  ret void\n}\n")  # here


def test_word_in_place_of_a_batch_size(refused: Refused) -> None:
    with refused(TypeError, 'train_batch_size must be an int, got the string "x"'):
        flow.data.load_mnist("x", 1)  # type: ignore[arg-type] # here
