"""Viscoelastic bodies of tetrahedra (Liesenfeld & Stolfi 1997): shape, energy, viscosity, mass, constraints."""
