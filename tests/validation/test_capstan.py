"""The law of the capstan, T₂ = T₁ exp(μφ): a supple rope wound around a smooth post holds up to it, and runs beyond.

Of a rope of edges, which turn by δ from one to the next, and which the post presses in the middle of each, vertices are
in balance where T₂ = T₁ exp(φ/δ arsinh(μ sin δ)): with μ = .5, 1.5 turns and δ = .18 that is 3 % less.
"""

from dataclasses import replace

import numpy as np
import pytest
from meshes import tube
from solids import capsule, wall
from solvers import solved_by
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, RigidBody, Rod, Scene, Shape, Weld

POST, RADIUS = 0.05, 0.004  # m
HANG, PULL = 0.15, 1.0  # m of rope beside the post, N that hold it
ACROSS = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def wound(turns, friction, n):
    """A rope of n edges wound so often about the y axis, three radii a turn, and where its two ends point."""
    half, reach = np.pi * turns, POST + RADIUS
    pitch = 3.0 * RADIUS / (2.0 * np.pi)
    s = np.linspace(-half * reach - HANG, half * reach + HANG, n + 1)[:, None]
    a = np.clip(s / reach, -half, half)
    round_it = 1.002 * reach * np.sin(a), pitch * a, 1.002 * reach * np.cos(a)
    on = np.concatenate([np.cos(a), 0.0 * a + pitch / reach, -np.sin(a)], axis=1)
    x = np.concatenate(round_it, axis=1) + (s - reach * a) * on
    supple = Material(1e5, 0.4, 1000.0, friction=friction, internal_damping=0.02)
    out = on[[0, -1]] / np.linalg.norm(on[0]) * [[-1.0], [1.0]]
    return Rod.from_material("rope", x, RADIUS, supple, shape_memory=0.0), out


def edges(turns):
    """How many a rope has that is wound so often."""
    return int(40 + 28 * turns)


def law(turns, friction, n):
    """The load [N] that PULL just holds, by a rope of n edges."""
    angle, length = 2.0 * np.pi * turns, 2.0 * HANG + 2.0 * np.pi * turns * (POST + RADIUS)
    turn = length / n / (POST + RADIUS)
    return PULL * np.exp(angle / turn * np.arcsinh(friction * np.sin(turn)))


def post(kind, friction):
    """What of a Scene is the post: a body of capsule shape or of 120 faces, too heavy to move, or a collider of so many
    faces.
    """
    if isinstance(kind, int):
        return {"colliders": (wall(tube(POST, 0.6, kind), friction, "post"),)}
    body = capsule((0.0, 0.0, 0.0), POST, 0.6, friction=friction)
    shape = Shape(*tube(POST, 0.6, 120))
    if kind == "capsule":
        shape = replace(body.shape, points=body.shape.points @ ACROSS.T)
    return {"bodies": (replace(body, mass=1e9, inertia=1e9 * np.eye(3), shape=shape),)}


def slipped(kind, friction, turns, part, solver, seconds, finer=1.0):
    """How far [m] the rope has run in so much time after it has come to rest or gone off, pulled by so large a part of
    what the law says; finer: times as many edges.
    """
    n = round(finer * edges(turns))
    rope, out = wound(turns, friction, n)
    load = part * law(turns, friction, n)
    times, far = np.array([0.0, 1e-6]), np.array([[0.0], [1e5]])
    pins = tuple(
        Pin(f"end {end}", 0, end, "POSITION", times, rope.x[end] + far * way, max_force=force)
        for end, way, force in zip((0, len(rope.x) - 1), out, (PULL, load), strict=True)
    )
    scene = Scene((rope,), 0.2, 4 + round(seconds / 0.2), pins=pins, gravity=np.zeros(3), air_density=0.0)
    scene = solved_by(solver, replace(scene, **post(kind, friction)), max_step=1e-3)
    ends = np.array([frame.x[-1] for frame in simulate(scene)])
    return (ends[-1] - ends[3]) @ out[1]


@pytest.mark.parametrize(
    ("kind", "friction", "turns"),
    [
        *(("capsule", friction, turns) for turns in (0.5, 1.0) for friction in (0.1, 0.3, 0.5)),
        *(pytest.param("capsule", friction, 1.5, marks=pytest.mark.slow) for friction in (0.1, 0.3)),
        ("capsule", 0.5, 1.5),
        *((120, friction, turns) for friction, turns in ((0.1, 1.0), (0.3, 0.5), (0.3, 1.0))),
    ],
)
def test_what_holds_and_what_runs(kind, friction, turns, solver):
    """Within 3 % of the law."""
    assert abs(slipped(kind, friction, turns, 0.97, solver, 0.4)) < 0.01 * RADIUS
    assert slipped(kind, friction, turns, 1.03, solver, 0.4) > 10.0 * RADIUS


@pytest.mark.parametrize("part", [*(pytest.param(part, marks=pytest.mark.slow) for part in (0.965, 0.975)), 0.985])
def test_a_fine_rope_that_is_jerked_holds(part, solver):
    """It hangs loose at first. With 123 edges contact's sweeps have far to go."""
    assert abs(slipped("capsule", 0.5, 1.5, part, solver, 0.4, 1.5)) < 0.01 * RADIUS


@pytest.mark.parametrize(
    ("kind", "friction", "turns"),
    [
        ("capsule", 0.1, 1.0),
        pytest.param("capsule", 0.5, 1.5, marks=pytest.mark.slow),
        pytest.param("faces", 0.3, 0.5, marks=pytest.mark.slow),
        *((faces, 0.3, turns) for faces, turns in ((8, 1.0), (16, 0.5), (32, 1.0), (48, 0.5), (64, 1.0), (120, 0.5))),
    ],
)
def test_what_holds_does_not_creep(kind, friction, turns, solver):
    """Under 80 % of the load, for 10 s."""
    assert abs(slipped(kind, friction, turns, 0.8, solver, 10.0)) < RADIUS


def test_around_a_thin_post_of_faces(monkeypatch):
    """Of 3 cm, by implicit steps: within 3 % of the law, as around a body."""
    monkeypatch.setitem(globals(), "POST", 0.03)
    assert abs(slipped(120, 0.5, 1.5, 0.97, "IMPLICIT", 0.4)) < 0.01 * RADIUS
    assert slipped(120, 0.5, 1.5, 1.03, "IMPLICIT", 0.4) > 10.0 * RADIUS


def hung(share, friction, solver):
    """How far [m] the heavier of two weights, this share of what the law says, comes down in a second by a light rope
    half around a pinned rod.
    """
    radius, hang, weight = 0.003, 0.12, 0.1  # m, m, kg
    reach = POST + radius
    s = np.linspace(-0.5 * np.pi * reach - hang, 0.5 * np.pi * reach + hang, 51)
    a = np.clip(s / reach, -0.5 * np.pi, 0.5 * np.pi)
    x = np.column_stack([1.001 * reach * np.sin(a), 0.0 * s, 1.001 * reach * np.cos(a) - np.abs(s - reach * a)])
    supple = Material(1e5, 0.4, 100.0, friction=friction, internal_damping=0.02)
    rope = Rod.from_material("rope", x, radius, supple, shape_memory=0.0)
    bar = np.linspace([0.0, -0.3, 0.0], [0.0, 0.3, 0.0], 3) + [0.0, 0.01, 0.0]
    bar = Rod.from_material("bar", bar, POST, Material(1e9, 0.4, 1000.0, friction=friction))
    turn = (s[1] - s[0]) / reach
    heavy = weight * share * np.exp(np.pi / turn * np.arcsinh(friction * np.sin(turn)))
    bodies = tuple(RigidBody(f"{m} kg", x[k], m, 1e-4 * m * np.eye(3)) for k, m in ((0, weight), (-1, heavy)))
    welds = (Weld("light", 0, 0, 0, "POSITION"), Weld("heavy", 1, 0, len(x) - 1, "POSITION"))
    pins = tuple(Pin.fixed(bar, k, rod=1) for k in range(3))
    scene = Scene((rope, bar), 0.1, 11, pins=pins, bodies=bodies, welds=welds, air_density=0.0)
    z = np.array([frame.bodies[1, 2] for frame in simulate(solved_by(solver, scene))])
    return z[0] - z[-1]


def test_weights_on_a_light_rope_hang_on_a_pinned_rod(solver):
    """Which stands like a wall: what it does not hold in a step is not left to the next one, or the rope creeps on."""
    assert abs(hung(0.5, 0.3, solver)) < 1e-3
    assert hung(1.5, 0.3, solver) > 0.1
