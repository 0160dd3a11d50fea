"""Images to learn from."""
