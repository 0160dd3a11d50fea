"""The verifier, and the proofs that it asks for: that accesses stay inside their buffers."""
