"""LLVM text of the ops of dialect `vector`."""
