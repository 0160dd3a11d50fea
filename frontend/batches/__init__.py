"""Data sets in batches: which elements, in which order, joined how, and loaded by whom."""
