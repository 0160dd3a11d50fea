"""What passes ask about generics and groups of them: what these compute, read, write and share."""
