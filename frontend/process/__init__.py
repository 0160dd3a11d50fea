"""What a process has one of: its locks, its callback thread, its environment."""
