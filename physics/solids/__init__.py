"""Viscoelastic bodies of affine tetrahedra (Liesenfeld & Stolfi 1997): shape, energy, viscosity, mass, constraints."""
