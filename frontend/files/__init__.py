"""Files that hold data to learn from, read without trust in them."""
