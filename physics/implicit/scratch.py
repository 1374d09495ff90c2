"""What the implicit step fills before it reads it."""

from typing import NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..elements.hinge_lanes import LANES
from ..linear.block_ldl import block_row
from ..model import PANEL, ChainSystem, Model, table

BLOCK, WIDTH = 5, 12  # unknowns of a vertex, and couplings of each with those behind it, at most
REACH = 3  # unknowns of the vertex after the next one that it is coupled with: its place
MET = BLOCK + REACH  # rows behind a block that it is coupled with
SPAN = BLOCK + MET  # numbers of a row of a band
PLAIN = 4  # unknowns of a vertex without material frames: see `straight_rod`
SEVEN = 7  # unknowns of a vertex of a Cosserat rod: see `spinning_rod`
YIELD = 1e-10  # of how an edge's ends give way to a pull in a step: how much the edge itself does, in the matrix alone,
# for where pins hold both ends of a straight rod nothing tells how hard they pull, nor in the band between two bodies
TIED = 1e-8  # the same where both ends are the border's, which such an edge makes as much stiffer
LAP = 2  # vertices that a closed rod of effective mass meets again: see `closed_chain`
CLOSURES = 3 * LAP
ROOM = WIDTH + 4 * LAP  # rows behind those of a rod's vertices

AT_ONCE, COLUMNS = 5, 16  # contacts whose response is found together, and columns of room for it: registers like them
BLOCKS_PER_CONTACT = 4  # of room for their response; it grows with that for contacts

ROW = block_row(BLOCK, MET)  # of a band
SIDES = table(value=(float, COLUMNS))  # a row of right-hand sides
CELLS = table(value=(float, PANEL))  # a row of the couplings with a panel of the border
BODY_STEP = table(  # a rigid body in a step
    rest=(float, 3),  # where its centre of mass would be at no velocity [m]
    drift=(float, 3),  # and without forces [m]
    inertia=float,  # M/s² [N/m]
    force=(float, 3),  # from outside [N],
    torque=(float, 3),  # by what touches it [N m]
    drag=float,  # against its velocity [kg/s]
    before=(float, 3),  # where it would be turned to at no angular velocity, a turn from the old pose [rad]
    momentum=(float, 3),  # angular, without torques [kg m²/s]
    turn=(float, 3),  # from the old pose [rad]
    omega=(float, 3),  # [rad/s]
    matrix_q=(float, 4),  # pose, a unit quaternion, that the matrix was made at
    alone=(float, 3),  # what of the matrix of its turn is its own [N m],
    share=float,  # and of all of it, at most
)


@by_reference
class ContactResponse(NamedTuple):
    """See `response`. C contacts, of two edges or of bodies."""

    begin: np.ndarray  # (G + 2,) first meeting of each group of chains, and of one of all, see `contact_stiffness`;
    square: np.ndarray  # (G + 2,) and first block
    meeting: np.ndarray  # (C, 2) of each contact, −1
    contact: np.ndarray  # (3 C,) of each meeting,
    group: np.ndarray  # its group,
    shift: np.ndarray  # (9 C,) and what of its way its group answers to changes of forces [m],
    shift_before: np.ndarray  # where the last sweep began,
    shift_lead: np.ndarray  # and how much further that was than the one before it
    entries: np.ndarray  # (9 B,) D, group by group [m/N]
    sides: np.ndarray  # SIDES (rows + 12,) of the longest chain,
    rest: np.ndarray  # SIDES (16,) and of what lies behind all that touches: see `linear/block_sides`
    block: np.ndarray  # (C, 3, 3) each contact's own one
    way: np.ndarray  # (C, 3) by which its points move against each other without a change of forces [m]
    push: np.ndarray  # (3 C,) change of its force [N],
    push_before: np.ndarray  # where the last sweep began,
    push_lead: np.ndarray  # and how much further that was
    pressed: np.ndarray  # (C + 1,) how many contacts press, and which,
    sticks: np.ndarray  # (C,) bool: and do not slide,
    stiffness: np.ndarray  # (2,) by which they are held together [N/m], and what part of P is across what slides
    more: np.ndarray  # (3 C,) what their points so move by in the solution [m],
    hold: np.ndarray  # (3 C,) and by which force [N]


@by_reference
class ImplicitScratch(NamedTuple):
    matrix: np.ndarray  # ROW (rows + 12,) bands of all chains,
    bare: np.ndarray  # ROW (rows + 12,) and before walls were added to those that Newton goes on with
    unknown: np.ndarray  # (rows + 12,) minus the residual, then the change of the unknowns
    bound: np.ndarray  # (rows + 12,) bool: unknowns that are given
    given: np.ndarray  # (rows + 12,) rows of those, from each chain's first row on, and counted from there,
    given_count: np.ndarray  # (chains,) and how many
    live: np.ndarray  # (chains, 2) of each, first row and end of its blocks but those at its ends that are all given or
    # tied
    cells: np.ndarray  # CELLS (tied rows of all panels + 12,) couplings of chains with the border, panel by panel
    factor: np.ndarray  # (T, 3) by which each tie's row goes with its unknowns of the border
    own: np.ndarray  # CELLS (P² PANEL,) what one chain leaves of the border, of P panels at most: see block_border
    own_side: np.ndarray  # (P PANEL,)
    diagonal: np.ndarray  # (U,) of the border
    entries: np.ndarray  # below it
    border: np.ndarray  # (U,) minus its residual, then the change of its unknowns
    side: np.ndarray  # (rows + 12,) minus the residual, kept,
    border_side: np.ndarray  # (U,)
    free: np.ndarray  # (rows + 12,) solutions without contact,
    free_border: np.ndarray  # (U,)
    together: np.ndarray  # (chains,) bool: those solved together
    plain: np.ndarray  # (R,) bool: rods that go without material frames in this step: see `chain.go_plain`
    response: ContactResponse
    wall: np.ndarray  # (chains,) first contact of each with a wall, −1,
    next_wall: np.ndarray  # (C,) the next one of the same chain,
    wall_row: np.ndarray  # (C, 2) and rows of the x coordinates of both its vertices,
    wall_turn: np.ndarray  # (C, 2) and of angles of frames that turn with it, −1
    pressing: np.ndarray  # (C,) those that press somewhere along a solution,
    wall_way: np.ndarray  # (C, 3) how far each has moved against its wall,
    wall_more: np.ndarray  # (C, 3) and how far the solution moves it [m]
    bodies: np.ndarray  # BODY_STEP (B,)
    inertia: np.ndarray  # (N,) M/s² [N/m]
    grip: np.ndarray  # (N,) stiffness of the pin that yields where it draws a vertex to [N/m],
    most: np.ndarray  # (N,) its largest force [N]; 0: none draws it,
    hook: np.ndarray  # (N, 3) and where that is [m]
    ahead: np.ndarray  # (N, 3) where a vertex would be as it moves, and as that changes [m]
    drift: np.ndarray  # (N, 3) where a vertex would be without forces [m]
    rest: np.ndarray  # (N, 3) where it would be at no velocity [m]
    force: np.ndarray  # (N, 3) from outside [N]
    drag: np.ndarray  # (N, 2) against the velocity, and how much more along the rod than across it [kg/s]
    along: np.ndarray  # (N, 3) unit vectors along the rods
    pull: np.ndarray  # (N,) tension of each edge [N],
    least: np.ndarray  # (N,) and the least with which its hinges' part of the matrix is convex
    e: np.ndarray  # (M, 3) edges of the frames [m]
    laid: np.ndarray  # (M, 3) and those of a damped rod at `rest`,
    expected: np.ndarray  # (M, 3) and where they are expected [m]
    t: np.ndarray  # (M, 3) directions
    inverse: np.ndarray  # (M,) and inverse lengths, where frames were last carried [1/m]
    m1: np.ndarray  # (M, 3) first material axes
    spin: np.ndarray  # (M,) inertia of their turning about their edges, over s² [N m]
    freely: np.ndarray  # (M,) how far they would turn without torques [rad],
    moment: np.ndarray  # (M,) what torque friction has on them [N m]
    spun: np.ndarray  # (M,) how far they have turned so in this step [rad]
    turn: np.ndarray  # (N,) twist of the hinges [rad]
    lanes: np.ndarray  # LANES (1,): see `hinge_lanes`
    w: np.ndarray  # (3,)
    before: np.ndarray  # (N, 3) gradient of each hinge's turning angle by the edge before it [1/m]
    behind: np.ndarray  # (N, 3)
    bend: np.ndarray  # (N, 3) how hinges of damped rods are bent where the step begins [rad], and were
    bend_laid: np.ndarray  # (N, 3) where that gradient was laid; of those that stay bent at what angle
    idle: np.ndarray  # (N,) damping asks for no moment,
    turned: np.ndarray  # (N,) and by how much theirs differs from that, where the gradient was laid: see
    stays: np.ndarray  # (N,) bool: `internal_damping`
    blocks: np.ndarray  # block_row(SEVEN, SEVEN) (7 n + 7,) of the longest Cosserat rod, see `spinning_rod`
    sides: np.ndarray  # (7 n + 7,) minus its residual, then the change of its unknowns
    tension: np.ndarray  # (N,) of the edges of Cosserat rods [N]
    ratio: np.ndarray  # (S,) stretch of their edges, as their friction has it before the step
    bends: np.ndarray  # BEND: their joints with friction
    q: np.ndarray  # (S, 4) segments where the step begins,
    turned_by: np.ndarray  # (S, 3) how far they have turned from there [rad], in their own axes,
    unturned: np.ndarray  # (S, 3) where they would be turned to at no spin [rad],
    momentum: np.ndarray  # (S, 3) their angular momentum without torques [kg m²/s],
    spinning: np.ndarray  # (S,) and spin about d₃ [rad/s]


def implicit_scratch(model: Model, pairs: int, contacts: int) -> ImplicitScratch:
    """Room for the chains of a model, and so many contacts, of which so many may be of edges or bodies: walls need no
    response.
    """
    n, m, system = len(model.nodes), len(model.nodes) + len(model.rods), model.chain_system
    chains, unknowns = system.chains, len(system.column) - 1
    rows, most = len(system.tied) + WIDTH, int(chains["panels"].max(initial=1))
    pairs, contacts = (pairs, contacts) if len(chains) else (0, 0)
    segments = len(model.segments) if len(chains) else 0
    longest = SEVEN * (int(chains["blocks"][chains["size"] == SEVEN].max(initial=0)) + 1)
    tied = int((chains["panels"] * chains["size"] * chains["blocks"]).sum())
    return ImplicitScratch(
        matrix=np.zeros(rows, ROW),
        bare=np.zeros(rows, ROW),
        unknown=np.zeros(rows),
        bound=np.zeros(rows, bool),
        given=np.zeros(rows, np.int64),
        given_count=np.zeros(len(chains), np.int64),
        live=np.zeros((len(chains), 2), np.int64),
        cells=np.zeros(tied + WIDTH, CELLS),
        factor=np.zeros((len(system.ties), 3)),
        own=np.zeros(PANEL * most * most, CELLS),
        own_side=np.zeros(PANEL * most),
        diagonal=np.zeros(unknowns),
        entries=np.zeros(len(system.below)),
        border=np.zeros(unknowns),
        side=np.zeros(rows),
        border_side=np.zeros(unknowns),
        free=np.zeros(rows),
        free_border=np.zeros(unknowns),
        together=np.zeros(len(chains), bool),
        plain=np.zeros(len(model.rods), bool),
        response=_contact_response(system, pairs),
        wall=np.zeros(len(chains), np.int64),
        next_wall=np.empty(contacts, np.int64),
        wall_row=np.empty((contacts, 2), np.int64),
        wall_turn=np.empty((contacts, 2), np.int64),
        pressing=np.empty(contacts, np.int64),
        wall_way=np.empty((contacts, 3)),
        wall_more=np.empty((contacts, 3)),
        bodies=np.zeros(len(model.bodies), BODY_STEP),
        inertia=np.zeros(n),
        grip=np.zeros(n),
        most=np.zeros(n),
        hook=np.zeros((n, 3)),
        ahead=np.zeros((n, 3)),
        drift=np.zeros((n, 3)),
        rest=np.zeros((n, 3)),
        force=np.zeros((n, 3)),
        drag=np.zeros((n, 2)),
        along=np.zeros((n, 3)),
        pull=np.zeros(n),
        least=np.zeros(n),
        e=np.zeros((m, 3)),
        laid=np.zeros((m, 3)),
        expected=np.zeros((m, 3)),
        t=np.zeros((m, 3)),
        inverse=np.zeros(m),
        m1=np.zeros((m, 3)),
        spin=np.zeros(m),
        freely=np.zeros(m),
        moment=np.zeros(m),
        spun=np.zeros(m),
        turn=np.zeros(n),
        lanes=np.zeros(1, LANES),
        w=np.zeros(3),
        before=np.zeros((n, 3)),
        behind=np.zeros((n, 3)),
        bend=np.zeros((n, 3)),
        bend_laid=np.zeros((n, 3)),
        idle=np.zeros(n),
        turned=np.zeros(n),
        stays=np.zeros(n, bool),
        blocks=np.zeros(longest, block_row(SEVEN, SEVEN)),
        sides=np.zeros(longest),
        tension=np.zeros(n),
        ratio=np.zeros(segments),
        bends=model.bends.copy(),
        q=np.zeros((segments, 4)),
        turned_by=np.zeros((segments, 3)),
        unturned=np.zeros((segments, 3)),
        momentum=np.zeros((segments, 3)),
        spinning=np.zeros(segments),
    )


def _contact_response(system: ChainSystem, pairs: int) -> ContactResponse:
    groups, longest = len(system.groups), int(system.chains["blocks"].max(initial=0))
    return ContactResponse(
        begin=np.zeros(groups + 2, np.int64),
        square=np.zeros(groups + 2, np.int64),
        meeting=np.empty((pairs, 2), np.int64),
        contact=np.empty(3 * pairs, np.int64),
        group=np.empty(3 * pairs, np.int64),
        shift=np.empty(9 * pairs),
        shift_before=np.empty(9 * pairs),
        shift_lead=np.empty(9 * pairs),
        entries=np.empty(9 * BLOCKS_PER_CONTACT * pairs),
        sides=np.zeros(BLOCK * longest + WIDTH, SIDES),
        rest=np.zeros(2 * MET, SIDES),
        block=np.empty((pairs, 3, 3)),
        way=np.empty((pairs, 3)),
        push=np.empty(3 * pairs),
        push_before=np.empty(3 * pairs),
        push_lead=np.empty(3 * pairs),
        pressed=np.empty(pairs + 1, np.int64),
        sticks=np.empty(pairs, bool),
        stiffness=np.zeros(2),
        more=np.empty(3 * pairs),
        hold=np.empty(3 * pairs),
    )


@by_reference
class EffectiveMass(NamedTuple):
    """See `effective_mass`, and `tied_rods` for its Q ties; all empty where no rod goes on so."""

    matrix: np.ndarray  # ROW (4 N + 20 R,), eliminated
    inverse: np.ndarray  # ROW (4 N + 20 R,): its band
    unknown: np.ndarray  # (4 N + 20 R,) right-hand side, then the solution
    closing: np.ndarray  # (6, 4 N + 20 R) v, no columns where no such rod is closed: see `closed_chain`
    place: np.ndarray  # (N, 3) y [m]
    w: np.ndarray  # (N,) inverse masses [1/kg]
    turn: np.ndarray  # (3, 3) inertia [kg m²]
    square: np.ndarray  # (1,) s² [s²]
    tie: np.ndarray  # (Q,) numbers of ties
    tied: np.ndarray  # (3 Q, 3 Q) their response [1/kg], eliminated
    apart: np.ndarray  # (3 Q,) what is missing [m], then impulses [kg m]


def effective_mass(model: Model, ties: np.ndarray) -> EffectiveMass:
    """Room for all vertices of a model, where some rods go on so; ties: SOFT_TIE (T,)."""
    implicit = model.rods["implicit"]
    n, rods = (len(model.nodes), len(model.rods)) if implicit.any() else (0, 0)
    rows = 4 * n + ROOM * rods
    closed = rows if (implicit & model.rods["closed"]).any() else 0
    tie = (
        np.flatnonzero((ties["vertex"] >= 0) & implicit[model.nodes["rod"][ties["vertex"]]])
        if n
        else np.zeros(0, np.int64)
    )
    return EffectiveMass(
        np.zeros(rows, ROW), np.zeros(rows, ROW), np.zeros(rows), np.zeros((CLOSURES, closed)), np.zeros((n, 3)),
        np.zeros(n), np.zeros((3, 3)), np.zeros(1), tie, np.zeros((3 * len(tie), 3 * len(tie))), np.zeros(3 * len(tie)),
    )  # fmt: skip
