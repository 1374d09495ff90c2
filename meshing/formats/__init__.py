"""Meshes of tetrahedra in files of Gmsh and VTK, and centre lines in tables and drawings, from anyone: nothing that a
file counts is believed before the file is long enough for it, and no number of a node before that node is there. numpy
and the standard library only, but for drawings.
"""
