"""Cables at rest: the shape in which a rod between handles is in equilibrium (Grégoire 2007)."""
