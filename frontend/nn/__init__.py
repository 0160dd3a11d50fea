"""`flow.nn`: modules and layers, and the functions of jobs: activations, softmax and losses.

Some names, such as `flow.nn.MSELoss`, are both: in the body of a job they are the legacy function,
elsewhere the layer.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from penstock.basics.names import from_homes

if TYPE_CHECKING:
    from penstock.functions.elementwise import elu as elu
    from penstock.functions.elementwise import fused_scale_tril as fused_scale_tril
    from penstock.functions.elementwise import hardtanh as hardtanh
    from penstock.functions.elementwise import leaky_relu as leaky_relu
    from penstock.functions.elementwise import relu6 as relu6
    from penstock.functions.elementwise import swish as swish
    from penstock.functions.elementwise import tril as tril
    from penstock.functions.movement import PixelShufflev2 as PixelShufflev2
    from penstock.functions.movement import softmax_grad as softmax_grad
    from penstock.functions.reductions import moments as moments
    from penstock.graphs.graph import Graph as Graph
    from penstock.networks.convolutions import compat_conv2d as compat_conv2d
    from penstock.networks.convolutions import conv1d as conv1d
    from penstock.networks.convolutions import conv2d as conv2d
    from penstock.networks.convolutions import conv2d_transpose as conv2d_transpose
    from penstock.networks.convolutions import conv3d as conv3d
    from penstock.networks.convolutions import torch_conv2d_transpose as torch_conv2d_transpose
    from penstock.networks.dropout import dropout as dropout
    from penstock.networks.dropout import random_mask_like as random_mask_like
    from penstock.networks.layer_parts import bias_add as bias_add
    from penstock.networks.loss_functions import (
        sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits,
    )
    from penstock.networks.loss_functions import (
        softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits,
    )
    from penstock.networks.loss_functions import sparse_cross_entropy as sparse_cross_entropy
    from penstock.networks.loss_functions import (
        sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
    )
    from penstock.networks.norms import batch_normalization as batch_normalization
    from penstock.networks.pools import avg_pool1d as avg_pool1d
    from penstock.networks.pools import avg_pool2d as avg_pool2d
    from penstock.networks.pools import avg_pool3d as avg_pool3d
    from penstock.networks.pools import max_pool1d as max_pool1d
    from penstock.networks.pools import max_pool2d as max_pool2d
    from penstock.networks.pools import max_pool3d as max_pool3d
    from penstock.nn import common_types as common_types
    from penstock.nn import functional as functional
    from penstock.nn import graph as graph
    from penstock.nn import init as init
    from penstock.nn import modules as modules
    from penstock.nn import optimizer as optimizer
    from penstock.nn import parameter as parameter
    from penstock.nn import utils as utils
    from penstock.nn.datasets import CoinFlip as CoinFlip
    from penstock.nn.datasets import CropMirrorNormalize as CropMirrorNormalize
    from penstock.nn.datasets import OFRecordRawDecoder as OFRecordRawDecoder
    from penstock.nn.datasets import OFRecordReader as OFRecordReader
    from penstock.nn.modules.activations import CELU as CELU
    from penstock.nn.modules.activations import ELU as ELU
    from penstock.nn.modules.activations import GELU as GELU
    from penstock.nn.modules.activations import GLU as GLU
    from penstock.nn.modules.activations import SELU as SELU
    from penstock.nn.modules.activations import Hardshrink as Hardshrink
    from penstock.nn.modules.activations import Hardsigmoid as Hardsigmoid
    from penstock.nn.modules.activations import Hardswish as Hardswish
    from penstock.nn.modules.activations import Hardtanh as Hardtanh
    from penstock.nn.modules.activations import LeakyReLU as LeakyReLU
    from penstock.nn.modules.activations import LogSigmoid as LogSigmoid
    from penstock.nn.modules.activations import LogSoftmax as LogSoftmax
    from penstock.nn.modules.activations import Mish as Mish
    from penstock.nn.modules.activations import PReLU as PReLU
    from penstock.nn.modules.activations import QuickGELU as QuickGELU
    from penstock.nn.modules.activations import ReLU as ReLU
    from penstock.nn.modules.activations import ReLU6 as ReLU6
    from penstock.nn.modules.activations import RReLU as RReLU
    from penstock.nn.modules.activations import Sigmoid as Sigmoid
    from penstock.nn.modules.activations import SiLU as SiLU
    from penstock.nn.modules.activations import Softmax as Softmax
    from penstock.nn.modules.activations import Softmin as Softmin
    from penstock.nn.modules.activations import Softplus as Softplus
    from penstock.nn.modules.activations import Softshrink as Softshrink
    from penstock.nn.modules.activations import Softsign as Softsign
    from penstock.nn.modules.activations import SquareReLU as SquareReLU
    from penstock.nn.modules.activations import Tanh as Tanh
    from penstock.nn.modules.activations import Tanhshrink as Tanhshrink
    from penstock.nn.modules.activations import Threshold as Threshold
    from penstock.nn.modules.containers import ModuleDict as ModuleDict
    from penstock.nn.modules.containers import ModuleList as ModuleList
    from penstock.nn.modules.containers import ParameterDict as ParameterDict
    from penstock.nn.modules.containers import ParameterList as ParameterList
    from penstock.nn.modules.containers import Sequential as Sequential
    from penstock.nn.modules.convs import Conv1d as Conv1d
    from penstock.nn.modules.convs import Conv2d as Conv2d
    from penstock.nn.modules.convs import Conv3d as Conv3d
    from penstock.nn.modules.convs import ConvTranspose1d as ConvTranspose1d
    from penstock.nn.modules.convs import ConvTranspose2d as ConvTranspose2d
    from penstock.nn.modules.convs import ConvTranspose3d as ConvTranspose3d
    from penstock.nn.modules.linears import Embedding as Embedding
    from penstock.nn.modules.linears import Flatten as Flatten
    from penstock.nn.modules.linears import Identity as Identity
    from penstock.nn.modules.linears import Linear as Linear
    from penstock.nn.modules.linears import Unflatten as Unflatten
    from penstock.nn.modules.losses import BCELoss as BCELoss
    from penstock.nn.modules.losses import BCEWithLogitsLoss as BCEWithLogitsLoss
    from penstock.nn.modules.losses import CombinedMarginLoss as CombinedMarginLoss
    from penstock.nn.modules.losses import CosineEmbeddingLoss as CosineEmbeddingLoss
    from penstock.nn.modules.losses import CosineSimilarity as CosineSimilarity
    from penstock.nn.modules.losses import CrossEntropyLoss as CrossEntropyLoss
    from penstock.nn.modules.losses import CTCLoss as CTCLoss
    from penstock.nn.modules.losses import GaussianNLLLoss as GaussianNLLLoss
    from penstock.nn.modules.losses import HingeEmbeddingLoss as HingeEmbeddingLoss
    from penstock.nn.modules.losses import HuberLoss as HuberLoss
    from penstock.nn.modules.losses import KLDivLoss as KLDivLoss
    from penstock.nn.modules.losses import L1Loss as L1Loss
    from penstock.nn.modules.losses import MarginRankingLoss as MarginRankingLoss
    from penstock.nn.modules.losses import MSELoss as MSELoss
    from penstock.nn.modules.losses import NLLLoss as NLLLoss
    from penstock.nn.modules.losses import PairwiseDistance as PairwiseDistance
    from penstock.nn.modules.losses import PoissonNLLLoss as PoissonNLLLoss
    from penstock.nn.modules.losses import SmoothL1Loss as SmoothL1Loss
    from penstock.nn.modules.losses import SoftMarginLoss as SoftMarginLoss
    from penstock.nn.modules.losses import TripletMarginLoss as TripletMarginLoss
    from penstock.nn.modules.module import Module as Module
    from penstock.nn.modules.norms import BatchNorm1d as BatchNorm1d
    from penstock.nn.modules.norms import BatchNorm2d as BatchNorm2d
    from penstock.nn.modules.norms import BatchNorm3d as BatchNorm3d
    from penstock.nn.modules.norms import FusedBatchNorm1d as FusedBatchNorm1d
    from penstock.nn.modules.norms import FusedBatchNorm2d as FusedBatchNorm2d
    from penstock.nn.modules.norms import FusedBatchNorm3d as FusedBatchNorm3d
    from penstock.nn.modules.norms import GroupNorm as GroupNorm
    from penstock.nn.modules.norms import InstanceNorm1d as InstanceNorm1d
    from penstock.nn.modules.norms import InstanceNorm2d as InstanceNorm2d
    from penstock.nn.modules.norms import InstanceNorm3d as InstanceNorm3d
    from penstock.nn.modules.norms import LayerNorm as LayerNorm
    from penstock.nn.modules.norms import RMSLayerNorm as RMSLayerNorm
    from penstock.nn.modules.norms import RMSNorm as RMSNorm
    from penstock.nn.modules.norms import SyncBatchNorm as SyncBatchNorm
    from penstock.nn.modules.parameter import Parameter as Parameter
    from penstock.nn.modules.pools import AdaptiveAvgPool1d as AdaptiveAvgPool1d
    from penstock.nn.modules.pools import AdaptiveAvgPool2d as AdaptiveAvgPool2d
    from penstock.nn.modules.pools import AdaptiveAvgPool3d as AdaptiveAvgPool3d
    from penstock.nn.modules.pools import AdaptiveMaxPool1d as AdaptiveMaxPool1d
    from penstock.nn.modules.pools import AdaptiveMaxPool2d as AdaptiveMaxPool2d
    from penstock.nn.modules.pools import AdaptiveMaxPool3d as AdaptiveMaxPool3d
    from penstock.nn.modules.pools import AvgPool1d as AvgPool1d
    from penstock.nn.modules.pools import AvgPool2d as AvgPool2d
    from penstock.nn.modules.pools import AvgPool3d as AvgPool3d
    from penstock.nn.modules.pools import MaxPool1d as MaxPool1d
    from penstock.nn.modules.pools import MaxPool2d as MaxPool2d
    from penstock.nn.modules.pools import MaxPool3d as MaxPool3d
    from penstock.nn.modules.pools import MaxUnpool1d as MaxUnpool1d
    from penstock.nn.modules.pools import MaxUnpool2d as MaxUnpool2d
    from penstock.nn.modules.pools import MaxUnpool3d as MaxUnpool3d
    from penstock.nn.modules.recurrent import GRU as GRU
    from penstock.nn.modules.recurrent import LSTM as LSTM
    from penstock.nn.modules.recurrent import RNN as RNN
    from penstock.nn.modules.recurrent import GRUCell as GRUCell
    from penstock.nn.modules.recurrent import LSTMCell as LSTMCell
    from penstock.nn.modules.recurrent import RNNBase as RNNBase
    from penstock.nn.modules.recurrent import RNNCell as RNNCell
    from penstock.nn.modules.recurrent import RNNCellBase as RNNCellBase
    from penstock.nn.modules.shaping import AlphaDropout as AlphaDropout
    from penstock.nn.modules.shaping import CircularPad1d as CircularPad1d
    from penstock.nn.modules.shaping import CircularPad2d as CircularPad2d
    from penstock.nn.modules.shaping import CircularPad3d as CircularPad3d
    from penstock.nn.modules.shaping import ConstantPad1d as ConstantPad1d
    from penstock.nn.modules.shaping import ConstantPad2d as ConstantPad2d
    from penstock.nn.modules.shaping import ConstantPad3d as ConstantPad3d
    from penstock.nn.modules.shaping import Dropout as Dropout
    from penstock.nn.modules.shaping import Dropout1d as Dropout1d
    from penstock.nn.modules.shaping import Dropout2d as Dropout2d
    from penstock.nn.modules.shaping import Dropout3d as Dropout3d
    from penstock.nn.modules.shaping import Fold as Fold
    from penstock.nn.modules.shaping import PixelShuffle as PixelShuffle
    from penstock.nn.modules.shaping import PixelUnshuffle as PixelUnshuffle
    from penstock.nn.modules.shaping import ReflectionPad1d as ReflectionPad1d
    from penstock.nn.modules.shaping import ReflectionPad2d as ReflectionPad2d
    from penstock.nn.modules.shaping import ReflectionPad3d as ReflectionPad3d
    from penstock.nn.modules.shaping import ReplicationPad1d as ReplicationPad1d
    from penstock.nn.modules.shaping import ReplicationPad2d as ReplicationPad2d
    from penstock.nn.modules.shaping import ReplicationPad3d as ReplicationPad3d
    from penstock.nn.modules.shaping import Unfold as Unfold
    from penstock.nn.modules.shaping import Upsample as Upsample
    from penstock.nn.modules.shaping import UpsamplingBilinear2d as UpsamplingBilinear2d
    from penstock.nn.modules.shaping import UpsamplingNearest2d as UpsamplingNearest2d
    from penstock.nn.modules.shaping import ZeroPad1d as ZeroPad1d
    from penstock.nn.modules.shaping import ZeroPad2d as ZeroPad2d
    from penstock.nn.modules.shaping import ZeroPad3d as ZeroPad3d
    from penstock.nn.older import layer_norm as layer_norm
    from penstock.nn.older import logsoftmax as logsoftmax
    from penstock.nn.older import softmax as softmax
    from penstock.nn.quantizing import FakeQuantization as FakeQuantization
    from penstock.nn.quantizing import MinMaxObserver as MinMaxObserver
    from penstock.nn.quantizing import MovingAverageMinMaxObserver as MovingAverageMinMaxObserver
    from penstock.nn.quantizing import QatConv1d as QatConv1d
    from penstock.nn.quantizing import QatConv2d as QatConv2d
    from penstock.nn.quantizing import QatConv3d as QatConv3d
    from penstock.nn.quantizing import Quantization as Quantization
    from penstock.nn.transformers.attention import MultiheadAttention as MultiheadAttention
    from penstock.nn.transformers.layers import TransformerDecoderLayer as TransformerDecoderLayer
    from penstock.nn.transformers.layers import TransformerEncoderLayer as TransformerEncoderLayer
    from penstock.nn.transformers.stacks import Transformer as Transformer
    from penstock.nn.transformers.stacks import TransformerDecoder as TransformerDecoder
    from penstock.nn.transformers.stacks import TransformerEncoder as TransformerEncoder

_HOMES = {
    "graphs.graph": ("Graph",),
    "networks.convolutions": (
        "compat_conv2d", "conv1d", "conv2d", "conv2d_transpose", "conv3d",
        "torch_conv2d_transpose",
    ),
    "networks.dropout": ("dropout", "random_mask_like"),
    "functions.elementwise": (
        "elu", "fused_scale_tril", "hardtanh", "leaky_relu", "relu6", "swish", "tril",
    ),
    "networks.layer_parts": ("bias_add",),
    "networks.loss_functions": (
        "sigmoid_cross_entropy_with_logits", "softmax_cross_entropy_with_logits",
        "sparse_cross_entropy", "sparse_softmax_cross_entropy_with_logits",
    ),
    "functions.movement": ("PixelShufflev2", "softmax_grad"),
    "networks.norms": ("batch_normalization",),
    "networks.pools": (
        "avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool1d", "max_pool2d", "max_pool3d",
    ),
    "functions.reductions": ("moments",),
    "nn.older": ("layer_norm", "logsoftmax", "softmax"),
    "nn.modules.module": ("Module",),
    "nn.modules.parameter": ("Parameter",),
    "nn.modules.containers": (
        "Sequential", "ModuleList", "ParameterList", "ModuleDict", "ParameterDict",
    ),
    "nn.modules.linears": ("Identity", "Linear", "Flatten", "Unflatten", "Embedding"),
    "nn.modules.activations": (
        "ReLU", "ReLU6", "SiLU", "Mish", "SELU", "Hardswish", "Hardsigmoid", "Sigmoid", "Tanh",
        "LogSigmoid", "Softsign", "Tanhshrink", "QuickGELU", "SquareReLU", "GELU", "ELU", "CELU",
        "LeakyReLU", "RReLU", "Hardtanh", "Softplus", "Softshrink", "Hardshrink", "Threshold",
        "GLU", "Softmax", "LogSoftmax", "Softmin", "PReLU",
    ),
    "nn.modules.convs": (
        "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d",
    ),
    "nn.modules.norms": (
        "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm", "FusedBatchNorm1d",
        "FusedBatchNorm2d", "FusedBatchNorm3d", "InstanceNorm1d",
        "InstanceNorm2d", "InstanceNorm3d", "GroupNorm", "LayerNorm", "RMSNorm", "RMSLayerNorm",
    ),
    "nn.modules.pools": (
        "MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d",
        "AvgPool1d", "AvgPool2d", "AvgPool3d", "AdaptiveAvgPool1d", "AdaptiveAvgPool2d",
        "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AdaptiveMaxPool3d",
    ),
    "nn.modules.recurrent": (
        "RNN", "LSTM", "GRU", "RNNBase", "RNNCell", "LSTMCell", "GRUCell", "RNNCellBase",
    ),
    "nn.modules.shaping": (
        "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "ReflectionPad1d",
        "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d",
        "ReplicationPad3d", "CircularPad1d", "CircularPad2d", "CircularPad3d", "ZeroPad1d",
        "ZeroPad2d", "ZeroPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d",
        "PixelShuffle", "PixelUnshuffle", "Upsample", "UpsamplingNearest2d",
        "UpsamplingBilinear2d", "Unfold", "Fold",
    ),
    "nn.modules.losses": (
        "MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "CrossEntropyLoss", "NLLLoss",
        "BCELoss", "BCEWithLogitsLoss", "CTCLoss", "KLDivLoss", "PoissonNLLLoss", "GaussianNLLLoss",
        "SoftMarginLoss", "MarginRankingLoss", "CosineEmbeddingLoss", "HingeEmbeddingLoss",
        "TripletMarginLoss", "CosineSimilarity", "PairwiseDistance", "CombinedMarginLoss",
    ),
    "nn.transformers.attention": ("MultiheadAttention",),
    "nn.transformers.layers": ("TransformerEncoderLayer", "TransformerDecoderLayer"),
    "nn.transformers.stacks": ("TransformerEncoder", "TransformerDecoder", "Transformer"),
    "nn.datasets": ("CoinFlip", "CropMirrorNormalize", "OFRecordRawDecoder", "OFRecordReader"),
    "nn.quantizing": (
        "MinMaxObserver", "MovingAverageMinMaxObserver", "Quantization", "FakeQuantization",
        "QatConv1d", "QatConv2d", "QatConv3d",
    ),
}  # fmt: skip
"""Names from modules that are imported on first use."""
_MODULES = (
    "common_types", "functional", "graph", "init", "modules", "optimizer", "parameter", "utils",
)  # fmt: skip
"""The public submodules."""


def __dir__() -> list[str]:
    """The public names."""
    older = import_module("penstock.nn.older").names()
    return sorted({*older, *_MODULES, *(name for names in _HOMES.values() for name in names)})


def _otherwise(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"penstock.nn.{name}")
    return import_module("penstock.nn.older").find(name)


_find = from_homes("flow.nn", _HOMES, _otherwise)


def __getattr__(name: str) -> Any:
    return _find(name)
