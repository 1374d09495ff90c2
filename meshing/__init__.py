"""Surfaces, however they were modelled: filled with tetrahedra, what goes with which; tubes found in them. numpy only."""
