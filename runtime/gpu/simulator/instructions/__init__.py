"""Instructions on memory, on several lanes and on time, and a kernel as blocks of functions."""
