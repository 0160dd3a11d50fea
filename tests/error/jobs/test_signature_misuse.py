"""Job functions whose parameters or return annotations cannot be used: errors at decoration."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Optional

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.jobs.signature import enable_typing_check, parse_signature

Refused = Callable[..., AbstractContextManager[None]]

Five: Any = tp.Numpy.Placeholder((5,))


def test_starred_parameters(refused: Refused) -> None:
    with refused(TypeError, "job 'train' may only have plain parameters", "got *images"):

        def train(*images: Five) -> tp.Numpy: ...  # type: ignore[empty-body] # here

        parse_signature(train)


def test_positional_only_parameters(refused: Refused) -> None:
    with refused(TypeError, "only have plain parameters", "got images"):

        def train(images: Five, /) -> None: ...  # here

        parse_signature(train)


def test_some_parameters_annotated(refused: Refused) -> None:
    with refused(NotImplementedError, "all parameters of job 'train' must be annotated", "labels"):

        def train(images: Five, labels) -> None: ...  # type: ignore[no-untyped-def] # here

        parse_signature(train)


def test_parameter_without_anything(refused: Refused) -> None:
    with refused(NotImplementedError, "parameter images of job 'train' needs an annotation"):

        def train(images) -> None: ...  # type: ignore[no-untyped-def] # here

        parse_signature(train)


def test_parameter_of_a_plain_type(refused: Refused) -> None:
    with refused(NotImplementedError, "invalid annotation of parameter images", "found, ndarray"):

        def train(images: np.ndarray) -> None: ...  # type: ignore[type-arg] # here

        parse_signature(train)


def test_parameter_of_no_shape(refused: Refused) -> None:
    with refused(NotImplementedError, "write tp.Numpy.Placeholder(shape, dtype=flow.float)"):

        def train(images: tp.Numpy) -> None: ...  # here

        parse_signature(train)


def test_annotated_parameter_with_a_default(refused: Refused) -> None:
    with refused(TypeError, "parameter images of job 'train' is annotated", "no default"):

        def train(images: Five = None) -> None: ...  # here

        parse_signature(train)


def test_annotation_of_an_unknown_name(refused: Refused) -> None:
    with refused(NotImplementedError, "an annotation of job 'train' cannot be read", "Ten"):

        def train(images: "Ten") -> None: ...  # type: ignore[name-defined] # noqa: F821 # here

        parse_signature(train)


@pytest.mark.parametrize(
    ("annotation", "shown"),
    [
        (int, "int"),
        (np.ndarray, "ndarray"),
        (list, "list"),
        (Optional[tp.Numpy], "Optional"),  # noqa: UP045
        (tuple[tp.Numpy, ...], "..."),
        (tuple[tp.Numpy, int], "int"),
        (dict[str, np.ndarray[Any, Any]], "ndarray"),
        (tp.Bundle[tuple[tp.Numpy]], "Bundle"),  # type: ignore[type-var]
        (tp.Callback[int], "Callback[int]"),
    ],
)
def test_return_annotation_of_another_form(refused: Refused, annotation: Any, shown: str) -> None:
    with refused(NotImplementedError, "invalid return annotation of job 'train' found", shown):

        def train(images: Five) -> None: ...  # here

        train.__annotations__["return"] = annotation
        parse_signature(train)


def test_missing_annotations_under_the_typing_check(refused: Refused) -> None:
    enable_typing_check(True)
    try:
        with refused(NotImplementedError, "because the typing check is on: the return value"):

            def train(images: Five): ...  # type: ignore[no-untyped-def] # here

            parse_signature(train)
    finally:
        enable_typing_check(False)


def test_typing_check_takes_a_bool(refused: Refused) -> None:
    with refused(TypeError, "enable_typing_check takes a bool, got 1"):
        enable_typing_check(1)  # type: ignore[arg-type] # here


def two() -> Any:
    def job(images: Five, pair: tuple[Five, Five]) -> None: ...

    return parse_signature(job)


X = np.zeros(5, np.float32)


def test_too_few_arguments(refused: Refused) -> None:
    with refused(TypeError, "job 'job' takes 2 arguments (images, pair), got 1"):
        two().bind([X], {})  # here


def test_keywords_that_do_not_fit(refused: Refused) -> None:
    for passed, got in (
        ({"pairs": (X, X)}, 'got the keyword pairs; did you mean "pair"?'),
        ({"pair": (X, X), "images": X}, "got images twice"),
        ({}, "got 1"),
    ):
        with refused(TypeError, "job 'job' takes 2 arguments (images, pair)", got):
            two().bind([X], passed)  # here


def test_a_keyword_only_parameter_by_position(refused: Refused) -> None:
    def job(images: Five, *, labels: Five) -> None: ...

    with refused(TypeError, "job 'job' takes 2 arguments (images, labels=), got 2"):
        parse_signature(job).bind([X, X], {})  # here


def test_tuple_of_another_length(refused: Refused) -> None:
    with refused(TypeError, "job 'job': parameter 'pair' takes a tuple of 2, got a tuple of 3"):
        two().bind([X, (X, X, X)], {})  # here


def test_array_in_place_of_a_tuple(refused: Refused) -> None:
    with refused(TypeError, "takes a tuple of 2, got an array of shape (5,)"):
        two().bind([X, X], {})  # here


def mirrored(kind: Any) -> Any:
    def job(x: kind.Placeholder((4, 5))) -> None: ...  # type: ignore[valid-type]

    return parse_signature(job)


def test_list_for_two_devices(refused: Refused) -> None:
    with refused(TypeError, "takes a list of one array, for its one device, got a list of 2"):
        mirrored(tp.ListNumpy).bind([[X, X]], {})  # here


def test_array_in_place_of_a_list(refused: Refused) -> None:
    with refused(
        TypeError, "takes a list of one array, for its one device, got an array of shape (5,)"
    ):
        mirrored(tp.ListNumpy).bind([X], {})  # here


def test_list_in_place_of_a_list_of_lists(refused: Refused) -> None:
    with refused(TypeError, "a list of one list of one array", "got an array of shape (5,)"):
        mirrored(tp.ListListNumpy).bind([[X]], {})  # here


def test_parts_of_a_tensor_list_that_do_not_fit(refused: Refused) -> None:
    form = "or as a tensor list at most 4 arrays of one type and of shape (1, 5)"
    part, flat = np.zeros((1, 5), np.float32), np.zeros(5, np.float32)
    passed: list[tuple[list[Any], str]] = [
        ([part] * 5, "got 5"),
        ([part, flat], "got an array of shape (5,) at index 1"),
        ([part, part, part, part.astype(np.int64)], "got float32 and int64"),
    ]
    for parts, got in passed:
        with refused(TypeError, form, got):
            mirrored(tp.ListListNumpy).bind([[parts]], {})  # here


def test_default_style_with_another_nest(refused: Refused) -> None:
    def job(nest={"a": flow.FixedTensorDef((5,))}) -> None: ...  # type: ignore[no-untyped-def] # noqa: B006, B008

    del job.__annotations__["return"]
    with refused(TypeError, "takes a dict with the keys a, got a dict of 1"):
        parse_signature(job).bind([{"b": X}], {})  # here


def test_calling_a_placeholder(refused: Refused) -> None:
    with refused(TypeError, "Numpy.Placeholder((5,), dtype=flow.float32) describes a parameter"):
        Five(X)  # here
