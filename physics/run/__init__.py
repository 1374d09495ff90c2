"""A simulation under way: islands, each in its thread from frame to frame, its notices, failures and checkpoints."""
