"""Running a compiled job: its arguments, one step, the blobs that are watched, and its results."""
