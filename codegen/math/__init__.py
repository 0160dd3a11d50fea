"""Rows of text by op: scalar ops, and the functions that processors lack."""
