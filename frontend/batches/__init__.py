"""Batches of data sets: samplers, collation, the loader, and its worker processes."""
