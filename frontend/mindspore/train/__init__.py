"""`mindspore.train`: `Model`, which trains and evaluates; callbacks and checkpoints."""

from penstock.mindspore.train import callback as callback
from penstock.mindspore.train.callback import Callback as Callback
from penstock.mindspore.train.callback import LossMonitor as LossMonitor
from penstock.mindspore.train.callback import RunContext as RunContext
from penstock.mindspore.train.model import Model as Model
from penstock.mindspore.train.serialization import load_checkpoint as load_checkpoint
from penstock.mindspore.train.serialization import load_param_into_net as load_param_into_net
from penstock.mindspore.train.serialization import save_checkpoint as save_checkpoint
