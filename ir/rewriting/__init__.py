"""Rewriting: patterns, the driver that applies them, and the lowering of tensor ops."""
