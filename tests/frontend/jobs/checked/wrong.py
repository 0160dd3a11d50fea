"""Jobs and calls in which type checkers find an error, on each line that says so."""

from typing import Annotated

import numpy as np

import penstock as flow
import penstock.typing as tp

Rows = Annotated[flow.Blob, tp.Numpy.Placeholder((4, 8))]
Result = Annotated[flow.Blob, tp.Numpy]


@flow.global_function()
def add(x: Rows, y: Rows) -> Result:
    return x + y


@flow.global_function()
def pair(x: Rows) -> tuple[Result, Result]:
    return x, x.shape  # error


@flow.global_function()
def number(x: Rows) -> Result:
    return len(x.shape)  # error


class Model:
    @flow.global_function()
    def twice(self, x: Rows) -> Result:
        return x * 2


array = np.ones((4, 8), np.float32)
add(1, 2, 3)  # error
add(array, array, array)  # error
add("x", "y")  # error
add(x="x", y=array)  # error
add(array).mean()  # error
add(array, array).minimize()  # error
a, b, c = pair(array)  # error
total: str = add(array, array)  # error
Model().twice(array, array)  # error
add.lowered()  # error
flow.no_such_function(array)  # error
