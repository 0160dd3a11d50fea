"""`flow.experimental`: what may change."""

from penstock.signature import enable_typing_check
from penstock.sorting import unique_with_counts

__all__ = ["enable_typing_check", "unique_with_counts"]
