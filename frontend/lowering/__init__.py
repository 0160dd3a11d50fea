"""A job's modules by stage, and what makes each from the one before."""
