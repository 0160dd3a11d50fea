"""Reading, adding and writing by indices, and running sums."""
