"""The trace of a job: blobs, the ops that make them, and variables."""
