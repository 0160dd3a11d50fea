"""Metrics over the batches of an epoch."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.basics.checks import check_count
from penstock.basics.errors import kind_of, located


class Mean:
    """The mean of all elements that `update` got, such as the losses of an epoch.

    `update` takes a number, an array, a tensor, or a list of these; batches of different sizes
    count by their elements. Sums are float64.

    >>> import numpy as np
    >>> import penstock as flow
    >>> loss = flow.train.Mean()
    >>> loss.update(np.float32([1.0, 2.0]))
    >>> loss.update(6.0)
    >>> loss.value()
    3.0
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget all batches."""
        self._total, self._count = 0.0, 0

    def update(self, values: Any) -> None:
        """Take a batch into account."""
        for array in _arrays(values, f"update of {type(self).__name__}"):
            self._total += float(array.sum(dtype=np.float64))
            self._count += array.size

    def value(self) -> float:
        """The mean so far; a located RuntimeError if there was no batch."""
        if not self._count:
            raise located(RuntimeError, f"{type(self).__name__} got no batch; call update first")
        return self._total / self._count


class Accuracy(Mean):
    """The share of rows whose label is among the `top` largest outputs.

    `update` takes outputs of shape `(rows, classes)` and integer labels of shape `(rows,)`, as
    arrays or tensors, or lists of these. Of equal outputs, the one of the lower class is larger.

    >>> import numpy as np
    >>> import penstock as flow
    >>> accuracy = flow.train.Accuracy()
    >>> accuracy.update(np.float32([[0.1, 0.9], [0.8, 0.2]]), np.int32([1, 1]))
    >>> accuracy.value()
    0.5
    """

    def __init__(self, top: int = 1) -> None:
        self._top = check_count(top, "top of Accuracy")
        super().__init__()

    def update(self, outputs: Any, labels: Any = None) -> None:
        """Take a batch into account."""
        what = "update of Accuracy"
        of_outputs, of_labels = _arrays(outputs, what), _arrays(labels, what)
        if len(of_outputs) != len(of_labels):
            raise located(
                ValueError,
                f"{what} takes as many labels as outputs, got {len(of_outputs)} arrays of outputs "
                f"and {len(of_labels)} of labels",
            )
        for one, label in zip(of_outputs, of_labels, strict=True):
            if one.ndim != 2 or label.shape != one.shape[:1] or label.dtype.kind not in "iu":
                raise located(
                    ValueError,
                    f"{what} takes outputs of shape (rows, classes) and as many integer labels, "
                    f"got {one.shape} and {label.dtype} of {label.shape}",
                )
            order = np.argsort(-one.astype(np.float64), axis=1, kind="stable")[:, : self._top]
            self._total += int((order == label[:, None]).sum())
            self._count += len(label)


def _arrays(values: Any, what: str) -> list[np.ndarray[Any, Any]]:
    """The arrays in a list of them, or the one that a value is; numeric ones only."""
    found = []
    for one in values if isinstance(values, list | tuple) else [values]:
        array = np.asarray(one.numpy() if hasattr(one, "numpy") else one)
        if array.dtype.kind in "OSUMm":
            raise located(
                TypeError, f"{what} takes numbers, arrays and tensors, got {kind_of(one)}"
            )
        found.append(array)
    return found
