"""Races: what each warp knows of the accesses of others, and who accessed which bytes."""
