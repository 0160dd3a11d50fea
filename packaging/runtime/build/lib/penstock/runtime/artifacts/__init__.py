"""Artifacts: files of compiled jobs, read without trust, and what loads and rebuilds them."""
