"""Penstock: job functions, compiled to native code that can be watched.

Importing this package, or any package below it, loads none of its modules: a name is looked up in
`_LAZY` when it is first used. So `import penstock.runtime` stays as small as the runtime.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import penstock.basics.dtypes as _dtypes
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
    from penstock.artifacts.artifact import save_artifact as save_artifact
    from penstock.artifacts.library import save_library as save_library
    from penstock.basics.dtypes import bfloat16 as bfloat16
    from penstock.basics.dtypes import (
        convert_oneflow_dtype_to_numpy_dtype as convert_oneflow_dtype_to_numpy_dtype,
    )
    from penstock.basics.dtypes import float16 as float16
    from penstock.basics.dtypes import float32 as float32
    from penstock.basics.dtypes import float64 as float64
    from penstock.basics.dtypes import int8 as int8
    from penstock.basics.dtypes import int32 as int32
    from penstock.basics.dtypes import int64 as int64
    from penstock.basics.dtypes import uint8 as uint8
    from penstock.checkpoint import get_all_variables as get_all_variables
    from penstock.checkpoint import load_variables as load_variables
    from penstock.detection import object_bbox_flip as object_bbox_flip
    from penstock.detection import object_bbox_scale as object_bbox_scale
    from penstock.detection import (
        object_segmentation_polygon_flip as object_segmentation_polygon_flip,
    )
    from penstock.detection import (
        object_segmentation_polygon_scale as object_segmentation_polygon_scale,
    )
    from penstock.env import current_resource as current_resource
    from penstock.functions.contractions import einsum as einsum
    from penstock.functions.elementwise import clamp as clamp
    from penstock.functions.elementwise import clip as clip
    from penstock.functions.elementwise import clip_by_scalar as clip_by_scalar
    from penstock.functions.elementwise import clip_by_value as clip_by_value
    from penstock.functions.identities import amp_white_identity as amp_white_identity
    from penstock.functions.identities import (
        cast_to_current_logical_view as cast_to_current_logical_view,
    )
    from penstock.functions.identities import cast_to_static_shape as cast_to_static_shape
    from penstock.functions.identities import identity_n as identity_n
    from penstock.functions.identities import parallel_cast as parallel_cast
    from penstock.functions.indexing import dim_gather as dim_gather
    from penstock.functions.indexing import gather as gather
    from penstock.functions.indexing import gather_nd as gather_nd
    from penstock.functions.indexing import one_hot as one_hot
    from penstock.functions.indexing import range as range
    from penstock.functions.indexing import scatter_nd as scatter_nd
    from penstock.functions.indexing import slice_update as slice_update
    from penstock.functions.indexing import tensor_scatter_nd_add as tensor_scatter_nd_add
    from penstock.functions.indexing import tensor_scatter_nd_update as tensor_scatter_nd_update
    from penstock.functions.indexing import unsorted_batch_segment_sum as unsorted_batch_segment_sum
    from penstock.functions.indexing import unsorted_segment_sum as unsorted_segment_sum
    from penstock.functions.indexing import unsorted_segment_sum_like as unsorted_segment_sum_like
    from penstock.functions.movement import (
        broadcast_to_compatible_with as broadcast_to_compatible_with,
    )
    from penstock.functions.movement import constant_pad2d as constant_pad2d
    from penstock.functions.movement import expand as expand
    from penstock.functions.movement import flip as flip
    from penstock.functions.movement import pad_grad as pad_grad
    from penstock.functions.movement import reflection_pad2d as reflection_pad2d
    from penstock.functions.movement import replication_pad2d as replication_pad2d
    from penstock.functions.movement import reverse as reverse
    from penstock.functions.movement import roll as roll
    from penstock.functions.movement import same_padding as same_padding
    from penstock.functions.movement import split as split
    from penstock.functions.movement import tile as tile
    from penstock.functions.movement import zero_pad2d as zero_pad2d
    from penstock.functions.ops import broadcast_like as broadcast_like
    from penstock.functions.ops import cast as cast
    from penstock.functions.ops import concat as concat
    from penstock.functions.ops import constant as constant
    from penstock.functions.ops import constant_like as constant_like
    from penstock.functions.ops import constant_scalar as constant_scalar
    from penstock.functions.ops import dynamic_reshape as dynamic_reshape
    from penstock.functions.ops import expand_dims as expand_dims
    from penstock.functions.ops import flatten as flatten
    from penstock.functions.ops import identity as identity
    from penstock.functions.ops import matmul as matmul
    from penstock.functions.ops import ones as ones
    from penstock.functions.ops import ones_like as ones_like
    from penstock.functions.ops import pad as pad
    from penstock.functions.ops import reshape as reshape
    from penstock.functions.ops import reshape_like as reshape_like
    from penstock.functions.ops import slice as slice
    from penstock.functions.ops import slice_v2 as slice_v2
    from penstock.functions.ops import squeeze as squeeze
    from penstock.functions.ops import stack as stack
    from penstock.functions.ops import transpose as transpose
    from penstock.functions.ops import where as where
    from penstock.functions.ops import zeros as zeros
    from penstock.functions.ops import zeros_like as zeros_like
    from penstock.functions.reductions import count_not_finite as count_not_finite
    from penstock.functions.reductions import cumsum as cumsum
    from penstock.functions.reductions import elem_cnt as elem_cnt
    from penstock.functions.reductions import multi_count_not_finite as multi_count_not_finite
    from penstock.functions.sorting import argsort as argsort
    from penstock.functions.sorting import argwhere as argwhere
    from penstock.functions.sorting import in_top_k as in_top_k
    from penstock.functions.sorting import masked_fill as masked_fill
    from penstock.functions.sorting import nms as nms
    from penstock.functions.sorting import nonzero as nonzero
    from penstock.functions.sorting import sort as sort
    from penstock.functions.sorting import sync_dynamic_resize as sync_dynamic_resize
    from penstock.functions.turns import acc as acc
    from penstock.functions.turns import pack as pack
    from penstock.functions.turns import repeat as repeat
    from penstock.functions.turns import unpack as unpack
    from penstock.image import image_batch_align as image_batch_align
    from penstock.image import image_flip as image_flip
    from penstock.image import image_normalize as image_normalize
    from penstock.images.resizing import image_resize as image_resize
    from penstock.images.resizing import image_target_resize as image_target_resize
    from penstock.images.tensor_buffers import tensor_buffer_to_tensor as tensor_buffer_to_tensor
    from penstock.images.tensor_buffers import (
        tensor_buffer_to_tensor_list as tensor_buffer_to_tensor_list,
    )
    from penstock.images.tensor_buffers import tensor_list_split as tensor_list_split
    from penstock.images.tensor_buffers import (
        tensor_list_to_tensor_buffer as tensor_list_to_tensor_buffer,
    )
    from penstock.images.tensor_buffers import tensor_to_tensor_buffer as tensor_to_tensor_buffer
    from penstock.jobs.job import global_function as global_function
    from penstock.jobs.session import clear_default_session as clear_default_session
    from penstock.jobs.session import eager_execution_enabled as eager_execution_enabled
    from penstock.jobs.session import enable_eager_execution as enable_eager_execution
    from penstock.jobs.session import sync_default_session as sync_default_session
    from penstock.jobs.signature import FixedTensorDef as FixedTensorDef
    from penstock.jobs.signature import MirroredTensorDef as MirroredTensorDef
    from penstock.jobs.signature import MirroredTensorListDef as MirroredTensorListDef
    from penstock.jobs.watching import watch as watch
    from penstock.jobs.watching import watch_diff as watch_diff
    from penstock.loaded.loading import compile as compile
    from penstock.loaded.rebuilding import rebuild_artifact as rebuild_artifact
    from penstock.networks.loss_functions import combined_margin_loss as combined_margin_loss
    from penstock.networks.loss_functions import smooth_l1_loss as smooth_l1_loss
    from penstock.scope import device_prior_placement as device_prior_placement
    from penstock.scope import fixed_placement as fixed_placement
    from penstock.trace.initializers import constant_initializer as constant_initializer
    from penstock.trace.initializers import glorot_normal_initializer as glorot_normal_initializer
    from penstock.trace.initializers import glorot_uniform_initializer as glorot_uniform_initializer
    from penstock.trace.initializers import kaiming_initializer as kaiming_initializer
    from penstock.trace.initializers import ones_initializer as ones_initializer
    from penstock.trace.initializers import random_normal_initializer as random_normal_initializer
    from penstock.trace.initializers import random_uniform_initializer as random_uniform_initializer
    from penstock.trace.initializers import truncated_normal as truncated_normal
    from penstock.trace.initializers import (
        truncated_normal_initializer as truncated_normal_initializer,
    )
    from penstock.trace.initializers import (
        variance_scaling_initializer as variance_scaling_initializer,
    )
    from penstock.trace.initializers import xavier_normal_initializer as xavier_normal_initializer
    from penstock.trace.initializers import xavier_uniform_initializer as xavier_uniform_initializer
    from penstock.trace.initializers import zeros_initializer as zeros_initializer
    from penstock.trace.job_config import FunctionConfig as FunctionConfig
    from penstock.trace.job_config import function_config as function_config
    from penstock.trace.user_ops import call_op as call_op
    from penstock.trace.user_ops import user_op_builder as user_op_builder
    from penstock.trace.variables import assign as assign
    from penstock.trace.variables import get_variable as get_variable

    char, double, float = int8, float64, float32
    bool = _dtypes.bool_

# Modules that are public under their own names.
_MODULES = (
    "checkpoint", "config", "data", "deprecated", "detection", "distribute", "env", "experimental",
    "image", "layers", "linalg", "losses", "math", "nn", "optimizer", "quantization", "random",
    "regularizers", "scope", "train", "typing", "unittest",
)  # fmt: skip

# Where the public functions, classes and constants are. No module below `penstock` has the name of
# one of them: importing it would overwrite the name.
_MEMBERS = {
    "artifacts.artifact": ("save_artifact",),
    "images.tensor_buffers": (
        "tensor_buffer_to_tensor", "tensor_buffer_to_tensor_list", "tensor_list_split",
        "tensor_list_to_tensor_buffer", "tensor_to_tensor_buffer",
    ),
    "checkpoint": ("get_all_variables", "load_variables"),
    "functions.contractions": ("einsum",),
    "detection": (
        "object_bbox_flip", "object_bbox_scale", "object_segmentation_polygon_flip",
        "object_segmentation_polygon_scale",
    ),
    "basics.dtypes": (
        "bfloat16", "bool", "char", "convert_oneflow_dtype_to_numpy_dtype", "double", "float",
        "float16", "float32", "float64", "int32", "int64", "int8", "uint8",
    ),
    "functions.elementwise": ("clamp", "clip", "clip_by_scalar", "clip_by_value"),
    "env": ("current_resource",),
    "image": ("image_batch_align", "image_flip", "image_normalize"),
    "functions.indexing": (
        "dim_gather", "gather", "gather_nd", "one_hot", "range", "scatter_nd", "slice_update",
        "tensor_scatter_nd_add", "tensor_scatter_nd_update", "unsorted_batch_segment_sum",
        "unsorted_segment_sum", "unsorted_segment_sum_like",
    ),
    "trace.initializers": (
        "constant_initializer", "glorot_normal_initializer", "glorot_uniform_initializer",
        "kaiming_initializer", "ones_initializer", "random_normal_initializer",
        "random_uniform_initializer", "truncated_normal", "truncated_normal_initializer",
        "variance_scaling_initializer", "xavier_normal_initializer", "xavier_uniform_initializer",
        "zeros_initializer",
    ),
    "jobs.job": ("global_function",),
    "trace.job_config": ("FunctionConfig", "function_config"),
    "artifacts.library": ("save_library",),
    "loaded.loading": ("compile",),
    "networks.loss_functions": ("combined_margin_loss", "smooth_l1_loss"),
    "functions.ops": (
        "broadcast_like", "cast", "concat", "constant", "constant_like", "constant_scalar",
        "dynamic_reshape", "expand_dims", "flatten", "identity", "matmul", "ones", "ones_like",
        "pad", "reshape", "reshape_like", "slice", "slice_v2", "squeeze", "stack", "transpose",
        "where", "zeros", "zeros_like",
    ),
    "loaded.rebuilding": ("rebuild_artifact",),
    "images.resizing": ("image_resize", "image_target_resize"),
    "functions.reductions": ("count_not_finite", "cumsum", "elem_cnt", "multi_count_not_finite"),
    "functions.identities": (
        "amp_white_identity", "cast_to_current_logical_view", "cast_to_static_shape",
        "identity_n", "parallel_cast",
    ),
    "functions.movement": (
        "broadcast_to_compatible_with", "constant_pad2d", "expand", "flip", "pad_grad",
        "reflection_pad2d", "replication_pad2d", "reverse", "roll", "same_padding", "split", "tile",
        "zero_pad2d",
    ),
    "scope": ("device_prior_placement", "fixed_placement"),
    "jobs.session": (
        "clear_default_session", "eager_execution_enabled", "enable_eager_execution",
        "sync_default_session",
    ),
    "jobs.signature": ("FixedTensorDef", "MirroredTensorDef", "MirroredTensorListDef"),
    "functions.sorting": (
        "argsort", "argwhere", "in_top_k", "masked_fill", "nms", "nonzero", "sort",
        "sync_dynamic_resize",
    ),
    "functions.turns": ("acc", "pack", "repeat", "unpack"),
    "trace.user_ops": ("call_op", "user_op_builder"),
    "trace.variables": ("assign", "get_variable"),
    "jobs.watching": ("watch", "watch_diff"),
}  # fmt: skip

# Public name -> "module", or "module:attribute".
_LAZY: dict[str, str] = {
    **{name: f"penstock.{name}" for name in _MODULES},
    **{name: f"penstock.{home}:{name}" for home, names in _MEMBERS.items() for name in names},
}

__all__ = sorted(_LAZY)


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        # Python looks up a module's attribute this way before it imports a submodule that is not
        # public.
        if name.startswith("_") or not name.isidentifier() or find_spec(f"{__name__}.{name}"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        raise import_module("penstock.basics.names").no_name("flow", name)
    module, _, attribute = _LAZY[name].partition(":")
    value: object = import_module(module)
    if attribute:
        value = getattr(value, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
