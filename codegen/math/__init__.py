"""Tables of LLVM text by op: scalar ops, and math functions that processors lack."""
