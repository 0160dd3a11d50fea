"""State of the process: its locks, its callback thread, its test environment."""
