"""What the surroundings do to a rod."""
