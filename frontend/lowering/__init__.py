"""A job's module at each stage, and the pipelines between stages."""
