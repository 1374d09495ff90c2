"""Slack cables drawn over posts and meshes at random, where nothing moves: they come to rest, or are told, in bounded
time.
"""

from time import process_time

import numpy as np
from tendril.physics import Collider, Handle, Material, Rod, SimulationError, settle_cable

CASES = 200
# [s] All 200 took 1 s at most of a shared processor.
LONGEST = 5.0


def post(sides, radius, half):
    """A round post along y."""
    turn = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.stack([radius * np.cos(turn), np.zeros(sides), radius * np.sin(turn)], axis=1)
    k = np.arange(sides)
    j = (k + 1) % sides
    wall = np.concatenate([np.stack([k, k + sides, j], 1), np.stack([j, k + sides, j + sides], 1)])
    caps = np.stack([np.zeros(sides - 2, int), k[1:-1], j[1:-1]], 1)
    return np.vstack([ring - [0.0, half, 0.0], ring + [0.0, half, 0.0]]), np.concatenate(
        [wall, caps, caps[:, ::-1] + sides]
    )


def bumps(rng, cells):
    """A ground of hills, open."""
    u, v = np.meshgrid(np.linspace(-0.6, 0.6, cells + 1), np.linspace(-0.4, 0.4, cells + 1), indexing="ij")
    height = sum(
        rng.uniform(0.005, 0.04)
        * np.sin(rng.uniform(2.0, 12.0) * u + rng.uniform(2.0, 12.0) * v + rng.uniform(0.0, 6.0))
        for _ in range(3)
    )
    a = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    b, c, d = a + cells + 1, a + cells + 2, a + 1
    return np.stack([u, v, height], axis=2).reshape(-1, 3), np.concatenate(
        [np.stack([a, b, c], 1), np.stack([a, c, d], 1)]
    )


def ball(rng):
    """An ellipsoid."""
    rows, columns = int(rng.integers(6, 20)), int(rng.integers(8, 32))
    t, p = np.linspace(0.0, np.pi, rows + 1)[1:-1], 2.0 * np.pi * np.arange(columns) / columns
    rings = np.stack(
        [np.outer(np.sin(t), np.cos(p)), np.outer(np.sin(t), np.sin(p)), np.outer(np.cos(t), np.ones(columns))], 2
    )
    x = np.vstack([rings.reshape(-1, 3), [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]]) * rng.uniform(0.05, 0.15, 3)
    k = np.arange(columns)
    j, top, last = (k + 1) % columns, len(x) - 2, columns * (rows - 2)
    faces = [np.stack([np.full(columns, top), k, j], 1), np.stack([np.full(columns, top + 1), last + j, last + k], 1)]
    for r in range(rows - 2):
        a, b, c, d = r * columns + k, (r + 1) * columns + k, (r + 1) * columns + j, r * columns + j
        faces += [np.stack([a, b, c], 1), np.stack([a, c, d], 1)]
    return x, np.concatenate(faces)


def drawn(seed):
    """(rod, handles, colliders): an arc, slack, over what is below it."""
    rng = np.random.default_rng(seed)
    n, radius, length = int(rng.integers(40, 201)), rng.uniform(2e-3, 6e-3), 0.8
    kind, around = rng.random(), []
    if kind < 0.4:
        x, faces = post(int(rng.integers(16, 97)), rng.uniform(0.04, 0.12), 0.3)
        around.append(Collider("post", faces, np.zeros(1), x[None]))
    elif kind < 0.7:
        x, faces = bumps(rng, int(rng.integers(8, 40)))
        around.append(Collider("ground", faces, np.zeros(1), x[None]))
    else:
        for k in range(int(rng.integers(1, 4))):
            x, faces = ball(rng)
            x = x + [0.25 * (k - 1), rng.uniform(-0.05, 0.05), rng.uniform(-0.1, 0.0)]
            around.append(Collider(f"ball {k}", faces, np.zeros(1), x[None]))
    top = max(float(one.points[0][:, 2].max()) for one in around)
    u, rise = np.linspace(-1.0, 1.0, n + 1), rng.uniform(0.1, 0.3)
    x = np.stack([rng.uniform(0.3, 0.9) * 0.5 * length * u, rng.uniform(-0.05, 0.05) * u, rise * (1.0 - u * u)], axis=1)
    x *= length / np.linalg.norm(np.diff(x, axis=0), axis=1).sum()
    x[:, 2] += (
        max(0.0, top + 2.0 * radius - x[:, 2].min()) if kind >= 0.4 else top - x[:, 2].max() + 2.0 * radius + 0.02
    )
    hose = Material(10.0 ** rng.uniform(5.5, 7.5), 0.45, 1200.0)
    rod = Rod.from_material("hose", x, radius, hose, shape_memory=0.0)
    ends = [Handle.drawn(rod, name, vertex=v, oriented=bool(rng.random() < 0.3)) for name, v in (("a", 0), ("b", -1))]
    return rod, ends, around


def test_a_slack_cable_comes_to_rest_or_is_told(random_case):
    """At rest, what handles and surfaces bear is its weight."""
    rod, handles, around = drawn(random_case)
    begun, told = process_time(), ""
    try:
        cable = settle_cable(rod, handles, colliders=around)
    except SimulationError as error:
        told = str(error)
    else:
        if cable.effort.arrived:
            weight = 9.81 * rod.mass.sum()
            total = cable.handle_force.sum(axis=0) + cable.contact_force.sum(axis=0)
            np.testing.assert_allclose(total, [0.0, 0.0, weight], atol=1e-4 * weight)
        else:
            assert "not quite at rest" in cable.warning
    assert not told or "draw it nearer" in told
    assert process_time() - begun < LONGEST
