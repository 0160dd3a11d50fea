"""Jobs of several ranks: which part of each value a rank has, and what ranks exchange."""
