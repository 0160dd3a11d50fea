"""Profiles of jobs: when kernels and tasks ran, beside what the machine can do."""
