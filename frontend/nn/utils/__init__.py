"""`flow.nn.utils`: clipped gradients, reparametrised weights, pruning, and packed sequences."""

from typing import TYPE_CHECKING

from penstock.basics.names import no_such
from penstock.nn.utils import prune as prune
from penstock.nn.utils import rnn as rnn
from penstock.nn.utils.parameters import clip_grad_value_ as clip_grad_value_
from penstock.nn.utils.parameters import parameters_to_vector as parameters_to_vector
from penstock.nn.utils.parameters import vector_to_parameters as vector_to_parameters
from penstock.nn.utils.spectral import remove_spectral_norm as remove_spectral_norm
from penstock.nn.utils.spectral import spectral_norm as spectral_norm
from penstock.nn.utils.weights import remove_weight_norm as remove_weight_norm
from penstock.nn.utils.weights import weight_norm as weight_norm
from penstock.optim.clipping import clip_grad_norm_ as clip_grad_norm_

__all__ = [
    "clip_grad_norm_", "clip_grad_value_", "parameters_to_vector", "prune", "remove_spectral_norm",
    "remove_weight_norm", "rnn", "spectral_norm", "vector_to_parameters", "weight_norm",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__ = no_such("flow.nn.utils")
