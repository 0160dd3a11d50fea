"""Tensor buffers, and resizing of images."""
