"""What lies in a Workspace means nothing between stretches of steps: so things of the same sizes share them."""

import gc
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.materials import Material
from tendril.physics.run import lent_workspaces
from tendril.physics.run.islands import Islands
from tendril.physics.run.lent_workspaces import Lent, constants
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, RigidBody, Rod, Scene, Shape, Weld
from test_room_for_pairs import hairs

FRAME = 1.0 / 60.0  # s
RUBBER = Material(1e6, 0.45, 1000.0, internal_damping=0.002)


def line(k, points=12, **options):
    """One of some that lie beside each other, each a little further from the next."""
    x = np.linspace([0.0, 0.0, 0.0], [0.2, 0.0, 0.0], points) + [0.0, 0.011 * k, 0.01 + 0.002 * k]
    return Rod.from_material(f"rod {k}", x, 0.005, RUBBER, **options)


def scene_of(kind, solver):
    """Rods that fall on a floor: some beside each other of one size, that roll, that spin, or with bodies at them."""
    rods = tuple(line(3 * k, rolls=kind == "rolling") for k in range(3))
    if kind == "spinning":
        rods = tuple(replace(rod, model="cosserat", x=rod.x + [0.0, 0.0, 0.1]) for rod in rods)
    pins = tuple(Pin.fixed(rod, 0, "TWIST", rod=k) for k, rod in enumerate(rods))
    bodies, welds = (), ()
    if kind == "bodies":
        dot = Shape(rods[0].x[-1:], np.zeros((1, 3), np.int64), 0.01)
        bodies = (RigidBody("knob", rods[0].x[-1], 0.02, 1e-6 * np.eye(3), shape=dot),)
        welds = (Weld("glue", 0, 0, 11),)
    return Scene(rods, FRAME, 5, pins, floor=Floor(0.0), solver=solver, bodies=bodies, welds=welds)


def spoil(arrays):
    """Fill with what would show: NaN, and numbers of nothing."""
    if not isinstance(arrays, np.ndarray):
        for one in arrays:
            spoil(one)
    elif arrays.dtype.names:
        spoil([arrays[name] for name in arrays.dtype.names])
    else:
        arrays[...] = np.nan if arrays.dtype.kind == "f" else True if arrays.dtype.kind == "b" else 7


@pytest.mark.parametrize("kind", ["alike", "rolling", "spinning", "bodies"])
def test_nothing_that_lay_in_one_matters(kind, solver, monkeypatch):
    scene, taken = scene_of(kind, solver), Lent._taken

    def spoiled(self):
        free, work = taken(self)
        if self._of[0].rods.size:
            own = [one.copy() for one in constants(work)]
            spoil(work._replace(solids=()))
            for there, one in zip(constants(work), own, strict=True):
                there[...] = one
        return free, work

    usual = [frame.x.tobytes() for frame in simulate(scene)]
    monkeypatch.setattr(Lent, "_taken", spoiled)
    assert [frame.x.tobytes() for frame in simulate(scene)] == usual


def test_strands_apart_share_as_many_as_are_at_work(monkeypatch):
    """And what is kept is counted right, and forgotten with what it was for."""
    made, begun = [], lent_workspaces.Free.kept
    workspace = lent_workspaces.workspace
    monkeypatch.setattr(lent_workspaces, "workspace", lambda *of: made.append(workspace(*of)) or made[-1])
    with ThreadPoolExecutor(2) as threads:
        islands = Islands(hairs(5, 1000.0), (), threads)
        islands.reach(1)
        assert len(islands.runs) == 25
        free = islands.runs[(0,)].driver.steps._lent._free
        assert 1 <= len(free) <= 2
        assert lent_workspaces.Free.kept - begun == sum(map(lent_workspaces._bytes, free))
    made.clear()
    del islands, free
    gc.collect()
    assert lent_workspaces.Free.kept == begun


def test_a_strand_apart_takes_little_memory():
    """Of all that lasts, 4 kB a point at most: a Model and State of 1 kB, twice that for what numpy and Python add to
    small arrays, and the State kept as a frame begins.
    """
    scene = hairs(7, 1000.0)
    list(simulate(hairs(1)))  # what is loaded once
    with ThreadPoolExecutor(1) as threads:
        tracemalloc.start()
        try:
            islands = Islands(scene, (), threads)
            islands.reach(1)
            gc.collect()
            assert len(islands.runs) == 49
            assert tracemalloc.get_traced_memory()[0] < 4000 * islands.vertices
        finally:
            tracemalloc.stop()
