"""What one simulation is given: plain frozen descriptions in SI units, numpy only.

Symbols follow Bergou et al. 2008, *Discrete Elastic Rods*: a rod of n vertices has edges e^j from vertex j to j + 1
(n − 1 of them, or n when it is closed, the last one leading back to vertex 0). Its material frame on edge j is
(t, m₁, m₂); bending stiffness is given about these axes, `bend_stiffness[:, 0]` resists bending towards m₁.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self, cast

import numpy as np

from . import sections
from .materials import Material

PIN_MODES = ("POSITION", "DIRECTION", "TWIST")
FIELD_KINDS = ("WIND", "FORCE", "VORTEX", "TURBULENCE", "DRAG")
FIELD_SHAPES = ("POINT", "LINE", "PLANE")
FIELD_FALLOFFS = ("SPHERE", "TUBE", "CONE")
FIELD_SIDES = ("BOTH", "POSITIVE", "NEGATIVE")
TREATMENTS = ("CONSTRAINTS", "SPRINGS")  # of contact. SPRINGS: rods in explicit steps alone
ENERGIES = ("POLYCONVEX", "LIESENFELD")
ELEMENTS = ("SMOOTHED", "AFFINE")  # of soft bodies: see elements/domains
HOLDS = ("POINT", "PLANE", "LINE", "JOIN", "DISTANCE")
SCHEMES = ("VERLET", "FEHLBERG", "DORMAND_PRINCE")
FRACTIONS = {"PREVIEW": 0.8, "GOOD": 0.7, "FINE": 0.5}  # of a soft body's critical step, by VERLET
MODELS = ("kirchhoff", "cosserat", "cable")  # of rods
SOLVERS = ("AUTOMATIC", "EXPLICIT", "IMPLICIT")  # AUTOMATIC: see validate/forecast
QUALITIES = {"PREVIEW": 0.8, "GOOD": 0.6, "FINE": 0.3}  # fraction of a rod's largest stable step, explicit
DAMPED = (
    0.6  # largest fraction with internal damping of hinges, which leaves √½ of it stable: see rods/internal_damping
)
LONGEST_STEPS = {"PREVIEW": 1.0 / 48.0, "GOOD": 1.0 / 240.0, "FINE": 1.0 / 960.0}  # [s], implicit
LAST_TURNS = {"PREVIEW": 4e-2, "GOOD": 1e-3, "FINE": 1e-3}  # [rad] that an edge may turn by in Newton's last one
REACHES = {"PREVIEW": 1.8, "GOOD": 0.5, "FINE": 0.5}  # radii: largest relative way of rods, implicit
ACCEPT_AFTER = {"PREVIEW": 0, "GOOD": 5, "FINE": 5}  # Newton iterations before a knot may slide on later
ACCEPT_TURNS = {"PREVIEW": 0.5, "GOOD": 0.1, "FINE": 0.1}  # [rad] that an edge may turn by in the last of those
GIVE_UP_AFTER = {"PREVIEW": 5, "GOOD": 16, "FINE": 16}  # Newton iterations after which sliding has no end
ATMOSPHERE = 101325.0  # [Pa] around all things (ISO 2533), of what is sealed
LEAST_PIECE = 0.125  # of a piece, as an edge at a winch: with a kink φ there ½ φ² of it is lost. See rods/winch
THIRD_DIFFERENCE = 0.48  # weight of the third difference with keep_swing: see time_integration/bdf2


class InALine:
    """What has arrays: equal to itself alone, hashed so, and printed in a line, with the shape of its first array."""

    def __repr__(self) -> str:
        given = {column.name: getattr(self, column.name) for column in fields(cast(Any, self))}
        first = next((f": {np.shape(value)} {name}" for name, value in given.items() if np.ndim(value)), "")
        return f"<{type(self).__name__} {given.get('name', given.get('index'))!r}{first}>"


@dataclass(frozen=True, eq=False, repr=False)
class Load(InALine):
    """A force from outside on a thing, and on a rod or rigid body a torque, whatever that does.

    Sampled at times (k,) [s], increasing, linear in between, held beyond the ends: force (k, 3) [N] and torque (k, 3)
    [N m], world axes. nodes (m,): of a rod or soft body those that share the force, by their masses, as gravity is
    shared; and of a rod, but for a cable, the torque, which turns the edges at each, half each. arm (3,) [m]: where it
    acts on a rigid body, from RigidBody.position at the start, None: there; that place goes with the body. follows: so
    do the axes of force and torque, as they are at the start; neither on what hangs on cables.
    """

    name: str
    times: np.ndarray
    force: np.ndarray
    torque: np.ndarray | None = None
    nodes: np.ndarray | None = None
    arm: np.ndarray | None = None
    follows: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Keyed(InALine):
    """Numbers of a rod or soft body that go with time, on monotone cubics through samples (k,) at times (k,) [s],
    increasing, from the start, and held beyond. Each is times what the rod has, but for `twist` [rad], which is added
    to its natural twist, evenly; None: as the rod has it.

    length: of its rest length; its mass stays. bending: of its resistance to bending and twisting, stretching: to that.
    shape: of its rest shape's curvature and twist. What such a change does is work: see docs/physics/rods.md.
    Of a soft body or sheet: stretching, all of its stiffness, and damping, its relaxation time; it has no others.

    paid_out [m]: how much of an open rod is out of a winch at its vertex `winch`, 0 or −1, where an exact pin holds its
    position. As drawn so much of it is out as at the start; the rest, wherever it is drawn, lies at the pin.
    """

    name: str
    times: np.ndarray
    length: np.ndarray | None = None
    bending: np.ndarray | None = None
    stretching: np.ndarray | None = None
    shape: np.ndarray | None = None
    twist: np.ndarray | None = None
    damping: np.ndarray | None = None
    friction: np.ndarray | None = None
    paid_out: np.ndarray | None = None
    winch: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class Rod(InALine):
    """One elastic rod.

    Shapes (n vertices, m edges): x (n, 3) [m]; radius (n,) [m]; mass (n,) [kg]; bend_stiffness (m, 2) [N m²];
    twist_stiffness (n,) [N m²], at vertices; stretch_stiffness (m,) [N], used when `stretchable`.

    The material frame at the start is m₁ on the first edge, turned by the integrated twist (n,) [rad] at each vertex
    from edge to edge (ends of an open rod: 0). The rest shape is `rest_x` (None: as drawn, x and m1) with
    `rest_twist` along it (None: as drawn, or none along rest_x), made straight by `shape_memory` 0 and kept by 1;
    `rest_length_factor` scales its edges. `balanced` instead solves for the rest shape under which the start shape
    already hangs or stands in equilibrium with gravity.

    Of the section what touches and meets the air is the radius; `aspect` and `inner_radius` say besides how its mass is
    spread, which counts where the rod spins. Its stiffness and mass are those that are given.

    model, of MODELS: a Cosserat rod (Spillmann & Teschner 2007) is `stretchable`, `rolls`, and its twist has inertia:
    waves of it run along the rod, and it spins on. Its material frames are held along its edges by `parallel_stiffness`
    κ [N], and turn by `director_inertia` (m, 2) [kg m²], across edges and about them; None: see
    directors. A cable is in equilibrium between its pins at each frame, by gravity alone: it does not
    swing, meets no air, and nothing feels it (cables/). bend_limit [m]: to how small a radius it may be bent, 0: not
    known, tension_limit and transverse_limit [N]: how hard it may be pulled, and pressed across at a place; they change
    no motion, and are told of where they are exceeded. tautness [m]: √(B/T) of a cable that finds its
    own length, as if lengths cost a tension T (cables/own_length); 0: it keeps its length. natural_curvature (2,)
    [1/m] towards m₁ and m₂: of a cable that comes off a spool, all along what shape_memory leaves straight.

    weights (6,): how much gravity and each of FIELD_KINDS act on it.
    """

    name: str
    x: np.ndarray
    radius: np.ndarray
    mass: np.ndarray
    bend_stiffness: np.ndarray
    twist_stiffness: np.ndarray
    stretch_stiffness: np.ndarray
    closed: bool = False
    stretchable: bool = False
    m1: np.ndarray | None = None  # (3,), any direction across the first edge; None: chosen
    twist: np.ndarray | None = None  # (n,) [rad]
    rest_x: np.ndarray | None = None  # (n, 3) [m]
    rest_m1: np.ndarray | None = None  # (3,), m₁ on the first edge of rest_x
    rest_twist: np.ndarray | None = None  # (n,) [rad]
    shape_memory: float = 1.0
    rest_length_factor: float = 1.0
    v: np.ndarray | None = None  # (n, 3) [m/s], None: at rest
    internal_damping: float = 0.0  # [s], Kelvin–Voigt relaxation time of bending
    stretch_damping_factor: float = 1.0  # of a Cosserat rod: times that of bending, its relaxation time of stretching
    twist_damping_factor: float = 1.0  # and of torsion
    drag_coefficient: float = 0.0  # of the cylinder across the flow
    friction: float = 0.0  # Coulomb's coefficient; of a pair: the geometric mean
    rougher: np.ndarray | None = None  # (n,) factors of that, not of a cable's; None: ones
    balanced: bool = False
    touches: bool = True  # takes part in contact with rods, a cable in that of cables
    rolls: bool = False  # on what it touches: friction turns its material frame, and it is seen at the surface
    leaf_area: np.ndarray | None = None  # (n,) [m²] drag coefficient times area of leaves, the same from all sides
    weights: np.ndarray | None = None  # (6,), None: ones
    group: int = 0  # that it belongs to: see Scene.collision_filter
    aspect: float = 1.0  # of its section, whose half-width along m₁ is this times the radius: see sections
    inner_radius: np.ndarray | None = None  # (n,) [m] of a tube, None: solid
    spin_factor: float = 1.0  # of its inertia about itself, 1: as its mass is spread
    model: str = "kirchhoff"
    parallel_stiffness: float | None = None
    director_inertia: np.ndarray | None = None
    bend_limit: float = 0.0
    tension_limit: float = 0.0
    transverse_limit: float = 0.0
    tautness: float = 0.0
    natural_curvature: np.ndarray | None = None
    keyed: Keyed | None = None
    loads: tuple[Load, ...] = ()

    def __post_init__(self) -> None:
        if self.model == "cosserat":
            for name in ("stretchable", "rolls"):
                object.__setattr__(self, name, True)

    @classmethod
    def from_material(
        cls,
        name: str,
        x: np.ndarray,
        radius: np.ndarray | float,
        material: Material,
        *,
        aspect: float = 1.0,
        inner_radius: np.ndarray | float | None = None,
        closed: bool = False,
        factors: tuple[np.ndarray | float, np.ndarray | float] = (1.0, 1.0),
        **options: Any,
    ) -> Self:
        """A rod of elliptic section: half-width `radius` (n,) or scalar [m] along m₂, `aspect` times that along m₁.
        With an `inner_radius`, (n,) or scalar [m], it is a tube. `factors` of Young's modulus and of density are
        (m,), on edges, or one for all; twisted, the halves of edges that meet at a vertex are springs in series.
        Raises ValueError: shapes do not fit together.
        """
        x = np.ascontiguousarray(x, dtype=np.float64)
        if x.ndim != 2 or x.shape[1] != 3:
            raise ValueError(f"'{name}': x has the shape {x.shape} in place of (n, 3): give a place for each vertex.")
        radius = _at_vertices(name, "radius", radius, len(x))
        inner = np.zeros(len(x)) if inner_radius is None else _at_vertices(name, "inner_radius", inner_radius, len(x))
        ahead = np.roll(x, -1, axis=0) - x
        radius_edge, inner_edge = (0.5 * (each + np.roll(each, -1)) for each in (radius, inner))
        if not closed:
            ahead, radius_edge, inner_edge = ahead[:-1], radius_edge[:-1], inner_edge[:-1]
        length = np.linalg.norm(ahead, axis=1) * options.get("rest_length_factor", 1.0)
        section = sections.section(radius_edge, aspect, material, inner_edge)
        stiffness, weight = factors
        edge_mass = weight * section.mass_per_length * length
        mass = np.zeros(len(x))
        np.add.at(mass, np.arange(len(length)), 0.5 * edge_mass)
        np.add.at(mass, (np.arange(len(length)) + 1) % len(x), 0.5 * edge_mass)
        return cls(
            name=name, x=x, radius=radius, mass=mass, closed=closed, aspect=aspect,
            inner_radius=inner if inner.any() else None,
            bend_stiffness=np.broadcast_to(stiffness, len(length))[:, None] * section.bend_stiffness,
            twist_stiffness=(stiffness if np.ndim(stiffness) == 0 else _in_series(stiffness, length, closed))
            * sections.section(radius, aspect, material, inner).twist_stiffness,
            stretch_stiffness=stiffness * section.stretch_stiffness,
            **{"internal_damping": material.internal_damping, "drag_coefficient": material.drag_coefficient,
               "friction": material.friction, **options},
        )  # fmt: skip

    @property
    def gyration(self) -> np.ndarray:
        """(n,) [m²] by which mass at its vertices spins about itself: inertia over mass."""
        own: np.ndarray = sections.gyration(self.radius, self.aspect, self.inner_radius).sum(axis=1)
        return self.spin_factor * own

    @property
    def edge_count(self) -> int:
        return len(self.x) if self.closed else len(self.x) - 1

    def edges(self) -> np.ndarray:
        """Edge vectors (m, 3) [m] of the start shape."""
        ahead = np.roll(self.x, -1, axis=0) - self.x
        return ahead if self.closed else ahead[:-1]

    def lengths(self) -> np.ndarray:
        """(m,) [m] of its edges, without forces."""
        found: np.ndarray = np.linalg.norm(self.edges(), axis=1) * self.rest_length_factor
        return found


def _in_series(stiffness: np.ndarray | float, length: np.ndarray, closed: bool) -> np.ndarray:
    """(n,) of factors and lengths (m,) of edges, what those give at vertices whose halves are springs in series."""
    parts = np.stack([length, length / stiffness])
    parts = np.pad(parts, ((0, 0), (1, 0 if closed else 1)), "wrap" if closed else "edge")
    whole, compliance = parts[:, :-1] + parts[:, 1:]
    found: np.ndarray = whole / compliance
    return found


def _at_vertices(name: str, what: str, values: np.ndarray | float, n: int) -> np.ndarray:
    """Values (n,) of the rod `name`, given so or as one for all. Raises ValueError."""
    found = np.asarray(values, dtype=np.float64)
    if found.shape not in ((), (n,)):
        shape = f"{found.shape} in place of {(n,)}"
        raise ValueError(f"'{name}': {what} has the shape {shape}: give one for each vertex, or one for all.")
    return np.broadcast_to(found, (n,)).copy()


@dataclass(frozen=True, eq=False, repr=False)
class Pin(InALine):
    """Ties a vertex of a rod to a moving thing: where it is led, and how the thing has turned since the start.

    times (k,) [s], increasing, from the start; position (k, 3) [m] of the vertex; rotation (k, 4) unit quaternion
    (w, x, y, z), the turn since the start; influence (k,) in [0, 1]. POSITION leads the vertex, DIRECTION also the
    rod's tangent there, TWIST also its material frame. `max_force` [N] is where the pin yields; None:
    chosen, far above the rod's weight; infinity: it is exact, and where it is led it yields only when it pushes along
    the rod harder than that.

    At influence 0 the pin lets go of all it holds. In between it yields at so much of its force; direction and frame
    are held whole, but a rod that is taken up again is only turned to the target's direction as the influence grows to
    1. An exact pin is held or, from some time on, not.

    The pin of a cable need not start where the rod is drawn. `slides`: the cable runs through it without friction.
    """

    name: str
    rod: int
    vertex: int
    mode: str
    times: np.ndarray
    position: np.ndarray
    rotation: np.ndarray | None = None
    influence: np.ndarray | None = None
    max_force: float | None = np.inf
    slides: bool = False

    @classmethod
    def fixed(
        cls,
        held: Rod,
        vertex: int,
        mode: str = "POSITION",
        name: str = "wall",
        *,
        rod: int | None = None,
    ) -> Self:
        """A pin that holds vertex `vertex` of `held` where it is; −1 is the last.

        rod: the number of that rod in the scene; None: a Scene that `held` itself is in finds it. Raises IndexError,
        and ValueError where the mode is none.
        """
        count = len(held.x)
        if not -count <= vertex < count:
            raise IndexError(f"'{held.name}' has no vertex {vertex}: choose one from 0 to {count - 1}.")
        if mode not in PIN_MODES:
            raise ValueError(f"A pin of '{held.name}' has the mode {mode!r}: choose one of {', '.join(PIN_MODES)}.")
        vertex %= count
        number = cast(int, held) if rod is None else rod
        return cls(name, number, vertex, mode, np.zeros(1), held.x[vertex][None].copy())


@dataclass(frozen=True, eq=False, repr=False)
class Pulley(InALine):
    """A ring without mass, size or friction that a rod runs through: at the start that is its vertex `vertex`, between
    its ends. The rod is pulled alike on both sides; it bends freely in the ring, which hands on no twist.

    times (k,) [s], increasing, from the start, and position (k, 3) [m] lead it; body: the number of the RigidBody that
    carries it from where it is at the start, in place of these. A rod whose end runs out of it has left it for good.
    """

    name: str
    rod: int
    vertex: int
    times: np.ndarray
    position: np.ndarray
    body: int | None = None

    @classmethod
    def fixed(cls, rod: Rod, vertex: int, name: str = "pulley", *, number: int = 0, body: int | None = None) -> Self:
        """One where vertex `vertex` of a rod, the scene's rod `number`, is; body: that carries it, None: it stays."""
        return cls(name, number, vertex % len(rod.x), np.zeros(1), rod.x[vertex][None].copy(), body)


@dataclass(frozen=True, eq=False, repr=False)
class Shape(InALine):
    """What of a rigid body touches: a surface of triangles and all within `radius` [m] of it.

    points (V, 3) [m], in world axes, where they are at the start; triangles (T, 3), numbers of points. A triangle
    (a, b, b) is a segment, (a, a, a) a point: with a radius, a capsule and a sphere. Without one the surface, whose
    triangles look outwards, is rounded from within as little as contact needs.
    """

    points: np.ndarray
    triangles: np.ndarray
    radius: float = 0.0


@dataclass(frozen=True, eq=False, repr=False)
class RigidBody(InALine):
    """A rigid body: dynamic, moved by forces, kinematic, moved as its track says, or suspended.

    position (3,) [m] of its centre of mass and inertia (3, 3) [kg m²] about it, in world axes, at the start. A body of
    mass 0 is a coupler: it has the mass of the rods' vertices that are welded to it. `times` (k,) [s], increasing,
    `track` (k, 3) [m] and `turn` (k, 4), the unit quaternion (w, x, y, z) since the start, make it kinematic.
    drag_area [m²]: drag coefficient times area. weights (6,): as a Rod's. volume [m³]: of the air that it displaces;
    None: what its shape encloses.

    suspended: cables that are welded to it and its weight alone have it where it is, at rest with them at each frame;
    where cables join, it is a ramification. With its shape it touches cables, colliders, the floor and others that are
    suspended.

    shape: the surface that touches rods, colliders and other bodies; None: nothing touches it. A kinematic body has
    none: a Collider that moves as it does touches in its place. friction: as a Rod's. restitution: the speed at which
    the body leaves what it strikes, over the speed at which it came; of a pair the geometric mean, with colliders and
    the floor its own. rolling_resistance [m]: torque against rolling and spinning, over the force that presses.
    """

    name: str
    position: np.ndarray
    mass: float
    inertia: np.ndarray
    v: np.ndarray | None = None  # (3,) [m/s] of the centre of mass, None: at rest
    omega: np.ndarray | None = None  # (3,) [rad/s], world axes
    drag_area: float = 0.0
    times: np.ndarray | None = None
    track: np.ndarray | None = None
    turn: np.ndarray | None = None
    weights: np.ndarray | None = None
    shape: Shape | None = None
    friction: float = 0.5
    restitution: float = 0.0
    rolling_resistance: float = 0.0
    group: int = 0  # see Scene.collision_filter
    volume: float | None = None
    suspended: bool = False
    loads: tuple[Load, ...] = ()

    @property
    def kinematic(self) -> bool:
        """Whether it follows an animation in place of the forces."""
        return self.times is not None


@dataclass(frozen=True, eq=False, repr=False)
class Weld(InALine):
    """Joins a place of a rod to a rigid body, as they are at the start.

    At an end of an open rod that end is welded, elsewhere the edge from `vertex` to the next. mode as a Pin's: POSITION
    holds the vertex alone (a ball joint), DIRECTION the tangent too, TWIST also the material frame.

    place (3,) [m] and turn (4,): where the body holds a cable at the start, and turned how, a unit quaternion
    (w, x, y, z), from how that is drawn; None: where, and as, it is drawn.
    """

    name: str
    body: int
    rod: int
    vertex: int
    mode: str = "TWIST"
    place: np.ndarray | None = None
    turn: np.ndarray | None = None


@dataclass(frozen=True)
class Floor:
    """A horizontal plane: z ≥ height [m], with Coulomb friction."""

    height: float
    friction: float = 0.3


@dataclass(frozen=True, eq=False, repr=False)
class Collider(InALine):
    """A kinematic surface of triangles, which nothing passes from either side.

    triangles (T, 3), numbers of its points, which are at points (k, V, 3) [m] at times (k,) [s], increasing, and on
    straight lines in between (float32 or a memory map do as well). thickness [m]: how far off the surface things stay
    beside their own radius; friction as a Rod's. aside: of one that stands for what moved as it was baked, its group
    while things that cannot give way to it go through it; −1: nothing ever does.

    A triangle (a, b, b) is an edge alone, and so a round bar, of the thickness as its radius: see `cylinder`. rim: the
    point that goes around such edges as the bars turn about them; −1: they do not.
    """

    name: str
    triangles: np.ndarray
    times: np.ndarray
    points: np.ndarray
    thickness: float = 0.0
    friction: float = 0.5
    group: int = 0  # see Scene.collision_filter
    aside: int = -1
    rim: int = -1

    @classmethod
    def cylinder(
        cls,
        name: str,
        times: np.ndarray,
        ends: np.ndarray,
        radius: float,
        rim: np.ndarray | None = None,
        **options: Any,
    ) -> "Collider":
        """A cylinder without facets about the line between two ends (k, 2, 3) [m] at times (k,) [s], as long as that:
        far beyond all that it meets, it has no end. rim (k, 3) [m]: a point that goes around with it, None: it does not
        turn; in a frame it turns by less than half a turn, from where samples have it at its begin to its end.
        """
        points = ends if rim is None else np.concatenate([ends, np.asarray(rim)[:, None]], axis=1)
        bar = np.array([[0, 1, 1]])
        return cls(name, bar, times, points, thickness=radius, rim=-1 if rim is None else 2, **options)


@dataclass(frozen=True, eq=False, repr=False)
class SoftBody(InALine):
    """A viscoelastic body of tetrahedra (Liesenfeld & Stolfi 1997).

    x (n, 3) [m]; tetrahedra (t, 4), their nodes, such that (x₁ − x₀)·(x₂ − x₀)×(x₃ − x₀) > 0, of 0, 1, 2, 3; density
    [kg/m³] of the relaxed body; young [Pa] and poisson for small strain. zeta and mu [Pa s]: bulk and shear viscosity.
    stiffness and weight (n,), None: ones, are factors of both moduli and viscosities, and of density, at nodes; a
    tetrahedron has the means of its own. rest_x: the relaxed shape, (n, 3), or (t, 4, 3) of each tetrahedron by itself,
    None: as drawn. `balanced` instead solves for the relaxed shapes of tetrahedra under which the start is in
    equilibrium with gravity, where what holds exactly may hold it; masses stay the same. energy, of ENERGIES:
    POLYCONVEX, or eq. (16) as printed, which folds where it is stretched far. elements, of ELEMENTS: strains SMOOTHED
    over edges, or those of each tetrahedron by itself, AFFINE as printed, which bends too stiffly.

    pressure [Pa], of the gas within, more than that all around (negative: less): one for all times, or (k,) at
    times (k,) [s], increasing, linear in between, held beyond the ends. It acts on the walls of the cavities
    that tetrahedra enclose; where there are none, the pores of the whole are full of it. sealed: no gas comes or goes
    but by `pressure`, which then is what it would be in the drawn volume: p V of all of it stays (Boyle). gas_density
    [kg/m³], None: that of what is all around: by what it is lighter than that, a cavity is lifted. The weight that
    `weights` give counts for the material alone.
    """

    name: str
    x: np.ndarray
    tetrahedra: np.ndarray
    density: float
    young: float
    poisson: float
    zeta: float = 0.0
    mu: float = 0.0
    stiffness: np.ndarray | None = None
    weight: np.ndarray | None = None
    rest_x: np.ndarray | None = None
    balanced: bool = False
    v: np.ndarray | None = None  # (n, 3) [m/s], None: at rest
    energy: str = "POLYCONVEX"
    elements: str = "SMOOTHED"
    friction: float = 0.0  # Coulomb's coefficient; of a pair: the geometric mean
    thickness: float = 0.0  # [m] by which its surface is rounded, for contact; 0: a small part of its triangles' size
    drag_coefficient: float = 0.0  # for the area that it shows the air
    weights: np.ndarray | None = None  # (6,), None: ones; as a Rod's
    group: int = 0  # see Scene.collision_filter
    pressure: np.ndarray | float = 0.0
    times: np.ndarray | None = None
    sealed: bool = False
    gas_density: float | None = None
    loads: tuple[Load, ...] = ()
    keyed: Keyed | None = None

    def relaxed(self) -> np.ndarray:
        """Corners of each tetrahedron (t, 4, 3) [m], relaxed."""
        rest = self.x if self.rest_x is None else np.asarray(self.rest_x)
        return rest if rest.ndim == 3 else rest[self.tetrahedra]


def at_elements(factor: np.ndarray | None, element: np.ndarray) -> np.ndarray:
    """(e,) of a factor at nodes (n,) the means over elements with these nodes (e, k); None: ones."""
    return np.ones(len(element)) if factor is None else np.asarray(factor, np.float64)[element].mean(axis=1)


@dataclass(frozen=True, eq=False, repr=False)
class Sheet(SoftBody):
    """A plate that bends and stretches, of triangles (t, 3) in place of tetrahedra, which go round in one sense.

    plate [m]: how thick it is, times `thicker` (n,) at nodes, None: ones; `thickness` is what it is rounded by for
    contact, on both sides, 0: half of the plate, or a small part of its triangles' size where that is more. rest_x
    (n, 3): its relaxed shape. curvature (t, 3, 3) [1/m], None: none: symmetric tensors in the planes of triangles,
    added to the relaxed shape's own. relaxation [s]: damping, whose stress is that of the rates of strain times it.
    membrane: a factor of its stiffness in its own plane alone: with less, what is stiff takes longer steps, and
    stretches.
    """

    tetrahedra: np.ndarray = field(default_factory=lambda: np.zeros((0, 4), np.int64), kw_only=True)
    triangles: np.ndarray = field(kw_only=True)
    plate: float = field(kw_only=True)
    thicker: np.ndarray | None = None
    curvature: np.ndarray | None = None
    relaxation: float = 0.0
    membrane: float = 1.0

    def wave_speed(self) -> float:
        """[m/s] in its plane, √(k E/(1 − ν²)ρ), k that of its membrane: the fastest."""
        stiffness, weight = (at_elements(factor, self.triangles) for factor in (self.stiffness, self.weight))
        stiffest = float((stiffness / weight).max())
        return float(np.sqrt(self.membrane * self.young * stiffest / (1.0 - self.poisson**2) / self.density))

    def volumes(self) -> np.ndarray:
        """(t,) [m³] of its triangles, relaxed."""
        return 0.5 * self._sizes()[0] * self.plate * at_elements(self.thicker, self.triangles)

    def masses(self) -> np.ndarray:
        """(t,) [kg] of its triangles."""
        return self.density * at_elements(self.weight, self.triangles) * self.volumes()

    def smallest_height(self) -> float:
        """[m] of its triangles, relaxed."""
        twice, longest = self._sizes()
        return float((twice / longest).min())

    def _sizes(self) -> tuple[np.ndarray, np.ndarray]:
        """(t,) twice the areas of its triangles [m²], and their longest edges [m]."""
        p = np.asarray(self.x if self.rest_x is None else self.rest_x, np.float64)[self.triangles]
        longest = np.linalg.norm(p - np.roll(p, 1, axis=1), axis=2).max(axis=1)
        return np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1), longest


@dataclass(frozen=True, eq=False, repr=False)
class Hold(InALine):
    """An equation that a node of a soft body keeps, by force: exactly, or as a spring of `stiffness` [N/m].

    kind, of HOLDS: POINT leads the node along its track; PLANE and LINE keep it on the plane across, or the line along,
    `direction` (3,) through the track's point; JOIN keeps it where another node is, DISTANCE as far from that as drawn.
    times (k,) [s], increasing, and track (k, 3) [m] lead what is held to, on smooth curves; None: where the node is
    drawn. It lets go at the time `release` [s].

    influence (k,) in [0, 1], of what is led, weakens a spring. What holds exactly does so until it first falls below 1,
    then and ever after as a spring as stiff as the node's own tetrahedra, damped, that pulls no more than they bear.
    """

    name: str
    kind: str
    solid: int
    node: int
    other: tuple[int, int] | None = None  # (solid, node) of JOIN and DISTANCE
    direction: np.ndarray | None = None
    times: np.ndarray | None = None
    track: np.ndarray | None = None
    stiffness: float = np.inf
    release: float = np.inf
    influence: np.ndarray | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Tie(InALine):
    """Joins nodes of a soft body to a rigid body, or to a vertex of a rod, as they are at the start.

    nodes (k,). To a body: each of them goes where the body takes it. To a vertex, (rod, vertex): that point among the
    nodes where the vertex is at the start stays there, and what it joins turns freely about it.
    """

    name: str
    solid: int
    nodes: np.ndarray
    body: int | None = None
    vertex: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False, repr=False)
class ForceField(InALine):
    """One of Blender's force fields: where it is and points, and what shapes it.

    Sampled at times (k,) [s], increasing, linear in between: position (k, 3) [m], rotation (k, 4), unit quaternions
    (w, x, y, z) from its axes to the world's, and every number, as (k,) or one for all times.

    strength: of WIND the speed of the air along the field's z [m/s]; FORCE away from it [m/s²], with `gravitation`
    over the square of the distance in `unit`s; VORTEX around z per distance [1/s]; TURBULENCE [m/s²]. DRAG has
    linear_drag [1/s] and quadratic_drag [1/m] instead. flow [1/s] brakes (not WIND, whose air does). noise is added to
    the strength at random, anew every frame.

    What distances count from is the field's origin (shape POINT), its z axis (LINE) or its xy plane (PLANE; makes a
    VORTEX lead things around instead of accelerating them). Strength falls off as (1 + (d − min_distance)/unit)^−power
    beyond min_distance and ends at max_distance [m], with d the distance (falloff SPHERE) or, along z alone, |z|; then
    also with the radial numbers across z: distance (TUBE) or angle from z in degrees (CONE).
    """

    name: str
    kind: str  # of FIELD_KINDS
    times: np.ndarray
    position: np.ndarray
    rotation: np.ndarray
    strength: np.ndarray | float = 0.0
    shape: str = "POINT"  # of FIELD_SHAPES
    falloff: str = "SPHERE"  # of FIELD_FALLOFFS
    side: str = "BOTH"  # of FIELD_SIDES: where along z it acts
    power: np.ndarray | float = 0.0
    min_distance: np.ndarray | float = 0.0
    max_distance: np.ndarray | float = np.inf
    radial_power: np.ndarray | float = 0.0
    radial_min: np.ndarray | float = 0.0
    radial_max: np.ndarray | float = np.inf
    noise: np.ndarray | float = 0.0
    seed: int = 1
    flow: np.ndarray | float = 0.0
    size: np.ndarray | float = 1.0  # [m] of TURBULENCE
    world_fixed: bool = False  # TURBULENCE does not move with its object
    gravitation: bool = False
    linear_drag: np.ndarray | float = 0.0
    quadratic_drag: np.ndarray | float = 0.0
    unit: float = 1.0  # [m]


def largest_fraction(quality: str, *rods: Rod) -> float:
    """Of the largest stable step of undamped rods, that these take together. Cosserat rods' own limit knows of their
    friction: see rods/spinning_step_limit.
    """
    damped = any(rod.internal_damping > 0.0 and rod.model != "cosserat" for rod in rods)
    return min(QUALITIES[quality], DAMPED) if damped else QUALITIES[quality]


@dataclass(frozen=True, eq=False, repr=False)
class Scene:
    """Everything one bake is given. Frame k is at time k · frame_duration; frame 0 is the (settled) start.

    Pins and welds name rods by their number in `rods`; where one names a Rod itself, its number takes its place.
    """

    rods: tuple[Rod, ...]
    frame_duration: float  # [s]
    frame_count: int  # including frame 0
    pins: tuple[Pin, ...] = ()
    bodies: tuple[RigidBody, ...] = ()
    welds: tuple[Weld, ...] = ()
    fields: tuple[ForceField, ...] = ()
    gravity: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, -9.81]))  # (3,) [m/s²]
    floor: Floor | None = None
    colliders: tuple[Collider, ...] = ()
    air_density: float = 1.2  # [kg/m³] of what is all around: it drags, lifts and is moved along (forces/buoyancy)
    contact: bool = True
    treatment: str = "CONSTRAINTS"  # of TREATMENTS
    settle: bool = False
    push_apart: bool = False  # bodies with initial overlap are moved apart first: see start/push_apart
    solver: str = "EXPLICIT"  # of SOLVERS
    quality: str = "GOOD"
    keep_swing: bool = False  # less numerical damping in implicit steps; explicit ones have none
    max_step: float = np.inf  # [s], an upper bound besides the solver's own
    solids: tuple[SoftBody, ...] = ()
    holds: tuple[Hold, ...] = ()
    ties: tuple[Tie, ...] = ()
    scheme: str = "VERLET"  # of SCHEMES: by which soft bodies step
    consistent_mass: bool = False  # of soft bodies, not by VERLET; else it is lumped
    tolerance: float = 1e-6  # of steps that adapt: see time_integration/runge_kutta
    pulleys: tuple[Pulley, ...] = ()
    collision_filter: tuple[tuple[int, int], ...] = ()  # groups, of things of any kind, that do not touch each other

    def __post_init__(self) -> None:
        for name in ("pins", "welds"):
            held = getattr(self, name)
            if isinstance(held, tuple | list) and any(isinstance(getattr(one, "rod", None), Rod) for one in held):
                object.__setattr__(self, name, tuple(map(self._numbered, held)))

    def _numbered(self, holder: Any) -> Any:
        """A Pin or Weld whose rod is a number; as it is where that is no rod of the scene, which `check` refuses."""
        number = next((k for k, rod in enumerate(self.rods) if rod is holder.rod), holder.rod)
        return holder if number is holder.rod else replace(holder, rod=number)

    def __repr__(self) -> str:
        counts = {column.name: getattr(self, column.name) for column in fields(self)}
        things = [f"{len(value)} {name}" for name, value in counts.items() if isinstance(value, tuple) and value]
        return f"<Scene: {', '.join([*things, f'{self.frame_count} frames'])}>"

    @property
    def deforming(self) -> tuple[Rod | SoftBody, ...]:
        """What nodes belong to, in the order in which Frames have them."""
        return (*self.rods, *self.solids)

    @property
    def fraction(self) -> float:
        """Of the largest stable step, that explicit steps take."""
        return largest_fraction(self.quality, *self.rods)

    @property
    def third_difference(self) -> float:
        """Its weight in implicit steps."""
        return THIRD_DIFFERENCE if self.keep_swing else 0.0


@dataclass(frozen=True, eq=False, repr=False)
class Frame(InALine):
    """What a simulation yields for each frame.

    x (N, 3) [m]: vertices of all rods, then nodes of all soft bodies, in scene order; m1 (M, 3): first material axes
    per edge of all rods.
    bodies (K, 7): of each rigid body the centre of mass [m] and its turn since the start (w, x, y, z).
    state: arrays by name from which `simulate` goes on at the next frame. contacts: how many pairs press on each other;
    overlap: of these the deepest, over the smaller radius. cables (C, M): of each cable, in scene order, what
    scenes/measured.py lists.
    """

    index: int
    x: np.ndarray
    m1: np.ndarray
    state: Mapping[str, np.ndarray]
    bodies: np.ndarray = field(default_factory=lambda: np.zeros((0, 7)))
    contacts: int = 0
    overlap: float = 0.0
    cables: np.ndarray = field(default_factory=lambda: np.zeros((0, 9)))


@dataclass(frozen=True)
class Notice:
    """Something an artist should know, in one sentence: which object, at which frame."""

    object: str
    frame: int
    text: str
