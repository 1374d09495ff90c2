"""A simulated second of a cantilever let go, beside another solver's in the same run: pypbd, position based dynamics,
by its direct solver of stiff rods (Deul, Kugelstadt, Weiler & Bender 2018), whose rods are of rigid segments.
"""

from importlib.util import find_spec
from os import environ
from time import process_time

import numpy as np
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.scene import LONGEST_STEPS, Pin, Rod, Scene
from tendril.physics.time_integration.implicit_steps import implicit_steps

from .measure import row

RADIUS, RUBBER = 0.01, Material(1e8, 0.5, 1000.0)  # m; it is 1 m long
EDGES = (100, 1000)
ROUNDS = 3
STEP = 1e-3  # s, of the peer
FRAMES = 24
LOWEST = -0.7210  # m, of the tip: another solver's, extrapolated (tests/validation/test_cantilever)
MISSING = "The peer is not here: install it by .venv/bin/python -m pip install '.[peers]' to measure beside it."


def rows():
    if find_spec("pypbd") is None:
        print(MISSING)
        return []
    found = []
    for n in EDGES:
        both = [(_ours(n), _pypbd(n)) for _ in range(ROUNDS)]
        (took, lowest), (other, others) = (min(each) for each in zip(*both, strict=True))
        case = f"implicit: a cantilever of {n} edges let go, its tip down to {lowest:.4f} m (true {LOWEST:.4f})"
        found.append(row(case, "s per s", took, other, f"pypbd 2.2.2, {others:.4f} m"))
    return found


def _ours(n):
    """(processor time [s] of a second by steps of Good, the tip's lowest height [m] after any of them)."""
    rod = Rod.from_material("cantilever", np.linspace((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), n + 1), RADIUS, RUBBER)
    pins = (Pin.fixed(rod, 0, "TWIST", rod=0),)
    scene = Scene((rod,), 1.0 / FRAMES, 2, pins=pins, contact=False, air_density=0.0, solver="IMPLICIT")
    model, state, work = assemble(scene)
    begin = process_time()
    for _ in range(FRAMES):
        assert implicit_steps(model, state, work, 1.0 / FRAMES, LONGEST_STEPS["GOOD"])[0] == 0
    took, lowest = process_time() - begin, 0.0
    model, state, work = assemble(scene)
    for _ in range(round(1.0 / LONGEST_STEPS["GOOD"])):
        assert implicit_steps(model, state, work, LONGEST_STEPS["GOOD"], LONGEST_STEPS["GOOD"])[0] == 0
        lowest = min(lowest, state.x[-1, 2])
    return took, lowest


def _pypbd(n):
    """The same of pypbd: one iteration a step, all that its direct solver needs; y is up."""
    environ["OMP_NUM_THREADS"] = "1"  # read when it is loaded
    import pypbd

    simulation, length = pypbd.Simulation.getCurrent(), 1.0 / n
    simulation.initDefault()
    model, steps = simulation.getModel(), simulation.getTimeStep()
    for setting, value in ((steps.NUM_SUB_STEPS, 1), (steps.MAX_ITERATIONS, 1), (steps.MAX_ITERATIONS_V, 0)):
        steps.setValueUInt(setting, value)
    pypbd.TimeManager.getCurrent().setTimeStepSize(STEP)
    points, mesh = _box(pypbd, (RADIUS, 0.5 * length, RADIUS))
    for k in range(-1, n):  # the first one is the wall
        model.addRigidBody(1.0, points, mesh, np.array([(k + 0.5) * length, 0.0, 0.0]))
    segments = model.getRigidBodies()
    mass = RUBBER.density * np.pi * RADIUS**2 * length
    across = mass * (RADIUS**2 / 4.0 + length**2 / 12.0)
    for k in range(n + 1):
        segment = segments[k]
        segment.setMass(mass if k > 0 else 0.0)
        segment.setInertiaTensor(np.array([across, mass * RADIUS**2 / 2.0, across]))
        for turn in (segment.setRotation, segment.setOldRotation, segment.setLastRotation, segment.setRotation0):
            turn(np.array([0.0, 0.0, -np.sqrt(0.5), np.sqrt(0.5)]))  # (x, y, z, w): its y axis along the rod
        segment.rotationUpdated()
    model.addDirectPositionBasedSolverForStiffRodsConstraint(
        [(k, k + 1) for k in range(n)], [np.array([k * length, 0.0, 0.0]) for k in range(n)],
        [RADIUS] * n, [length] * n, [RUBBER.young] * n, [RUBBER.young / (2.0 * (1.0 + RUBBER.poisson))] * n,
    )  # fmt: skip
    took = lowest = 0.0
    for _ in range(round(1.0 / STEP)):
        begin = process_time()
        steps.step(model)
        took += process_time() - begin
        last, before = (segments[k].getPosition()[1] for k in (n, n - 1))
        lowest = min(lowest, float(1.5 * last - 0.5 * before))
    return took, lowest


def _box(pypbd, half):
    """(points, mesh) of a box of so much to each side (3,) [m], which pypbd wants of a body."""
    points, mesh = pypbd.VertexData(), pypbd.IndexedFaceMesh()
    signs = [(x, y, z) for z in (-1.0, 1.0) for x, y in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))]
    faces = [(0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7)]
    for k in range(4):
        after = (k + 1) % 4
        faces += [(k, after, after + 4), (k, after + 4, k + 4)]
    mesh.initMesh(len(signs), 24, len(faces))
    for sign in signs:
        points.addVertex(np.multiply(sign, half))
    for face in faces:
        mesh.addFace(list(face))
    mesh.buildNeighbors()
    return points, mesh
