"""Surfaces, however they were modelled: filled with tetrahedra, what goes with which; tubes in them. numpy only."""
