"""Every sentence that refuses a scene names the object and the value and says what to do; a fine scene has none."""

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tendril.physics import validate
from tendril.physics.materials import Material
from tendril.physics.scene import (
    Collider,
    Floor,
    ForceField,
    Keyed,
    Pin,
    Pulley,
    RigidBody,
    Rod,
    Scene,
    Shape,
    SoftBody,
    Weld,
)
from tendril.physics.scenes.at_winch import drawn_at
from tendril.physics.validate import SceneError, check

RUBBER = Material(1e7, 0.45, 1100.0)
DOCUMENTED = ast.Module | ast.FunctionDef | ast.ClassDef


def rod(closed=False, **changes):
    around = np.linspace(0.0, 5.0, 10)
    x = np.stack([np.cos(around), np.sin(around), 0.1 * around], axis=1)
    return replace(Rod.from_material("Rope", x, 0.01, RUBBER, closed=closed), **changes)


def scene(one=None, pins=(), **changes):
    return replace(Scene((one or rod(),), 0.04, 5, pins=tuple(pins)), **changes)


def pin(vertex=0, mode="POSITION", name="Hook", **changes):
    return replace(Pin.fixed(rod(), vertex, mode, name, rod=0), **changes)


def body(name="Lamp", position=(0.0, 0.0, 0.0), **changes):
    return replace(RigidBody(name, np.array(position), 2.0, np.diag([0.1, 0.2, 0.25])), **changes)


def led(name="Crane", **changes):
    """A body that follows an animation."""
    still = {"times": np.zeros(1), "track": np.zeros((1, 3)), "turn": np.array([[1.0, 0.0, 0.0, 0.0]])}
    return body(name, **{**still, **changes})


def bodies(*these, welds=(), **changes):
    return scene(bodies=these, welds=tuple(welds), **changes)


def weld(vertex=9, mode="TWIST", name="Knot", to=0, rod=0):
    return Weld(name, to, rod, vertex, mode)


def box(**changes):
    """A body that touches with a face."""
    return body(shape=replace(Shape(np.eye(3), np.array([[0, 1, 2]])), **changes))


def tetrahedron(name, size, height=0.0):
    """A body that touches with all its faces, apart from the rope."""
    corners = size * np.array([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]])
    faces = np.array([[0, 2, 3], [0, 3, 1], [0, 1, 2], [1, 3, 2]])
    place = np.array([0.0, 0.0, 9.0 + height])
    return body(name, place, shape=Shape(corners + place, faces))


def gale(**changes):
    one = ForceField("Gale", "WIND", np.zeros(1), np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]), np.ones(1))
    return scene(fields=(replace(one, **changes),))


def ground(**changes):
    """A collider of one triangle that moves up."""
    x = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    one = Collider("Ground", np.array([[0, 1, 2]]), np.array([0.0, 0.1]), np.stack([x, x + 0.01]))
    return scene(colliders=(replace(one, **changes),))


def at(sample, place):
    """The points of `ground`, one of which is elsewhere."""
    points = ground().colliders[0].points.copy()
    points[sample, 1, 2] = place
    return points


def bench(edges, shift=(0.0, 0.0, 0.0)):
    """Two bodies and `edges` rods of which an inner edge joins them directly; held so by clamps."""
    rods, welds = [], []
    for k in range(edges):
        x = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 2.0], [0.0, 0.0, 3.0], [0.0, 0.0, 4.0]])
        x += np.array([np.cos(2.1 * k), np.sin(2.1 * k), 1e-7 * k]) + 1e-8 * np.sin(k * x)  # as exact as drawn ones
        x[3:] += np.array(shift) * (1.0 + k * k)
        rods.append(Rod.from_material(f"Leg {k}", x, 0.01, RUBBER))
        welds += [weld(1, name=f"Foot {k}", rod=k), weld(3, name=f"Top {k}", to=1, rod=k)]
    both = body("Floor board"), body("Seat", (0.0, 0.0, 3.0))
    return Scene(tuple(rods), 0.04, 5, bodies=both, welds=tuple(welds))


def spoilt(name, index, value):
    array = np.array(getattr(rod(), name), dtype=float)
    array[index] = value
    return {name: array}


def moved(point, to):
    x = rod().x.copy()
    x[point] = to
    return x


FINE = {
    "open": scene(),
    "a Cosserat rod": scene(rod(model="cosserat", parallel_stiffness=1.0, director_inertia=np.full((9, 2), 1e-6))),
    "closed": scene(rod(closed=True)),
    "held": scene(pins=[pin(0, "TWIST"), pin(5, "DIRECTION"), pin(-1)]),
    "stretchable": scene(rod(stretchable=True)),
    "on a floor": scene(floor=Floor(-1.0, 0.5)),
    "everything given": scene(
        rod(
            twist=np.zeros(10),
            rest_x=rod().x,
            rest_twist=np.zeros(10),
            v=np.zeros((10, 3)),
            m1=np.array([0.0, 0.0, 2.0]),
        )
    ),
    "a body of its own": bodies(body()),
    "all of a body": bodies(body(v=np.ones(3), omega=np.ones(3), drag_area=0.1, weights=np.ones(6)), led()),
    "bodies alone": bodies(body(), led(), rods=()),
    "a body that touches": bodies(replace(box(), friction=0.0, restitution=1.0, rolling_resistance=0.01), rods=()),
    "bodies drawn into each other that do not touch": bodies(
        tetrahedron("Lamp", 1.0), tetrahedron("Shade", 1.0, 1.0), contact=False
    ),
    "bodies beside each other": bodies(tetrahedron("Lamp", 1.0), tetrahedron("Shade", 1.0, 2.5)),
    "a ball": bodies(box(points=np.zeros((1, 3)), triangles=np.zeros((1, 3), "i4"), radius=0.1), solver="AUTOMATIC"),
    "a body that touches nothing": bodies(body(), solver="IMPLICIT"),
    "a body that collides": bodies(box(), solver="IMPLICIT"),
    "a body whose contact is off": bodies(box(), solver="IMPLICIT", contact=False),
    "a flat plate": bodies(body(inertia=np.diag([0.1, 0.2, 0.3]))),
    "welded": bodies(body(), led(), welds=[weld(0), weld(4, "DIRECTION", to=1), weld(9, "POSITION")]),
    "a coupler": bodies(body(mass=0.0, inertia=np.zeros((3, 3))), welds=[weld(4)]),
    "welded and stretchable": bodies(body(), body(), one=rod(stretchable=True), welds=[weld(4), weld(6, to=1)]),
    "welds beside each other on different bodies": bodies(body(), body(), welds=[weld(4), weld(6, to=1)]),
    "three legs in parallel": bench(3),
    "four legs askew": bench(4, (0.3, 0.1, 0.0)),
    "wind": gale(),
    "a collider": ground(),
    "a collider as it is streamed": ground(points=at(0, 0.0).astype(np.float32), triangles=np.array([[2, 1, 0]], "i4")),
    "leaves": scene(rod(leaf_area=np.full(10, 0.1), weights=np.ones(6))),
}
X = rod().x
NAN = float("nan")

JELLY = SoftBody("Jelly", 10.0 * np.vstack([np.zeros(3), np.eye(3)]), np.arange(4)[None], 1000.0, 1e5, 0.3)
TRIED_ELSEWHERE = {
    Path(validate.__file__).with_name(name)
    for name in ("solids.py", "soft_holds.py", "ties.py", "cables.py", "loads.py", "sheets.py", "pulleys.py")
}


def inside(begin, end):
    """A rope from one height in a jelly to another."""
    line = np.linspace([1.0, 1.0, begin], [1.0, 1.0, end], 5)
    return Scene((Rod.from_material("Rope", line, 0.01, Material(1e7, 0.4, 1000.0)),), 0.04, 5, solids=(JELLY,))


def keyed_jelly(scheme="VERLET", balanced=False, **ways):
    keyed = Keyed("Jelly", np.array([0.0, 1.0]), **{name: np.array(way) for name, way in ways.items()})
    body = replace(JELLY, name="Jelly", balanced=balanced, keyed=keyed)
    return Scene((), 0.04, 5, solids=(body,), scheme=scheme)


COSSERAT = {
    "'Rope' is of the model 'euler': choose one of kirchhoff, cosserat, cable.": {"model": "euler"},
    "'Rope': Shear, its parallel stiffness, is -1 N: give more than 0 and at most": {"parallel_stiffness": -1.0},
    "'Rope': Shear, its parallel stiffness, is 1e+20 N: give more than 0 and at most": {"parallel_stiffness": 1e20},
    "'Rope': director_inertia has to be (9, 2) numbers": {"director_inertia": np.zeros((9, 2))},
    "'Rope': its twist at point 0 is 229°": {"twist": np.full(10, 4.0)},
}


def led_by(**values):
    return Keyed("Rope", np.array([0.0, 1.0]), **{name: np.array(given) for name, given in values.items()})


WHOLE = np.linalg.norm(rod().edges(), axis=1).sum()


def reeled(least=WHOLE, pins=None, **changes):
    """The rope on a winch at its first point."""
    keyed = led_by(paid_out=[WHOLE, least])
    return scene(rod(**{"keyed": keyed, **changes}), (pin(),) if pins is None else pins)


def ringed(vertex, out=WHOLE):
    """The same in a ring, so much paid out at the start [m]."""
    one = rod(shape_memory=0.0, keyed=led_by(paid_out=[out, WHOLE]))
    hook = pin(position=drawn_at(one, 0, out)[None])
    return scene(one, (hook,), pulleys=(Pulley.fixed(one, vertex, "Ring"),))


SHORT = led_by(paid_out=[np.linalg.norm(np.diff(X[:3], axis=0), axis=1).sum()] * 2)
COARSE = replace(Rod.from_material("Rope", X[:3], 0.01, RUBBER), keyed=SHORT)

BAD = [
    (reeled(2.0 * WHOLE), "Rope", "m: key less Paid Out, or draw it longer."),
    (reeled(0.0), "Rope", "'Rope': its winch pays out 0 m only: key a Paid Out of"),
    (reeled(0.5 * WHOLE, (pin(), pin(5, name="Nail"))), "Rope", "as far as from what 'Nail' holds."),
    (reeled(pins=(pin(), pin(2, name="Nail"))), "Rope", "'Nail' holds it 2 pieces from there: hold it 3 from there"),
    (reeled(pins=(pin(), pin(1, name="Nail"))), "Rope", "'Nail' holds it 1 pieces from there: hold it 3 from there"),
    (scene(COARSE, (Pin.fixed(COARSE, 0, rod=0),)), "Rope", "on a winch, but has too few pieces: raise Points."),
    (reeled(keyed=replace(SHORT, winch=5)), "Rope", "that is at neither end, but at 5: choose 0 or −1."),
    (reeled(keyed=led_by(paid_out=[4.0, 4.0])), "Hook", "its winch holds the same end where it leaves it; remove one"),
    (ringed(1), "Rope", "m at the start, 0.5512 m as far as 'Ring': key 5.03 m at least, or raise Points."),
    (ringed(3, 0.5 * WHOLE), "Rope", "m at the start, 0 m as far as 'Ring': key"),
    (reeled(pins=(pin(max_force=9.0),)), "Rope", "at its vertex 0, where no exact pin holds its place: add one."),
    (reeled(rest_length_factor=0.9), "Rope", "its rest length is not that as drawn: set it to 1."),
    (reeled(balanced=True), "Rope", "'Rope' is on a winch, but it holds its drawn shape: turn off Hold Drawn Shape."),
    (reeled(model="cosserat"), "Rope", "'Rope' is on a winch, but its model is Spinning: choose Normal."),
    (scene(rod(True, keyed=led_by(paid_out=[1.0, 1.0]))), "Rope", "but it is a ring: open its curve."),
    (scene(rod(model="cable", keyed=led_by(friction=[1.0, 2.0]))), "Rope", "by numbers that stay: remove their keys."),
    (scene(rod(keyed=led_by(length=[1.0, 0.0]))), "Rope", "'Rope': its rest length is 0 times its own at 1 s: keep it"),
    (scene(rod(keyed=led_by(shape=[1.0, 1.5]))), "Rope", "its rest shape reaches 1.5: keep it between 0 and 1."),
    (
        scene(rod(balanced=True, keyed=led_by(bending=[2.0, 3.0]))),
        "Rope",
        "and its stiffness is keyed: turn off Hold Drawn Shape, or remove the keys.",
    ),
    *((scene(rod(**{"model": "cosserat", **options})), "Rope", text) for text, options in COSSERAT.items()),
    (
        bodies(body(mass=0.0, inertia=np.zeros((3, 3))), one=rod(model="cosserat"), welds=[weld(4)]),
        "Rope",
        "as branches of trees are: choose the Model Normal.",
    ),
    (inside(1.0, 1.5), "Rope", "'Rope' and 'Jelly' are inside each other: move one out."),
    (inside(-1.03, 1.0), "Rope", "mm into 'Jelly': move them apart, or tie them to each other."),
    (Scene((), 0.04, 5), "scene", "There is nothing to simulate in the scene: add a rod or a dynamic rigid body."),
    (bodies(led(), rods=()), "scene", "There is nothing to simulate in the scene: add a rod or a dynamic rigid body."),
    (bodies(body(), rods=(), frame_count=10**12), "scene", "years: bake fewer frames."),
    (scene(frame_duration=0.0), "scene", "The scene's frame duration is 0 s: it has to be positive."),
    (scene(frame_duration=NAN), "scene", "The scene's frame duration is nan s: it has to be positive."),
    (scene(frame_count=0), "scene", "The scene's number of frames is 0: it has to be positive."),
    (scene(air_density=-1.0), "scene", "The scene's air density is -1 kg/m³"),
    (scene(scheme="EULER"), "scene", "The scheme 'EULER' is unknown: choose one of VERLET, FEHLBERG, DORMAND_PRINCE."),
    (scene(consistent_mass=True), "scene", "The scheme VERLET takes steps with lumped mass alone"),
    (scene(tolerance=0.0), "scene", "The tolerance is 0: it has to be between 1e-13, which is round-off, and 1."),
    (scene(max_step=0.0), "scene", "The scene's largest step is 0 s: it has to be positive."),
    (scene(gravity=np.zeros((1, 3))), "scene", "The scene's gravity is [[0. 0. 0.]]: give three numbers"),
    (scene(gravity=-9.81), "scene", "The scene's gravity is -9.81: give three numbers, such as (0, 0, −9.81) m/s²."),
    (scene(frame_count=2.5), "scene", "The scene's number of frames is 2.5: it has to be a whole number."),
    (scene(frame_count=True), "scene", "The scene's number of frames is True: it has to be a whole number."),
    (scene(frame_duration="1/24"), "scene", "The scene's frame_duration is '1/24': give a number."),
    (scene(max_step=None), "scene", "The scene's max_step is None: give a number."),
    (scene(gravity=(0.0, 0.0, "down")), "scene", "gravity is (0.0, 0.0, 'down'): give three numbers"),
    (scene(floor=0.0), "scene", "The scene's floor is 0.0: give a Floor, with its height in m."),
    (scene(pins=[Pin.fixed(rod(), 0)]), "wall", "'wall' holds 'Rope', which is none of the scene's rods"),
    (scene(frame_count="3"), "scene", "The scene's number of frames is 3: it has to be a whole number."),
    (Scene(rod(), 0.04, 3), "scene", "The scene's rods are one Rod: give a tuple, (rod,)."),
    (Scene((rod(),), 0.04, 3, pins=pin()), "scene", "The scene's pins are one Pin: give a tuple, (pin,)."),
    (Scene((X,), 0.04, 3), "scene", "Among the scene's rods is a ndarray: give each as a Rod."),
    (Scene(None, 0.04, 3), "scene", "The scene's rods are None: give a tuple of Rod."),
    (scene(air_density=1e31), "scene", "'scene': its air density reaches 1e+31: nothing can be that large."),
    (scene(gravity=np.array([0.0, NAN, 0.0])), "scene", "The scene's gravity is not a number: give three finite"),
    (scene(floor=Floor(NAN)), "scene", "The floor at height nan m"),
    (scene(floor=Floor(0.0, -0.1)), "scene", "with friction -0.1 cannot be"),
    (scene(quality="BEST"), "scene", "The quality 'BEST' is unknown: choose one of PREVIEW, GOOD, FINE."),
    (scene(solver="FAST"), "scene", "The solver 'FAST' is unknown: choose one of AUTOMATIC, EXPLICIT, IMPLICIT."),
    (scene(rod(x=X[:2])), "Rope", "'Rope' has 2 points: a rod needs at least three; divide it more finely."),
    (scene(rod(mass=np.ones(9))), "Rope", "mass has the shape (9,) in place of (10,): give one value for each."),
    (scene(rod(x=moved(3, NAN))), "Rope", "'Rope': the place of point 3 is not a number: give a finite x[3]."),
    (scene(rod(**spoilt("radius", 4, 0.0))), "Rope", "the radius at point 4 is 0 m: it has to be greater than zero."),
    (scene(rod(**spoilt("radius", 4, -0.5))), "Rope", "the radius at point 4 is -0.5 m: it has to be greater"),
    (
        scene(rod(inner_radius=np.linspace(0.002, 0.02, 10))), "Rope",
        "the inner radius at point 4 is 0.01 m: keep it from 0, which is solid, to less than the radius, 0.01 m there.",
    ),
    (scene(rod(inner_radius=np.full(10, -0.001))), "Rope", "'Rope': the inner radius at point 0 is -0.001 m: keep it"),
    (scene(rod(inner_radius=np.full(10, NAN))), "Rope", "the inner radius of point 0 is not a number: give a finite"),
    (scene(rod(inner_radius=np.zeros(9))), "Rope", "inner_radius has the shape (9,) in place of (10,): give one value"),
    (scene(rod(spin_factor=-1.0)), "Rope", "'Rope': spin factor is -1: keep it between 0.001 and 1e+09."),
    (scene(rod(aspect=0.0)), "Rope", "'Rope': aspect is 0: keep it between 1e-06 and 1e+06."),
    (scene(rod(**spoilt("mass", 2, 0.0))), "Rope", "the mass at point 2 is 0 kg: it has to be greater than zero."),
    (scene(rod(**spoilt("bend_stiffness", (6, 1), 0.0))), "Rope", "the bend stiffness at point 6 is 0 N m²"),
    (scene(rod(**spoilt("twist_stiffness", 6, -2.0))), "Rope", "the twist stiffness at point 6 is -2 N m²"),
    (scene(rod(stretchable=True, **spoilt("stretch_stiffness", 1, 0.0))), "Rope", "the stretch stiffness is 0 N"),
    (scene(rod(rest_length_factor=0.0)), "Rope", "rest length factor is 0: keep it between 0.001 and 1000."),
    (scene(rod(model="cable", natural_curvature=np.zeros(3))), "Rope", "natural_curvature has the shape (3,) in place"),
    (scene(rod(shape_memory=1.5)), "Rope", "'Rope': shape memory is 1.5: keep it between 0 and 1."),
    (scene(rod(internal_damping=-1.0)), "Rope", "'Rope': internal damping is -1: keep it between 0 and"),
    (scene(rod(drag_coefficient=NAN)), "Rope", "'Rope': drag coefficient is nan: keep it between 0 and"),
    (scene(rod(friction=-0.1)), "Rope", "'Rope': friction is -0.1: keep it between 0 and"),
    (scene(rod(x=moved(4, X[5]))), "Rope", "points 4 and 5 are 0 m apart, in the same place: merge them"),
    (scene(rod(closed=True, x=moved(9, X[0]))), "Rope", "points 9 and 0 are 0 m apart, in the same place"),
    (scene(rod(rest_x=moved(4, X[5]))), "Rope", "'Rope': rest points 4 and 5 are 0 m apart, in the same place"),
    (scene(rod(x=moved(5, X[3] + 1e-3))), "Rope", "'Rope' folds back on itself at point 4 (turning by 180°)"),
    (scene(rod(m1=X[1] - X[0])), "Rope", "m1 points along the first edge: give a direction across it."),
    (scene(rod(m1=np.zeros(3))), "Rope", "m1 points along the first edge: give a direction across it."),
    (scene(rod(rest_x=2.0 * X, rest_m1=X[1] - X[0])), "Rope", "'Rope': rest_m1 points along the first edge"),
    (scene(pins=[pin(rod=1)]), "Hook", "'Hook' holds rod 1, but there are 1: choose one of them."),
    (scene(pins=[replace(pin(), vertex=10)]), "Hook", "holds point 10 of 'Rope', which has 10: choose one of them."),
    (scene(pins=[replace(pin(), mode="CLAMP")]), "Hook", "the mode 'CLAMP': choose one of POSITION, DIRECTION, TWIST."),
    (
        scene(pins=[pin(times=np.array([0.0, 0.0]), position=np.tile(X[0], (2, 1)))]), "Hook",
        "'Hook': the times of its 2 samples have to increase.",
    ),
    (scene(pins=[pin(position=np.array([[0.0, NAN, 0.0]]))]), "Hook", "'Hook': its place is not a number at 0 s"),
    (scene(pins=[pin(rotation=np.ones(4))]), "Hook", "its rotation has the shape (4,) in place of (1, 4): check"),
    (scene(pins=[pin(rotation=np.zeros((1, 4)))]), "Hook", "'Hook': its rotations have to be unit quaternions"),
    (scene(pins=[pin(influence=np.array([1.2]))]), "Hook", "its influence reaches 1.2: keep it between 0 and 1."),
    (
        scene(pins=[pin(influence=np.array([0.5]), max_force=np.inf)]), "Hook",
        "'Hook' never yields, so it cannot have an influence of 0.5: give it a largest force.",
    ),
    (
        scene(pins=[pin(times=np.array([0.0, 1.0]), position=X[[0, 0]], influence=np.array([0.0, 1.0]))]), "Hook",
        "'Hook' never yields, so it cannot have an influence that rises again: give it a largest force.",
    ),
    (scene(pins=[pin(max_force=0.0)]), "Hook", "'Hook': the largest force is 0 N: it has to be greater than zero."),
    (
        scene(pins=[pin(position=X[:1] + 0.3)]), "Hook",
        "'Hook' starts 0.5196 m from the point 0 of 'Rope' that it holds: move one to the other at the first frame.",
    ),
    (
        scene(pins=[pin(), pin(name="Nail")]), "Nail",
        "'Nail' and 'Hook' hold the same point 0 of 'Rope': remove one of them or move it along the rod.",
    ),
    (scene(pins=[pin(4, "DIRECTION"), pin(5, name="Nail")]), "Nail", "'Nail' and 'Hook' hold the same point 5"),
    (scene(rod(leaf_area=np.linspace(1.0, -0.2, 10))), "Rope", "the leaf area at point 9 is -0.2 m²: it must not be"),
    (scene(rod(rougher=np.linspace(1.0, -0.2, 10))), "Rope", "the factor of its friction is -0.2 somewhere: give 0 or"),
    (scene(rod(rougher=np.ones(10), model="cable")), "Rope", "hangs as a cable, whose friction is the same all along"),
    (keyed_jelly(scheme="FEHLBERG", damping=[1.0, 2.0]), "Jelly", "that go with time are not for FEHLBERG: choose VER"),
    (keyed_jelly(length=[1.0, 2.0]), "Jelly", "a soft body has no rest length that goes with time: leave it out."),
    (keyed_jelly(balanced=True, stretching=[2.0, 1.0]), "Jelly", "with the stiffness of the start: let its keys begin"),
    (scene(rod(weights=np.ones(5))), "Rope", "'Rope' has weights of the shape (5,): give one each for gravity, wind,"),
    (scene(rod(weights=np.array([1, 1, -0.5, 1, 1, 1]))), "Rope", "weight for force is -0.5: it must not be negative."),
    (scene(rod(weights=np.array([1, 1, 1, 1, 1, NAN]))), "Rope", "its weight for drag is nan: it must not be"),
    (bodies(body(mass=-1.0)), "Lamp", "'Lamp': its mass is -1 kg: it has to be greater than zero."),
    (bodies(body(mass=NAN)), "Lamp", "'Lamp': its mass is nan kg: it has to be greater than zero."),
    (bodies(body(position=(0.0, NAN, 0.0))), "Lamp", "'Lamp': its place is not a number: give a finite position."),
    (bodies(body(v=np.zeros(2))), "Lamp", "'Lamp': its velocity has the shape (2,) in place of (3,)"),
    (bodies(body(omega=np.full(3, np.inf))), "Lamp", "'Lamp': its spin is not a number: give a finite omega."),
    (bodies(body(inertia=np.eye(2))), "Lamp", "'Lamp': its inertia has the shape (2, 2) in place"),
    (bodies(body(drag_area=-0.1)), "Lamp", "'Lamp': its drag area is -0.1 m²: it must not be negative."),
    (bodies(body(volume=-0.1)), "Lamp", "'Lamp': its volume is -0.1 m³: it must not be negative."),
    (bodies(body(weights=np.full(6, -1.0))), "Lamp", "'Lamp': its weight for wind is -1: it must not be negative."),
    (bodies(body(mass=0.0)), "Lamp", "'Lamp' has the mass 0 kg and no rod is tied to it: give it a mass."),
    (bodies(led(mass=0.0), welds=[weld()]), "Crane", "'Crane' has the mass 0 kg but follows an animation: give it"),
    (bodies(body(inertia=np.eye(3) + np.eye(3, k=1))), "Lamp", "'Lamp': its inertia is not symmetric: give that of"),
    (bodies(body(inertia=np.diag([0.0, 1.0, 1.0]))), "Lamp", "smallest moment of inertia is 0 kg m²: it has to be"),
    (bodies(body(inertia=np.diag([-0.1, 1.0, 1.0]))), "Lamp", "smallest moment of inertia is -0.1 kg m²"),
    (bodies(body(inertia=np.diag([0.1, 0.2, 0.31]))), "Lamp", "(0.1, 0.2, 0.31 kg m²) one is more than the other two"),
    (bodies(led(turn=None)), "Crane", "'Crane' has times but not both a track and turns: give both or neither."),
    (
        bodies(led(times=np.zeros(2), track=np.zeros((2, 3)), turn=np.ones((2, 4)))), "Crane",
        "'Crane': the times of its 2 samples have to increase.",
    ),
    (bodies(led(track=np.full((1, 3), NAN))), "Crane", "its place is not a number at 0 s: check the body's animation."),
    (bodies(led(turn=np.ones((1, 4)))), "Crane", "'Crane': its rotations have to be unit quaternions (w, x, y, z)."),
    (bodies(led(shape=box().shape)), "Crane", "'Crane' follows an animation, so its shape would touch nothing: "),
    (bodies(led(track=np.full((1, 3), 0.1))), "Crane", "'Crane' is 0.1732 m from where its animation starts: move it"),
    (bodies(box(points=np.ones((3, 2)))), "Lamp", "'Lamp': the points of its shape have the shape (3, 2) in place of"),
    (bodies(box(triangles=np.zeros((0, 3), int))), "Lamp", "the triangles of its shape have the shape (0, 3) in place"),
    (bodies(box(triangles=np.eye(3))), "Lamp", "the triangles of its shape have the shape (3, 3)"),
    (bodies(box(points=np.diag([1.0, NAN, 1.0]))), "Lamp", "'Lamp': the place of its shape's point 1 is not a number"),
    (bodies(box(points=1e30 * np.eye(3))), "Lamp", "'Lamp': its shape's distance from the origin is 1e+30 m, but at"),
    (bodies(box(triangles=np.array([[0, 1, 3]]))), "Lamp", "'Lamp': its shape has a triangle at point 3, but 3 points"),
    (bodies(box(triangles=np.array([[0, -1, 2]]))), "Lamp", "'Lamp': its shape has a triangle at point -1, but 3"),
    (bodies(box(radius=-0.1)), "Lamp", "'Lamp': the radius of its shape is -0.1 m: keep it between 0 and 1000 m."),
    (bodies(box(radius=NAN)), "Lamp", "'Lamp': the radius of its shape is nan m: keep it between 0 and 1000 m."),
    (
        bodies(box(triangles=np.array([[0, 1, 1]]))), "Lamp",
        "'Lamp': its shape has neither a face with an area nor a radius, so nothing can touch it: give it one of them.",
    ),
    (
        bodies(tetrahedron("Lamp", 1.0), tetrahedron("Shade", 1.0, 1.0)), "Lamp",
        "mm into 'Shade': move them apart, turn on Push Apart, or turn off Collisions of one of them.",
    ),
    (
        bodies(tetrahedron("Lamp", 1.0), tetrahedron("Bulb", 0.1)), "Lamp",
        "'Lamp' and 'Bulb' are inside each other: move one out.",
    ),
    (
        bodies(tetrahedron("Lamp", 1.0), tetrahedron("Shade", 1.0)), "Shade",
        "'Lamp' and 'Shade' are exactly in the same place: move one or remove it.",
    ),
    (scene(rods=(rod(), rod(name="Twin"))), "Twin", "'Rope' and 'Twin' are exactly in the same place: move one"),
    (scene(rods=(rod(), rod())), "Rope", "'Rope' has two parts exactly in the same place: move one or remove it."),
    (bodies(body(friction=-0.1)), "Lamp", "'Lamp': its friction is -0.1: keep it between 0 and 100."),
    (bodies(body(restitution=1.1)), "Lamp", "'Lamp': its restitution is 1.1: keep it between 0 and 1."),
    (bodies(body(rolling_resistance=NAN)), "Lamp", "'Lamp': its rolling resistance is nan m: keep it between 0 and 1"),
    (scene(rod(rolls=True), treatment="SPRINGS"), "Rope", "Contact springs roll nothing, but 'Rope' is to: choose"),
    (scene(treatment="GLUE"), "scene", "The contact 'GLUE' is unknown: choose one of CONSTRAINTS, SPRINGS."),
    (bodies(box(), treatment="SPRINGS"), "Lamp", "but 'Lamp' is to collide: choose Constraints for contact."),
    (scene(solver="IMPLICIT", treatment="SPRINGS"), "scene", "but implicit steps are chosen: choose Constraints for"),
    (bodies(body(), welds=[weld(to=1)]), "Knot", "'Knot' is tied to body 1, but there are 1: choose one."),
    (bodies(body(), welds=[weld(rod=2)]), "Knot", "'Knot' holds rod 2, but there are 1: choose one of them."),
    (bodies(body(), welds=[weld(10)]), "Knot", "'Knot' holds point 10 of 'Rope', which has 10: choose one of them."),
    (bodies(body(), welds=[weld(mode="GLUE")]), "Knot", "the mode 'GLUE': choose one of POSITION, DIRECTION, TWIST."),
    (
        bodies(body(), welds=[weld(4), weld(5, name="Loop")]), "Loop",
        "'Loop' and 'Knot' hold the same point 5 of 'Rope': remove one of them or move it along the rod.",
    ),
    (bodies(body(), welds=[weld(8)], pins=[pin(9)]), "Knot", "'Knot' and 'Hook' hold the same point 9 of 'Rope'"),
    (
        bodies(body(), welds=[weld(4), weld(6, name="Loop")]), "Loop",
        "'Knot' and 'Loop' hold points 5 and 6 of 'Rope', between which nothing is left to move: hold it there once, "
        "or leave a free point between them.",
    ),
    (bodies(led(), welds=[weld(8, "POSITION")], pins=[pin(9)]), "Hook", "'Knot' and 'Hook' hold points 8 and 9"),
    (
        bodies(body(), one=rod(closed=True), welds=[weld(9), weld(1, name="Loop")]), "Loop",
        "'Knot' and 'Loop' hold points 0 and 1 of 'Rope'",
    ),
    (
        bench(4), "Leg 3",
        "and 'Leg 3' hold the same bodies together twice between 'Foot 3' and 'Top 3': remove one of these ties "
        "or leave a free point of the rod between them.",
    ),
    (gale(kind="MAGNET"), "Gale", "'Gale' is a field of kind 'MAGNET': choose one of WIND, FORCE, VORTEX, TURB"),
    (gale(rotation=np.ones((1, 4))), "Gale", "'Gale': its rotations have to be unit quaternions (w, x, y, z)."),
    (gale(strength=np.array([NAN])), "Gale", "'Gale': its strength is not a number: check the field's animation."),
    (gale(noise=-1.0), "Gale", "'Gale': its noise is -1: it has to be 0 or more."),
    (gale(size=0.0), "Gale", "'Gale': size has to be above 0."),
    (gale(size=np.ones(3)), "Gale", "'Gale': its size has the shape (3,): give one number for each time or for all."),
    (gale(strength=1e30), "Gale", "'Gale': its strength is 1e+30 m/s, but at most 10000 m/s can"),
    (gale(kind="FORCE", strength=1e30), "Gale", "'Gale': its strength is 1e+30 m/s², but at most 1e+07 m/s²"),
    (ground(times=np.zeros(2)), "Ground", "'Ground': the times of its 2 samples have to increase."),
    (ground(times=np.zeros(1)), "Ground", "'Ground': its points have the shape (2, 3, 3) in place of (1, …, 3)"),
    (ground(triangles=np.zeros((0, 3), int)), "Ground", "'Ground' has no faces to touch: give it some, or turn"),
    (ground(triangles=np.zeros((1, 4), int)), "Ground", "'Ground': its triangles have the shape (1, 4): give three"),
    (ground(triangles=np.array([[0, 1, 3]])), "Ground", "'Ground' has a triangle at point 3, but 3 points: choose one"),
    (ground(triangles=np.array([[0, 1, -1]])), "Ground", "'Ground' has a triangle at point -1, but 3 points"),
    (ground(rim=3), "Ground", "'Ground' turns by point 3, but has 3: choose one of them, or −1."),
    (ground(thickness=-0.1), "Ground", "'Ground': its thickness is -0.1 m: keep it between 0 and 1000 m."),
    (ground(thickness=NAN), "Ground", "'Ground': its thickness is nan m: keep it between 0 and 1000 m."),
    (ground(thickness=1e5), "Ground", "'Ground': its thickness is 100000 m: keep it between 0 and 1000 m."),
    (ground(friction=-0.1), "Ground", "'Ground': its friction is -0.1: keep it between 0 and 100."),
    (ground(friction=1e30), "Ground", "'Ground': its friction is 1e+30: keep it between 0 and 100."),
    (ground(points=at(1, NAN)), "Ground", "'Ground': the place of its point 1 is not a number at 0.1 s: check the"),
    (ground(points=at(0, 1e30)), "Ground", "'Ground': its distance from the origin is 1e+30 m"),
    (ground(points=at(1, 2e3)), "Ground", "'Ground': its speed at 0.1 s is 2e+04 m/s, but at most 10000 m/s can be"),
    (scene(gravity=np.array([0.0, 0.0, -1e30])), "scene", "The scene's gravity is 1e+30 m/s², but at most 1e+07 m/s²"),
    (scene(rod(x=moved(7, 1e30))), "Rope", "'Rope': point 7 is 1e+30 m from the origin, too far away to be simulated"),
    (scene(rod(x=X + 1e30)), "Rope", "'Rope': point 0 is 1e+30 m from the origin, too far away to be simulated"),
    (scene(rod(x=1e30 * X)), "Rope", "m from the origin, too far away to be simulated"),
    (scene(rod(x=X + 1e7)), "Rope", "m from the origin, too far away to be simulated with edges of 0.5"),
    (scene(rod(v=np.full((10, 3), 1e30))), "Rope", "'Rope': its speed is 1.73e+30 m/s, but at most 10000 m/s"),
    (scene(rod(**spoilt("mass", 2, NAN))), "Rope", "the mass of point 2 is not a number: give a finite mass[2]."),
    (bodies(body(v=np.array([0.0, 1e6, 0.0]))), "Lamp", "'Lamp': its speed is 1e+06 m/s, but at most 10000 m/s can be"),
    (bodies(body(omega=np.full(3, 1e9))), "Lamp", "'Lamp': its spin is 1.73e+09 rad/s, but at most 1e+06 rad/s"),
    (bodies(body(position=(1e30, 0.0, 0.0))), "Lamp", "'Lamp': its distance from the origin is 1e+30 m"),
    (
        scene(pins=[pin(times=np.arange(2.0), position=np.array([X[0], X[0] + 1e30]))]), "Hook",
        "'Hook': the distance of its place from the origin is 1.73e+30 m",
    ),
    (scene(pins=[pin(influence=np.array([NAN]))]), "Hook", "'Hook': its influence is not a number at 0 s: check the"),
    (
        scene(Rod.from_material("Rope", 1e-12 * X, 1e-14, RUBBER), frame_count=250), "Rope",
        "years, for 'Rope' needs steps of",
    ),
]  # fmt: skip


@pytest.mark.parametrize("name", FINE)
def test_fine(name):
    check(FINE[name])


@pytest.mark.parametrize(("bad", "about", "sentence"), BAD, ids=[sentence for _, _, sentence in BAD])
def test_refused(bad, about, sentence):
    with pytest.raises(SceneError) as caught:
        check(bad)
    text = str(caught.value)
    assert sentence in text
    assert caught.value.object == about
    assert "\n" not in text
    assert text.endswith(".")
    assert about == "scene" or f"'{about}'" in text


def test_every_sentence_is_tried():
    """As many places raise as are reached by the cases above."""
    places, reached = set(), set()
    for path in {*Path(validate.__file__).parent.glob("*.py")} - TRIED_ELSEWHERE:
        nodes = ast.walk(ast.parse(path.read_text()))
        places |= {(path.name, node.lineno) for node in nodes if isinstance(node, ast.Raise)}
    for bad, _, _ in BAD:
        with pytest.raises(SceneError) as caught:
            check(bad)
        reached.add((caught.traceback[-1].path.name, caught.traceback[-1].lineno + 1))
    assert reached == places


def test_sentences_call_models_as_the_interface_does():
    """Normal, Spinning, Hanging: who reads them looks for the name in a menu."""
    here = Path(validate.__file__).parent
    for path in [*here.glob("*.py"), *here.with_name("run").glob("*.py")]:
        tree = ast.parse(path.read_text())
        told = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, DOCUMENTED)}
        texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)} - told
        assert not [text for text in texts if isinstance(text, str) and ("Kirchhoff" in text or "Cosserat" in text)], (
            path
        )


def test_a_pin_holds_a_point_that_is_there():
    assert Pin.fixed(rod(), -1, rod=0).vertex == 9
    for vertex in (10, 99, -11):
        with pytest.raises(IndexError, match=f"'Rope' has no vertex {vertex}: choose one from 0 to 9."):
            Pin.fixed(rod(), vertex, rod=0)


def test_a_rod_drawn_to_a_point_is_told_by_its_radius():
    x = np.linspace([0.0, 0.0, 2.0], [1.0, 0.1, 2.0], 11)
    thin = Rod.from_material("Rope", x, np.linspace(0.01, 0.0, 11), RUBBER)
    with pytest.raises(SceneError, match="'Rope': the radius at point 10 is 0 m: it has to be greater than zero."):
        check(Scene((thin,), 0.04, 5))
