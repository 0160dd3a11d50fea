"""Contractions and convolutions in tiles, by multiply-adds or on tensor cores."""
