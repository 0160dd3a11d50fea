"""Metrics of `Model.eval`, also in `mindspore.nn`."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.mindspore.tensor import Tensor


class Metric:
    """Base of metrics: `clear`, `update` with outputs and labels of a batch, and `eval`."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all batches."""
        self._total, self._count = 0.0, 0

    def update(self, *inputs: Any) -> None:
        """Take a batch into account."""
        total, count = self.of_batch(*map(_array, inputs))
        self._total, self._count = self._total + total, self._count + count

    def of_batch(self, *inputs: Any) -> tuple[float, int]:
        """The sum of the metric over a batch of arrays, and the number of terms."""
        raise NotImplementedError

    def eval(self) -> float:
        """The mean over all batches; a located RuntimeError if there was none."""
        if not self._count:
            raise located(RuntimeError, f"{type(self).__name__} was given no batch; call update")
        return self._total / self._count


class Accuracy(Metric):
    """The share of rows whose largest output is at the label.

    >>> import penstock.mindspore as ms
    >>> metric = ms.nn.Accuracy()
    >>> metric.update(ms.Tensor([[0.1, 0.9], [0.8, 0.2]]), ms.Tensor([1, 1]))
    >>> metric.eval()
    0.5
    """

    def of_batch(self, outputs: Any, labels: Any) -> tuple[float, int]:
        labels = labels.argmax(-1) if labels.ndim == outputs.ndim else labels
        return float((outputs.argmax(-1) == labels).sum()), labels.size


class Loss(Metric):
    """The mean of the losses of batches."""

    def of_batch(self, loss: Any, *others: Any) -> tuple[float, int]:
        return float(loss.mean()), 1


class MAE(Metric):
    """The mean absolute error."""

    def of_batch(self, outputs: Any, labels: Any) -> tuple[float, int]:
        return float(np.abs(outputs - labels).sum()), labels.size


class MSE(Metric):
    """The mean squared error."""

    def of_batch(self, outputs: Any, labels: Any) -> tuple[float, int]:
        return float(np.square(outputs - labels).sum()), labels.size


NAMES: dict[str, type[Metric]] = {
    "accuracy": Accuracy, "Accuracy": Accuracy, "acc": Accuracy, "loss": Loss, "Loss": Loss,
    "mae": MAE, "MAE": MAE, "mse": MSE, "MSE": MSE,
}  # fmt: skip


def checked(metrics: Any) -> dict[str, Metric]:
    """Metrics by name: from a dict, or from a set or list of names."""
    found = metrics if isinstance(metrics, dict) else {name: None for name in metrics or ()}
    made: dict[str, Metric] = {}
    for name, one in found.items():
        given = NAMES[name]() if one is None and name in NAMES else one
        if not isinstance(given, Metric):
            raise located(
                ValueError,
                "metrics of Model take metrics by name, or names such as accuracy, got "
                f"{kind_of(name if one is None else one)}{did_you_mean(str(name), NAMES)}",
            )
        made[name] = given
    return made


def _array(value: Any) -> Any:
    return value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)
