"""Kernels over rows: a thread, a warp or a block a row; and gathers of windows."""
