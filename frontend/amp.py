"""`flow.amp`: scales of losses for training in 16-bit floats."""

from penstock.basics.names import no_such
from penstock.graphs.scalers import GradScaler, StaticGradScaler

__all__ = ["GradScaler", "StaticGradScaler"]

__getattr__ = no_such("flow.amp")
