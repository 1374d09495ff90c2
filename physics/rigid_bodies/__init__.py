"""Rigid bodies: inertia, free motion, and what rods welded to them do to them."""
