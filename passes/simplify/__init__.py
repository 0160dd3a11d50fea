"""Simplifications for any module: canonicalisation, folding, CSE and DCE."""
