"""Numbers drawn by place, step and seed, and the functions that shape them."""
