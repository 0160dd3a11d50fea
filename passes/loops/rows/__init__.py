"""Vectorised rows: groups of generics as loops over rows, with vectors along or across them."""
