"""A linker of our own: relocatable objects become shared libraries (ELF)."""
