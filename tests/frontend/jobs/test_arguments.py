"""Jobs from methods and partials, and arguments other than arrays."""

import functools
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Three: Any = tp.Numpy.Placeholder((3,))
X = np.arange(3, dtype=np.float32)
Y = np.ones(3, np.float32)


def minus() -> Any:
    @flow.global_function()
    def job(x: Three, y: Three) -> tp.Numpy:
        return x - y

    return job


def test_keywords() -> None:
    job = minus()
    for _ in range(2):  # the first call, and a native one
        np.testing.assert_array_equal(job(X, y=Y), X - Y)
        np.testing.assert_array_equal(job(y=Y, x=X), X - Y)


def test_keyword_only_parameters() -> None:
    @flow.global_function()
    def job(x: Three, *, y: tuple[Three, Three]) -> tp.Numpy:
        return x - y[0] * y[1]

    for _ in range(2):
        np.testing.assert_array_equal(job(X, y=(Y, Y)), X - Y)
    with pytest.raises(TypeError, match=r"takes 2 arguments \(x, y=\), got 2"):
        job(X, (Y, Y))


class Foreign:
    """An array of another library."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return X


class Exported:
    def __dlpack__(self, **named: Any) -> Any:
        return X.__dlpack__(**named)

    def __dlpack_device__(self) -> Any:
        return X.__dlpack_device__()


@pytest.mark.parametrize(
    "value",
    [[0, 1, 2], [0.0, 1.0, 2.0], (0, 1.0, 2), flow.tensor([0.0, 1.0, 2.0]),
     flow.tensor([0.0, 1.0, 2.0], requires_grad=True), Foreign(), Exported(),
     [np.float32(0), np.float32(1), np.float32(2)]],
    ids=["ints", "floats", "tuple", "tensor", "leaf", "array", "dlpack", "scalars"],
)  # fmt: skip
def test_inputs(value: Any) -> None:
    job = minus()
    for _ in range(2):
        np.testing.assert_array_equal(job(value, Y), X - Y)


def test_inputs_of_nests_and_lists() -> None:
    @flow.global_function()
    def job(pair: tuple[Three, Three], other: tp.ListNumpy.Placeholder((3,))) -> tp.Numpy:  # type: ignore[valid-type]
        return pair[0] - pair[1] * other

    np.testing.assert_array_equal(job(([0, 1, 2], flow.tensor(Y)), [[1, 1, 1]]), X - Y)


def test_tensors_of_16_bits() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3,), dtype=flow.bfloat16)) -> tp.Numpy:  # type: ignore[valid-type]
        return x + 1

    tensor = flow.tensor([0.0, 1.0, 2.0], dtype=flow.bfloat16)
    np.testing.assert_array_equal(job(tensor).astype(np.float32), X + 1)


def test_methods() -> None:
    class Model:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        @flow.global_function()
        def job(self, x: Three) -> tp.Numpy:
            w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
            return x * w * self.factor

        @staticmethod
        @flow.global_function()
        def plain(x: Three) -> tp.Numpy:
            return x + 1

        def late(self, x: Three) -> tp.Numpy:
            return x - self.factor

    first, second = Model(2), Model(3)
    np.testing.assert_array_equal(first.job(X), X * 2)
    np.testing.assert_array_equal(second.job(X), X * 3)
    np.testing.assert_array_equal(first.job(X), X * 2)
    np.testing.assert_array_equal(Model.plain(X), X + 1)
    assert [first.job.name, second.job.name] == ["job", "job_2"]
    assert first.job is first.job
    expected = r"test_arguments.py:\d+: job .*Model.job is a method: call it on an object, .*Model"
    with pytest.raises(TypeError, match=expected):
        Model.job(X)
    late = flow.global_function()(second.late)
    np.testing.assert_array_equal(late(X), X - 3)
    flow.clear_default_session()
    np.testing.assert_array_equal(first.job(X), X * 2)


def test_partials_and_objects() -> None:
    def scaled(x: Three, factor: float, *, add: float = 0.0) -> tp.Numpy:
        return x * factor + add

    class Adder:
        def __call__(self, x: Three) -> tp.Numpy:
            return x + 5

    result = flow.global_function()(functools.partial(scaled, factor=3.0, add=1.0))
    assert result.name == "scaled"
    np.testing.assert_array_equal(result(X), X * 3 + 1)
    by_place = flow.global_function()(functools.partial(_times, 2))
    np.testing.assert_array_equal(by_place(X), X * 2)
    added = flow.global_function()(Adder())
    assert added.name == "Adder"
    np.testing.assert_array_equal(added(X), X + 5)


def _times(n: int, x: Three) -> tp.Numpy:
    return x * n


def test_objects_that_are_not_functions() -> None:
    for wrong in (3, print, int):
        with pytest.raises(TypeError, match="decorates a function of Python, or a method"):
            flow.global_function()(wrong)  # type: ignore[arg-type, call-overload]


def test_shapes_and_types_in_other_forms() -> None:
    assert tp.Numpy.Placeholder([2, 3], dtype=np.int32) == tp.Numpy.Placeholder(
        (2, 3), dtype=flow.int32
    )
    assert tp.Numpy.Placeholder((), np.dtype("float64")).dtype is flow.float64
    with pytest.raises(TypeError, match="must be an element type .*; write flow.float64"):
        tp.Numpy.Placeholder((2,), dtype=float)
    with pytest.raises(TypeError, match="must be an element type"):
        tp.Numpy.Placeholder((2,), dtype=np.complex64)


def test_concat_of_one_blob_and_where_of_numbers() -> None:
    @flow.global_function()
    def job(x: Three) -> tp.Bundle[tp.Numpy]:
        one = flow.concat([x])
        assert one is x
        named = flow.concat([x], name="named")
        assert named.name == "named"
        above = x > 1
        return [one, named, flow.where(above, 1.0, 0.0), flow.where(above, 1, 0)]

    one, named, floats, ints = job(X)
    np.testing.assert_array_equal(one, X)
    np.testing.assert_array_equal(named, X)
    np.testing.assert_array_equal(floats, np.where(X > 1, 1, 0).astype(np.float32))
    assert (floats.dtype, ints.dtype) == (np.float32, np.int64)
    np.testing.assert_array_equal(ints, np.where(X > 1, 1, 0))


def test_handlers_with_defaults_and_partials() -> None:
    seen: list[Any] = []

    def tagged(tag: str, y: tp.Numpy) -> None:
        seen.append((tag, y.sum()))

    def numbered(y: tp.Numpy, tag: str = "default", *, also: int = 0) -> None:
        seen.append((tag, y.sum()))

    def many(*values: tp.Numpy) -> None:
        seen.append(("many", values[0].sum()))

    @flow.global_function()
    def job(x: Three) -> None:
        for handler in (functools.partial(tagged, "partial"), numbered, many):
            flow.watch(x, handler)

    job(X)
    assert seen == [("partial", 3), ("default", 3), ("many", 3)]


@pytest.mark.parametrize("optimizer", ["SGD", "Adam", "AdamW", "LazyAdam", "RMSProp", "LAMB"])
def test_learning_rates_as_numbers(optimizer: str) -> None:
    def trained(*args: Any, **named: Any) -> Any:
        flow.clear_default_session()

        @flow.global_function(type="train")
        def train() -> tp.Numpy:
            w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
            loss = w * w
            getattr(flow.optimizer, optimizer)(*args, **named).minimize(loss)
            return loss

        train()
        return flow.get_all_variables()["w"].numpy()

    wanted = trained(flow.optimizer.PiecewiseConstantScheduler([], [0.25]))
    np.testing.assert_array_equal(trained(0.25), wanted)
    np.testing.assert_array_equal(trained(lr=0.25), wanted)
