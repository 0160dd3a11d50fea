"""`mindspore.train`: `Model`, which trains and evaluates networks; callbacks and metrics."""

from penstock.mindspore.train import callback as callback
from penstock.mindspore.train.callback import Callback as Callback
from penstock.mindspore.train.callback import LossMonitor as LossMonitor
from penstock.mindspore.train.callback import RunContext as RunContext
from penstock.mindspore.train.model import Model as Model
