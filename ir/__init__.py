"""The SSA core: operations, types, attributes, text, verification. NumPy only."""
