"""Jobs without their source: saved for other programs, loaded, and compiled anew."""
