"""`flow.experimental`: what may change."""

from penstock.signature import enable_typing_check

__all__ = ["enable_typing_check"]
