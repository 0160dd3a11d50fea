"""Modules that commands look for errors in: reading them, what they compute, and smaller ones."""
