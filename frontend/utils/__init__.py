"""`flow.utils`: data in batches, and tensors of other libraries."""

from typing import TYPE_CHECKING

from penstock.basics.names import no_such
from penstock.utils import data as data
from penstock.utils import tensor as tensor

__all__ = ["data", "tensor"]

if not TYPE_CHECKING:
    __getattr__ = no_such("flow.utils")
