"""`mindspore.Model`: trains, evaluates and runs a network on data sets."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from penstock.basics.checks import check_count
from penstock.basics.errors import kind_of, located
from penstock.mindspore.dataset import Dataset
from penstock.mindspore.nn import metrics as metric
from penstock.mindspore.nn.cell import Cell
from penstock.mindspore.nn.training import TrainOneStepCell, WithEvalCell, WithLossCell
from penstock.mindspore.train.callback import RunContext, checked


class Model:
    """A network with a loss, an optimizer and metrics.

    Without `loss_fn`, the network returns its own loss. `eval` needs a loss, or an `eval_network`
    that returns (loss, outputs, labels). Data sets yield data and label. In graph mode, steps are
    compiled.

    >>> import numpy as np
    >>> import penstock.mindspore as ms
    >>> x = np.array([[1.0], [2.0]], np.float32)
    >>> data = ms.dataset.NumpySlicesDataset({"x": x, "y": 3 * x}).batch(2)
    >>> net = ms.nn.Dense(1, 1, "ones", has_bias=False)
    >>> optimizer = ms.nn.SGD(net.trainable_params(), learning_rate=0.1)
    >>> model = ms.Model(net, ms.nn.MSELoss(), optimizer, metrics={"mse"})
    >>> model.train(20, data)
    >>> model.eval(data)["mse"] < 1e-4
    True
    """

    def __init__(
        self, network: Cell, loss_fn: Any = None, optimizer: Any = None, metrics: Any = None,
        eval_network: Cell | None = None, eval_indexes: Any = None, amp_level: str = "O0",
        boost_level: str = "O0", **settings: Any,
    ) -> None:  # fmt: skip
        if not isinstance(network, Cell):
            raise located(TypeError, f"network of Model must be a Cell, got {kind_of(network)}")
        for name, level in (("amp_level", amp_level), ("boost_level", boost_level)):
            if level != "O0":
                raise located(ValueError, f'{name} of Model must be "O0", got {kind_of(level)}')
        self._network, self._optimizer = network, optimizer
        self._metrics = metric.checked(metrics)
        with_loss = network if loss_fn is None else WithLossCell(network, loss_fn)
        self._trained = None if optimizer is None else TrainOneStepCell(with_loss, optimizer)
        self._evaluated = eval_network
        if eval_network is None and loss_fn is not None:
            self._evaluated = WithEvalCell(network, loss_fn)

    @property
    def train_network(self) -> Cell | None:
        """The cell of a training step; None without an optimizer."""
        return self._trained

    @property
    def predict_network(self) -> Cell:
        """The network."""
        return self._network

    def train(
        self, epoch: int, train_dataset: Dataset, callbacks: Any = None,
        dataset_sink_mode: bool = True, sink_size: int = -1,
    ) -> None:  # fmt: skip
        """Train for some epochs; `callbacks` is a `Callback` or a list of these."""
        if self._trained is None:
            raise located(ValueError, "train of Model needs an optimizer; pass it to Model")
        epochs = check_count(epoch, "epoch of train")
        data, told = _checked(train_dataset, "train_dataset"), checked(callbacks)
        step = self._trained.set_train()
        state = SimpleNamespace(
            cur_epoch_num=0, cur_step_num=0, epoch_num=epochs, batch_num=data.get_dataset_size(),
            net_outputs=None, network=self._network, train_network=step,
            optimizer=self._optimizer, train_dataset=data,
        )  # fmt: skip
        context = RunContext(state)

        def tell(when: str) -> None:
            for one in told:
                getattr(one, when)(context)

        tell("begin")
        for number in range(1, epochs + 1):
            state.cur_epoch_num = number
            tell("epoch_begin")
            for row in data.create_tuple_iterator():
                state.cur_step_num += 1
                tell("step_begin")
                state.net_outputs = step(*row)
                tell("step_end")
                if context.stops:
                    break
            tell("epoch_end")
            if context.stops:
                break
        tell("end")

    def eval(
        self, valid_dataset: Dataset, callbacks: Any = None, dataset_sink_mode: bool = True
    ) -> dict[str, float]:
        """The metrics over a data set, by name."""
        if self._evaluated is None or not self._metrics:
            raise located(
                ValueError,
                "eval of Model needs metrics, and a loss_fn or an eval_network; pass them to Model",
            )
        data, network = _checked(valid_dataset, "valid_dataset"), self._evaluated.set_train(False)
        for one in self._metrics.values():
            one.clear()
        for row in data.create_tuple_iterator():
            loss, outputs, labels = network(*row)
            for one in self._metrics.values():
                one.update(*((loss,) if isinstance(one, metric.Loss) else (outputs, labels)))
        return {name: one.eval() for name, one in self._metrics.items()}

    def predict(self, *predict_data: Any) -> Any:
        """What the network returns for these tensors, in evaluation mode."""
        return self._network.set_train(False)(*predict_data)


def _checked(data: Any, word: str) -> Dataset:
    if not isinstance(data, Dataset):
        raise located(
            TypeError,
            f"{word} of Model must be a data set of mindspore.dataset, got {kind_of(data)}",
        )
    return data
