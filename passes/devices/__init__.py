"""Jobs on several devices: where ops and variables are, copies, and the part of each device."""
