"""Discrete elastic rods (Bergou et al. 2008): frames, energies and their forces."""
