"""The verifier, and the range analysis that proves accesses to be in bounds."""
