"""Softmax, losses and norms: compositions of other ops."""
