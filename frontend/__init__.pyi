"""The public names of `penstock`, and the module that each of them comes from.

Type checkers and editors read this file, and so does `__init__.py`, which imports a module when one
of its names is first used. A public name is one line here.
"""

from penstock import advanced as advanced
from penstock import amp as amp
from penstock import autograd as autograd
from penstock import checkpoint as checkpoint
from penstock import config as config
from penstock import cuda as cuda
from penstock import data as data
from penstock import debug as debug
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
from penstock import mindspore as mindspore
from penstock import nn as nn
from penstock import optim as optim
from penstock import optimizer as optimizer
from penstock import quantization as quantization
from penstock import random as random
from penstock import record as record
from penstock import regularizers as regularizers
from penstock import sbp as sbp
from penstock import scope as scope
from penstock import special as special
from penstock import summary as summary
from penstock import train as train
from penstock import typing as typing
from penstock import unittest as unittest
from penstock import utils as utils
from penstock.artifacts.artifact import save_artifact as save_artifact
from penstock.artifacts.library import save_library as save_library
from penstock.autograd.callouts import callout as callout
from penstock.autograd.custom import custom_gradient as custom_gradient
from penstock.basics.dtypes import bfloat16 as bfloat16
from penstock.basics.dtypes import bool_ as _bool
from penstock.basics.dtypes import complex64 as complex64
from penstock.basics.dtypes import complex128 as complex128
from penstock.basics.dtypes import (
    convert_oneflow_dtype_to_numpy_dtype as convert_oneflow_dtype_to_numpy_dtype,
)
from penstock.basics.dtypes import float16 as float16
from penstock.basics.dtypes import float32 as float32
from penstock.basics.dtypes import float64 as float64
from penstock.basics.dtypes import int8 as int8
from penstock.basics.dtypes import int16 as int16
from penstock.basics.dtypes import int32 as int32
from penstock.basics.dtypes import int64 as int64
from penstock.basics.dtypes import uint8 as uint8
from penstock.checkpoint import get_all_variables as get_all_variables
from penstock.checkpoint import load_variables as load_variables
from penstock.detection import object_bbox_flip as object_bbox_flip
from penstock.detection import object_bbox_scale as object_bbox_scale
from penstock.detection import object_segmentation_polygon_flip as object_segmentation_polygon_flip
from penstock.detection import (
    object_segmentation_polygon_scale as object_segmentation_polygon_scale,
)
from penstock.env import current_resource as current_resource
from penstock.functions.contractions import einsum as einsum
from penstock.functions.elementwise import clamp as clamp
from penstock.functions.elementwise import clip as clip
from penstock.functions.elementwise import clip_by_scalar as clip_by_scalar
from penstock.functions.elementwise import clip_by_value as clip_by_value
from penstock.functions.gradients import gradients as gradients
from penstock.functions.gradients import stop_gradient as stop_gradient
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
from penstock.functions.micro_batches import acc as acc
from penstock.functions.micro_batches import pack as pack
from penstock.functions.micro_batches import repeat as repeat
from penstock.functions.micro_batches import unpack as unpack
from penstock.functions.movement import broadcast_to_compatible_with as broadcast_to_compatible_with
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
from penstock.functions.user_ops import call_op as call_op
from penstock.functions.user_ops import user_op_builder as user_op_builder
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
from penstock.jobs.jit import jit as jit
from penstock.jobs.jit import ms_function as ms_function
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
from penstock.nn.functional import adaptive_avg_pool1d as adaptive_avg_pool1d
from penstock.nn.functional import adaptive_avg_pool2d as adaptive_avg_pool2d
from penstock.nn.functional import adaptive_avg_pool3d as adaptive_avg_pool3d
from penstock.nn.functional import ctc_loss as ctc_loss
from penstock.nn.functional import quick_gelu as quick_gelu
from penstock.nn.functional import selu as selu
from penstock.nn.functional import softplus as softplus
from penstock.nn.functional import softshrink as softshrink
from penstock.nn.functional import softsign as softsign
from penstock.nn.functional import square_relu as square_relu
from penstock.nn.functional import threshold as threshold
from penstock.saving.reading import load as load
from penstock.saving.writing import save as save
from penstock.scope import device_prior_placement as device_prior_placement
from penstock.scope import fixed_placement as fixed_placement
from penstock.tensor_functions.linear_algebra import det as det
from penstock.tensor_functions.linear_algebra import inv as _inv
from penstock.tensor_functions.linear_algebra import p_norm as _p_norm
from penstock.tensor_functions.order import bucketize as bucketize
from penstock.tensor_functions.order import cumprod as cumprod
from penstock.tensor_functions.order import isin as isin
from penstock.tensor_functions.order import median as median
from penstock.tensor_functions.order import mode as mode
from penstock.tensor_functions.order import multinomial as multinomial
from penstock.tensor_functions.order import quantile as quantile
from penstock.tensor_functions.order import roc_auc_score as roc_auc_score
from penstock.tensor_functions.order import searchsorted as searchsorted
from penstock.tensor_functions.order import unique as unique
from penstock.tensor_functions.pointwise import Function as _Function
from penstock.tensor_functions.pointwise import add as add
from penstock.tensor_functions.pointwise import addcdiv as addcdiv
from penstock.tensor_functions.pointwise import addcmul as addcmul
from penstock.tensor_functions.pointwise import bitwise_and as bitwise_and
from penstock.tensor_functions.pointwise import bitwise_not as bitwise_not
from penstock.tensor_functions.pointwise import bitwise_or as bitwise_or
from penstock.tensor_functions.pointwise import bitwise_xor as bitwise_xor
from penstock.tensor_functions.pointwise import clamp_max as clamp_max
from penstock.tensor_functions.pointwise import clamp_min as clamp_min
from penstock.tensor_functions.pointwise import div as div
from penstock.tensor_functions.pointwise import fmod as fmod
from penstock.tensor_functions.pointwise import frac as frac
from penstock.tensor_functions.pointwise import gelu as gelu
from penstock.tensor_functions.pointwise import is_floating_point as is_floating_point
from penstock.tensor_functions.pointwise import is_nonzero as is_nonzero
from penstock.tensor_functions.pointwise import isclose as isclose
from penstock.tensor_functions.pointwise import lerp as lerp
from penstock.tensor_functions.pointwise import log10 as log10
from penstock.tensor_functions.pointwise import log_softmax as log_softmax
from penstock.tensor_functions.pointwise import logaddexp as logaddexp
from penstock.tensor_functions.pointwise import mul as mul
from penstock.tensor_functions.pointwise import nan_to_num as nan_to_num
from penstock.tensor_functions.pointwise import silu as silu
from penstock.tensor_functions.pointwise import softmax as softmax
from penstock.tensor_functions.pointwise import sub as sub
from penstock.tensor_functions.pointwise import trunc as trunc
from penstock.tensor_functions.products import addmm as addmm
from penstock.tensor_functions.products import baddbmm as baddbmm
from penstock.tensor_functions.products import bmm as bmm
from penstock.tensor_functions.products import cross as cross
from penstock.tensor_functions.products import diagonal as diagonal
from penstock.tensor_functions.products import dot as dot
from penstock.tensor_functions.products import mm as mm
from penstock.tensor_functions.products import mv as mv
from penstock.tensor_functions.products import outer as outer
from penstock.tensor_functions.products import tensordot as tensordot
from penstock.tensor_functions.random_numbers import Generator as Generator
from penstock.tensor_functions.random_numbers import bernoulli as bernoulli
from penstock.tensor_functions.random_numbers import default_generator as default_generator
from penstock.tensor_functions.random_numbers import get_rng_state as get_rng_state
from penstock.tensor_functions.random_numbers import initial_seed as initial_seed
from penstock.tensor_functions.random_numbers import manual_seed as manual_seed
from penstock.tensor_functions.random_numbers import normal as normal
from penstock.tensor_functions.random_numbers import rand as rand
from penstock.tensor_functions.random_numbers import rand_like as rand_like
from penstock.tensor_functions.random_numbers import randint as randint
from penstock.tensor_functions.random_numbers import randint_like as randint_like
from penstock.tensor_functions.random_numbers import randn as randn
from penstock.tensor_functions.random_numbers import randn_like as randn_like
from penstock.tensor_functions.random_numbers import randperm as randperm
from penstock.tensor_functions.random_numbers import seed as seed
from penstock.tensor_functions.random_numbers import set_rng_state as set_rng_state
from penstock.tensor_functions.reductions import all as all
from penstock.tensor_functions.reductions import allclose as allclose
from penstock.tensor_functions.reductions import amax as amax
from penstock.tensor_functions.reductions import amin as amin
from penstock.tensor_functions.reductions import any as any
from penstock.tensor_functions.reductions import argmax as argmax
from penstock.tensor_functions.reductions import argmin as argmin
from penstock.tensor_functions.reductions import count_nonzero as count_nonzero
from penstock.tensor_functions.reductions import equal as equal
from penstock.tensor_functions.reductions import logsumexp as logsumexp
from penstock.tensor_functions.reductions import max as max
from penstock.tensor_functions.reductions import mean as mean
from penstock.tensor_functions.reductions import min as min
from penstock.tensor_functions.reductions import nansum as nansum
from penstock.tensor_functions.reductions import prod as prod
from penstock.tensor_functions.reductions import std as std
from penstock.tensor_functions.reductions import sum as sum
from penstock.tensor_functions.reductions import var as var
from penstock.tensor_functions.selecting import batch_gather as batch_gather
from penstock.tensor_functions.selecting import bincount as bincount
from penstock.tensor_functions.selecting import diag as diag
from penstock.tensor_functions.selecting import index_add as index_add
from penstock.tensor_functions.selecting import index_select as index_select
from penstock.tensor_functions.selecting import masked_select as masked_select
from penstock.tensor_functions.selecting import repeat_interleave as repeat_interleave
from penstock.tensor_functions.selecting import scatter as scatter
from penstock.tensor_functions.selecting import scatter_add as scatter_add
from penstock.tensor_functions.selecting import take as take
from penstock.tensor_functions.selecting import topk as topk
from penstock.tensor_functions.selecting import tril as tril
from penstock.tensor_functions.selecting import triu as triu
from penstock.tensor_functions.shapes import as_strided as as_strided
from penstock.tensor_functions.shapes import cat as cat
from penstock.tensor_functions.shapes import chunk as chunk
from penstock.tensor_functions.shapes import clone as clone
from penstock.tensor_functions.shapes import column_stack as column_stack
from penstock.tensor_functions.shapes import dstack as dstack
from penstock.tensor_functions.shapes import expand as _expand
from penstock.tensor_functions.shapes import expand_as as expand_as
from penstock.tensor_functions.shapes import hsplit as hsplit
from penstock.tensor_functions.shapes import hstack as hstack
from penstock.tensor_functions.shapes import meshgrid as meshgrid
from penstock.tensor_functions.shapes import movedim as movedim
from penstock.tensor_functions.shapes import narrow as narrow
from penstock.tensor_functions.shapes import permute as permute
from penstock.tensor_functions.shapes import select as select
from penstock.tensor_functions.shapes import t as t
from penstock.tensor_functions.shapes import tensor_split as tensor_split
from penstock.tensor_functions.shapes import transpose as _transpose
from penstock.tensor_functions.shapes import unbind as unbind
from penstock.tensor_functions.shapes import unflatten as unflatten
from penstock.tensor_functions.shapes import unsqueeze as unsqueeze
from penstock.tensor_functions.shapes import view as view
from penstock.tensor_functions.shapes import vsplit as vsplit
from penstock.tensor_functions.shapes import vstack as vstack
from penstock.tensors.creation import TensorType as _TensorType
from penstock.tensors.creation import arange as arange
from penstock.tensors.creation import as_tensor as as_tensor
from penstock.tensors.creation import empty as empty
from penstock.tensors.creation import empty_like as empty_like
from penstock.tensors.creation import eye as eye
from penstock.tensors.creation import from_dlpack as from_dlpack
from penstock.tensors.creation import from_numpy as from_numpy
from penstock.tensors.creation import full as full
from penstock.tensors.creation import full_like as full_like
from penstock.tensors.creation import hann_window as hann_window
from penstock.tensors.creation import is_tensor as is_tensor
from penstock.tensors.creation import linspace as linspace
from penstock.tensors.creation import logspace as logspace
from penstock.tensors.creation import set_default_tensor_type as set_default_tensor_type
from penstock.tensors.creation import tensor as tensor
from penstock.tensors.device import device as device
from penstock.tensors.device import placement as placement
from penstock.tensors.modes import enable_grad as enable_grad
from penstock.tensors.modes import inference_mode as inference_mode
from penstock.tensors.modes import is_grad_enabled as is_grad_enabled
from penstock.tensors.modes import no_grad as no_grad
from penstock.tensors.modes import set_grad_enabled as set_grad_enabled
from penstock.tensors.promotion import get_default_dtype as get_default_dtype
from penstock.tensors.promotion import result_type as result_type
from penstock.tensors.promotion import set_default_dtype as set_default_dtype
from penstock.tensors.tensor import Size as Size
from penstock.tensors.tensor import Tensor as Tensor
from penstock.trace.blob import Blob as Blob
from penstock.trace.initializers import constant_initializer as constant_initializer
from penstock.trace.initializers import glorot_normal_initializer as glorot_normal_initializer
from penstock.trace.initializers import glorot_uniform_initializer as glorot_uniform_initializer
from penstock.trace.initializers import kaiming_initializer as kaiming_initializer
from penstock.trace.initializers import ones_initializer as ones_initializer
from penstock.trace.initializers import random_normal_initializer as random_normal_initializer
from penstock.trace.initializers import random_uniform_initializer as random_uniform_initializer
from penstock.trace.initializers import truncated_normal as truncated_normal
from penstock.trace.initializers import truncated_normal_initializer as truncated_normal_initializer
from penstock.trace.initializers import variance_scaling_initializer as variance_scaling_initializer
from penstock.trace.initializers import xavier_normal_initializer as xavier_normal_initializer
from penstock.trace.initializers import xavier_uniform_initializer as xavier_uniform_initializer
from penstock.trace.initializers import zeros_initializer as zeros_initializer
from penstock.trace.job_config import FunctionConfig as FunctionConfig
from penstock.trace.job_config import function_config as function_config
from penstock.trace.variables import assign as assign
from penstock.trace.variables import get_variable as get_variable

# Aliases.
bool = _bool
broadcast_to = _expand
char = int8
divide = div
double = float64
fix = trunc
float = float32
half = float16
int = int32
long = int64
multiply = mul
norm = _p_norm
inverse = _inv
row_stack = vstack
short = int16
subtract = sub
swapaxes = _transpose
swapdims = _transpose

# Entries of `TENSOR_TYPES` in tensors/creation.py.
BFloat16Tensor: _TensorType
BoolTensor: _TensorType
ByteTensor: _TensorType
CharTensor: _TensorType
ShortTensor: _TensorType
DoubleTensor: _TensorType
FloatTensor: _TensorType
HalfTensor: _TensorType
IntTensor: _TensorType
LongTensor: _TensorType

# Functions made from elementwise ops, and `atleast_1d` to `atleast_3d`.
abs: _Function
absolute: _Function
acos: _Function
acosh: _Function
arccos: _Function
arccosh: _Function
arcsin: _Function
arcsinh: _Function
arctan: _Function
arctan2: _Function
arctanh: _Function
asin: _Function
asinh: _Function
atan: _Function
atan2: _Function
atanh: _Function
atleast_1d: _Function
atleast_2d: _Function
atleast_3d: _Function
ceil: _Function
cos: _Function
cosh: _Function
digamma: _Function
eq: _Function
erf: _Function
erfc: _Function
erfinv: _Function
exp: _Function
exp2: _Function
expm1: _Function
floor: _Function
floor_divide: _Function
ge: _Function
greater: _Function
greater_equal: _Function
gt: _Function
isfinite: _Function
isinf: _Function
isnan: _Function
le: _Function
less: _Function
less_equal: _Function
lgamma: _Function
log: _Function
log1p: _Function
log2: _Function
logical_and: _Function
logical_not: _Function
logical_or: _Function
logical_xor: _Function
lt: _Function
maximum: _Function
minimum: _Function
mish: _Function
ne: _Function
neg: _Function
negative: _Function
new_empty: _Function
new_full: _Function
new_ones: _Function
new_zeros: _Function
not_equal: _Function
pow: _Function
reciprocal: _Function
relu: _Function
remainder: _Function
round: _Function
rsqrt: _Function
sigmoid: _Function
sign: _Function
sin: _Function
sinh: _Function
sqrt: _Function
square: _Function
tan: _Function
tanh: _Function
true_divide: _Function
xlogy: _Function
