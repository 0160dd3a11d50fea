"""Names that are imported from where other libraries keep them, and names that there are not."""

import re
from importlib import import_module
from typing import Any

import pytest

import penstock as flow


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("activation", "ReLU"), ("batchnorm", "BatchNorm2d"), ("batchnorm", "_BatchNorm"),
        ("container", "Sequential"), ("conv", "Conv2d"), ("dataset", "CoinFlip"),
        ("dropout", "Dropout"), ("instancenorm", "InstanceNorm1d"), ("linear", "Linear"),
        ("loss", "MSELoss"), ("min_max_observer", "MinMaxObserver"), ("module", "Module"),
        ("normalization", "LayerNorm"), ("padding", "ReflectionPad2d"), ("pooling", "MaxPool2d"),
        ("rnn", "RNNBase"), ("sparse", "Embedding"), ("upsampling", "Upsample"),
    ],
)  # fmt: skip
def test_modules_of_classes(module: str, name: str) -> None:
    found = getattr(import_module(f"penstock.nn.modules.{module}"), name)
    assert found is getattr(getattr(flow.nn.modules, module), name)
    assert name.startswith("_") or found is getattr(flow.nn, name)


@pytest.mark.parametrize(
    ("module", "name", "home"),
    [
        ("adam", "Adam", flow.optim), ("step_lr", "StepLR", flow.optim.lr_scheduler),
        ("lr_scheduler", "LRScheduler", flow.optim.lr_scheduler),
        ("swa_utils", "update_bn", flow.optim.swa_utils),
        ("warmup_lr", "WarmupLR", flow.optim.lr_scheduler),
    ],
)  # fmt: skip
def test_modules_of_optimizers(module: str, name: str, home: Any) -> None:
    found = getattr(import_module(f"penstock.nn.optimizer.{module}"), name)
    assert found is getattr(home, name)
    assert getattr(flow.nn.optimizer, module) is import_module(f"penstock.nn.optimizer.{module}")


def test_a_name_that_is_in_no_such_module() -> None:
    with pytest.raises(ImportError, match="cannot import name 'BatchNorm9d'"):
        exec("from penstock.nn.modules.batchnorm import BatchNorm9d")


@pytest.mark.parametrize(
    ("house", "name", "advice"),
    [
        (flow, "fx", "flow.nn.Graph traces modules"),
        (flow, "fft", "there are no complex numbers"),
        (flow.nn, "OFRecordImageDecoder", "decode images with another library"),
        (flow.nn, "COCOReader", "flow.utils.data.Dataset"),
        (flow.nn, "image", "flow.nn.functional.interpolate"),
        (flow.autograd, "graph", "what backward needs is kept"),
    ],
)
def test_what_there_is_not_says_what_to_use(house: Any, name: str, advice: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(house, name)
    (line,) = str(caught.value).splitlines()
    assert re.search(rf"flow[\w.]* has no '{name}': ", line)
    assert advice in line
