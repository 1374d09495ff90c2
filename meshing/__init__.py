"""Tetrahedra that fill a surface, however it was modelled, and what of that surface goes with which. numpy only."""
