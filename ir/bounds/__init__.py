"""Proofs that accesses stay inside their buffers: forms, what is known, what is reached."""
