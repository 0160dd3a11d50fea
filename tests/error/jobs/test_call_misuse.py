"""Mistakes around calls: invalid arguments, invalid results, wrong order."""

import errno
import functools
import mmap
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Refused = Callable[..., AbstractContextManager[None]]
Five: Any = tp.Numpy.Placeholder((5,))
Wide: Any = tp.Numpy.Placeholder((1024, 1))
X = np.zeros(5, np.float32)


def job() -> Any:
    @flow.global_function()
    def job(x: Five) -> tp.Numpy:
        return x + 1

    return job


def test_another_shape(refused: Refused) -> None:
    with refused(ValueError, "parameter 'x'", "float32 and shape (5,), got shape (4,)"):
        job()(np.zeros(4, np.float32))  # here


def test_another_rank(refused: Refused) -> None:
    with refused(ValueError, "shape (5,), got shape (5, 1)"):
        job()(np.zeros((5, 1), np.float32))  # here


def test_another_kind(refused: Refused) -> None:
    with refused(TypeError, "got an array of int64", "astype("):
        job()(np.zeros(5, np.int64))  # here


def test_a_value_that_does_not_fit(refused: Refused) -> None:
    with refused(ValueError, "an array of float64 with the value 1e+300, which float32 cannot"):
        job()(np.full(5, 1e300))  # here


def test_objects(refused: Refused) -> None:
    with refused(TypeError, "got an array of object"):
        job()(np.array([None] * 5))  # here


@pytest.mark.parametrize("value", [None, "five", b"five", {1.0}])
def test_not_an_array(refused: Refused, value: Any) -> None:
    with refused(TypeError, "of float32 and shape (5,)", f"of type {type(value).__name__}"):
        job()(value)  # here


def test_lists_that_do_not_fit(refused: Refused) -> None:
    with refused(ValueError, "float32 and shape (5,), got shape (4,)"):
        job()([0.0] * 4)  # here
    with refused(ValueError, "float32 and shape (5,), got shape ()"):
        job()(3)  # here
    with refused(ValueError, "parameter 'x' was given a list of 2 that is no array"):
        job()([[1, 2], [3]])  # here
    with refused(TypeError, "got an array of <U1; give one of numbers"):
        job()(["a"] * 5)  # here


def test_an_object_whose_array_method_fails(refused: Refused) -> None:
    class Odd:
        def __array__(self, *args: Any, **named: Any) -> Any:
            raise RuntimeError("it requires gradients")

    with refused(TypeError, "given an Odd that cannot be read as an array: it requires gradients"):
        job()(Odd())  # here


def test_a_mask_that_would_be_lost(refused: Refused) -> None:
    with refused(TypeError, "parameter 'x'", "got a masked array", "filled(0)"):
        job()(np.ma.masked_array(X, X == 0))  # here


def test_a_reserved_name(refused: Refused) -> None:
    with refused(ValueError, "cannot be called penstock_tap_f32", "choose another"):

        @flow.global_function()  # here
        def penstock_tap_f32(x: Five) -> tp.Numpy:
            return x


@pytest.mark.parametrize("text", ["", "/nowhere/job.loops"])
def test_text_file_that_does_not_exist(refused: Refused, text: str) -> None:
    with refused(ValueError, "flow.compile cannot read"):
        flow.compile(text)  # here


def test_checkpoint_path_of_another_type(refused: Refused) -> None:
    with refused(TypeError, "takes the path of a folder, got None"):
        flow.checkpoint.get(None)  # here


def test_too_many(refused: Refused) -> None:
    with refused(TypeError, "job 'job' takes 1 argument (x), got 2"):
        job()(X, X)  # here


def test_an_unknown_keyword(refused: Refused) -> None:
    with refused(TypeError, "job 'job' takes 1 argument (x), got the keyword y"):
        job()(y=X)  # here


def returning(value: Callable[[Any], Any], annotation: Any) -> Any:
    def job(x: Five):  # type: ignore[no-untyped-def] # here
        return value(x)

    job.__annotations__["return"] = annotation
    return flow.global_function()(job)


RESULTS: list[tuple[Any, Callable[[Any], Any], str]] = [
    (tp.Numpy, lambda x: None, "-> Numpy, so its body must return a blob, got None"),
    (tp.Numpy, lambda x: (x, x), "must return a blob, got a tuple of 2"),
    (tp.ListNumpy, lambda x: [x], "-> ListNumpy, so its body must return a blob, got a list of 1"),
    (None, lambda x: x, "-> None, so its body must return nothing, got a Blob"),
    (tuple[tp.Numpy, tp.Numpy], lambda x: (x,), "must return a tuple of 2, got a tuple of 1"),
    (tuple[tp.Numpy, tp.Numpy], lambda x: [x, x], "must return a tuple of 2, got a list of 2"),
    (tuple[tp.Numpy, tp.Numpy], lambda x: (x, 3), "must return a blob at [1], got 3"),
    (list[tp.Numpy], lambda x: (x, x), "must return a list, got a tuple of 2"),
    (dict[str, tp.Numpy], lambda x: {5: x}, "must return str keys, got 5"),
    (dict[str, tp.Numpy], lambda x: [x], "must return a dict, got a list of 1"),
    (dict[str, tuple[tp.Numpy]], lambda x: {"a": x}, "a tuple of 1 at ['a'], got a Blob"),
    (tp.Bundle[tp.Numpy], lambda x: [x, None], "must return a blob at [1], got None"),
    (tp.Callback[tp.Numpy], lambda x: [x], "-> Callback[Numpy]", ),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "value", "text"), RESULTS, ids=[r[2] for r in RESULTS])
def test_result_of_another_form(
    refused: Refused, annotation: Any, value: Callable[[Any], Any], text: str
) -> None:
    with refused(TypeError, "job 'job' is annotated", text):
        returning(value, annotation).trace()


def test_result_that_is_not_a_blob(refused: Refused) -> None:
    def job(x: Five):  # type: ignore[no-untyped-def] # here
        return [x, np.zeros(5)]

    with refused(NotImplementedError, "job 'job' may return blobs", "an array of shape (5,) at 1"):
        flow.global_function()(job).trace()


def test_result_fetched_twice(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Five):  # type: ignore[no-untyped-def]
        return x

    future = job(X)
    future.get()
    with refused(ValueError, "the result of job 'job' was already fetched"):
        future.get()  # here


def test_invalid_callback(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Five) -> tp.Callback[tp.Numpy]:
        return x

    with refused(TypeError, "job 'job' passes its result to a function, got 3"):
        job(X)(3)  # type: ignore[arg-type] # here


# -- sessions ----------------------------------------------------------------------------------


def test_job_of_a_cleared_session(refused: Refused) -> None:
    old = job()
    flow.clear_default_session()
    with refused(ValueError, "belongs to the session", "define it again"):
        old(X)  # here


def test_job_that_was_replaced(refused: Refused) -> None:
    old, new = job(), job()
    with refused(ValueError, "job 'job' (tests/error/", "was replaced by a later job of its name"):
        old(X)  # here
    new(X)


def test_nothing_to_start(refused: Refused) -> None:
    with refused(ValueError, "no job is defined"):
        flow.get_all_variables()  # here


def test_job_called_in_a_body(refused: Refused) -> None:
    inner = job()

    @flow.global_function()
    def outer(x: Five) -> tp.Numpy:
        return inner(x)  # here

    with refused(NotImplementedError, "job 'job' is called in the body of job 'outer'"):
        outer.trace()


def test_variable_of_two_shapes_in_two_jobs(refused: Refused) -> None:
    zeros = flow.zeros_initializer()

    @flow.global_function()
    def one() -> tp.Numpy:
        return flow.get_variable("w", (2,), initializer=zeros)

    @flow.global_function()
    def two() -> tp.Numpy:
        return flow.get_variable("w", (3,), initializer=zeros)  # here

    with refused(
        ValueError, "variable w is flow.float32 of shape (3,) in job 'two'",
        "but job 'one' (tests/",
        "of shape (2,)",
    ):  # fmt: skip
        one()


def test_type_of_job(refused: Refused) -> None:
    with refused(ValueError, 'must be "train" or "predict", got the string "eval"'):
        flow.global_function(type="eval")  # here


def test_decorator_without_parentheses(refused: Refused) -> None:
    with refused(TypeError, "write @flow.global_function() with parentheses"):

        @flow.global_function  # type: ignore[arg-type] # here
        def job(x: Five) -> tp.Numpy:
            return x


def test_decorating_something_else_than_a_function(refused: Refused) -> None:
    with refused(TypeError, "flow.global_function decorates a function of Python", "got a partial"):
        flow.global_function()(functools.partial(print))  # here


def test_generator(refused: Refused) -> None:
    def job(x: Five) -> tp.Numpy:  # type: ignore[misc] # here
        yield x

    with refused(TypeError, "its body must return a blob, got a generator"):
        flow.global_function()(job).trace()


def test_variable_that_its_initializer_cannot_fill(refused: Refused) -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.get_variable("n", (2,), flow.int64, flow.truncated_normal(1))  # here

    with refused(ValueError, "variable 'n' holds int64, which initializer 'truncated_normal'"):
        job()


def test_config_of_another_kind(refused: Refused) -> None:
    with refused(TypeError, "takes flow.function_config(), got a dict of 0"):
        flow.global_function(function_config={})  # type: ignore[arg-type] # here


def test_eager_execution(refused: Refused) -> None:
    with refused(TypeError, "enable_eager_execution takes a bool, got 1"):
        flow.enable_eager_execution(1)  # type: ignore[arg-type] # here


def test_unknown_stage(refused: Refused) -> None:
    with refused(ValueError, "a stage must be one of job, grad", 'did you mean "fused"?'):
        job().trace().as_text("fuse")  # here


def test_stage_that_does_not_exist_yet(refused: Refused) -> None:
    with refused(ValueError, "has the stages job here; stage loops comes with its lower()"):
        job().trace().as_text("loops")  # here


# -- checkpoints and texts ---------------------------------------------------------------------


def variable_job() -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.get_variable("w", (2,), initializer=flow.zeros_initializer())


def test_save_into_a_folder_that_is_not_empty(refused: Refused, tmp_path: Path) -> None:
    variable_job()
    (tmp_path / "other").write_text("mine")
    with refused(ValueError, "Non-empty directory", "already exists"):
        flow.checkpoint.save(tmp_path)  # here


def test_checkpoint_that_does_not_exist(refused: Refused, tmp_path: Path) -> None:
    with refused(ValueError, "there is no checkpoint at"):
        flow.checkpoint.get(tmp_path / "none")  # here


def test_saving_something_else_than_an_array(refused: Refused, tmp_path: Path) -> None:
    variable_job()
    with refused(TypeError, "flow.checkpoint.save takes arrays, got 3 for w"):
        flow.checkpoint.save(tmp_path / "one", {"w": 3})  # type: ignore[dict-item] # here


def test_loading_another_shape(refused: Refused) -> None:
    variable_job()
    with refused(ValueError, "variable 'w'", "got float32 of shape (3,)"):
        flow.load_variables({"w": np.zeros(3, np.float32)})  # here


def test_loading_another_type(refused: Refused) -> None:
    variable_job()
    with refused(ValueError, "variable 'w'", "got float64 of shape (2,)"):
        flow.load_variables({"w": np.zeros(2)})  # here


def test_loading_an_unknown_name(refused: Refused) -> None:
    variable_job()
    with refused(RuntimeError, "'v' is not a variable name"):
        flow.load_variables({"v": np.zeros(2, np.float32)}, ignore_mismatch=False)  # here


def test_loading_a_list(refused: Refused) -> None:
    variable_job()
    with refused(TypeError, "load_variables takes a dict of values by name, got a list of 1"):
        flow.load_variables([X])  # type: ignore[arg-type] # here


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allocation fails."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))

    monkeypatch.setattr(mmap, "mmap", refuse)


@pytest.mark.usefixtures("full")
def test_out_of_memory_for_a_buffer(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Wide) -> tp.Numpy:
        return flow.matmul(x, x, transpose_b=True)

    parts = "job 'job': a buffer needs 4,194,304 bytes, which the system refuses", "take smaller"
    with refused(MemoryError, *parts):
        job(np.zeros((1024, 1), np.float32))  # here
    loaded = flow.compile(job.trace().as_text())
    with refused(MemoryError, *parts):
        loaded(np.zeros((1024, 1), np.float32))  # here


@pytest.mark.usefixtures("full")
def test_out_of_memory_for_the_arena(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Wide) -> tp.Numpy:
        return flow.math.reduce_sum(flow.math.exp(flow.matmul(x, x, transpose_b=True)))

    with refused(MemoryError, "job 'job': a buffer needs ", " bytes, which the system refuses"):
        job(np.zeros((1024, 1), np.float32))  # here


@pytest.mark.usefixtures("full")
def test_out_of_memory_for_a_variable(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Five) -> tp.Numpy:
        w = flow.get_variable("w", (1024, 1024), initializer=flow.ones_initializer())  # here
        return x + flow.math.reduce_sum(w)

    with refused(MemoryError, "job 'job': variable 'w': a buffer needs 4,194,304 bytes"):
        job(X)


def test_compiling_a_number(refused: Refused) -> None:
    with refused(TypeError, "flow.compile takes the text of a module or a path, got 3"):
        flow.compile(3)  # type: ignore[arg-type] # here


def test_loaded_job_with_too_few_arrays(refused: Refused) -> None:
    loaded = flow.compile(job().trace().as_text())
    with refused(TypeError, "job 'job' takes 1 array (x), got 0"):
        loaded()  # here


def test_loaded_job_watched_by_an_unknown_name(refused: Refused) -> None:
    loaded = flow.compile(job().trace().as_text())
    with refused(ValueError, "job 'job' has the watch points none, got 'y'"):
        loaded.watch("y")  # here


@pytest.mark.parametrize(
    ("use", "kind", "text"),
    [
        (lambda result: result.mean(), AttributeError, "has no 'mean'; call its get()"),
        (float, TypeError, "is not an array; call its get(), or annotate the job"),
        (np.mean, TypeError, "is not an array"),
        (lambda result: np.float32(1) - result, TypeError, "is not an array"),
    ],
)
def test_a_future_in_place_of_an_array(
    refused: Refused, use: Callable[[Any], Any], kind: type[Exception], text: str
) -> None:
    @flow.global_function()
    def job(x: Five):  # type: ignore[no-untyped-def]
        return x

    result = job(X)
    assert repr(result) == "<future of job job: its get() gives the result>"
    with pytest.raises(
        kind, match=r"test_call_misuse.py:\d+: what job 'job' returns is a"
    ) as caught:
        use(result)
    assert text in str(caught.value)


def test_an_array_in_place_of_a_list(refused: Refused) -> None:
    @flow.global_function()
    def job(x: tp.ListNumpy.Placeholder((5,))) -> tp.Numpy:  # type: ignore[valid-type]
        return x

    np.testing.assert_array_equal(job([X]), X)
    with refused(TypeError, "a list of one array, for its one device, got an array of shape (5,)"):
        job(X)  # here


def test_an_argument_in_place_of_a_pair(refused: Refused) -> None:
    @flow.global_function()
    def job(pair: tuple[Five, Five]) -> tp.Numpy:  # type: ignore[valid-type]
        return pair[0] + pair[1]

    np.testing.assert_array_equal(job((X, X)), X)
    with refused(TypeError, "job 'job' takes 1 argument (pair), got 2"):
        job(X, X)  # here
