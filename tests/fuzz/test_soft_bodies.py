"""Random soft bodies, held, led, joined and let go at random, by all schemes: they go on, finite, none inside out."""

from dataclasses import replace

import numpy as np
from tendril.physics.elements.tetrahedra import volumes
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import ENERGIES, SCHEMES, Hold, Scene, SoftBody

CASES = 100
CELL = np.array([[0, 1, 3, 7], [0, 5, 1, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7]])


def cells(random):
    """A row of one to three boxes, uneven."""
    count = random.integers(1, 4)
    x = np.array([[i, j, k] for i in range(count + 1) for j in (0, 1) for k in (0, 1)], float)
    x += random.uniform(-0.15, 0.15, x.shape)
    box = np.array([0, 4, 2, 6, 1, 5, 3, 7])  # corners of a box by bits x, y, z, in nodes of the row
    node = np.concatenate([4 * i + box[CELL] for i in range(count)])
    wrong = volumes(x[node]) < 0.0
    node[wrong] = node[wrong][:, [0, 2, 1, 3]]
    return x * 10.0 ** random.uniform(-2.0, 0.5), node


def body(random, number, floor):
    """Its lowest node is at the height `floor`."""
    x, node = cells(random)
    x[:, 2] += floor - x[:, 2].min()
    young = 10.0 ** random.uniform(3.0, 7.0)
    wave = np.sqrt(young / 1000.0)
    relaxation = random.choice([0.0, 10.0 ** random.uniform(-4.0, -1.0)])
    return SoftBody(
        f"body {number}", x, node, 1000.0, young, random.uniform(-0.2, 0.49),
        zeta=young * relaxation * random.integers(2), mu=young * relaxation * random.integers(2),
        stiffness=random.uniform(0.3, 3.0, len(x)), v=0.1 * wave * random.normal(size=x.shape) * random.integers(2),
        energy=str(random.choice(ENERGIES)), rest_x=x * random.uniform(0.8, 1.2, 3),
    )  # fmt: skip


def hold(random, solids, number):
    s = int(random.integers(len(solids)))
    x, size = solids[s].x, np.ptp(solids[s].x)
    node, kind = int(random.integers(len(x))), str(random.choice(["POINT", "PLANE", "LINE", "DISTANCE"]))
    times = np.array([0.0, 0.05, 0.1])
    options = {"stiffness": float(random.choice([np.inf, 10.0 * solids[s].young * size]))}
    if kind == "DISTANCE":
        return Hold(f"{number}", kind, s, node, (s, (node + 1 + int(random.integers(len(x) - 1))) % len(x)), **options)
    way = size * random.uniform(-0.3, 0.3, (3, 3)) * (times[:, None] > 0.0)
    led = {"times": times, "track": x[node] + way} if random.integers(2) else {}
    return Hold(
        f"{number}", kind, s, node, direction=random.normal(size=3), release=float(random.choice([0.07, np.inf])),
        **options, **led,
    )  # fmt: skip


def scene(random):
    solids, floor = [], 0.0
    for k in range(random.integers(1, 3)):
        solids.append(body(random, k, floor))
        floor = solids[-1].x[:, 2].max() + np.ptp(solids[-1].x)
    softest = min(solid.young for solid in solids)
    for k, solid in enumerate(solids):  # what strikes a body faster than its waves go crushes it
        solids[k] = replace(solid, v=np.sqrt(softest / solid.young) * solid.v)
    holds, held = [], set()
    for k in range(random.integers(0, 5)):
        one = hold(random, solids, k)
        if (one.solid, one.node) not in held:
            held.add((one.solid, one.node))
            holds.append(one)
    scheme = SCHEMES[random.integers(3)]
    viscous = any(solid.mu or solid.zeta for solid in solids)
    scheme = "VERLET" if viscous and random.integers(4) else scheme
    return Scene(
        (), 1 / 50, 7, solids=tuple(solids), holds=tuple(holds), scheme=scheme, tolerance=1e-4,
        consistent_mass=scheme != "VERLET" and bool(random.integers(2)),
    )  # fmt: skip


def test_random_soft_bodies_go_on(random_case):
    random = np.random.default_rng(random_case)
    given = scene(random)
    if given.scheme != "VERLET":  # what is explicit takes ages for what is stiff and viscous
        given = replace(given, solids=tuple(replace(s, mu=1e-2 * s.mu, zeta=1e-2 * s.zeta) for s in given.solids))
    first = np.cumsum([0, *(len(solid.x) for solid in given.solids)])
    for frame in simulate(given):
        assert np.isfinite(frame.x).all()
        for solid, begin in zip(given.solids, first, strict=False):
            own = frame.x[begin : begin + len(solid.x)]
            assert volumes(own[solid.tetrahedra]).min() > 0.0
