"""From a Scene to flat arrays: the Model, which does not change, and the State, which does.

All rods share the node arrays; a rod is the range start[r] : start[r + 1] of them. It holds the rod's vertices in
order, one ghost node beyond each clamped end (the hinge of a clamp sits on the wall's vertex, and the ghost edge has
the wall's direction: second order in the edge length), and of a closed rod the first two vertices again. Edges are
numbered by the node they leave. Nodes that are welded to a rigid body are its slaves: they have no mass of their own
and go where it goes.
"""

from typing import NamedTuple

import numpy as np


class Rods(NamedTuple):
    """Per rod (R,) and per node (N,); what belongs to an edge stands at the node it leaves."""

    start: np.ndarray  # (R + 1,) first node, ghosts included
    first: np.ndarray  # (R,) node of vertex 0
    last: np.ndarray  # (R,) node of the last vertex
    closed: np.ndarray  # (R,) bool
    general: np.ndarray  # (R,) bool: material frames by Newton
    twisted: np.ndarray  # (R,) bool: isotropic and straight, its twist prescribed by both ends or by closing
    stretchable: np.ndarray  # (R,) bool
    damped: np.ndarray  # (R,) bool: has internal damping
    articulated: np.ndarray  # (R,) bool: welded to a rigid body
    clamp_start: np.ndarray  # (R + 1,) first of its clamps
    clamp_edge: np.ndarray  # (K,) edge whose material frame a clamp prescribes
    twist_compliance: np.ndarray  # (R,) Σ l/2β [1/(N m)]
    natural_twist: np.ndarray  # (R,) Σ m̄ [rad]
    limit: np.ndarray  # (R,) largest ω² of the straight rod's bending and stretching [1/s²]
    lightest: np.ndarray  # (R,) vertex [kg]
    shortest: np.ndarray  # (R,) edge [m]
    longest: np.ndarray  # (R,) edge [m]
    bend_max: np.ndarray  # (R,) largest bending stiffness [N m²]
    mass: np.ndarray  # (N,) [kg], 0 for ghosts and repeated nodes
    w: np.ndarray  # (N,) inverse mass of free nodes [1/kg], 0 for ghosts and repeated nodes
    radius: np.ndarray  # (N,) [m]
    length: np.ndarray  # (N,) rest length of the edge [m]
    inverse_cell: np.ndarray  # (N,) 1/l_i [1/m], l_i = |e^{i−1}| + |e^i|; |e| at a clamp
    bend: np.ndarray  # (N,) 8 α/l_i [N m]
    stiffness: np.ndarray  # (N, 2) B of the edge [N m²]
    stretch: np.ndarray  # (N,) EA of the edge [N]
    rest_curvature: np.ndarray  # (N, 4) ω̄
    twist_rate: np.ndarray  # (N,) 2β/l_i [N m]
    rest_twist: np.ndarray  # (N,) m̄ [rad]
    viscosity: np.ndarray  # (N,) [N m s]
    drag_area: np.ndarray  # (N,) [m²]
    leaf_area: np.ndarray  # (N,) [m²]
    gravity: np.ndarray  # (N,) share of gravity that acts
    friction: np.ndarray  # (N,)


class Pins(NamedTuple):
    """Per pin (P,): what it leads, and its samples track[p] : track[p + 1] of the trajectories."""

    node: np.ndarray  # (P,) the vertex led
    ghost: np.ndarray  # (P,) node that shows the clamp's direction: a ghost, or the next vertex; −1 for POSITION
    hinged: np.ndarray  # (P,) bool: that node is a ghost
    clamp: np.ndarray  # (P,) the clamp it turns; −1
    offset: np.ndarray  # (P, 3) from node to ghost at the start [m]
    m1: np.ndarray  # (P, 3) first material axis on that edge at the start
    max_force: np.ndarray  # (P,) [N]
    automatic_force: np.ndarray  # (P,) [N] where it would yield by default
    mass: np.ndarray  # (P,) least mass of a yielding pin [kg]
    stiffness: np.ndarray  # (P,) [N/m], least force of its mass per displacement and step, m/Δt²
    track: np.ndarray  # (P + 1,)
    times: np.ndarray  # (K,) [s]
    samples: np.ndarray  # (K, 8): position, rotation, influence
    tolerance: np.ndarray  # (P,) [m] how far it may lag before the artist is told


class Bodies(NamedTuple):
    """Rigid bodies that forces move (B,), what is welded to them, the coordinates of a body along its principal axes.

    Body b has the slaves slave_start[b] : slave_start[b + 1].
    """

    mass: np.ndarray  # (B,) [kg], slaves included
    inertia: np.ndarray  # (B, 3) principal moments [kg m²]
    w: np.ndarray  # (B,) 1/mass [1/kg]
    gravity: np.ndarray  # (B,) share of gravity that acts
    drag_area: np.ndarray  # (B,) [m²]
    slave_start: np.ndarray  # (B + 1,)
    slave_node: np.ndarray  # (S,)
    slave_body: np.ndarray  # (S,)
    arm: np.ndarray  # (S, 3) from the centre of mass, in the body's axes [m]
    grip: np.ndarray  # (S,) at least the mobility of all the body's slaves together [1/kg]
    solid: np.ndarray  # (S,) bool: a vertex, no ghost
    weld_body: np.ndarray  # (W,) of welds that hold a material frame
    weld_clamp: np.ndarray  # (W,) the clamp that the weld turns
    weld_rod: np.ndarray  # (W,)
    weld_m1: np.ndarray  # (W, 3) first material axis in the body's axes


class Articulation(NamedTuple):
    """The lengths of all edges of welded rods as one sparse system (see constraints/articulation), eliminated in the
    order of its unknowns: a multiplier for each edge (E,), six displacements for each body.
    """

    tail: np.ndarray  # (E,) node the edge leaves, which numbers it
    head: np.ndarray  # (E,)
    tail_slave: np.ndarray  # (E,) slave that the tail is; −1
    head_slave: np.ndarray  # (E,)
    row: np.ndarray  # (E,) unknown of its multiplier
    arm_slot: np.ndarray  # (E, 2, 6) entries that couple it with the bodies of its tail and head
    edge_at: np.ndarray  # (S, 2) edges that leave each slave and that reach it; −1
    pair: np.ndarray  # (Q, 2) edges that share a free node
    pair_node: np.ndarray  # (Q,)
    pair_slot: np.ndarray  # (Q,)
    body_row: np.ndarray  # (B, 6) unknowns of displacement and turn
    body_slot: np.ndarray  # (B, 3) entries xy, xz, yz of the inertia
    column: np.ndarray  # (U + 1,) where a column's entries below the diagonal begin
    below: np.ndarray  # (Z,) their rows
    update: np.ndarray  # entries that the elimination of each column changes, in order


class Capsules(NamedTuple):
    """Edges that can touch (C,), in rod order, and the surroundings."""

    tail: np.ndarray
    head: np.ndarray
    radius: np.ndarray  # [m]
    rod: np.ndarray
    arc: np.ndarray  # [m] of the midpoint along its rod
    perimeter: np.ndarray  # (R,) [m] of closed rods, 0 of open ones
    successor: np.ndarray  # bool: the rod goes on behind the head
    friction: np.ndarray
    joined: np.ndarray  # (J,) sorted, i · C + j of capsules i < j that a rigid body holds into each other
    thinnest: np.ndarray  # (1,) smallest radius [m]
    skin: np.ndarray  # (1,) [m]; 0: no contact
    widest_skin: np.ndarray  # (1,) [m], of a list without pairs
    floor: np.ndarray  # (2,) height [m], friction; NaN: no floor


class Model(NamedTuple):
    rods: Rods
    pins: Pins
    bodies: Bodies
    articulation: Articulation
    capsules: Capsules
    gravity: np.ndarray  # (3,) [m/s²]
    air_density: np.ndarray  # (1,) [kg/m³]


class State(NamedTuple):
    """Everything the next step depends on."""

    clock: np.ndarray  # (3,) time [s], last step [s], skin the pairs were listed with [m]
    x: np.ndarray  # (N, 3) [m]
    v: np.ndarray  # (N, 3) [m/s]
    t: np.ndarray  # (N, 3) tangents of edges
    u: np.ndarray  # (N, 3) Bishop vectors of edges
    theta: np.ndarray  # (N,) [rad]
    tension: np.ndarray  # (N,) multiplier of the edge over h² [N/m]
    torque: np.ndarray  # (R,) [N m], largest
    turning: np.ndarray  # (R,) smallest cosine of a turning angle
    floor_force: np.ndarray  # (N, 3) [N]
    pairs: np.ndarray  # (p, 2) capsules that may touch
    pair_force: np.ndarray  # (p, 4) [N], normal and tangential
    pair_count: np.ndarray  # (1,), −1: not listed yet
    listed: np.ndarray  # (N, 3) positions when the pairs were listed
    w: np.ndarray  # (N,) inverse masses in force: pinned nodes have their pin's
    fixed: np.ndarray  # (N,) uint8: the edge's material frame is prescribed
    clamp_frame: np.ndarray  # (K, 3) prescribed first material axis now
    loose: np.ndarray  # (R, 2) bool: the clamp at the start, at the end, has let go
    body_x: np.ndarray  # (B, 3) centres of mass [m]
    body_q: np.ndarray  # (B, 4) unit quaternion (w, x, y, z) from principal to world axes
    body_v: np.ndarray  # (B, 3) [m/s]
    body_l: np.ndarray  # (B, 3) angular momentum about the centre of mass, world axes [kg m²/s]
    air: np.ndarray  # (N + B, 3) wind at nodes and bodies [m/s]
    push: np.ndarray  # (N + B, 3) acceleration by force fields [m/s²]
    brake: np.ndarray  # (N + B, 2) coefficients of drag fields
    hold: np.ndarray  # (P, HELD) of each pin, see below


# Columns of State.hold:
INFLUENCE = 0  # in the last step; 0: it has let go
SHORTFALL = 1  # [m] how far the vertex lags behind its target
YIELDS = 2  # 1: exact by nature, but asked for too much; yields from then on, as pins do by default
LAGS = 3  # by more than its tolerance at the last frame: 0 no, 1 yes, 2 yes and the artist knows
PEAK = 4  # [m] the largest lag at a frame since then
WORST = 5  # [m] and before then
GAP = 6  # to 9: unit quaternion of what is left between the clamp's own turn and the target's, in the target's axes
HELD = 10  # columns


class Workspace(NamedTuple):
    """Arrays that a step fills before it reads them; x0 … fixed0 are the State's where the step began."""

    x0: np.ndarray  # (N, 3)
    v0: np.ndarray  # (N, 3)
    w0: np.ndarray  # (N,)
    body_x0: np.ndarray  # (B, 3)
    body_q0: np.ndarray  # (B, 4)
    body_v0: np.ndarray  # (B, 3)
    body_l0: np.ndarray  # (B, 3)
    clamp_frame0: np.ndarray  # (K, 3)
    hold0: np.ndarray  # (P, HELD)
    loose0: np.ndarray  # (R, 2) bool
    fixed0: np.ndarray  # (N,) uint8
    f: np.ndarray  # (N, 3)
    o: np.ndarray  # (N, 3)
    inverse_length: np.ndarray
    chi: np.ndarray
    k: np.ndarray  # (N, 2)
    multiplier: np.ndarray
    inverse: np.ndarray  # (N,) diagonal of A⁻¹ of the chains
    ratio: np.ndarray  # (N,)
    pivots: np.ndarray  # (N,)
    pushed: np.ndarray  # (N, 3) positions before contacts push
    rows: np.ndarray  # (5, N) scratch of the tridiagonal solvers
    skin: np.ndarray  # (C,) [m]
    boxes: NamedTuple  # around the capsules, see contact/broad_phase
    old_pairs: np.ndarray
    old_force: np.ndarray
    first: np.ndarray  # (C,)
    following: np.ndarray
    touching: np.ndarray
    contacts: np.ndarray
    impulse: np.ndarray  # (N, 5)
    arm: np.ndarray  # (S, 3) of slaves at the old pose, world axes
    slave_v: np.ndarray  # (S, 3)
    diagonal: np.ndarray  # (U,)
    entries: np.ndarray  # (Z,)
    unknown: np.ndarray  # (U,)
    before: np.ndarray  # (8,)
    target: np.ndarray  # (8,)


PAIRS_PER_CAPSULE = 12  # at the start; the list grows when it is full
