"""Values become buffers: where each one lives, in an arena or in one that is overwritten."""
