"""Tensors that run eagerly: each op is compiled alone, and differentiated by its own `grad`."""
