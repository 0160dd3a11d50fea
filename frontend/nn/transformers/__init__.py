"""Attention, and the transformer layers built from it, with PyTorch's names and defaults."""
