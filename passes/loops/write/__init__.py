"""Builders of loops, of what stands in them, and of functions on buffers."""
