"""A rod of another rest length begins as smooth as it was drawn: random curves, held or free, × 0.5 … 3.

It has its lengths, no kink to speak of, its knot; it is not in itself, nor in the floor, further than it was drawn.
Where it cannot have its length, a sentence says how long it was to be.
"""

from itertools import pairwise

import numpy as np
import pytest
from tendril.physics.diagnostics.knots import knot_determinant
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, Rod, Scene
from tendril.physics.validate import SimulationError

CASES = 210
KINDS = ("ring", "arc", "cable", "helix", "spline", "straight", "trefoil")
MATERIALS = (
    Material(1e7, 0.45, 1100.0),
    Material(1e9, 0.45, 1500.0, bend_factor=0.01),
    Material(2e11, 0.3, 7800.0),
    Material(2e6, 0.45, 1100.0, bend_factor=1e-3),
)


def resampled(curve, n, closed=False):
    """n points along a fine polyline, equally far apart."""
    arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=1))])
    at = np.linspace(0.0, arc[-1], n + closed)[:n]
    return np.stack([np.interp(at, arc, curve[:, k]) for k in range(3)], axis=1)


def drawn(kind, n, rng):
    """A curve (n, 3) about a metre in size."""
    s = np.linspace(0.0, 1.0, 2000)
    if kind == "ring":
        a = 2.0 * np.pi * s
        curve = np.stack([np.cos(a), rng.uniform(0.4, 1.0) * np.sin(a), 0.2 * rng.normal() * np.sin(2.0 * a)], axis=1)
        curve *= 0.3
    elif kind == "arc":
        a = rng.uniform(0.3, 4.5) * (s - 0.5)
        curve = 0.5 * np.stack([np.sin(a), 0.0 * a, 1.0 - np.cos(a)], axis=1)
    elif kind == "cable":
        curve = np.stack([2.0 * s - 1.0, 0.0 * s, rng.uniform(0.02, 0.5) * ((2.0 * s - 1.0) ** 2 - 1.0)], axis=1)
    elif kind == "helix":
        a = 2.0 * np.pi * rng.uniform(1.0, 4.0) * s
        curve = np.stack([0.15 * np.cos(a), 0.15 * np.sin(a), rng.uniform(0.03, 0.1) * a], axis=1)
    elif kind == "spline":
        k = np.arange(1, 4)[:, None]
        curve = (
            (rng.normal(size=(3, 3, 1)) * 0.2 / k**1.5 * np.sin(np.pi * k * s + rng.uniform(0.0, 3.0, (3, 3, 1))))
            .sum(1)
            .T
        )
        curve[:, 0] += 2.0 * s
    elif kind == "straight":
        curve = s[:, None] * np.array([1.0, rng.normal(), 0.3 * rng.normal()])
    else:
        a = 2.0 * np.pi * s
        curve = 0.12 * np.stack(
            [np.sin(a) + 2.0 * np.sin(2.0 * a), np.cos(a) - 2.0 * np.cos(2.0 * a), -np.sin(3.0 * a)], axis=1
        )
    return resampled(curve, n, kind in ("ring", "trefoil"))


def turned(rng):
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return q


def case(seed):
    """A Scene of one rod."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    closed, n = kind in ("ring", "trefoil"), int(rng.choice([20, 61, 120]))
    x = drawn(kind, max(n, 61) if kind in ("trefoil", "helix") else n, rng)
    if kind != "cable":
        x = x @ turned(rng).T
    factor = float(rng.choice([0.5, 0.8, 0.9, 0.95, 1.05, 1.2, 1.5, 2.0, 3.0]))
    radius = rng.choice([0.002, 0.005, 0.012])
    rod = Rod.from_material(
        "Rope", x, radius, MATERIALS[rng.integers(len(MATERIALS))], closed=closed, rest_length_factor=factor,
        shape_memory=float(rng.choice([0.0, 0.5, 1.0])), aspect=float(rng.choice([1.0, 0.6])),
    )  # fmt: skip
    held = [[], [0], [0, -1], [0, -1], [0, len(x) // 2, -1]][rng.integers(5)][: 1 + (not closed) * 2]
    force = None if rng.random() < 0.7 else np.inf
    mode = ("POSITION", "DIRECTION", "TWIST")[rng.integers(3)]
    pins = [Pin(f"Pin {v}", 0, v % len(x), mode, np.zeros(1), x[v][None].copy(), max_force=force) for v in held]
    floor = Floor(x[:, 2].min() - radius - rng.choice([0.0, 0.05])) if rng.random() < 0.3 else None
    return Scene((rod,), 0.04, 1, pins=tuple(pins), floor=floor)


def kinks(x, closed):
    """Turning angles [degrees]."""
    edges = np.roll(x, -1, axis=0) - x if closed else np.diff(x, axis=0)
    t = edges / np.linalg.norm(edges, axis=1)[:, None]
    ahead = np.roll(t, -1, axis=0) if closed else t[1:]
    return np.degrees(2.0 * np.arcsin(np.clip(0.5 * np.linalg.norm(ahead - t[: len(ahead)], axis=1), 0.0, 1.0)))


def test_begins_as_smooth_as_drawn(random_case):
    scene = case(random_case)
    (rod,) = scene.rods
    asked = np.linalg.norm(rod.edges(), axis=1) * rod.rest_length_factor
    chords = [
        np.linalg.norm(rod.x[one.vertex] - rod.x[two.vertex]) / asked[one.vertex : two.vertex].sum()
        for one, two in pairwise(scene.pins)
    ]
    if max(chords, default=0.0) > 1.0 and scene.pins[0].max_force == np.inf:  # nothing else is impossible here
        with pytest.raises(SimulationError, match=r"^'Rope' is to be [\d.]+ m long between .* m apart: .*\.$"):
            list(simulate(scene))
        return
    (start,) = simulate(scene)
    x, inner = start.x, np.arange(len(rod.x)) if rod.closed else np.arange(1, len(rod.x) - 1)
    clamps = [pin for pin in scene.pins if pin.mode != "POSITION" and pin.vertex in inner]
    edges = (np.roll(x, -1, axis=0) - x)[: rod.edge_count]
    drawn_length = asked / rod.rest_length_factor
    for pin in clamps:  # exact ones hold both ends of an edge
        asked[pin.vertex] = drawn_length[pin.vertex] if pin.max_force == np.inf else asked[pin.vertex]
    np.testing.assert_allclose(np.linalg.norm(edges, axis=1), asked, rtol=1e-6)
    few = 360.0 / len(x) * max(len(scene.pins) - 1, 1)  # of a ring of as many points as there are between two pins
    assert kinks(x, rod.closed).max() < 4.0 * max(kinks(rod.x, rod.closed).max(), few)
    overlap = max(deepest_overlap([rod], rod.x), 0.0)
    assert deepest_overlap([rod], x) < overlap + 0.05 * rod.radius.min()
    if rod.closed:
        assert knot_determinant(x) == knot_determinant(rod.x)
    if scene.floor:
        free = np.ones(len(x), bool)
        free[[pin.vertex for pin in scene.pins]] = False
        assert (x[:, 2] - rod.radius - scene.floor.height)[free].min() > -0.05 * rod.radius.min()
    for pin in scene.pins:
        stays = pin.max_force == np.inf or rod.rest_length_factor > 1.0
        slack = 1e-3 * asked.sum() + (asked - drawn_length).max() * (pin in clamps)
        assert not stays or np.linalg.norm(x[pin.vertex] - rod.x[pin.vertex]) < slack
