"""Fusion: merging generics, and grouping those that share loops into functions."""
