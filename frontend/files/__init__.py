"""Readers of data files, which are not trusted."""
