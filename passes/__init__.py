"""Passes: IR in, IR out."""
