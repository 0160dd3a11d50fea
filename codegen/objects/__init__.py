"""LLVM makes objects of text, in a process of its own, and a cache keeps them."""
