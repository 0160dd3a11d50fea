"""Passes on tensor ops: gradients, updates, placement, and the lowering to generics."""
