"""A library of jobs for C programs, with its header."""
