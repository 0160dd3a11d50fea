"""Penstock: job functions, compiled to native code that can be watched.

Importing this package, or any package below it, loads none of its modules: a name is looked up in
`_LAZY` when it is first used. So `import penstock.runtime` stays as small as the runtime.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import penstock.dtypes as _dtypes
    from penstock import checkpoint as checkpoint
    from penstock import config as config
    from penstock import data as data
    from penstock import deprecated as deprecated
    from penstock import detection as detection
    from penstock import distribute as distribute
    from penstock import env as env
    from penstock import experimental as experimental
    from penstock import image as image
    from penstock import layers as layers
    from penstock import linalg as linalg
    from penstock import losses as losses
    from penstock import math as math
    from penstock import nn as nn
    from penstock import optimizer as optimizer
    from penstock import quantization as quantization
    from penstock import random as random
    from penstock import regularizers as regularizers
    from penstock import scope as scope
    from penstock import train as train
    from penstock import typing as typing
    from penstock import unittest as unittest
    from penstock.artifact import save_artifact as save_artifact
    from penstock.buffers import tensor_buffer_to_tensor as tensor_buffer_to_tensor
    from penstock.buffers import tensor_buffer_to_tensor_list as tensor_buffer_to_tensor_list
    from penstock.buffers import tensor_list_split as tensor_list_split
    from penstock.buffers import tensor_list_to_tensor_buffer as tensor_list_to_tensor_buffer
    from penstock.buffers import tensor_to_tensor_buffer as tensor_to_tensor_buffer
    from penstock.checkpoint import get_all_variables as get_all_variables
    from penstock.checkpoint import load_variables as load_variables
    from penstock.contractions import einsum as einsum
    from penstock.detection import object_bbox_flip as object_bbox_flip
    from penstock.detection import object_bbox_scale as object_bbox_scale
    from penstock.detection import (
        object_segmentation_polygon_flip as object_segmentation_polygon_flip,
    )
    from penstock.detection import (
        object_segmentation_polygon_scale as object_segmentation_polygon_scale,
    )
    from penstock.dtypes import bfloat16 as bfloat16
    from penstock.dtypes import (
        convert_oneflow_dtype_to_numpy_dtype as convert_oneflow_dtype_to_numpy_dtype,
    )
    from penstock.dtypes import float16 as float16
    from penstock.dtypes import float32 as float32
    from penstock.dtypes import float64 as float64
    from penstock.dtypes import int8 as int8
    from penstock.dtypes import int32 as int32
    from penstock.dtypes import int64 as int64
    from penstock.dtypes import uint8 as uint8
    from penstock.elementwise import clamp as clamp
    from penstock.elementwise import clip as clip
    from penstock.elementwise import clip_by_scalar as clip_by_scalar
    from penstock.elementwise import clip_by_value as clip_by_value
    from penstock.env import current_resource as current_resource
    from penstock.identities import amp_white_identity as amp_white_identity
    from penstock.identities import cast_to_current_logical_view as cast_to_current_logical_view
    from penstock.identities import cast_to_static_shape as cast_to_static_shape
    from penstock.identities import identity_n as identity_n
    from penstock.identities import parallel_cast as parallel_cast
    from penstock.image import image_batch_align as image_batch_align
    from penstock.image import image_flip as image_flip
    from penstock.image import image_normalize as image_normalize
    from penstock.indexing import dim_gather as dim_gather
    from penstock.indexing import gather as gather
    from penstock.indexing import gather_nd as gather_nd
    from penstock.indexing import one_hot as one_hot
    from penstock.indexing import range as range
    from penstock.indexing import scatter_nd as scatter_nd
    from penstock.indexing import slice_update as slice_update
    from penstock.indexing import tensor_scatter_nd_add as tensor_scatter_nd_add
    from penstock.indexing import tensor_scatter_nd_update as tensor_scatter_nd_update
    from penstock.indexing import unsorted_batch_segment_sum as unsorted_batch_segment_sum
    from penstock.indexing import unsorted_segment_sum as unsorted_segment_sum
    from penstock.indexing import unsorted_segment_sum_like as unsorted_segment_sum_like
    from penstock.initializers import constant_initializer as constant_initializer
    from penstock.initializers import glorot_normal_initializer as glorot_normal_initializer
    from penstock.initializers import glorot_uniform_initializer as glorot_uniform_initializer
    from penstock.initializers import kaiming_initializer as kaiming_initializer
    from penstock.initializers import ones_initializer as ones_initializer
    from penstock.initializers import random_normal_initializer as random_normal_initializer
    from penstock.initializers import random_uniform_initializer as random_uniform_initializer
    from penstock.initializers import truncated_normal as truncated_normal
    from penstock.initializers import truncated_normal_initializer as truncated_normal_initializer
    from penstock.initializers import variance_scaling_initializer as variance_scaling_initializer
    from penstock.initializers import xavier_normal_initializer as xavier_normal_initializer
    from penstock.initializers import xavier_uniform_initializer as xavier_uniform_initializer
    from penstock.initializers import zeros_initializer as zeros_initializer
    from penstock.job import global_function as global_function
    from penstock.job_config import FunctionConfig as FunctionConfig
    from penstock.job_config import function_config as function_config
    from penstock.library import save_library as save_library
    from penstock.loading import compile as compile
    from penstock.loss_functions import combined_margin_loss as combined_margin_loss
    from penstock.loss_functions import smooth_l1_loss as smooth_l1_loss
    from penstock.movement import broadcast_to_compatible_with as broadcast_to_compatible_with
    from penstock.movement import constant_pad2d as constant_pad2d
    from penstock.movement import expand as expand
    from penstock.movement import flip as flip
    from penstock.movement import pad_grad as pad_grad
    from penstock.movement import reflection_pad2d as reflection_pad2d
    from penstock.movement import replication_pad2d as replication_pad2d
    from penstock.movement import reverse as reverse
    from penstock.movement import roll as roll
    from penstock.movement import same_padding as same_padding
    from penstock.movement import split as split
    from penstock.movement import tile as tile
    from penstock.movement import zero_pad2d as zero_pad2d
    from penstock.ops import broadcast_like as broadcast_like
    from penstock.ops import cast as cast
    from penstock.ops import concat as concat
    from penstock.ops import constant as constant
    from penstock.ops import constant_like as constant_like
    from penstock.ops import constant_scalar as constant_scalar
    from penstock.ops import dynamic_reshape as dynamic_reshape
    from penstock.ops import expand_dims as expand_dims
    from penstock.ops import flatten as flatten
    from penstock.ops import identity as identity
    from penstock.ops import matmul as matmul
    from penstock.ops import ones as ones
    from penstock.ops import ones_like as ones_like
    from penstock.ops import pad as pad
    from penstock.ops import reshape as reshape
    from penstock.ops import reshape_like as reshape_like
    from penstock.ops import slice as slice
    from penstock.ops import slice_v2 as slice_v2
    from penstock.ops import squeeze as squeeze
    from penstock.ops import stack as stack
    from penstock.ops import transpose as transpose
    from penstock.ops import where as where
    from penstock.ops import zeros as zeros
    from penstock.ops import zeros_like as zeros_like
    from penstock.rebuilding import rebuild_artifact as rebuild_artifact
    from penstock.reductions import count_not_finite as count_not_finite
    from penstock.reductions import cumsum as cumsum
    from penstock.reductions import elem_cnt as elem_cnt
    from penstock.reductions import multi_count_not_finite as multi_count_not_finite
    from penstock.resizing import image_resize as image_resize
    from penstock.resizing import image_target_resize as image_target_resize
    from penstock.scope import device_prior_placement as device_prior_placement
    from penstock.scope import fixed_placement as fixed_placement
    from penstock.session import clear_default_session as clear_default_session
    from penstock.session import eager_execution_enabled as eager_execution_enabled
    from penstock.session import enable_eager_execution as enable_eager_execution
    from penstock.session import sync_default_session as sync_default_session
    from penstock.signature import FixedTensorDef as FixedTensorDef
    from penstock.signature import MirroredTensorDef as MirroredTensorDef
    from penstock.signature import MirroredTensorListDef as MirroredTensorListDef
    from penstock.sorting import argsort as argsort
    from penstock.sorting import argwhere as argwhere
    from penstock.sorting import in_top_k as in_top_k
    from penstock.sorting import masked_fill as masked_fill
    from penstock.sorting import nms as nms
    from penstock.sorting import nonzero as nonzero
    from penstock.sorting import sort as sort
    from penstock.sorting import sync_dynamic_resize as sync_dynamic_resize
    from penstock.turns import acc as acc
    from penstock.turns import pack as pack
    from penstock.turns import repeat as repeat
    from penstock.turns import unpack as unpack
    from penstock.user_ops import call_op as call_op
    from penstock.user_ops import user_op_builder as user_op_builder
    from penstock.variables import assign as assign
    from penstock.variables import get_variable as get_variable
    from penstock.watching import watch as watch
    from penstock.watching import watch_diff as watch_diff

    char, double, float = int8, float64, float32
    bool = _dtypes.bool_

# Modules that are public under their own names.
_MODULES = (
    "checkpoint", "config", "data", "deprecated", "detection", "distribute", "env", "experimental",
    "image", "layers", "linalg", "losses", "math", "nn", "optimizer", "quantization", "random",
    "regularizers", "scope", "train", "typing", "unittest",
)  # fmt: skip

# Where the public functions, classes and constants are. A module below `penstock` is never named
# like one of them, because importing it would put the module in its place.
_MEMBERS = {
    "artifact": ("save_artifact",),
    "buffers": (
        "tensor_buffer_to_tensor", "tensor_buffer_to_tensor_list", "tensor_list_split",
        "tensor_list_to_tensor_buffer", "tensor_to_tensor_buffer",
    ),
    "checkpoint": ("get_all_variables", "load_variables"),
    "contractions": ("einsum",),
    "detection": (
        "object_bbox_flip", "object_bbox_scale", "object_segmentation_polygon_flip",
        "object_segmentation_polygon_scale",
    ),
    "dtypes": (
        "bfloat16", "bool", "char", "convert_oneflow_dtype_to_numpy_dtype", "double", "float",
        "float16", "float32", "float64", "int32", "int64", "int8", "uint8",
    ),
    "elementwise": ("clamp", "clip", "clip_by_scalar", "clip_by_value"),
    "env": ("current_resource",),
    "image": ("image_batch_align", "image_flip", "image_normalize"),
    "indexing": (
        "dim_gather", "gather", "gather_nd", "one_hot", "range", "scatter_nd", "slice_update",
        "tensor_scatter_nd_add", "tensor_scatter_nd_update", "unsorted_batch_segment_sum",
        "unsorted_segment_sum", "unsorted_segment_sum_like",
    ),
    "initializers": (
        "constant_initializer", "glorot_normal_initializer", "glorot_uniform_initializer",
        "kaiming_initializer", "ones_initializer", "random_normal_initializer",
        "random_uniform_initializer", "truncated_normal", "truncated_normal_initializer",
        "variance_scaling_initializer", "xavier_normal_initializer", "xavier_uniform_initializer",
        "zeros_initializer",
    ),
    "job": ("global_function",),
    "job_config": ("FunctionConfig", "function_config"),
    "library": ("save_library",),
    "loading": ("compile",),
    "loss_functions": ("combined_margin_loss", "smooth_l1_loss"),
    "ops": (
        "broadcast_like", "cast", "concat", "constant", "constant_like", "constant_scalar",
        "dynamic_reshape", "expand_dims", "flatten", "identity", "matmul", "ones", "ones_like",
        "pad", "reshape", "reshape_like", "slice", "slice_v2", "squeeze", "stack", "transpose",
        "where", "zeros", "zeros_like",
    ),
    "rebuilding": ("rebuild_artifact",),
    "resizing": ("image_resize", "image_target_resize"),
    "reductions": ("count_not_finite", "cumsum", "elem_cnt", "multi_count_not_finite"),
    "identities": (
        "amp_white_identity", "cast_to_current_logical_view", "cast_to_static_shape",
        "identity_n", "parallel_cast",
    ),
    "movement": (
        "broadcast_to_compatible_with", "constant_pad2d", "expand", "flip", "pad_grad",
        "reflection_pad2d", "replication_pad2d", "reverse", "roll", "same_padding", "split", "tile",
        "zero_pad2d",
    ),
    "scope": ("device_prior_placement", "fixed_placement"),
    "session": (
        "clear_default_session", "eager_execution_enabled", "enable_eager_execution",
        "sync_default_session",
    ),
    "signature": ("FixedTensorDef", "MirroredTensorDef", "MirroredTensorListDef"),
    "sorting": (
        "argsort", "argwhere", "in_top_k", "masked_fill", "nms", "nonzero", "sort",
        "sync_dynamic_resize",
    ),
    "turns": ("acc", "pack", "repeat", "unpack"),
    "user_ops": ("call_op", "user_op_builder"),
    "variables": ("assign", "get_variable"),
    "watching": ("watch", "watch_diff"),
}  # fmt: skip

# Public name -> "module", or "module:attribute".
_LAZY: dict[str, str] = {
    **{name: f"penstock.{name}" for name in _MODULES},
    **{name: f"penstock.{home}:{name}" for home, names in _MEMBERS.items() for name in names},
}

__all__ = sorted(_LAZY)


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        # Python asks so before it imports a module that is not public, and takes no for an answer.
        if name.startswith("_") or not name.isidentifier() or find_spec(f"{__name__}.{name}"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        raise import_module("penstock.names").no_name("flow", name)
    module, _, attribute = _LAZY[name].partition(":")
    value: object = import_module(module)
    if attribute:
        value = getattr(value, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
