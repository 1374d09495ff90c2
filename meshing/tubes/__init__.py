"""Tubes found in a mesh, however it was modelled: centre lines, radii, how they branch, and what goes with which.

After M. Grégoire, *Interactive Simulation of Flexible Parts* (2007), chapter 8, "flexibilisation": what he finds by
rings of vertices is found here by level sets and plane sections, which need no rings. numpy only.
"""
