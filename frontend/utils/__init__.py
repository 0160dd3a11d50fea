"""`flow.utils`: data in batches, and tensors of other libraries."""

from penstock.utils import data as data
from penstock.utils import tensor as tensor

__all__ = ["data", "tensor"]
