"""Simplifications that are good for any module."""
