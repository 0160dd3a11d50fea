"""Contractions and convolutions in tiles of registers, from packed panels."""
