"""Bufferization: place each value in the arena, in a variable, or over a dead operand."""
