"""Analyses of generics and groups: what they compute, read, write and alias."""
