"""AutoTest: what a recorded program is compared with, and what a difference comes down to."""
