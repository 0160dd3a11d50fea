"""What all writers of text build on: functions, counted loops, scalar ops, vectors of pieces."""
