"""Sums and their like along axes, and products of matrices and of any two tensors."""
