"""Semantics of ops: reference evaluation, cost, stack use, SBP signatures and boxing."""
