"""Tensor buffers, and images that are resized."""
