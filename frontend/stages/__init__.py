"""A job's stages as users see them, and its machine code, cached and loaded."""
