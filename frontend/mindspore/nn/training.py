"""Cells that train and evaluate: a network with its loss, and one with its optimizer."""

from __future__ import annotations

from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.mindspore.nn.cell import Cell
from penstock.mindspore.nn.optim import Optimizer
from penstock.mindspore.ops.gradients import value_and_gradients
from penstock.mindspore.parameter import ParameterTuple


class WithLossCell(Cell):
    """The loss of a network: loss_fn(backbone(data), label).

    >>> import penstock.mindspore as ms
    >>> net = ms.nn.WithLossCell(ms.nn.ReLU(), ms.nn.L1Loss())
    >>> print(net(ms.Tensor([-1.0, 2.0]), ms.Tensor([0.0, 0.0])))
    1.0
    """

    def __init__(self, backbone: Cell, loss_fn: Any) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = _checked(backbone, "backbone of WithLossCell")
        self._loss_fn = loss_fn

    @property
    def backbone_network(self) -> Cell:
        """The network without its loss."""
        found: Cell = self._backbone
        return found

    def construct(self, data: Any, label: Any) -> Any:
        return self._loss_fn(self._backbone(data), label)


class WithEvalCell(Cell):
    """The loss, the prediction and the label of a network, for metrics."""

    def __init__(self, network: Cell, loss_fn: Any, add_cast_fp32: bool = False) -> None:
        super().__init__(auto_prefix=False)
        self._network = _checked(network, "network of WithEvalCell")
        self._loss_fn = loss_fn

    def construct(self, data: Any, label: Any) -> Any:
        outputs = self._network(data)
        return self._loss_fn(outputs, label), outputs, label


class TrainOneStepCell(Cell):
    """A step of training: the network's loss, its gradients, and a call of the optimizer.

    Returns the loss. `sens` scales the gradients. The network runs once in a step. In graph mode
    the whole step is compiled.

    >>> import numpy as np
    >>> import penstock.mindspore as ms
    >>> net = ms.nn.Dense(1, 1, "ones", has_bias=False)
    >>> opt = ms.nn.SGD(net.trainable_params(), learning_rate=0.25)
    >>> step = ms.nn.TrainOneStepCell(ms.nn.WithLossCell(net, ms.nn.MSELoss()), opt)
    >>> x, y = ms.Tensor([[1.0]]), ms.Tensor([[3.0]])
    >>> [round(float(step(x, y)), 3) for _ in range(3)]
    [4.0, 1.0, 0.25]
    """

    def __init__(self, network: Cell, optimizer: Optimizer, sens: float = 1.0) -> None:
        super().__init__(auto_prefix=False)
        if not isinstance(optimizer, Optimizer):
            raise located(
                TypeError,
                "optimizer of TrainOneStepCell must be an optimizer of mindspore.nn, got "
                f"{kind_of(optimizer)}",
            )
        self.network = _checked(network, "network of TrainOneStepCell")
        self.optimizer = optimizer
        self.weights: ParameterTuple = optimizer.__dict__["parameters"]
        self.sens = sens

    def construct(self, *inputs: Any) -> Any:
        loss, found = value_and_gradients(self.network, inputs, self.weights, self.sens)
        self.optimizer(found)
        return loss


def _checked(network: Any, what: str) -> Cell:
    if not isinstance(network, Cell):
        raise located(TypeError, f"{what} must be a Cell, got {kind_of(network)}")
    return network
