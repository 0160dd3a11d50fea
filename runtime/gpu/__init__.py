"""Jobs on GPUs: launch plans, the devices that run them, and variables that live there."""
