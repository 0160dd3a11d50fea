"""The dialects: one class an operation, everything known about it in that class."""
