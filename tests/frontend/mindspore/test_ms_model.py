"""`Model` trains, evaluates and predicts, with callbacks and metrics."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock.mindspore as ms
from penstock.mindspore import Tensor, context, nn
from penstock.mindspore.train.callback import Callback, LossMonitor

X = np.random.default_rng(0).normal(size=(32, 4)).astype(np.float32)
Y = (X.sum(1) > 0).astype(np.int32)


def data(scale: float = 1.0) -> Any:
    rows = {"x": X * np.float32(scale), "y": Y}
    return ms.dataset.NumpySlicesDataset(rows, shuffle=False).batch(8)


def model() -> Any:
    ms.set_seed(0)
    net = nn.Dense(4, 2)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return ms.Model(net, loss, nn.SGD(net.trainable_params(), 0.5), metrics={"accuracy", "loss"})


@pytest.mark.parametrize("mode", [context.PYNATIVE_MODE, context.GRAPH_MODE])
def test_training_and_evaluation(mode: int, capsys: pytest.CaptureFixture[str]) -> None:
    context.set_context(mode=mode)
    trained = model()
    before = trained.eval(data())
    trained.train(6, data(), callbacks=LossMonitor(12))
    after = trained.eval(data())
    assert after["accuracy"] > 0.9 > before["accuracy"]
    assert after["loss"] < before["loss"] / 2
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(", ")[0] for line in lines] == ["epoch: 3 step: 4", "epoch: 6 step: 4"]
    found = trained.predict(Tensor(X)).asnumpy().argmax(1)
    assert (found == Y).mean() == after["accuracy"]


def test_callbacks_see_training_and_end_it() -> None:
    seen: list[str] = []

    class Note(Callback):
        def begin(self, run_context: Any) -> None:
            seen.append("begin")

        def epoch_end(self, run_context: Any) -> None:
            seen.append(f"epoch {run_context.original_args().cur_epoch_num}")

        def step_end(self, run_context: Any) -> None:
            if run_context.original_args().cur_step_num == 6:
                run_context.request_stop()

        def end(self, run_context: Any) -> None:
            seen.append(f"end {run_context.original_args().cur_step_num}")

    model().train(9, data(), callbacks=[Note()])
    assert seen == ["begin", "epoch 1", "epoch 2", "end 6"]


def test_metrics() -> None:
    outputs, labels = Tensor([[1.0, 2.0]]), Tensor([[1.0, 4.0]])
    for metric, value in ((nn.MAE(), 1.0), (nn.MSE(), 2.0), (nn.Accuracy(), 1.0)):
        metric.update(outputs, labels)
        assert metric.eval() == value
    with pytest.raises(RuntimeError, match=r"py:\d+: Loss was given no batch"):
        nn.Loss().eval()


WRONG: list[tuple[Any, type[Exception], str]] = [
    (lambda: ms.Model(3), TypeError, "network of Model must be a Cell, got 3"),
    (lambda: ms.Model(nn.ReLU(), amp_level="O2"), ValueError, 'amp_level of Model must be "O0"'),
    (lambda: ms.Model(nn.ReLU(), metrics={"acuracy"}), ValueError, 'did you mean "Accuracy"'),
    (lambda: ms.Model(nn.ReLU()).train(1, data()), ValueError, "needs an optimizer"),
    (lambda: ms.Model(nn.ReLU()).eval(data()), ValueError, "needs metrics, and a loss_fn"),
    (lambda: model().train(1, [X]), TypeError, "train_dataset of Model must be a data set"),
    (lambda: model().train(1, data(), 3), TypeError, "must be of class Callback, got 3"),
    (lambda: model().train(1, data(float("nan")), LossMonitor()), ValueError, "the loss of epoch "),
]


@pytest.mark.parametrize(("deed", "kind", "said"), WRONG)
def test_misuse(deed: Any, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=rf"py:\d+: .*{said}"):
        deed()


def test_checkpoints(tmp_path: Path) -> None:
    net, other = nn.Dense(2, 1, "ones", "ones"), nn.Dense(2, 1, "zeros")
    ms.save_checkpoint(net, tmp_path / "net")
    assert ms.load_param_into_net(other, ms.load_checkpoint(tmp_path / "net")) == []
    assert other.weight.asnumpy().tolist() == [[1.0, 1.0]]
    ms.save_checkpoint([{"name": "weight", "data": Tensor([[2.0, 2.0]])}], tmp_path / "part")
    assert ms.load_param_into_net(other, ms.load_checkpoint(tmp_path / "part")) == ["bias"]
    assert other.weight.asnumpy().tolist() == [[2.0, 2.0]]
    with pytest.raises(ValueError, match=r"py:\d+: the checkpoint has no bias"):
        ms.load_checkpoint(tmp_path / "part", other, strict_load=True)
    with pytest.raises(ValueError, match=r"py:\d+: set_data of parameter 'weight' takes a tensor"):
        ms.load_checkpoint(tmp_path / "net", nn.Dense(3, 1))
    with pytest.raises(TypeError, match=r"py:\d+: save_checkpoint takes a cell, or a list"):
        ms.save_checkpoint(3, tmp_path / "net")
