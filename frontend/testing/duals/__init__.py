"""Dual objects: a program on random data, run on tensors and on PyTorch, and recorded."""
