"""Meshes of tubes as people model them: swept rings, with and without caps, hollow, grown together from voxels."""

from itertools import pairwise

import numpy as np
from tendril.meshing.lattice import Lattice
from tendril.meshing.stuffing import stuff


def course(bend=3.0, turn=7.5, straight=10.0, spacing=0.8):
    """Points (k, 3) of a line with three bends in two planes, of that radius, from ring to ring by `turn` degrees."""
    x, ahead = [np.zeros(3)], np.array([1.0, 0.0, 0.0])

    def turned(way, axis, angle):
        return way * np.cos(angle) + np.cross(axis, way) * np.sin(angle) + axis * (axis @ way) * (1.0 - np.cos(angle))

    def go():
        start, count = x[-1], round(straight / spacing)
        x.extend(start + ahead * straight * (i + 1) / count for i in range(count))

    go()
    for about, angle in (((0, 0, 1), np.pi), ((0, 1, 0), 0.5 * np.pi), (None, 0.5 * np.pi)):
        axis = np.cross(ahead, (0, -1, 0)) if about is None else np.array(about, dtype=float)
        count = round(np.degrees(angle) / turn)
        for _ in range(count):
            step = angle / count
            x.append(x[-1] + 2.0 * bend * np.sin(0.5 * step) * turned(ahead, axis, 0.5 * step))
            ahead = turned(ahead, axis, step)
        go()
    return np.array(x)


def helix(turns=10, radius=4.0, pitch=2.5, steps=120):
    t = np.linspace(0.0, 2.0 * np.pi * turns, turns * steps)
    return np.column_stack([radius * np.cos(t), radius * np.sin(t), pitch * t / (2.0 * np.pi)])


def swept(x, radius=1.0, sides=8, caps=True, diagonals=None):
    """(vertices, faces) of rings about a line; diagonals: a generator, quads are triangles cut at random."""
    along = np.gradient(x, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    side = [np.cross(along[0], (0.3, 0.5, 0.8))]
    for way in along[1:]:
        side.append(side[-1] - (side[-1] @ way) * way)
    side = np.array(side) / np.linalg.norm(side, axis=1)[:, None]
    angle = 2.0 * np.pi * np.arange(sides) / sides
    out = np.cos(angle)[:, None] * side[:, None] + np.sin(angle)[:, None] * np.cross(along, side)[:, None]
    v = (x[:, None] + np.broadcast_to(radius, len(x))[:, None, None] * out).reshape(-1, 3)
    faces = []
    for i in range(len(x) - 1):
        for j in range(sides):
            k = (j + 1) % sides
            a, b, c, d = i * sides + j, i * sides + k, (i + 1) * sides + k, (i + 1) * sides + j
            if diagonals is None:
                faces.append([a, b, c, d])
            elif diagonals.random() < 0.5:
                faces += [[a, b, c], [a, c, d]]
            else:
                faces += [[a, b, d], [b, c, d]]
    if caps:
        faces += [list(range(sides))[::-1], [len(v) - sides + j for j in range(sides)]]
    return v, faces


def hollow(x, radius=1.0, inner=0.6, sides=12):
    """A hose, closed by rings of faces at its ends."""
    outside, inside = swept(x, radius, sides, caps=False), swept(x, inner, sides, caps=False)
    v, faces = together(outside, (inside[0], [face[::-1] for face in inside[1]]))
    number, last = len(outside[0]), (len(x) - 1) * sides
    for j in range(sides):
        k = (j + 1) % sides
        faces.append([k, j, number + j, number + k])
        faces.append([last + j, last + k, number + last + k, number + last + j])
    return v, faces


def ring(sides=8, steps=60, radius=5.0):
    """A closed one."""
    angle = 2.0 * np.pi * np.arange(steps) / steps
    v, faces = swept(np.column_stack([radius * np.cos(angle), radius * np.sin(angle), 0.0 * angle]), 1.0, sides, False)
    last = len(v) - sides
    return v, faces + [[last + j, last + (j + 1) % sides, (j + 1) % sides, j] for j in range(sides)]


def together(*meshes):
    """Several as one."""
    v, faces, before = [], [], 0
    for own, its in meshes:
        v.append(own)
        faces += [[corner + before for corner in face] for face in its]
        before += len(own)
    return np.concatenate(v), faces


def subdivided(v, faces):
    """As Subdivide does: new vertices in the middle of edges and faces, flat."""
    v, middle, found = list(v), {}, []

    def at(a, b):
        if (key := (min(a, b), max(a, b))) not in middle:
            middle[key] = len(v)
            v.append(0.5 * (v[a] + v[b]))
        return middle[key]

    for face in faces:
        edges = [at(a, b) for a, b in pairwise([*face, face[0]])]
        if len(face) != 4:
            found.append([corner for pair in zip(face, edges, strict=True) for corner in pair])
            continue
        v.append(np.mean([v[corner] for corner in face], axis=0))
        found += [[face[i], edges[i], len(v) - 1, edges[i - 1]] for i in range(4)]
    return np.array(v), found


def voxels(lines, radius, size):
    """The surface of lattice cells inside round tubes about polylines, [x (k, 3)], whose ends are balls."""
    pieces = [
        (a, b, r) for x, r in zip(lines, np.broadcast_to(radius, len(lines)), strict=True) for a, b in pairwise(x)
    ]
    ends, most = np.array([end for a, b, _ in pieces for end in (a, b)]), max(r for _, _, r in pieces)
    low = ends.min(axis=0) - most - 2.0 * size
    cubes = np.ceil((ends.max(axis=0) + most + 2.0 * size - low) / size).astype(int)
    lattice = Lattice(low, size, (int(cubes[0]), int(cubes[1]), int(cubes[2])))
    value = np.full(len(lattice.points), -size)
    for a, b, r in pieces:
        beyond = r + 2.0 * size
        inside = (lattice.points > np.minimum(a, b) - beyond) & (lattice.points < np.maximum(a, b) + beyond)
        near = np.flatnonzero(inside.all(axis=1))
        to, way = lattice.points[near] - a, np.subtract(b, a)
        share = np.clip(to @ way / (way @ way), 0.0, 1.0)
        value[near] = np.maximum(value[near], r - np.linalg.norm(to - share[:, None] * way, axis=1))
    value[value == 0.0] = 1e-9
    nodes, tetrahedra = stuff(lattice, value)
    faces = tetrahedra[:, [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]].reshape(-1, 3)
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    used, faces = np.unique(faces[first[count == 1]], return_inverse=True)
    return nodes[used], faces.reshape(-1, 3).tolist()


def packed(mesh):
    """(vertices, corners, sizes), as `find` takes them."""
    v, faces = mesh
    return v, np.concatenate([np.asarray(face) for face in faces]), np.array([len(face) for face in faces])


def off(points, x):
    """The largest distance of points (n, 3) from a polyline (k, 3)."""
    way = np.diff(x, axis=0)
    found = []
    for point in points:
        share = np.clip(np.sum((point - x[:-1]) * way, axis=1) / np.sum(way * way, axis=1), 0.0, 1.0)
        found.append(np.linalg.norm(point - x[:-1] - share[:, None] * way, axis=1).min())
    return max(found)


def length(x):
    return float(np.linalg.norm(np.diff(x, axis=0), axis=1).sum())
