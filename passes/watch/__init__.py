"""What makes the blobs of a job visible to those who watch it."""
