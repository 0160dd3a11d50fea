"""Jobs saved for other programs: compiled for several processors, into one file."""
