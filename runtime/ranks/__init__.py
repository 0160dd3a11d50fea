"""Runs the ranks of a job in this process, in lock step."""
