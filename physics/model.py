"""The shape of the data: the Model, which does not change, and the State, which does.

Each kind of thing has a table, a structured array with a row for each of them, beside which only what kernels stream,
or what has no rows, is an array of its own. (Passing an array costs the compiler far more than a column does.)

All rods share the nodes, the vertices in order; edges are numbered by the node they leave. Hinges, at which rods bend,
sit one at each node, between two frames: a rod of n vertices has n + 1 of them, each the material frame of the edge
before a vertex, the last that of the edge behind the last one. Of a closed rod the first frame and the last belong to
the same edge, met twice: that is how it closes. Of an open one they belong to ghost edges beyond its ends: a clamp at
an end is a hinge there whose outer edge, the ghost, has the clamp's direction (second order in the edge length); where
no clamp holds, that hinge is not.
The nodes of soft bodies are what their tetrahedra hang on, and belong to no rod.
Nodes that are welded to a rigid body are its slaves: they have no mass of their own and go where it goes.
"""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, get_type_hints

import numpy as np

from .compiling.by_reference import alike, by_reference


def table(**columns: Any) -> np.dtype:
    """The row of a table: name = type, or (type, shape)."""
    return np.dtype([(name, *(kind if isinstance(kind, tuple) else (kind,))) for name, kind in columns.items()], True)


def number(of: str) -> np.dtype:
    """The type of what numbers rows or places, see `rows_of`; a negative one: there is none."""
    return np.dtype(np.int64, metadata={"of": of})


def between(least: float, most: float) -> np.dtype:
    """The type of a whole number from `least` to `most`."""
    return np.dtype(np.int64, metadata={"of": (least, most)})


class Column(NamedTuple):
    """An array of State as it is declared: by that it is laid out, kept, joined, checked and taken over.

    of: what has a row in it, see `rows_of`, perhaps two kinds, one behind the other. kind: of a row; past: so many of
    it, of the steps before, the last one first. numbers: of columns of `kind` what they number here, where that does
    not say it. taken_over: by other settings. listing: of a list of pairs, which of State.listings tells how many are.
    """

    of: str
    kind: Any = float
    numbers: Mapping[str, str] = {}
    past: int = 0
    taken_over: bool = False
    listing: int = -1


VECTOR = (float, 3)


def changed(rows: np.ndarray, **columns: Any) -> np.ndarray:
    """A copy of a table with other values in some columns."""
    rows = rows.copy()
    for name, values in columns.items():
        rows[name] = values
    return rows


WORLD = table(
    gravity=(float, 3),  # [m/s²]
    air_density=float,  # [kg/m³]
    thinnest=float,  # smallest radius [m]
    radius=float,  # mean radius of what touches [m]
    skin=float,  # of what touches [m]; 0: no contact
    widest_skin=float,  # [m], of a list without pairs
    last_turn=float,  # [rad] that an edge may turn by in Newton's last iteration, which squares it
    reach=float,  # of the smaller radius: by how much rods may move against each other and surfaces in a step
    accept_after=np.int64,  # iterations until what slides goes on in the next step, where contact alone holds it bent
    accept_turn=float,  # [rad] by which edges may turn in the last of these
    give_up_after=np.int64,  # iterations after which that is taken to turn for good,
    preview=bool,  # and both wherever no bodies are
    springs=bool,  # what touches is pressed apart by springs: contact/contact_springs
    ample=np.int64,  # pairs: where a list has room for so many, a step that asks for more is tried shorter first
)
ROD = table(
    first=number("nodes"),  # node of vertex 0
    last=number("nodes"),  # node of the last vertex
    reeled=(between(0, np.inf), 2),  # vertices at either end that a winch there holds
    frame=number("frames"),  # before vertex 0
    first_clamp=number("clamps"),
    end_clamp=number("clamps"),  # behind the last of its clamps
    closed=bool,
    general=bool,  # material frames by Newton
    twisted=bool,  # isotropic and straight, its twist prescribed by both ends or by closing
    stretchable=bool,
    damped=bool,  # has internal damping
    welded=bool,  # welded to a rigid body, or runs through a pulley: its lengths are in the length system
    rolls=bool,  # friction turns its frames, which have inertia
    cosserat=bool,  # its frames are directors, with quaternions: see rods/director_forces
    segment=number("segments"),  # of its first frame; −1: it has none,
    bend=number("bends"),  # nor this first joint, at vertex 0, of a closed one at vertex 1
    implicit=bool,  # beside soft bodies, its steps are linearly implicit: see implicit/effective_mass
    twist_compliance=float,  # Σ l/2β [1/(N m)]
    natural_twist=float,  # Σ m̄ [rad]
    limit=float,  # largest ω² of the straight rod's bending and stretching [1/s²]
    lightest=float,  # vertex [kg]
    shortest=float,  # edge [m]
    longest=float,  # edge [m]
    bend_max=float,  # largest bending stiffness [N m²]
    grip=(float, 2),  # at least the mobility of its ghost edges, where bodies carry them, with all these hold [1/kg]
    group=number("groups"),  # see Model.collision_filter
)
NODE = table(
    mass=float,  # [kg], 0 of slaves
    w=float,  # inverse mass of a free node [1/kg], 0 of slaves
    radius=float,  # [m]
    friction=float,
    gravity=float,  # share of gravity that acts
    drag_area=float,  # [m²]
    leaf_area=float,  # [m²]
    rod=number("rods"),  # that it belongs to
    slave=number("slaves"),  # that a vertex is; −1: it moves by itself
    embedded=bool,  # drawn into a collider to stay there: it touches none
    padding=float,  # [m] so much nearer it may be to colliders: of their thickness what it was drawn into, see embedded
)
EDGE = table(
    length=float,  # at rest [m]
    stiffness=(float, 2),  # B [N m²]
    stretch=float,  # EA [N]
    spin=float,  # inertia of its turning about itself [kg m²], where its rod rolls
)
HINGE = table(
    bend=float,  # 8 α/l_i [N m], l_i = |e^{i−1}| + |e^i|; |e| at an end
    bending=(float, 4),  # B/l_i [N m] of the edge before and the edge behind
    rest_curvature=(float, 4),  # ω̄
    bent=float,  # ḡ, tan² of half the angle that it was drawn to turn by at rest: see elements/curved_hinge,
    rest_share=float,  # and μ̄
    twist_rate=float,  # 2β/l_i [N m]
    rest_twist=float,  # m̄ [rad]
    viscosity=float,  # [N m s]
)
SEGMENT = table(  # a frame of a Cosserat rod, and its edge, of ghosts without: see elements/spinning_segment
    tail=number("nodes"),
    head=number("nodes"),
    length=float,  # [m]
    stretch=float,  # EA [N]
    parallel=float,  # κ [N]
    viscosity=float,  # [N s]
)
BEND = table(  # a joint of a Cosserat rod, at a vertex: see elements/bending_and_torsion
    before=number("segments"),  # segment
    behind=number("segments"),
    sign=float,  # ±1
    length=float,  # [m] of its cell, at an end half an edge
    rest=(float, 3),  # û [1/m]
    stiffness=(float, 3),  # K [N m²]
    viscosity=(float, 3),  # [N m² s]
)
CLAMP = table(
    frame=number("frames"),  # that is prescribed
    grip=float,  # mobility [1/(kg m²)], at least, of the body that prescribes it, shared by all it holds; 0: a pin
)
PIN = table(
    node=number("nodes"),  # the vertex led
    rod=number("rods"),
    ghost=number("ghosts"),  # edge whose direction it gives, at an end; −1
    second=number("nodes"),  # inside a rod, the next vertex: it is led as well; −1
    frame=number("frames"),  # of the edge whose direction it holds so; −1 for POSITION
    clamp=number("clamps"),  # the clamp it turns; −1
    edge=(float, 3),  # that edge at the start [m]
    m1=(float, 3),  # first material axis on it at the start
    exact=bool,  # it holds whatever that takes; else it yields
    max_force=float,  # [N] where it yields, or would if it did
    mass=float,  # least mass of a yielding pin [kg]
    stiffness=float,  # [N/m], least force of its mass per displacement and step, m/Δt²
    tolerance=float,  # [m] how far it may lag before the artist is told
    first_sample=number("times"),
    end_sample=number("times"),  # behind its last sample
)
BODY = table(  # a rigid body that forces move; its axes are the principal ones
    mass=float,  # [kg], slaves included
    w=float,  # 1/mass [1/kg]
    inertia=(float, 3),  # principal moments [kg m²]
    gravity=float,  # share of gravity that acts
    drag_area=float,  # [m²]
    first_slave=number("slaves"),
    end_slave=number("slaves"),  # behind its last slave
    row=(number("unknowns"), 6),  # its unknowns, displacement and turn
    slot=(number("entries"), 3),  # entries xy, xz, yz of its inertia
    start=(float, 7),  # BODY_STATE's x and q at the start
)
SLAVE = table(
    node=number("nodes"),
    body=number("bodies"),
    arm=(float, 3),  # from the centre of mass, in the body's axes [m]
    grip=float,  # at least the mobility of all the body's slaves together [1/kg]
    edge=(number("links"), 2),  # links that leave it and that reach it; −1
)
WELD = table(  # of more than a vertex
    body=number("bodies"),
    rod=number("rods"),
    ghost=number("ghosts"),  # edge that the body carries; −1
    frame=number("frames"),  # of the edge whose direction it holds
    clamp=number("clamps"),  # its material frame; −1
    edge=(float, 3),  # in the body's axes [m]
    m1=(float, 3),  # in the body's axes
)
LINK = table(  # an edge of constant length on a welded rod: see constraints/length_system
    tail=number("nodes"),  # node the edge leaves, which numbers it
    head=number("nodes"),
    tail_slave=number("slaves"),  # slave that the tail is; −1
    head_slave=number("slaves"),
    row=number("unknowns"),  # unknown of its multiplier
    arm_slot=(number("entries"), (2, 6)),  # entries that couple it with the bodies of its tail and head
)
LINK_PAIR = table(  # links that share a free node
    one=number("links"), other=number("links"), node=number("nodes"), slot=number("entries")
)  # fmt: skip
PULLEY = table(  # a ring that a rod runs through: see constraints/pulleys. Those of one rod are in order along it
    rod=number("rods"),
    body=number("bodies"),  # that carries it; −1: it goes along a trajectory
    arm=VECTOR,  # from the centre of mass, in the body's axes [m]
    first_sample=number("times"),
    end_sample=number("times"),  # behind its last sample
    first_run=number("runs"),  # that of its rod's first edge
)
RUN = table(  # an edge of a rod and a pulley that it may run through
    link=number("links"),  # −1: none, for one body carries both its ends
    slot=(number("entries"), 6),  # entries that couple it with the pulley's body
)
CAPSULE = table(  # an edge that can touch, in rod order
    tail=number("nodes"),
    head=number("nodes"),
    rod=number("rods"),
    radius=float,  # [m]
    friction=float,
    arc=float,  # [m] of the midpoint along its rod, without forces
    successor=bool,  # the rod goes on behind the head
)
CHAIN = table(  # vertices of a rod that follow one another, with all that couples them: see implicit/chain_system
    rod=np.int64,
    vertex=np.int64,  # of the rod, that its block 0 is
    step=np.int64,  # from one block to the next: 1, or −1 where they go against the rod
    blocks=np.int64,  # vertices, the doubles of others' ones included
    size=np.int64,  # unknowns of each: 5, or 4 without material frames
    plain=bool,  # material frames matter only where something touches it: else it goes without
    row=np.int64,  # its first one of the matrix
    edge=(np.int64, 2),  # blocks before which an edge of the chain is: the first, and behind the last
    hinge=(np.int64, 2),  # blocks at which its hinges are
    own=(np.int64, 2),  # blocks that are no doubles
    tie=(np.int64, 2),  # its ties
    panels=np.int64,  # of unknowns of the border that it couples with
    cell=np.int64,  # the first of its couplings with them
    border=np.int64,  # the first of them in ChainSystem.border,
    pair=(np.int64, 2),  # and its pairs of them: the first in ChainSystem.pairs, and behind the last
    group=np.int64,  # of chains that the border joins
)
GROUP = table(first=np.int64, end=np.int64)  # its chains
TIE = table(  # a row of a chain that goes with unknowns of the border
    row=np.int32,
    kind=np.int32,  # OF_BODY, TURN, DOUBLE or DIRECTOR; those of a vertex that a body carries are three, x, y and z
    panel=np.int32,  # of the chain's that these unknowns are in,
    lane=(np.int32, 3),  # and which of it they are
    axis=np.int32,  # x, y or z; DIRECTOR: about which
    slave=np.int32,  # OF_BODY: that its vertex is
    ghost=np.int32,  # OF_BODY: the ghost edge whose far end it is; −1
    frame=np.int32,  # TURN: the material frame
    node=np.int32,  # DOUBLE: the vertex; −1: a frame; DIRECTOR: the segment
)
BORDER_PAIR = table(  # of unknowns of one body's or one chain's panels
    row=np.int32,  # of what that leaves of the border, see `linear/block_border`,
    lane=np.int32,  # and which of it,
    entry=np.int32,  # go to which one below the border's diagonal
)
OF_BODY, TURN, DOUBLE, DIRECTOR = range(4)
PANEL = 8  # unknowns of the border at a time: those of a body or of a closed rod's cut, and none
PLANE = table(  # endless: a wall's face
    point=(float, 3),  # [m] on it
    n=(float, 3),  # unit normal, to where things may be
    friction=float,
)
COLLIDER = table(
    vertex=(np.int64, 2),  # its first vertex, and that behind the last
    thickness=float,  # [m]
    friction=float,
    speed=float,  # of its fastest vertex [m/s]
    led=bool,  # it does not stand still all the time
    rim=np.int64,  # its vertex that goes around its edges without faces: see Collider.rim; −1,
    turn=float,  # and by how much in the present frame, from first to second end [rad]
    group=np.int64,  # see Model.collision_filter
    open=bool,  # of a soft body: a sheet, which is touched from both sides
)
FACE = table(  # a triangle of a collider
    corner=(np.int64, 3),  # its vertices
    edge=(np.int64, 3),  # of its edges those that are found with it; −1: with the face behind it
    vertex=(np.int64, 3),  # of its corners those that are found with it; −1: with another face
    collider=np.int64,
)
SURFACE_EDGE = table(
    end=(np.int64, 2),  # vertices
    opposite=(np.int64, 2),  # corners of its faces across it; −1: there is but one face
    collider=np.int64,
)
SURFACE_VERTEX = table(
    edge=(np.int64, 2),  # the first of its edges in Surfaces.neighbours, and behind the last
    collider=np.int64,
)
SHAPE = table(  # what of a body touches; all numbers but the last five are of Model.skins
    face=(np.int64, 2),  # its first face, and that behind the last; none: it touches nothing
    edge=(np.int64, 2),
    vertex=(np.int64, 2),
    tree=(np.int64, 2),  # rows of its boxes
    reach=float,  # of its furthest point from the centre of mass [m]
    scale=float,  # [m] against which overlaps are judged, as against a rod's radius,
    extent=float,  # but those with rods against the rod's radius, or the smallest extent [m]
    restitution=float,
    rolling=float,  # [m] arm of its rolling resistance
)


SOLID = table(  # a soft body
    node=(np.int64, 2),  # its first one, and behind its last
    size=float,  # [m] the diagonal of the box around it, as drawn
    speed=float,  # [m/s] of pressure waves, √((K + 4G/3)/ρ), the fastest
    viscous=bool,
    group=np.int64,  # the first body that holds join it with, itself perhaps: those of a group do not touch each other
    drag_coefficient=float,
    open=bool,  # a sheet, which meets the air on both sides
)
TETRAHEDRON = table(  # what of a soft body has mass, and must not turn inside out
    node=(np.int64, 4),
    volume=float,  # relaxed [m³]
    mass=float,  # [kg]
    height=float,  # the smallest, relaxed [m]
    collapse=float,  # modulus against it [Pa], 0 where its domain is itself: see solids/collapse
    solid=np.int64,
)
DOMAIN = table(  # where a soft body's deformation gradient is uniform: see elements/domains
    first=np.int64,  # of its rows of SLOPE
    end=np.int64,  # behind the last
    tetrahedron=np.int64,  # that it is, −1 where it is of several
    volume=float,  # relaxed [m³]
    bulk=float,  # modulus K [Pa]
    shear=float,  # modulus G [Pa]
    dilation=float,  # bulk viscosity ζ [Pa s]
    viscosity=float,  # shear viscosity μ [Pa s]
    paper=bool,  # its energy is eq. (16) as printed
    solid=np.int64,
)
SLOPE = table(  # how a domain's deformation gradient hangs on a node, F = Σ x ⊗ slope
    node=np.int64,
    slope=(float, 3),  # [1/m]
)
TRIANGLE = table(  # of a soft body's surface, counterclockwise from outside
    corner=(np.int64, 3),  # nodes
    solid=np.int64,
)
CHAMBER = table(  # that a soft body encloses, full of gas: see forces/pressure
    first=np.int64,  # of its rows of WALL
    end=np.int64,  # behind the last
    volume=float,  # as drawn [m³]
    ambient=float,  # pressure all around of a sealed one [Pa], 0: its pressure is given
    centre=(float, 3),  # [m] where that is told
    weight=(float, 3),  # of a cubic metre of gas, less that of what is around [N/m³]
    first_sample=np.int64,  # of the pressure, in place of an influence
    end_sample=np.int64,
)
WALL = table(corner=(np.int64, 3))  # nodes of a triangle around a chamber, counterclockwise from outside of that
PLATE = table(  # a triangle of a sheet: see elements/plate
    node=(np.int64, 3),
    edge=(np.int64, 3),  # across from each corner
    side=(float, 3),  # 1: the edge goes round in the triangle's sense, −1: against it
    area=float,  # of arcs at rest
    height=(float, 3),
    arc=(float, 3),  # squared, at rest
    trace=(float, 3),  # τ
    bend=(float, (3, 3)),  # K [J]
    shear=float,  # A h μ [J]
    bulk=float,  # A h λ [J]
    bent=(float, 3),  # ḡ [rad]
    mass=float,  # of a third of it [kg]
    relaxation=float,  # τ [s] of damping
    firm=float,  # times what it is, that `bend` is now: more where it is held
)
PLATE_EDGE = table(
    node=(np.int64, 2),
    faces=np.int64,  # how many triangles it bounds
    w=float,  # of its director's inertia [1/(kg m²)], 1/firm of its own where it is
    firm=float,  # likewise
)
PLATE_DIRECTOR = table(  # on a sheet's edge now
    t=(float, 3),  # direction of the edge
    r=(float, 3),  # the director
    rate=float,  # [rad/s] by which that turns about the edge, but for what it is carried along by
    torque=float,  # [N m]
    mode=float,  # as State.mode
)
ANCHOR = table(  # a node that is exactly where it is led
    node=np.int64,
    first_sample=np.int64,
    end_sample=np.int64,  # behind its last sample
    release=float,  # [s] when it lets go
)
CONSTRAINT = table(  # one equation: see solids/constraints
    node=(np.int64, 2),  # the second: −1, there is none
    direction=(float, 3),  # unit vector; zero: from the second node to the first
    length=float,  # [m] at which it is met
    stiffness=float,  # of a spring [N/m], at an influence of 1
    reach=float,  # [m] from which on a spring pulls no harder
    damping=float,  # of a spring [kg/s], at an influence of 1
    first_sample=np.int64,  # of where it is led; −1: it is not
    end_sample=np.int64,
    begin=float,  # [s] from when on a spring pulls
    release=float,  # [s] when it lets go
)
SOFT_TIE = table(  # of a soft body to a rod or a rigid body: see contact/soft_ties
    member=(np.int64, 2),  # the first of its nodes in Solids.members, and behind the last
    vertex=np.int64,  # of a rod, that it is to; −1: it is to
    body=np.int64,  # a rigid body,
    arm=(float, 3),  # at this point from its centre of mass, in its axes [m]
)
MEMBER = table(  # of a tie
    node=np.int64,
    share=float,  # how much of the point that is tied goes with it
    among=np.int64,  # ties to rigid bodies that it is in
)
COUPLING = table(node=np.int64, anchored=np.int64, mass=float)  # [kg] entry of the mass matrix of two nodes
CABLE = table(points=between(0, np.inf), handles=between(0, np.inf))  # how many a cable at rest has
KEYED = table(  # a rod with such: see rods/keyed_numbers
    rod=number("rods"),
    first_key=number("keys"),
    end_key=number("keys"),  # behind its last
    reels=between(-1, 1),  # a winch: 1 at its first vertex, −1 at its last one, 0: it has none
)
KEY = table(
    time=float,  # [s]
    value=(float, 8),  # times the rod's own number; of TWIST what is added to it [rad], PAID_OUT [m]
    slope=(float, 8),  # [1/s]
)
KEYED_SOLID = table(  # a soft body with such: see solids/keyed_numbers
    first_key=np.int64,  # in KeyedSolids.keys
    end_key=np.int64,
    tetrahedron=(np.int64, 2),  # the first of its, and behind its last
    domain=(np.int64, 2),
    plate=(np.int64, 2),
)


@by_reference
class MassMatrix(NamedTuple):
    """How forces on free nodes become accelerations: L D Lᵀ of the consistent mass, where it is factorised."""

    consistent: np.ndarray  # (1,) bool; else it is lumped
    order: np.ndarray  # (U,) nodes, as they are eliminated; none: by iteration
    column: np.ndarray  # (U + 1,) where a column's entries below the diagonal begin
    below: np.ndarray  # (Z,) their rows
    entries: np.ndarray  # (Z,) of L
    inverse: np.ndarray  # (U,) of the pivots [1/kg]
    couplings: np.ndarray  # COUPLING (K,) of free nodes with anchored ones


@by_reference
class LengthSystem(NamedTuple):
    """The lengths of all edges of welded rods, and of those in pulleys, as one sparse system, eliminated in the order
    of its unknowns: a multiplier for each link, six displacements for each body.
    """

    links: np.ndarray  # LINK (E,)
    joints: np.ndarray  # LINK_PAIR (Q,)
    runs: np.ndarray  # RUN of each pulley and each edge of its rod, pulley by pulley
    column: np.ndarray  # (U + 1,) where a column's entries below the diagonal begin
    below: np.ndarray  # (Z,) their rows


@by_reference
class ChainSystem(NamedTuple):
    """All unknowns of an implicit step: chains, each a band, and the border, what they share: six unknowns for each
    rigid body, seven for each closed rod. The border is eliminated last, as one sparse system.
    """

    chains: np.ndarray  # CHAIN (C,), those with ties first, group by group
    groups: np.ndarray  # GROUP (G,), those without chains are of bodies that nothing is tied to
    of_body: np.ndarray  # (B,) group of each rigid body
    chain: np.ndarray  # (N,) that each vertex is a block of; −1
    ties: np.ndarray  # TIE (T,), chain by chain
    tied: np.ndarray  # (rows,) tie of each row, −1
    first: np.ndarray  # of each panel of `border`, counted from the chain's, the first row that is coupled with it
    place: np.ndarray  # (N,) row of each vertex' x coordinate; −1: it has none, for no chain is its own
    angle: np.ndarray  # (M,) row of each frame's angle, −1
    border: np.ndarray  # unknowns of the border, by their order of elimination, in panels of PANEL, filled up with −1:
    # one for each body, then each chain's
    pairs: np.ndarray  # BORDER_PAIR of all that are coupled, those of each body first, then each chain's
    column: np.ndarray  # (U + 1,) as in LengthSystem
    below: np.ndarray


@by_reference
class Surfaces(NamedTuple):
    """All colliders: what they are made of, where that is in the present frame, and boxes around it.

    A feature of them is a face, an edge or a vertex; features are numbered in this order.
    """

    colliders: np.ndarray  # COLLIDER (K,)
    faces: np.ndarray  # FACE (T,)
    edges: np.ndarray  # SURFACE_EDGE (E,)
    vertices: np.ndarray  # SURFACE_VERTEX (V,)
    neighbours: np.ndarray  # (2 E,) vertices at the other ends of each vertex' edges
    span: np.ndarray  # (2,) [s] begin and end of the present frame: whoever runs the steps moves surfaces on,
    samples: np.ndarray  # (2, V, 3) [m] where vertices are then
    order: np.ndarray  # (T,) faces, leaf by leaf of the tree
    tree: np.ndarray  # (2 L, 6) [m] lowest and highest coordinates of boxes: see contact/bounding_volumes


@by_reference
class KeyedSolids(NamedTuple):
    """Soft bodies with numbers that go with time, and what these are times: tables as those of Solids, of all soft
    bodies, whose own are what holds now; without such bodies nothing.
    """

    keyed: np.ndarray  # KEYED_SOLID (Q,)
    keys: np.ndarray  # KEY (K,)
    tetrahedra: np.ndarray  # TETRAHEDRON (T,)
    domains: np.ndarray  # DOMAIN (D,)
    plates: np.ndarray  # PLATE (P,)


@by_reference
class Solids(NamedTuple):
    """All soft bodies: what they are made of, and what holds them now. Their nodes come behind those of rods."""

    bodies: np.ndarray  # SOLID (S,)
    tetrahedra: np.ndarray  # TETRAHEDRON (T,), near each other in space where they are in the table
    domains: np.ndarray  # DOMAIN (D,), likewise
    slopes: np.ndarray  # SLOPE, domain by domain
    plates: np.ndarray  # PLATE (P,) of sheets
    plate_edges: np.ndarray  # PLATE_EDGE (E,)
    triangles: np.ndarray  # TRIANGLE (F,), the bodies' surface
    surface: Surfaces  # the same, of those that touch: collider s of it is body s, its samples are where a step leads
    on_node: np.ndarray  # (V,) node that each of its vertices is
    anchors: np.ndarray  # ANCHOR (A,)
    constraints: np.ndarray  # CONSTRAINT (C,), the exact ones
    springs: np.ndarray  # CONSTRAINT (K,)
    ties: np.ndarray  # SOFT_TIE (Q,)
    members: np.ndarray  # MEMBER, tie by tie
    mass: MassMatrix
    chambers: np.ndarray  # CHAMBER (H,)
    walls: np.ndarray  # WALL, chamber by chamber
    keyed: KeyedSolids


@by_reference
class Keyed(NamedTuple):
    """Rods with numbers that go with time, and what these are times: tables as the Model's, of all rods, where its own
    are what holds now; without such rods nothing.
    """

    keyed: np.ndarray  # KEYED (Q,)
    keys: np.ndarray  # KEY (K,)
    rods: np.ndarray  # ROD (R,)
    nodes: np.ndarray  # NODE (N,)
    edges: np.ndarray  # EDGE (N,)
    hinges: np.ndarray  # HINGE (N,)
    segments: np.ndarray  # SEGMENT (S,)
    bends: np.ndarray  # BEND
    capsules: np.ndarray  # CAPSULE (C,)


@by_reference
class Model(NamedTuple):
    world: np.ndarray  # WORLD (1,)
    rods: np.ndarray  # ROD (R,)
    nodes: np.ndarray  # NODE (N,)
    edges: np.ndarray  # EDGE (N,)
    hinges: np.ndarray  # HINGE (N,)
    segments: np.ndarray  # SEGMENT (S,) of Cosserat rods, frame by frame
    mobility: np.ndarray  # (S, 2) of segments, 1/I₁ and 1/I₃ [1/(kg m²)], 0 of ghosts
    bends: np.ndarray  # BEND of Cosserat rods
    clamps: np.ndarray  # CLAMP (K,)
    pins: np.ndarray  # PIN (P,)
    times: np.ndarray  # (K,) [s] of all pins' and pulleys' samples
    samples: np.ndarray  # (K, 8): position [m], unit quaternion, influence
    bodies: np.ndarray  # BODY (B,)
    slaves: np.ndarray  # SLAVE (S,)
    welds: np.ndarray  # WELD (W,)
    pulleys: np.ndarray  # PULLEY (Y,)
    length_system: LengthSystem
    chain_system: ChainSystem
    capsules: np.ndarray  # CAPSULE (C,)
    joined: np.ndarray  # sorted, i · C + j of capsules i < j that a rigid body holds into each other
    collision_filter: np.ndarray  # (G, G) bool: groups of rods, bodies and colliders that do not touch; (0, 0): all do
    planes: np.ndarray  # PLANE (F,)
    surfaces: Surfaces
    skins: Surfaces  # of bodies, in their own axes, where they stand still: collider b of them is body b's
    shapes: np.ndarray  # SHAPE (B,)
    rooted: np.ndarray  # sorted, of rods' vertices and edges, and bodies, that do not touch: by key_of or tied_key
    solids: Solids
    cables: np.ndarray  # CABLE (W,)
    keyed: Keyed


CLOCK = table(
    time=float,  # [s]
    step=float,  # the last one [s]
    past=between(-1, 2),  # states before this one, so far apart, that an implicit step may look back at, or STRUCK
    most=float,  # kinetic and elastic energy that there has been [J], which fades: see energy_look
    given=float,  # [J] to the last implicit step, as far as it showed,
    gained=float,  # [J] of Runge–Kutta's steps so far, less what they lost; of coupled ones what fades of it
    won=float,  # energy that steps since the last frame have won and no shorter ones helped: the most [J],
    winner=number("things"),  # by which rod, or collider or body counted on from there,
    told=float,  # and what of that was told of earlier frames
    rows=between(0, np.inf),  # for how many contacts at a time room was asked so far,
    entries=between(0, np.inf),  # and for so many numbers of their response: see implicit/response
)
LISTING = table(
    count=between(-1, np.inf),  # of pairs, −1: not listed yet
    skin=float,  # [m] what is further apart was not listed
    time=float,  # [s] when that was
    near=float,  # [m] pairs whose gap was wider then cannot touch in this step
    own_skin=float,  # the same two of pairs of one soft body
    own_near=float,
    closed=float,  # [m] by which gaps had closed at most when they were measured last, since pairs were listed;
    own_closed=float,  # those of one soft body
    age_at_step_end=float,  # [s] since `time`: pairs of rods close at most by that times `closing`, besides `near`
    valid_for=float,  # [s] for which pairs of rods are listed: all that come within `skin` in it
    longer=float,  # the part by which edges of rods that stretch may grow until then
    asked=between(0, np.inf),  # for how many pairs room was asked when it was last made anew
)
ROD_STATE = table(
    torque=float,  # the largest [N m]
    cos_largest_turn=float,  # cosine of the largest turning angle, of half of it where its frames are directors
    pressed=float,  # largest contact force over the smaller radius of the two that touch [N/m]
    loaded=bool,  # friction turns its frames
    drawn_in=float,  # radii of the thinner by which it was drawn into what touches it, or into itself
)
GHOST = table(  # edge beyond an end of a rod: that at the start of rod r is number 2 r, that at its end 2 r + 1
    held=bool,  # a clamp holds there now: said by holds and welds, and kept here for kernels that ask often
    edge=(float, 3),  # the edge before the first vertex, or behind the last [m]
    rate=(float, 3),  # [m/s]
)
FIELD_EFFECT = table(  # of the force fields, and of loads, on a node or body
    air=(float, 3),  # wind [m/s]
    acceleration=(float, 3),  # [m/s²]
    brake=(float, 2),  # coefficients of drag fields
    torque=(float, 3),  # [N m] on a body
)
HELD, YIELDING, FREE = range(3)
LAGS, KNOWN = 1, 2
HOLD = table(  # a pin now
    state=between(HELD, FREE),  # HELD where the target is, YIELDING to more than its largest force, FREE: let go
    influence=float,  # in the last step
    shortfall=float,  # [m] how far the vertex lags behind its target
    lags=between(-np.inf, KNOWN),  # at the last frame: 0 not, LAGS, as KNOWN to the artist, −k: shall be, since frame k
    peak=float,  # [m] the largest lag at a frame since then
    worst=float,  # [m] and before then
    push=float,  # [N] the most that an exact pin that is led pushed along the rod, since the last look
    gap=(float, 4),  # unit quaternion of what is left between the clamp's own turn and the target's, in its axes
)
PULLEY_STATE = table(
    edge=number("nodes"),  # the node that the edge leaves which runs through it
    out=bool,  # the rod's end has run out of it, for good,
    told=bool,  # and the artist knows
)
BODY_STATE = table(
    x=(float, 3),  # centre of mass [m]
    q=(float, 4),  # unit quaternion (w, x, y, z) from principal to world axes
    v=(float, 3),  # [m/s]
    l=(float, 3),  # angular momentum about the centre of mass, world axes [kg m²/s]
)
FRAME_PAST = table(  # how a frame of a rod that rolls turned in an implicit step
    turn=float,  # [rad] in it,
    spin=float,  # [rad/s] before it
)
SEGMENT_PAST = table(  # how a segment turned in implicit steps, in its axes now
    turn=VECTOR,  # [rad] from now to before this one,
    momentum=VECTOR,  # angular, then [kg m²/s],
    spin=float,  # about its d₃, then [rad/s]
)
CABLE_NOTES = 8  # kinds of what is noted of a cable: see run/cables
CABLE_STATE = table(
    frame=between(-1, np.inf),  # at which it came to rest, −1: at none yet
    met=bool,  # whether what it touches was listed
    stiffness=float,  # of its springs, over what it began with
    curvature=float,  # the largest [1/m]
    tension=float,  # the largest [N]
    transverse=float,  # the largest force across it [N]
    at=(float, 3),  # [m] the arc lengths where these are
    missing=float,  # length [m]
    length=float,  # [m]
    chafing=float,  # so far [J]
    noted=(between(0, np.inf), CABLE_NOTES),  # at how many frames,
    first=(between(0, np.inf), CABLE_NOTES),  # from which on,
    size=(float, CABLE_NOTES),  # the worst,
    place=(float, CABLE_NOTES),  # the arc length [m] where that was,
    which=(between(0, np.inf), CABLE_NOTES),  # and what of it
)
CABLE_POINT = table(  # of a cable at rest, and the segment behind it
    x=VECTOR,  # [m]
    q=(float, 4),  # quaternion from the material frame to the world's axes
    length=float,  # [m] that it has run to
    tension=float,  # multiplier of its length [N],
    shear=VECTOR,  # of its coherence
    swelling=float,  # and of its quaternion's norm [N m]
    above=VECTOR,  # [m] where it was last above all surfaces,
    inside=bool,  # inside a collider there,
    collider=number("colliders"),  # of those it may touch this one,
    out=VECTOR,  # and which way leads out
    anchor=VECTOR,  # [m] from where friction holds it
    chafing=float,  # so far [J]
)
CABLE_HANDLE = table(
    place=VECTOR,  # [m] from where the next settling leads it,
    position=VECTOR,  # where it was led to,
    frame=(float, 4),  # and its quaternion
    force=VECTOR,  # multipliers [N]
    torque=(float, 4),  # [N m]
    strength=float,  # [N]
    share=float,  # of the cable that is before one that slides
)
PAIR = table(  # what may touch
    i=np.int64,
    gap=float,  # [m] at least, when it was listed or measured since
    wakes_beside=float,  # [m] how far things will have gone before it can be where they touch,
    wakes_near=float,  # and before it can be near: see contact/surface_pairs
    closing=float,  # [m/s] of rods: how fast it closes at most
    force=(float, 4),  # [N] on the first, normal and tangential
    j=np.int64,
)


CAPSULES, SURFACES, FEATURES = range(3)  # rows of State.listings: of pairs, surface_pairs and feature_pairs


def pairs_of(first: str, second: str, listing: int) -> Column:
    """A list of such pairs."""
    return Column("room", PAIR, {"i": first, "j": second}, listing=listing)


SURFACE_LISTED = 10  # numbers of a vertex and the edge that leaves it: see contact/surface_pairs


@by_reference
class State(NamedTuple):
    """Everything the next step depends on: what a checkpoint holds."""

    clock: Annotated[np.ndarray, Column("island", CLOCK)]
    x: Annotated[np.ndarray, Column("nodes", VECTOR, taken_over=True)]  # [m]
    v: Annotated[np.ndarray, Column("nodes", VECTOR, taken_over=True)]  # [m/s]
    # (N, 2, 3) [m] a step ago, where it was an implicit one, and two
    past_x: Annotated[np.ndarray, Column("nodes", VECTOR, past=2)]
    past_v: Annotated[np.ndarray, Column("nodes", VECTOR, past=2)]  # [m/s]
    # hinges of damped rods, how they were bent: axes, by as much as they are long [rad]
    past_bend: Annotated[np.ndarray, Column("nodes", VECTOR, past=2, taken_over=True)]
    # inverse masses in force: pinned nodes have their pin's (by `holds` and the last step) [1/kg]
    w: Annotated[np.ndarray, Column("nodes")]
    t: Annotated[np.ndarray, Column("frames", VECTOR, taken_over=True)]  # tangents, M = N + R frames
    u: Annotated[np.ndarray, Column("frames", VECTOR, taken_over=True)]  # Bishop vectors
    theta: Annotated[np.ndarray, Column("frames", taken_over=True)]  # [rad]
    # the frame is prescribed (by `holds` and welds: assemble/holds.in_force)
    fixed: Annotated[np.ndarray, Column("frames", bool)]
    # of the last steps' friction about the tangents of frames [N m], and what of it acts on the frames
    moment: Annotated[np.ndarray, Column("frames", taken_over=True)]
    torque: Annotated[np.ndarray, Column("frames", taken_over=True)]
    # [rad/s] at which frames turn about their tangents: of rods that roll, and by implicit steps
    spin: Annotated[np.ndarray, Column("frames", taken_over=True)]
    past_frames: Annotated[np.ndarray, Column("frames", FRAME_PAST, past=2)]  # (M, 2)
    # unit quaternions (w, x, y, z) from the directors of segments to the world's axes
    q: Annotated[np.ndarray, Column("segments", (float, 4), taken_over=True)]
    # [rad/s] at which segments turn, in their directors' axes
    omega: Annotated[np.ndarray, Column("segments", VECTOR, taken_over=True)]
    past_segments: Annotated[np.ndarray, Column("segments", SEGMENT_PAST, past=2)]  # (S, 2)
    tension: Annotated[np.ndarray, Column("nodes", taken_over=True)]  # multiplier of the edge over h² [N/m]
    rods: Annotated[np.ndarray, Column("rods", ROD_STATE, taken_over=True)]
    ghosts: Annotated[np.ndarray, Column("ghosts", GHOST, taken_over=True)]
    clamp_frame: Annotated[np.ndarray, Column("clamps", VECTOR)]  # prescribed first material axis now
    holds: Annotated[np.ndarray, Column("pins", HOLD)]
    pulleys: Annotated[np.ndarray, Column("pulleys", PULLEY_STATE)]
    bodies: Annotated[np.ndarray, Column("bodies", BODY_STATE)]
    past_bodies: Annotated[np.ndarray, Column("bodies", BODY_STATE, past=2)]  # (B, 2) as past_x
    fields: Annotated[np.ndarray, Column("nodes bodies", FIELD_EFFECT)]
    # each vertex i and plane j
    plane_pairs: Annotated[np.ndarray, Column("on_planes", PAIR, {"i": "drawn", "j": "drawn"})]
    listings: Annotated[np.ndarray, Column("island island island", LISTING)]  # CAPSULES, SURFACES, FEATURES
    # [m] when the pairs were listed, and velocities [m/s] to be expected then
    listed: Annotated[np.ndarray, Column("nodes", (float, 6))]
    # of capsules
    pairs: Annotated[np.ndarray, pairs_of("capsules", "capsules", CAPSULES)]
    # [m] when the pairs with surfaces were listed, and more of each edge: see contact/surface_pairs
    surface_listed: Annotated[np.ndarray, Column("near_surfaces", (float, SURFACE_LISTED))]
    # of a vertex i and a face, or of edge i and another edge or vertex: feature j
    surface_pairs: Annotated[np.ndarray, pairs_of("nodes", "features", SURFACES)]
    # [m] when the pairs with rigid or soft bodies were listed: rods' vertices, or those of soft bodies' surfaces
    feature_listed: Annotated[np.ndarray, Column("followed", VECTOR)]
    listed_bodies: Annotated[np.ndarray, Column("bodies", BODY_STATE)]  # then
    # of what touches these: see contact/contact_features
    feature_pairs: Annotated[np.ndarray, pairs_of("firsts", "seconds", FEATURES)]
    tied: Annotated[np.ndarray, Column("ties", VECTOR)]  # [N] of ties on soft bodies
    mode: Annotated[np.ndarray, Column("soft", VECTOR)]  # the fastest vibration of soft bodies, as far as it is known
    directors: Annotated[np.ndarray, Column("plate_edges", PLATE_DIRECTOR)]
    # cables at rest; what presses on them is in pairs and surface_pairs: see run/cable_rows
    cables: Annotated[np.ndarray, Column("cables", CABLE_STATE)]
    cable_points: Annotated[np.ndarray, Column("cable_points", CABLE_POINT)]
    handles: Annotated[np.ndarray, Column("handles", CABLE_HANDLE)]


COLUMNS = {name: one.__metadata__[0] for name, one in get_type_hints(State, include_extras=True).items()}
AS_BYTES = np.dtype((np.void, PAIR.itemsize))
# lists of pairs, with as much room as they once asked for, and which of State.listings tells how many are listed
LISTS = {name: column.listing for name, column in COLUMNS.items() if column.listing >= 0}


def rows_of(model: Model) -> dict[str, int]:
    """How many rows there are of each kind: of lists none."""
    system, n, r = model.length_system, len(model.nodes), len(model.rods)
    tables = ("nodes", "rods", "segments", "bends", "clamps", "pins", "times", "bodies", "slaves", "capsules")
    return {name: len(getattr(model, name)) for name in tables} | {
        "keys": len(model.keyed.keys), "pulleys": len(model.pulleys),
        "room": 0, "nothing": 1, "island": 1, "frames": n + r if r else 0, "ghosts": 2 * r,
        "on_planes": n * len(model.planes),
        "links": len(system.links), "runs": len(system.runs), "unknowns": len(system.column) - 1,
        "entries": len(system.below),
        "soft": n if len(model.solids.bodies) else 0, "near_surfaces": n if len(model.surfaces.faces) else 0,
        "followed": len(model.solids.on_node) or n,
        "ties": len(model.solids.ties), "plate_edges": len(model.solids.plate_edges), "cables": len(model.cables),
        "cable_points": int(model.cables["points"].sum()), "handles": int(model.cables["handles"].sum()),
    }  # fmt: skip


def blank(model: Model) -> dict[str, np.ndarray]:
    """All arrays of a State, of zeros, lists without room."""
    rows = rows_of(model)
    shapes = {name: [sum(rows[kind] for kind in one.of.split()), one.past] for name, one in COLUMNS.items()}
    return {name: np.zeros(shape if shape[1] else shape[:1], COLUMNS[name].kind) for name, shape in shapes.items()}


def listed(state: State, name: str) -> np.ndarray:
    """Of a list of pairs those that are listed: what is behind them means nothing."""
    return getattr(state, name)[: max(state.listings["count"][LISTS[name]], 0)]


def copied(state: State, *names: str) -> State:
    """The State with arrays of its own: those of these names, or all. Lists keep their room."""
    return alike(state, state._replace(**{name: _copy(state, name) for name in names or state._fields}))


def _copy(state: State, name: str) -> np.ndarray:
    whole = getattr(state, name)
    if not len(whole):
        return whole  # nothing in it can change, and to copy a table takes numpy long, whatever is in it
    if name in LISTS:
        own, rows = np.zeros(whole.shape, whole.dtype), listed(state, name)
        own[: len(rows)].view(AS_BYTES)[:] = rows.view(AS_BYTES)
        return own
    if whole.dtype.names:
        return whole.view(np.uint8).copy().view(whole.dtype)  # numpy copies tables column by column
    return whole.copy()


@by_reference
class OldState(NamedTuple):
    """What an attempt at a step changes of a State, as it was where the step began."""

    x: np.ndarray  # (N, 3)
    v: np.ndarray  # (N, 3)
    w: np.ndarray  # (N,)
    fixed: np.ndarray  # (M,) bool
    ghosts: np.ndarray  # GHOST (2R,)
    clamp_frame: np.ndarray  # (K, 3)
    holds: np.ndarray  # HOLD (P,)
    bodies: np.ndarray  # BODY_STATE (B,)
