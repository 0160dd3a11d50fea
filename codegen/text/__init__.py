"""LLVM text of a module at stage `loops`."""
