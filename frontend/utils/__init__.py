"""`flow.utils`: data in batches, and tensors of other libraries, and global tensors."""

from typing import TYPE_CHECKING

from penstock.basics.names import no_such
from penstock.utils import data as data
from penstock.utils import global_view as global_view
from penstock.utils import tensor as tensor

__all__ = ["data", "global_view", "tensor"]

if not TYPE_CHECKING:
    __getattr__ = no_such("flow.utils")
