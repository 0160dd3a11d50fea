"""Loads compiled jobs and runs them; NumPy and the standard library only."""
