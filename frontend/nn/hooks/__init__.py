"""Hooks of modules: in eager calls, and called out to from compiled graphs."""
