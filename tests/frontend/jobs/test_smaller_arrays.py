"""Arrays in lists smaller than their placeholders: the job is specialised for their size."""

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Rows: Any = tp.ListNumpy.Placeholder((4, 3))
Nested: Any = tp.ListListNumpy.Placeholder((4, 3))


def rows(count: int, columns: int = 3) -> Any:
    return np.arange(count * columns, dtype=np.float32).reshape(count, columns)


def test_results_have_the_size_of_the_arguments() -> None:
    @flow.global_function()
    def job(x: Rows, y: Nested) -> tuple[tp.ListNumpy, tp.ListListNumpy]:
        return x * 2, (y + 1).sum(1)

    for count in (4, 2, 1, 2, 4):
        x, y = rows(count), rows(count, 2)
        ((double,), ((total,),)) = job([x], [[y]])
        np.testing.assert_array_equal(double, x * 2)
        np.testing.assert_array_equal(total, (y + 1).sum(1))


def test_variables_are_shared() -> None:
    @flow.global_function(type="train")
    def train(x: Rows) -> tp.ListNumpy:
        w = flow.get_variable("w", (3,), initializer=flow.zeros_initializer())
        loss = (x * w).sum(1)
        flow.optimizer.SGD(lr=1, momentum=0).minimize(loss)
        return loss

    wanted = np.zeros(3)
    for step, count in enumerate((4, 2, 3)):
        x = rows(count)
        (loss,) = train([x])
        np.testing.assert_allclose(loss, (x * wanted).sum(1), rtol=1e-6)
        wanted = wanted - x.mean(0)
        live = flow.get_all_variables()
        np.testing.assert_allclose(live["w"].numpy(), wanted, rtol=1e-6)
        assert live["System-Train-TrainStep-train"].numpy() == step + 1


def test_a_variable_of_the_size_of_the_input_is_an_error() -> None:
    @flow.global_function()
    def job(x: Rows) -> tp.ListNumpy:
        return x + flow.get_variable("w", x.shape, initializer=flow.ones_initializer())

    job([rows(4)])
    with pytest.raises(ValueError, match=r"variable w is flow.float32 of shape \(2, 3\) in job"):
        job([rows(2)])
    np.testing.assert_array_equal(job([rows(4)]), [rows(4) + 1])


def test_specialisations_are_replaced_with_their_job() -> None:
    @flow.global_function()
    def job(x: Rows) -> tp.ListNumpy:
        return x + 1

    job([rows(2)])

    @flow.global_function()  # type: ignore[no-redef]
    def job(x: Rows) -> tp.ListNumpy:
        return x + 2

    np.testing.assert_array_equal(job([rows(2)]), [rows(2) + 2])


def test_larger_arrays_are_refused() -> None:
    @flow.global_function()
    def job(x: Rows) -> tp.ListNumpy:
        return x

    for wrong in (rows(5), rows(4).reshape(12)):
        with pytest.raises(ValueError, match=r"of float32 and shape \(4, 3\), got shape"):
            job([wrong])


def test_tensor_lists_keep_their_structure() -> None:
    @flow.global_function()
    def job(x: Nested) -> tuple[tp.ListListNumpy, tp.Numpy]:
        return x, x * 2

    for count, columns in ((4, 3), (3, 3), (2, 5), (4, 1)):
        parts = [rows(1, columns) + i for i in range(count)]
        whole = np.concatenate(parts)
        (found,), double = job([parts])
        assert [part.shape for part in found] == [(1, columns)] * count
        np.testing.assert_array_equal(np.concatenate(found), whole)
        np.testing.assert_array_equal(double, whole * 2)
        ((same,),), double = job([[whole]])
        np.testing.assert_array_equal(same, whole)


def test_parts_of_several_shapes_are_an_error() -> None:
    @flow.global_function()
    def job(x: Nested) -> tp.ListListNumpy:
        return x

    with pytest.raises(TypeError, match=r"as a tensor list at most 4 arrays .* at index 1"):
        job([[rows(1, 3), rows(1, 2)]])
    with pytest.raises(TypeError, match=r"at most 4 arrays .* got 2"):
        job([[rows(1, 7), rows(1, 7)]])
