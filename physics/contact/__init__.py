"""Contact of capsules: broad phase, distance, inequality constraints with friction."""
