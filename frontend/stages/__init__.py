"""What users see of a job's stages, and its machine code, cached and loaded."""
