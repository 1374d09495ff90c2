"""A fine rod with contact that touches nothing moves as without it, and costs as much."""

from dataclasses import replace
from time import process_time

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, Rod, Scene
from tendril.physics.time_integration.implicit_steps import implicit_steps
from tendril.physics.time_integration.symplectic_euler import DONE

R = 0.005  # m
RUBBER = Material(5e6, 0.5, 1000.0)


def let_go(n, frames=6, of_rod=None, **options):
    """A rod of 1 m and n edges that falls from its clamped end."""
    x = np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], n + 1)
    rod = Rod.from_material("rod", x, R, RUBBER, shape_memory=0.0, **(of_rod or {}))
    pins = (Pin.fixed(rod, 0, "DIRECTION"),)
    return Scene((rod,), 0.05, frames, pins=pins, air_density=0.0, solver="IMPLICIT", **options)


def timed(scene):
    """(Frames, processor time behind the first one [s])."""
    begun, frames = 0.0, []
    for frame in simulate(scene):
        begun = begun or process_time()
        frames.append(frame.x)
    return np.array(frames), process_time() - begun


@pytest.mark.parametrize(
    ("n", "of_rod"), [(200, {}), (800, {}), (800, {"stretchable": True}), (1000, {"model": "cosserat"})], ids=str
)
def test_contact_of_a_rod_that_touches_nothing(n, of_rod):
    """Of edges of r to r/5: the same motion, to what Newton leaves, for hardly more time; by frames as unknowns alone
    it took twice as long, and six times where lists went by how far what stretches could grow at most."""
    bare, touching, costs = let_go(n, of_rod=of_rod, contact=False), let_go(n, of_rod=of_rod), []
    for _ in range(3):
        (x, own), (y, cost) = timed(bare), timed(touching)
        assert np.abs(x - y).max() < 1e-6 * R
        costs.append((own, cost))
    own, cost = np.min(costs, axis=0)
    assert cost < 1.6 * own


def test_frames_are_unknowns_only_where_something_touches():
    """A rope falls onto a floor beneath it: without frames until it lands, with them in the steps in which it does."""
    scene = replace(let_go(40, floor=Floor(-0.3, 0.5)), pins=())
    model, state, work = assemble(scene)
    plain, height = [], []
    for _ in range(25):
        assert implicit_steps(model, state, work, 0.0125, 1.0 / 240.0)[0] == DONE
        plain.append(bool(work.implicit.plain[0]))
        height.append(state.x[:, 2].min() + 0.3 - R)
    first = plain.index(False)
    assert first == int(np.sqrt(2.0 * (0.3 - R) / 9.81) / 0.0125)
    assert min(height[:first]) > 0.0
    assert height[first] < 0.5 * R
