"""`flow.nn.functional`: layers as functions of tensors, with PyTorch's names and defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.basics.names import from_homes, no_such

if TYPE_CHECKING:
    from penstock.nn.functional.activations import celu as celu
    from penstock.nn.functional.activations import elu as elu
    from penstock.nn.functional.activations import gelu as gelu
    from penstock.nn.functional.activations import glu as glu
    from penstock.nn.functional.activations import hardshrink as hardshrink
    from penstock.nn.functional.activations import hardsigmoid as hardsigmoid
    from penstock.nn.functional.activations import hardswish as hardswish
    from penstock.nn.functional.activations import hardtanh as hardtanh
    from penstock.nn.functional.activations import leaky_relu as leaky_relu
    from penstock.nn.functional.activations import log_softmax as log_softmax
    from penstock.nn.functional.activations import logsigmoid as logsigmoid
    from penstock.nn.functional.activations import mish as mish
    from penstock.nn.functional.activations import normalize as normalize
    from penstock.nn.functional.activations import prelu as prelu
    from penstock.nn.functional.activations import quick_gelu as quick_gelu
    from penstock.nn.functional.activations import relu as relu
    from penstock.nn.functional.activations import relu6 as relu6
    from penstock.nn.functional.activations import rrelu as rrelu
    from penstock.nn.functional.activations import selu as selu
    from penstock.nn.functional.activations import sigmoid as sigmoid
    from penstock.nn.functional.activations import silu as silu
    from penstock.nn.functional.activations import softmax as softmax
    from penstock.nn.functional.activations import softmin as softmin
    from penstock.nn.functional.activations import softplus as softplus
    from penstock.nn.functional.activations import softshrink as softshrink
    from penstock.nn.functional.activations import softsign as softsign
    from penstock.nn.functional.activations import square_relu as square_relu
    from penstock.nn.functional.activations import tanh as tanh
    from penstock.nn.functional.activations import tanhshrink as tanhshrink
    from penstock.nn.functional.activations import threshold as threshold
    from penstock.nn.functional.attention import (
        scaled_dot_product_attention as scaled_dot_product_attention,
    )
    from penstock.nn.functional.classes import cross_entropy as cross_entropy
    from penstock.nn.functional.classes import nll_loss as nll_loss
    from penstock.nn.functional.classes import (
        sparse_softmax_cross_entropy as sparse_softmax_cross_entropy,
    )
    from penstock.nn.functional.convolution import conv1d as conv1d
    from penstock.nn.functional.convolution import conv2d as conv2d
    from penstock.nn.functional.convolution import conv3d as conv3d
    from penstock.nn.functional.convolution import conv_transpose1d as conv_transpose1d
    from penstock.nn.functional.convolution import conv_transpose2d as conv_transpose2d
    from penstock.nn.functional.convolution import conv_transpose3d as conv_transpose3d
    from penstock.nn.functional.convolution import linear as linear
    from penstock.nn.functional.grids import affine_grid as affine_grid
    from penstock.nn.functional.grids import deform_conv2d as deform_conv2d
    from penstock.nn.functional.grids import grid_sample as grid_sample
    from penstock.nn.functional.images import fold as fold
    from penstock.nn.functional.images import interpolate as interpolate
    from penstock.nn.functional.images import interpolate_like as interpolate_like
    from penstock.nn.functional.images import pixel_shuffle as pixel_shuffle
    from penstock.nn.functional.images import pixel_unshuffle as pixel_unshuffle
    from penstock.nn.functional.images import unfold as unfold
    from penstock.nn.functional.images import upsample as upsample
    from penstock.nn.functional.lookups import embedding as embedding
    from penstock.nn.functional.lookups import one_hot as one_hot
    from penstock.nn.functional.losses import binary_cross_entropy as binary_cross_entropy
    from penstock.nn.functional.losses import (
        binary_cross_entropy_with_logits as binary_cross_entropy_with_logits,
    )
    from penstock.nn.functional.losses import combined_margin_loss as combined_margin_loss
    from penstock.nn.functional.losses import cosine_embedding_loss as cosine_embedding_loss
    from penstock.nn.functional.losses import cosine_similarity as cosine_similarity
    from penstock.nn.functional.losses import gaussian_nll_loss as gaussian_nll_loss
    from penstock.nn.functional.losses import hinge_embedding_loss as hinge_embedding_loss
    from penstock.nn.functional.losses import huber_loss as huber_loss
    from penstock.nn.functional.losses import kl_div as kl_div
    from penstock.nn.functional.losses import l1_loss as l1_loss
    from penstock.nn.functional.losses import margin_ranking_loss as margin_ranking_loss
    from penstock.nn.functional.losses import mse_loss as mse_loss
    from penstock.nn.functional.losses import pairwise_distance as pairwise_distance
    from penstock.nn.functional.losses import poisson_nll_loss as poisson_nll_loss
    from penstock.nn.functional.losses import smooth_l1_loss as smooth_l1_loss
    from penstock.nn.functional.losses import soft_margin_loss as soft_margin_loss
    from penstock.nn.functional.losses import triplet_margin_loss as triplet_margin_loss
    from penstock.nn.functional.masking import alpha_dropout as alpha_dropout
    from penstock.nn.functional.masking import dropout as dropout
    from penstock.nn.functional.masking import dropout1d as dropout1d
    from penstock.nn.functional.masking import dropout2d as dropout2d
    from penstock.nn.functional.masking import dropout3d as dropout3d
    from penstock.nn.functional.normalizing import batch_norm as batch_norm
    from penstock.nn.functional.normalizing import group_norm as group_norm
    from penstock.nn.functional.normalizing import instance_norm as instance_norm
    from penstock.nn.functional.normalizing import layer_norm as layer_norm
    from penstock.nn.functional.normalizing import rms_norm as rms_norm
    from penstock.nn.functional.padding import pad as pad
    from penstock.nn.functional.pooling import adaptive_avg_pool1d as adaptive_avg_pool1d
    from penstock.nn.functional.pooling import adaptive_avg_pool2d as adaptive_avg_pool2d
    from penstock.nn.functional.pooling import adaptive_avg_pool3d as adaptive_avg_pool3d
    from penstock.nn.functional.pooling import adaptive_max_pool1d as adaptive_max_pool1d
    from penstock.nn.functional.pooling import adaptive_max_pool2d as adaptive_max_pool2d
    from penstock.nn.functional.pooling import adaptive_max_pool3d as adaptive_max_pool3d
    from penstock.nn.functional.pooling import avg_pool1d as avg_pool1d
    from penstock.nn.functional.pooling import avg_pool2d as avg_pool2d
    from penstock.nn.functional.pooling import avg_pool3d as avg_pool3d
    from penstock.nn.functional.pooling import max_pool1d as max_pool1d
    from penstock.nn.functional.pooling import max_pool2d as max_pool2d
    from penstock.nn.functional.pooling import max_pool3d as max_pool3d
    from penstock.nn.functional.pooling import max_unpool1d as max_unpool1d
    from penstock.nn.functional.pooling import max_unpool2d as max_unpool2d
    from penstock.nn.functional.pooling import max_unpool3d as max_unpool3d
    from penstock.nn.functional.sequences import ctc_greedy_decoder as ctc_greedy_decoder
    from penstock.nn.functional.sequences import ctc_loss as ctc_loss

_HOMES = {
    "nn.functional.activations": (
        "celu", "elu", "gelu", "glu", "hardshrink", "hardsigmoid", "hardswish", "hardtanh",
        "leaky_relu", "log_softmax", "logsigmoid", "mish", "normalize", "prelu", "quick_gelu",
        "relu", "relu6", "rrelu", "selu", "sigmoid", "silu", "softmax", "softmin", "softplus",
        "softshrink", "softsign", "square_relu", "tanh", "tanhshrink", "threshold",
    ),
    "nn.functional.attention": ("scaled_dot_product_attention",),
    "nn.functional.classes": ("cross_entropy", "nll_loss", "sparse_softmax_cross_entropy"),
    "nn.functional.convolution": (
        "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
        "linear",
    ),
    "nn.functional.grids": ("affine_grid", "deform_conv2d", "grid_sample"),
    "nn.functional.images": (
        "fold", "interpolate", "interpolate_like", "pixel_shuffle", "pixel_unshuffle", "unfold",
        "upsample",
    ),
    "nn.functional.lookups": ("embedding", "one_hot"),
    "nn.functional.losses": (
        "binary_cross_entropy", "binary_cross_entropy_with_logits", "cosine_embedding_loss",
        "combined_margin_loss", "cosine_similarity", "gaussian_nll_loss", "hinge_embedding_loss",
        "huber_loss", "kl_div", "l1_loss", "margin_ranking_loss", "mse_loss", "pairwise_distance",
        "poisson_nll_loss", "smooth_l1_loss", "soft_margin_loss", "triplet_margin_loss",
    ),
    "nn.functional.masking": ("alpha_dropout", "dropout", "dropout1d", "dropout2d", "dropout3d"),
    "nn.functional.normalizing": (
        "batch_norm", "group_norm", "instance_norm", "layer_norm", "rms_norm",
    ),
    "nn.functional.padding": ("pad",),
    "nn.functional.sequences": ("ctc_greedy_decoder", "ctc_loss"),
    "nn.functional.pooling": (
        "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d",
        "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d", "avg_pool1d",
        "avg_pool2d", "avg_pool3d", "max_pool1d", "max_pool2d", "max_pool3d", "max_unpool1d",
        "max_unpool2d", "max_unpool3d",
    ),
}  # fmt: skip
"""Names from other modules."""

__all__ = sorted(name for names in _HOMES.values() for name in names)

if not TYPE_CHECKING:
    __getattr__ = from_homes("flow.nn.functional", _HOMES, no_such("flow.nn.functional"))
