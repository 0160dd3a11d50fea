"""The SSA core: operations, types, attributes, text, verification. NumPy only."""

from time import time_ns

LOADED_AT = time_ns()
"""When this process began to load the compiler, whose sources may be replaced meanwhile."""
