"""`mindspore.nn`: cells, that is layers, losses, optimizers and cells that train."""

from __future__ import annotations

from typing import Any

from penstock.basics.errors import did_you_mean, located
from penstock.mindspore.nn.activations import CELLS
from penstock.mindspore.nn.activations import get_activation as get_activation
from penstock.mindspore.nn.cell import Cell as Cell
from penstock.mindspore.nn.containers import CellList as CellList
from penstock.mindspore.nn.containers import SequentialCell as SequentialCell
from penstock.mindspore.nn.layers import BatchNorm1d as BatchNorm1d
from penstock.mindspore.nn.layers import BatchNorm2d as BatchNorm2d
from penstock.mindspore.nn.layers import Conv2d as Conv2d
from penstock.mindspore.nn.layers import Conv2dTranspose as Conv2dTranspose
from penstock.mindspore.nn.layers import Dense as Dense
from penstock.mindspore.nn.layers import Dropout as Dropout
from penstock.mindspore.nn.layers import Embedding as Embedding
from penstock.mindspore.nn.layers import GroupNorm as GroupNorm
from penstock.mindspore.nn.layers import LayerNorm as LayerNorm
from penstock.mindspore.nn.layers import PReLU as PReLU
from penstock.mindspore.nn.losses import BCELoss as BCELoss
from penstock.mindspore.nn.losses import BCEWithLogitsLoss as BCEWithLogitsLoss
from penstock.mindspore.nn.losses import CosineEmbeddingLoss as CosineEmbeddingLoss
from penstock.mindspore.nn.losses import L1Loss as L1Loss
from penstock.mindspore.nn.losses import LossBase as LossBase
from penstock.mindspore.nn.losses import MAELoss as MAELoss
from penstock.mindspore.nn.losses import MSELoss as MSELoss
from penstock.mindspore.nn.losses import RMSELoss as RMSELoss
from penstock.mindspore.nn.losses import SmoothL1Loss as SmoothL1Loss
from penstock.mindspore.nn.losses import (
    SoftmaxCrossEntropyWithLogits as SoftmaxCrossEntropyWithLogits,
)
from penstock.mindspore.nn.metrics import MAE as MAE
from penstock.mindspore.nn.metrics import MSE as MSE
from penstock.mindspore.nn.metrics import Accuracy as Accuracy
from penstock.mindspore.nn.metrics import Loss as Loss
from penstock.mindspore.nn.metrics import Metric as Metric
from penstock.mindspore.nn.optim import SGD as SGD
from penstock.mindspore.nn.optim import Adagrad as Adagrad
from penstock.mindspore.nn.optim import Adam as Adam
from penstock.mindspore.nn.optim import AdamWeightDecay as AdamWeightDecay
from penstock.mindspore.nn.optim import Momentum as Momentum
from penstock.mindspore.nn.optim import Optimizer as Optimizer
from penstock.mindspore.nn.recurrent import GRU as GRU
from penstock.mindspore.nn.recurrent import LSTM as LSTM
from penstock.mindspore.nn.recurrent import RNN as RNN
from penstock.mindspore.nn.recurrent import GRUCell as GRUCell
from penstock.mindspore.nn.recurrent import LSTMCell as LSTMCell
from penstock.mindspore.nn.recurrent import RNNCell as RNNCell
from penstock.mindspore.nn.training import TrainOneStepCell as TrainOneStepCell
from penstock.mindspore.nn.training import WithEvalCell as WithEvalCell
from penstock.mindspore.nn.training import WithLossCell as WithLossCell


def __getattr__(name: str) -> Any:
    if name not in CELLS:
        if name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        raise located(
            AttributeError, f"flow.mindspore.nn has no {name!r}{did_you_mean(name, __dir__())}"
        )
    return CELLS[name]


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name[0] != "_"), *CELLS})
