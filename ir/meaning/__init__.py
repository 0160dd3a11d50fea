"""Semantics of ops: reference evaluation, cost, stack use and SBP signatures."""
