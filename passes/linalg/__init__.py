"""Passes that rewrite generics as other generics."""
