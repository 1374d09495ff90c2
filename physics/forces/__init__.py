"""What the surroundings do to rods, rigid and soft bodies."""
