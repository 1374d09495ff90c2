"""Whatever is put together by chance either bakes as it should, whichever solver takes the steps, or is refused by one
sentence that tells what to do.

Baked, all is finite; edges keep their lengths; what is not told to change begins as drawn; what was drawn clear of each
other stays so; knots stay knots.
"""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.cost import rod_steps
from tendril.physics.diagnostics.knots import knot_determinant
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import QUALITIES, Floor, ForceField, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.validate import SceneError

CASES = 300
STEPS = 30_000  # a bake may take about: that bounds a case to seconds
OVERLAP = 0.05  # of the smaller radius
LENGTHS = 1e-6  # relative
KINDS = ("straight", "arc", "helix", "spline", "ring", "trefoil")
CURES = ("set", "raise", "lower", "move", "give", "make", "turn", "pin", "remove", "choose", "clamp", "leave", "add")


def curve(kind, n, rng):
    """Points (n, 3), about half a metre in size."""
    s = np.linspace(0.0, 1.0, n)
    a = 2.0 * np.pi * np.arange(n) / n
    if kind == "ring":
        return 0.2 * np.stack(
            [np.cos(a), rng.uniform(0.5, 1.0) * np.sin(a), 0.1 * rng.normal() * np.sin(2.0 * a)], axis=1
        )
    if kind == "trefoil":
        x = [np.sin(a) + 2.0 * np.sin(2.0 * a), np.cos(a) - 2.0 * np.cos(2.0 * a), -1.2 * np.sin(3.0 * a)]
        return 0.1 * np.stack(x, axis=1)
    if kind == "helix":
        turn = 2.0 * np.pi * rng.uniform(1.0, 3.0) * s
        return np.stack([0.1 * np.cos(turn), 0.1 * np.sin(turn), rng.uniform(0.02, 0.04) * turn], axis=1)
    if kind == "arc":
        turn = rng.uniform(0.3, 3.0) * (s - 0.5)
        return 0.3 * np.stack([np.sin(turn), 0.0 * turn, 1.0 - np.cos(turn)], axis=1)
    waves = np.arange(1, 4)[:, None]
    x = np.stack(
        [(rng.normal(size=(3, 1)) * 0.06 / waves**2 * np.sin(np.pi * waves * s)).sum(axis=0) for _ in range(3)], axis=1
    )
    return x * (kind == "spline") + 0.6 * (s - 0.5)[:, None] * [1.0, 0.0, 0.0]


def rod(number, rng):
    """A rod of any section and shape, as large as its points are apart; (Rod, its Material)."""
    kind = KINDS[rng.integers(len(KINDS))]
    n = int(rng.choice([5, 12, 25, 40])) if kind in KINDS[:2] else int(rng.choice([30, 48]))
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    x = curve(kind, n, rng) @ turn.T + rng.normal(size=3) * [0.3, 0.3, 0.1] * number + [0.0, 0.0, 0.6]
    radius = np.linspace(1.0, rng.choice([1.0, 0.5]), n) * rng.choice([0.002, 0.006, 0.012])
    material = Material(
        10.0 ** rng.uniform(5.5, 9.0), 0.4, rng.uniform(300.0, 3000.0), bend_factor=10.0 ** rng.uniform(-2.0, 0.0),
        internal_damping=rng.choice([0.0, 0.01]), friction=rng.choice([0.0, 0.5]),
    )  # fmt: skip
    return Rod.from_material(
        f"Rod {number}", x, radius, material, closed=kind in ("ring", "trefoil"), aspect=rng.choice([1.0, 0.5]),
        shape_memory=rng.choice([0.0, 0.5, 1.0]), stretchable=bool(rng.random() < 0.15),
        touches=bool(rng.random() < 0.9),
        rest_length_factor=float(rng.choice([1.0, 1.0, 1.0, 0.9, 1.2])), balanced=bool(rng.random() < 0.05),
    )  # fmt: skip


def pin(number, rods, rng):
    r = int(rng.integers(len(rods)))
    vertex = int(rng.choice([0, len(rods[r].x) - 1, rng.integers(len(rods[r].x))]))
    times = np.linspace(0.0, 0.2, 5) if rng.random() < 0.5 else np.zeros(1)
    way = rods[r].x[vertex] + np.outer(times, rng.normal(size=3) * rng.choice([0.2, 2.0]))
    way[:, 2] = np.maximum(way[:, 2], min(rod.x[:, 2].min() for rod in rods))  # not into the floor
    influence = np.linspace(1.0, 0.0, len(times)) if rng.random() < 0.2 else None
    mode = ("POSITION", "DIRECTION", "TWIST")[rng.integers(3)]
    return Pin(f"Pin {number}", r, vertex, mode, times, way, None, influence, rng.choice([None, None, 50.0, np.inf]))


def body(number, rods, rng):
    """A lamp at the end of a rod, led now and then, and its Weld."""
    r = int(rng.integers(len(rods)))
    vertex = int(rng.choice([0, len(rods[r].x) - 1]))
    place, mass = rods[r].x[vertex] + rng.normal(size=3) * 0.03, 10.0 ** rng.uniform(-2.0, 1.0)
    lamp = RigidBody(f"Lamp {number}", place, mass, mass * 0.01 * np.eye(3))
    if rng.random() < 0.3:
        times = np.array([0.0, 0.2])
        track, still = np.array([place, place + rng.normal(size=3) * 0.1]), np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))
        lamp = replace(lamp, times=times, track=track, turn=still)
    else:
        lamp = replace(lamp, v=rng.normal(size=3) * rng.choice([0.0, 1.0]))
    return lamp, Weld(f"Weld {number}", number, r, vertex, ("POSITION", "DIRECTION", "TWIST")[rng.integers(3)])


def apart(holds, rods, anyhow):
    """Those of the pins and welds that hold nothing near what an earlier one holds, unless `anyhow`."""
    kept = []
    for hold in holds:
        n = len(rods[hold.rod].x)
        others = [abs(hold.vertex - other.vertex) for other in kept if other.rod == hold.rod]
        if anyhow or all(2 < gap < n - 2 for gap in others):
            kept.append(hold)
    return kept


def case(seed):
    """A Scene, of frames as short as need be."""
    rng = np.random.default_rng(seed)
    rods = tuple(rod(k, rng) for k in range(rng.integers(1, 4)))
    pins = apart([pin(k, rods, rng) for k in range(rng.integers(4))], rods, seed % 10 == 0)
    bodies = [body(k, rods, rng) for k in range(rng.integers(3) if rng.random() < 0.5 else 0)]
    welds = apart([*pins, *(weld for _, weld in bodies)], rods, seed % 10 == 0)[len(pins) :]
    bodies = [(bodies[weld.body][0], replace(weld, body=k)) for k, weld in enumerate(welds)]
    lowest = min(rod.x[:, 2].min() - rod.radius.max() for rod in rods)
    floor = Floor(lowest - rng.choice([0.0, 0.05, 0.3]), rng.choice([0.0, 0.5])) if rng.random() < 0.5 else None
    turn = np.array([[0.5, 0.5, 0.5, 0.5]])
    kind = ("WIND", "FORCE", "VORTEX", "TURBULENCE")[rng.integers(4)]
    field = ForceField(
        "Field", kind, np.zeros(1), np.zeros((1, 3)), turn, rng.uniform(-8.0, 8.0), noise=rng.choice([0.0, 1.0])
    )
    return Scene(
        rods, 0.04, 6, tuple(pins), tuple(lamp for lamp, _ in bodies), tuple(weld for _, weld in bodies),
        (field,) if rng.random() < 0.3 else (), floor=floor, quality=str(rng.choice(list(QUALITIES))),
        gravity=np.array([0.0, 0.0, -9.81]) * (rng.random() < 0.8), settle=bool(rng.random() < 0.15),
    )  # fmt: skip


def short(scene):
    """The scene with frames so short that it takes STEPS in all."""
    return replace(scene, frame_duration=min(scene.frame_duration, STEPS / scene.frame_count * min(rod_steps(scene))))


def is_cured(scene, text):
    """Whether a sentence names a thing of the scene, says what to do about it and is no programmer's."""
    things = (*scene.rods, *scene.pins, *scene.bodies, *scene.welds, *scene.fields)
    named = any(f"'{thing.name}'" in text for thing in things) or text.startswith(("The scene", "The bake"))
    plain = not any(word in text for word in ("Error", "None", "nan", "array", "shape (", "finite", "rest_", "_"))
    return named and plain and text.endswith(".") and any(word in text.lower() for word in CURES) and "\n" not in text


def lengths(rod, x):
    return np.linalg.norm((np.roll(x, -1, axis=0) - x)[: rod.edge_count], axis=1)


def taper(rods):
    """How far what touches a vertex may be in the edge before it, over the thinnest radius: an edge has one thickness,
    and the edge that follows, which may be thinner, stands for both.
    """
    steps = [np.max(rod.radius[:-2] - rod.radius[2:], initial=0.0) for rod in rods]
    return 0.5 * max(steps) / min(rod.radius.min() for rod in rods)


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_bakes_or_says_why_not(random_case, solver):
    scene = replace(case(random_case), solver=solver)
    scene = short(scene) if solver == "EXPLICIT" else scene
    frames = []
    try:
        frames += list(simulate(scene))
    except SceneError as error:
        assert is_cured(scene, str(error)), str(error)  # noqa: PT017 both ends are fine
        return
    drawn = np.concatenate([rod.x for rod in scene.rods])
    assert all(
        np.isfinite(frame.x).all() and np.isfinite(frame.m1).all() and np.isfinite(frame.bodies).all()
        for frame in frames
    )
    if not scene.settle and all(rod.rest_length_factor == 1.0 for rod in scene.rods):
        np.testing.assert_array_equal(frames[0].x, drawn)
    held = {(hold.rod, hold.vertex) for hold in (*scene.pins, *scene.welds) if hold.mode != "POSITION"}
    ends = np.cumsum([len(rod.x) for rod in scene.rods])
    for number, (rod, end) in enumerate(zip(scene.rods, ends, strict=True)):
        own = slice(end - len(rod.x), end)
        free = np.array([(number, j) not in held for j in range(rod.edge_count)]) & (not rod.stretchable)
        asked = lengths(rod, rod.x) * rod.rest_length_factor
        for frame in frames:
            np.testing.assert_allclose(lengths(rod, frame.x[own])[free], asked[free], rtol=LENGTHS)
            if rod.closed and rod.touches:
                assert knot_determinant(frame.x[own]) == knot_determinant(rod.x)
    touching = np.concatenate([np.full(len(rod.x), rod.touches) for rod in scene.rods])
    rods = [rod for rod in scene.rods if rod.touches]
    joined = {weld.body for weld in scene.welds}
    if rods and len(joined) == len(scene.welds) and deepest_overlap(rods, drawn[touching]) <= 0.0:
        for frame in frames:
            assert deepest_overlap(rods, frame.x[touching], relative=True) < OVERLAP + taper(rods)
