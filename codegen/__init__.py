"""From the lowest dialects to LLVM text and object code."""
