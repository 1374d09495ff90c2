"""Trees of cables that free parts join, at random: they come to rest, or nearly so, in bounded time."""

from dataclasses import replace
from time import process_time

import numpy as np
from tendril.physics import Handle, Material, Part, Rod, settle_harness

CASES = 200
GRAVITY = np.array([0.0, 0.0, -9.81])
# [s] The slowest of 200 took 2.1 s of a processor that others used as well.
LONGEST = 5.0


def tree(seed):
    """(cables, parts): 2 to 20 branches, each from a node before it to one of its own, drawn straight; what ends there
    hangs free or is held, nearer to the root, so that all reach.
    """
    rng = np.random.default_rng(seed)
    count, places, depth, cables = int(rng.integers(2, 21)), [np.zeros(3)], [0], []
    for k in range(1, count + 1):
        before = int(rng.integers(max(0, k - 6), k))
        way = rng.normal(size=3) * [1.0, 1.0, 0.4]
        places.append(places[before] + rng.uniform(0.1, 0.4) * way / np.linalg.norm(way))
        depth.append(before)
    joined = set(depth[1:]) - {0}
    leaves = [k for k in range(1, count + 1) if k not in joined]
    held = {k for k in leaves if rng.random() < 0.7}
    nearer = rng.uniform(0.6, 0.97)
    for k in range(1, count + 1):
        n, radius = int(rng.integers(6, 24)), 10.0 ** rng.uniform(-2.9, -2.2)
        x = np.linspace(places[depth[k]], places[k], n + 1)
        rod = Rod.from_material(f"branch {k}", x, radius, Material(10.0 ** rng.uniform(6.0, 8.0), 0.45, 1200.0))
        ends = []
        for vertex, node in ((0, depth[k]), (n, k)):
            handle = Handle.drawn(rod, f"{vertex} of {k}", vertex=vertex, oriented=bool(rng.random() < 0.7))
            if node in joined:
                ends.append(replace(handle, part=f"node {node}"))
            elif node == 0 or node in held:
                ends.append(replace(handle, position=nearer * places[node]))
        cables.append((rod, ends))
    return cables, [Part(f"node {k}", places[k], mass=rng.uniform(0.0, 0.05)) for k in sorted(joined)]


def test_a_tree_of_cables_comes_to_rest(random_case):
    """At rest, what handles outside of parts bear is all that the tree weighs. None is refused, for all reach."""
    cables, parts = tree(random_case)
    begun = process_time()
    found = settle_harness(cables, parts, gravity=GRAVITY)
    weight = sum(rod.mass.sum() for rod, _ in cables) + sum(part.mass for part in parts)
    held = sum(
        force
        for cable, (_, handles) in zip(found.cables, cables, strict=True)
        for handle, force in zip(handles, cable.handle_force, strict=True)
        if handle.part is None
    )
    if found.effort.arrived:
        np.testing.assert_allclose(held, -weight * GRAVITY, atol=1e-5 * 9.81 * weight)
    else:
        assert all("not quite at rest" in cable.warning for cable in found.cables)
    assert process_time() - begun < LONGEST
