"""Compiles LLVM text to cached objects, in a separate process."""
