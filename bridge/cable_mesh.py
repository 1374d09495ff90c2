"""A mesh of a cable as it hangs, with what a shader may show: curves of this kind have no attributes."""

import bpy
import numpy as np
from mathutils.kdtree import KDTree

from . import rings
from .homes import link_beside
from .units import to_world

# [1/m], [N], [rad/m], [N/m] of what it touches, and how many times a limit is exceeded
NAMES = ("curvature", "tension", "torsion", "contact", "violation")
FINER = 8  # places on each edge, of which the nearest is a vertex's own


def make(context, units, own, x, along):
    """A mesh object of a cable, an Own, that was settled so: vertices x (n, 3) [m], and what is along it (n, 3)."""
    source, depsgraph = own.source, context.evaluated_depsgraph_get()
    mesh = bpy.data.meshes.new_from_object(source.evaluated_get(depsgraph), depsgraph=depsgraph)
    mesh.name = f"{source.name} Mesh"
    item = bpy.data.objects.new(mesh.name, mesh)
    item.matrix_world = source.matrix_world
    link_beside(item, source)
    places, along = _finer(own.lines, x), _finer(own.lines, along)
    tree = KDTree(len(places))
    for number, place in enumerate(units.blender_units(places)):
        tree.insert(place, number)
    tree.balance()
    vertices = to_world(own.matrix, rings.read(mesh.vertices, "co", 3))
    nearest = [tree.find(vertex)[1] for vertex in vertices]
    for name, values in zip(NAMES, along[nearest].T, strict=True):
        rings.write(mesh.attributes.new(name, "FLOAT", "POINT").data, "value", values)
    return item


def _finer(lines, values):
    """Values (N, k) at vertices of Polylines, and at places in between (…, 3)."""
    found, first = [], 0
    for line in lines:
        own = values[first : first + len(line.x)]
        at = np.linspace(0.0, len(own) - 1.0, FINER * (len(own) - 1) + 1)
        found.append(np.stack([np.interp(at, np.arange(len(own)), column) for column in own.T], axis=1))
        first += len(own)
    return np.concatenate(found)
