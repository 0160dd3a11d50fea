"""The classes of `flow.nn`: layers, losses and containers.

They can also be imported from where PyTorch and OneFlow keep them:
`from penstock.nn.modules.batchnorm import BatchNorm2d`.
"""

from penstock.basics.elsewhere import modules_elsewhere

_HOMES = {
    "activation": "modules.activations", "batchnorm": "modules.norms",
    "batchnorm_fused": "modules.norms", "container": "modules.containers",
    "conv": "modules.convs", "dataset": "datasets", "distance": "modules.losses",
    "dropout": "modules.shaping", "fake_quantization": "quantizing",
    "flatten": "modules.linears", "fold": "modules.shaping", "instancenorm": "modules.norms",
    "linear": "modules.linears", "loss": "modules.losses", "min_max_observer": "quantizing",
    "moving_average_min_max_observer": "quantizing", "normalization": "modules.norms",
    "padding": "modules.shaping", "pixelshuffle": "modules.shaping", "pooling": "modules.pools",
    "quantization": "quantizing", "rnn": "modules.recurrent", "sparse": "modules.linears",
    "upsampling": "modules.shaping",
}  # fmt: skip
"""The modules of PyTorch and OneFlow, and where in `penstock.nn` their classes are."""

globals().update(
    modules_elsewhere(__name__, {name: [f"penstock.nn.{home}"] for name, home in _HOMES.items()})
)
