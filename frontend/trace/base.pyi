"""Functions of tensors take blobs too, in the bodies of jobs; so to checkers a blob is a tensor."""

from penstock.tensors.tensor import Tensor as Base

__all__ = ["Base"]
