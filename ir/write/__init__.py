"""Builders: scalar bodies, constants, index arithmetic, and loops on buffers."""
