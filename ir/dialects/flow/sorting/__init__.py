"""Kernels that sort, and what is told apart, found or left out by order."""
