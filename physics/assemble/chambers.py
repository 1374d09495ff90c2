"""What soft bodies enclose, as arrays: see forces/pressure."""

import numpy as np

from ..model import CHAMBER, WALL, changed
from ..scene import ATMOSPHERE, Scene
from ..scenes.linked import together


def chamber_arrays(scene: Scene, triangles: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(CHAMBER (H,), WALL, times [s] and pressures [Pa] (K, 2)) of soft bodies whose surface is TRIANGLE (F,), of nodes
    at x (N, 3).
    """
    chambers, walls, given = [np.zeros(0, CHAMBER)], [np.zeros(0, WALL)], [np.zeros((0, 2))]
    for number, solid in enumerate(scene.solids):
        light = 0.0 if solid.gas_density is None else solid.gas_density - scene.air_density
        if not (np.any(solid.pressure) or solid.sealed or light):
            continue
        times = np.zeros(1) if solid.times is None else np.asarray(solid.times, np.float64)
        first = sum(len(rows) for rows in given)
        given.append(np.stack([times, np.broadcast_to(solid.pressure, times.shape)], axis=1))
        for corner, volume, centre, hollow in chambers_of(x, triangles["corner"][triangles["solid"] == number]):
            count = sum(len(rows) for rows in walls)
            row = changed(
                np.zeros(1, CHAMBER), first=count, end=count + len(corner), volume=volume, centre=centre,
                ambient=ATMOSPHERE * solid.sealed, weight=light * hollow * np.asarray(scene.gravity),
                first_sample=first, end_sample=first + len(times),
            )  # fmt: skip
            chambers.append(row)
            walls.append(changed(np.zeros(len(corner), WALL), corner=corner))
    return np.concatenate(chambers), np.concatenate(walls), np.concatenate(given)


def chambers_of(x: np.ndarray, corner: np.ndarray) -> list[tuple[np.ndarray, float, np.ndarray, bool]]:
    """(its triangles, counterclockwise from outside of it, volume [m³], centre [m], whether it is a cavity) of each
    chamber of a body whose surface has these triangles (f, 3), counterclockwise from outside of the body: of shells
    that hang together by edges those that enclose what is not the body, or all, where there are none.
    """
    shells = [(corner[own], *enclosed(x, corner[own])) for own in together(_beside(x, corner), len(corner))]
    hollow = [(own[:, ::-1], -volume, centre, True) for own, volume, centre in shells if volume < 0.0]
    return hollow or [(*shell, False) for shell in shells]


def enclosed(x: np.ndarray, corner: np.ndarray) -> tuple[float, np.ndarray]:
    """(volume [m³], negative where triangles (f, 3) look inwards, and its centre (3,) [m])."""
    middle = x[corner].reshape(-1, 3).mean(axis=0)
    a, b, c = np.moveaxis(x[corner] - middle, 1, 0)
    part = np.einsum("fi,fi->f", a, np.cross(b, c)) / 6.0
    volume = float(part.sum())
    return volume, middle + part @ (a + b + c) / (4.0 * volume)


def _beside(x: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """(k, 2) numbers of triangles that share an edge, and across it the space outside. Where more than two do, as where
    a wall is but an edge thick, these are neighbours around it.
    """
    start, end = corner.ravel(), np.roll(corner, -1, axis=1).ravel()
    key = np.minimum(start, end) * (corner.max() + 1) + np.maximum(start, end)
    order = np.argsort(key, kind="stable")
    found = []
    for beside in np.split(order, np.flatnonzero(np.diff(key[order])) + 1):
        own = beside
        if len(own) > 2:
            own = own[np.argsort(_around(x, start[own], end[own], np.roll(corner, -2, axis=1).ravel()[own]))]
            own = np.roll(own, -int(np.argmax(start[own] < end[own])))  # begin where the outside does
        found += [(own[k], own[k + 1]) for k in range(0, len(own) - 1, 2)]
    return np.array(found).reshape(-1, 2) // 3


def _around(x: np.ndarray, start: np.ndarray, end: np.ndarray, apex: np.ndarray) -> np.ndarray:
    """(k,) [rad] how far corners (k,) are around an edge, seen along it from its end of the lower number."""
    low, high = x[min(start[0], end[0])], x[max(start[0], end[0])]
    e = (high - low) / np.linalg.norm(high - low)
    u = x[apex] - low
    u = u - np.outer(u @ e, e)
    across = np.cross(e, u[0])
    return np.arctan2(u @ across / np.linalg.norm(across), u @ u[0] / np.linalg.norm(u[0]))
