"""What contact fills before it reads it."""

from typing import NamedTuple

import numpy as np

from .._jit import kernel
from ..compiling.by_reference import by_reference
from ..model import LISTS, PAIR, Model, State, table
from .capsule_pairs import Runs, runs_of
from .room import room_for

PLANES = 3  # as CAPSULES, SURFACES and FEATURES: State.plane_pairs
# What carries a point of a CONTACT (see carriers/points): a plane of the WORLD or a surface that is LED, which nothing
# pushes; or a sum of VERTICES of a rod or soft body, bodies that have some of these HELD, FRAMES that turn with them,
# and the surface of a BODY.
WORLD, VERTICES, HELD, FRAMES, BODY, LED = 0, 1, 2, 4, 8, 16
MOVED = VERTICES | HELD | FRAMES | BODY

CONTACT = table(  # of this step, frozen at the old positions
    listing=np.int64,  # of which list its pair is, CAPSULES to PLANES,
    pair=np.int64,  # and which one
    carrier=(np.int64, 2),  # what carries each of its points
    rod=(np.int64, 2),  # −1: of none
    body=(np.int64, 2),  # whose surfaces touch; −1
    arm=(float, (2, 3)),  # of the point of contact from their centres of mass, old poses, world axes [m]
    rounded=(float, 2),  # how far along n that point is from what turns with them, a vertex or an edge [m]; 0: a face
    arm_now=(float, (2, 3)),  # the same as an implicit step's iterations turn them
    node=(np.int64, 4),  # whose motion that of the points of contact is: two of the first, two of the second,
    share=(float, 4),  # and how much of it, the second's negative; 0: none
    slave=(np.int64, 4),  # that the node is; −1
    frame=(np.int64, 4),  # whose turns about their tangents move the points of contact, two of each; −1,
    lever=(float, (4, 3)),  # by so much [m]
    around=float,  # the second is a soft body's faces, which it is so far around [m], or 0
    n=(float, 3),  # from the second to the first
    drift=(float, 3),  # what the second goes in the step beside its nodes [m]: a wall, places that move along edges
    gap=float,  # [m]
    radius=float,  # the smaller one [m]
    longest=float,  # push [m]
    give=float,  # what its surface yields by, over what that push alone would move what carries the points by
    weight=float,  # mobility along n of what carries the points, chains left out [1/kg]
    slide=float,  # the largest across n
    friction=float,
    restitution=float,
    normal=float,  # impulse times step [kg m]
    along=(float, 3),  # the tangential one
    given=(float, 4),  # both, as velocities have it already
    gain=float,
    left=float,  # what was missing after the last push [m]
    before=(float, 3),  # its impulse where the last sweep began,
    lead=(float, 3),  # and how it came there from the sweep before
)
BODY_PUSH = table(  # of contacts on a body since it last answered, times step, and what it does; world axes
    inverse=(float, (3, 3)),  # of its inertia [1/(kg m²)]
    moment=(float, 3),  # [kg m²]
    shift=(float, 3),  # [m]
    turn=(float, 3),  # [rad]
    gone=(float, 3),  # from the old pose to when it last answered [m]
    rotation=(float, (3, 3)),  # until then, less the identity
    struck=bool,  # by something it leaves again: see contact/rebound
)
FRAME_PUSH = table(  # of contacts on a frame that spins, times step
    w=float,  # inverse of its inertia alone [1/(kg m²)]
    moment=float,  # since it last answered [kg m²],
    answered=float,  # its turn in the step by then [rad],
    turn=float,  # and with what it does
)


@by_reference
class ContactScratch(NamedTuple):
    runs: Runs  # of capsules
    reckoned: np.ndarray  # (N, 6) what State.listed is to be,
    foreseen: np.ndarray  # (N, 3) how far vertices are expected to go in a step [m],
    done: np.ndarray  # (N, 3) and how far they went
    found: np.ndarray  # PAIR of a list that is made anew: as many as the longest has room for
    first: np.ndarray  # new pair of each capsule or vertex, −1: none
    following: np.ndarray  # of each new pair, the next of its capsule or vertex
    contacts: np.ndarray  # CONTACT: the last one is for what there is no room for
    spare: np.ndarray  # CONTACT (1,)
    pushes: np.ndarray  # BODY_PUSH (B,)
    frames: np.ndarray  # FRAME_PUSH (M,)
    margin: np.ndarray  # (N,) how far an edge may move against surfaces [m],
    beyond: np.ndarray  # (N,) and beyond where it is expected [m]
    near: np.ndarray  # (N,) how wide gaps of an edge were at most, when listed, that may close [m],
    gone: np.ndarray  # (N,) and that may have closed [m]
    went: np.ndarray  # (N,) how far it has gone, all ways added up [m]
    middle: np.ndarray  # (N, 3) where vertices are expected when a step is half over [m]
    answered: np.ndarray  # (N, 3) positions [m] when the chains last answered


@kernel
def clear(row: np.record, i: int, first: int, second: int) -> None:
    """A CONTACT of points that two carriers carry, as yet of no rod, no body and no share of node i."""
    row.carrier[0], row.carrier[1] = first, second
    for side in range(2):
        row.rod[side] = row.body[side] = -1
        row.rounded[side] = 0.0
    for k in range(4):
        row.node[k], row.share[k] = i, 0.0
    row.drift[0] = row.drift[1] = row.drift[2] = row.around = row.restitution = 0.0


def contact_scratch(model: Model, state: State) -> ContactScratch:
    """Room for the contacts of a model, and for the pairs of a state."""
    first = len(model.nodes)
    pairs = max(len(getattr(state, name)) for name in LISTS)
    if len(state.feature_pairs) > 0:
        surfaces = model.skins, model.solids.surface  # see contact_features
        first += sum(len(own.vertices) + len(own.edges) for own in surfaces) + len(model.surfaces.vertices)
    return ContactScratch(
        runs=runs_of(model.capsules),
        reckoned=np.zeros((len(model.nodes), 6)),
        foreseen=np.zeros((len(model.nodes), 3)),
        done=np.zeros((len(model.nodes), 3)),
        found=np.zeros(pairs, PAIR),
        first=np.zeros(first, np.int64),
        following=np.empty(pairs, np.int64),
        contacts=np.empty(room_for(state.clock["rows"][0]) + 1, CONTACT),
        spare=np.zeros(1, CONTACT),
        pushes=np.zeros(len(model.bodies), BODY_PUSH),
        frames=np.zeros(len(model.nodes) + len(model.rods), FRAME_PUSH),
        margin=np.zeros(len(model.nodes)),
        beyond=np.zeros(len(model.nodes)),
        near=np.zeros(len(model.nodes)),
        gone=np.zeros(len(model.nodes)),
        went=np.zeros(len(model.nodes)),
        middle=np.zeros((len(model.nodes), 3)),
        answered=np.zeros((len(model.nodes), 3)),
    )
