"""Which generics share loops: fusion of two, and groups that become functions."""
