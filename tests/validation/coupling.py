"""Scenes of soft bodies beside ropes, wires and rigid bodies, and what couples on its way by itself."""

import numpy as np
from meshes import box
from scipy.spatial.transform import Rotation
from solid_meshes import brick
from tendril.physics.assemble.coupled import assemble_coupled, coupled
from tendril.physics.assemble.room import grown
from tendril.physics.diagnostics.soft_bodies import soft_energies
from tendril.physics.materials import Material
from tendril.physics.scene import Pin, RigidBody, Rod, Scene, Shape, SoftBody, Tie
from tendril.physics.time_integration.coupled_step import coupled_steps
from tendril.physics.time_integration.symplectic_euler import DONE, PAIRS_FULL

FRAME, GRAVITY, SIDE, DENSITY = 1.0 / 24.0, 9.81, 0.2, 1000.0
X, NODE = brick((3, 3, 3), (SIDE,) * 3)
CENTRED = X - 0.5 * SIDE
ROUND_OFF = 1e-11  # of momenta: speeds are ways of steps of 1e-4 s, places of .1 m are rounded by 1e-17, in 1e3 steps
ROPE = Material(1e7, 0.45, 1100.0, internal_damping=0.01)


def jelly(x=X, node=NODE, young=2e5, relaxation=0.003, speed=(0.0, 0.0, 0.0), **options):
    options = {"friction": 0.3, "mu": relaxation * young / 2.6} | options
    return SoftBody("jelly", x, node, DENSITY, young, 0.3, v=np.tile(speed, (len(x), 1)), **options)


def crate(size, at, mass, **options):
    points, triangles = box(size)
    a, b, c = np.square(size)
    inertia = mass / 12.0 * np.diag([b + c, a + c, a + b])
    shape = Shape(points - points.mean(axis=0) + at, triangles)
    return RigidBody("crate", np.array(at, float), mass, inertia, shape=shape, **{"friction": 0.3} | options)


def rope(x, radius=0.008, name="rope", **options):
    return Rod.from_material(name, np.asarray(x, float), radius, ROPE, **{"friction": 0.3} | options)


class Coupling:
    """What couples, on its way by itself."""

    def __init__(self, scene):
        self.models, states = assemble_coupled(scene)
        self.viscous = bool(self.models[1].solids.bodies["viscous"].any())
        self.now = coupled(self.models, states)

    def go_on(self, duration, fraction=0.7):
        status = PAIRS_FULL
        while status == PAIRS_FULL:
            status, *_, duration = coupled_steps(self.now, self.viscous, duration, 0.6, fraction, np.inf)
            if status == PAIRS_FULL:
                states = self.now.rods.state, self.now.soft.state, self.now.state
                wider = tuple(grown(model, state)[0] for model, state in zip(self.models, states, strict=True))
                self.now = coupled(self.models, wider)
        assert status == DONE

    @property
    def pressed(self):
        pairs = np.concatenate([self.now.state.feature_pairs, self.now.state.surface_pairs])
        return int((pairs["force"][:, 0] > 0.0).sum())

    def momenta(self):
        """(linear, angular about the origin)."""
        rods, soft, bodies = self.now.rods.state, self.now.soft.state, self.now.rods.state.bodies
        mass = np.concatenate([self.models[0].nodes["mass"], self.models[1].nodes["mass"]])[:, None]
        own = mass * np.concatenate([rods.v, soft.v])
        of_bodies = self.models[0].bodies["mass"][:, None] * bodies["v"]
        turning = np.cross(self.now.x, own).sum(0) + np.cross(bodies["x"], of_bodies).sum(0) + bodies["l"].sum(0)
        return own.sum(0) + of_bodies.sum(0), turning

    def energy(self):
        """Of all that moves, and of what soft bodies are pressed together."""
        total, rods = soft_energies(self.models[1], self.now.soft.state).total, self.now.rods.state
        total += 0.5 * (self.models[0].nodes["mass"] * (rods.v**2).sum(1)).sum()
        for body, now in zip(self.models[0].bodies, rods.bodies, strict=True):
            turning = Rotation.from_quat(np.roll(now["q"], -1)).inv().apply(now["l"])
            total += 0.5 * body["mass"] * now["v"] @ now["v"] + 0.5 * (turning**2 / body["inertia"]).sum()
        return total


L, S = 1.0, 0.1
HUNG, HUNG_NODE = brick((3, 3, 3), (S,) * 3)
HUNG = HUNG - [0.5 * S, 0.5 * S, S]


def pendulum(tilt):
    """A soft cube on a rope, as a whole off the vertical by an angle."""
    turn = Rotation.from_rotvec([0.0, -tilt, 0.0])
    x = np.zeros((21, 3))
    x[:, 2] = np.linspace(L, 0.0, 21)
    top = np.flatnonzero(HUNG[:, 2] == 0.0)
    soft = jelly(turn.apply(HUNG - [0, 0, L]) + [0, 0, L], HUNG_NODE, young=1e6)
    line = rope(turn.apply(x - [0, 0, L]) + [0, 0, L], 0.004)
    tie = Tie("loop", 0, top, vertex=(0, 20))
    return Scene((line,), FRAME / 2.0, 193, pins=(Pin.fixed(line, 0),), solids=(soft,), ties=(tie,), air_density=0.0)
