"""What the implicit step fills before it reads it."""

from typing import Annotated, NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..compiling.laid_out import laid_out
from ..contact.room import room_for
from ..elements.hinge_lanes import LANES
from ..linear.block_ldl import block_row
from ..model import BEND, PANEL, VECTOR, Column, Model, table

BLOCK, WIDTH = 5, 12  # unknowns of a vertex, and couplings of each with those behind it, at most
REACH = 3  # unknowns of the vertex after the next one that it is coupled with: its place
MET = BLOCK + REACH  # rows behind a block that it is coupled with
SPAN = BLOCK + MET  # numbers of a row of a band of such blocks
PLAIN = 4  # unknowns of a vertex without material frames: see `straight_rod`
SEVEN, ABOUT = 7, 6  # unknowns of a vertex of a Cosserat rod, and which is its turn about its edge: see `spinning_rod`
BEHIND = 2 * SEVEN  # rows behind the last of a band, at least
YIELD = 1e-10  # of how an edge's ends give way to a pull in a step: how much the edge itself does, in the matrix alone,
# for where pins hold both ends of a straight rod nothing tells how hard they pull, nor in the band between two bodies
TIED = 1e-8  # the same where both ends are the border's, which such an edge makes as much stiffer
LAP = 2  # vertices that a closed rod of effective mass meets again: see `closed_chain`
CLOSURES = 3 * LAP
ROOM = WIDTH + 4 * LAP  # rows behind those of a rod's vertices

AT_ONCE, COLUMNS = 5, 16  # contacts whose response is found together, and columns of room for it: registers like them

ROW = block_row(SEVEN, SEVEN)  # of a band, whatever its blocks
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
    momentum=(float, 3),  # angular, by loads alone [kg m²/s]
    turn=(float, 3),  # from the old pose [rad]
    omega=(float, 3),  # [rad/s]
    matrix_q=(float, 4),  # pose, a unit quaternion, that the matrix was made at
    alone=(float, 3),  # what of the matrix of its turn is its own [N m],
    share=float,  # and of all of it, at most
)


FRAME_STEP = table(  # a material frame in a step
    inertia=float,  # of its turning about its edge, over s² [N m]
    before=float,  # how far it would turn without torques [rad]
    torque=float,  # what friction has on it [N m]
    turn=float,  # how far it has turned about its edge [rad]
)
SEGMENT_STEP = table(  # a segment of a Cosserat rod in a step
    mobility=(float, 2),  # across it and about it [1/(kg m²)]; 0: it is led
    borne=bool,  # by a rigid body, with which it turns
    q=(float, 4),  # where the step begins
    turn=VECTOR,  # from there [rad], in its own axes
    before=VECTOR,  # where it would be turned to at no spin [rad]
    momentum=VECTOR,  # angular, without torques [kg m²/s]
    spin=float,  # about d₃, without torques [rad/s]
    ratio=float,  # stretch of its edge, as friction has it before the step
)
HINGE_STEP = table(  # of a damped rod in a step: see `internal_damping`
    before=VECTOR,  # gradient of its turning angle by the edge before it [1/m],
    behind=VECTOR,  # and behind it
    bend=VECTOR,  # how it is bent where the step begins [rad],
    laid=VECTOR,  # and where that gradient was laid
    idle=float,  # at what angle damping asks for no moment, where it stays bent [rad],
    turned=float,  # and by how much its own differs from that, where the gradient was laid
    stays=bool,  # bent
)
NEWTON = table(  # Newton's method as it goes on: see `inertia_correction`, `newton`
    shift=float,  # so many times what things weigh are they heavier in the matrix
    left=float,  # elastic energy that Cosserat rods' solutions leave, over that of their motion
    polishing=bool,  # things are where they shall be, but for how far heavy ones have yet to move
    form=np.int64,  # of the matrix
    kept=bool,  # whether it is the last one's
    since=float,  # by what edges have turned since it was made [rad],
    aged=float,  # and since the response of what touches was found [rad]
    pairs=np.int64,  # contacts of edges and bodies, before those in the band,
    near=np.int64,  # and so many of them whose response was found,
    known=bool,  # by a matrix that had the inertia it should
    begins=bool,  # contacts begin without forces
    of_rods=bool,  # nothing but rods is there
)
HOOK = table(  # where a pin that yields draws a vertex to
    stiffness=float,  # [N/m]
    most=float,  # its largest force [N]; 0: none draws it
    place=VECTOR,  # [m]
)
WALL = table(  # a contact with a wall
    next=np.int64,  # one of the same chain, −1
    row=(np.int64, 2),  # of the x coordinates of both its vertices
    turn=(np.int64, 2),  # rows of the angles of frames that turn with it, −1
)
PRESSING = table(  # one that presses somewhere along a solution
    contact=np.int64,
    way=VECTOR,  # how far it has moved against its wall [m]
    more=VECTOR,  # how far the solution moves it [m]
)


@by_reference
class ContactResponse(NamedTuple):
    """See `response`. C contacts, of two edges or of bodies."""

    # first meeting of each group of chains, and of one of all, see `contact_stiffness`;
    begin: Annotated[np.ndarray, Column("groups", np.int64)]
    square: Annotated[np.ndarray, Column("groups", np.int64)]  # and first block
    meeting: Annotated[np.ndarray, Column("pairs", (np.int64, 2))]  # of each contact, −1
    contact: Annotated[np.ndarray, Column("meetings", np.int64)]  # of each meeting,
    group: Annotated[np.ndarray, Column("meetings", np.int64)]  # its group,
    shift: Annotated[np.ndarray, Column("ways")]  # and what of its way its group answers to changes of forces [m],
    shift_before: Annotated[np.ndarray, Column("ways")]  # where the last sweep began,
    shift_lead: Annotated[np.ndarray, Column("ways")]  # and how much further that was than the one before it
    entries: Annotated[np.ndarray, Column("entries")]  # D, group by group [m/N],
    asked: Annotated[np.ndarray, Column("one", np.int64)]  # for how many of them room was asked
    sides: Annotated[np.ndarray, Column("longest", SIDES)]  # of the longest chain,
    # and of what lies behind all that touches: see `linear/block_sides`
    rest: Annotated[np.ndarray, Column("behind", SIDES)]
    block: Annotated[np.ndarray, Column("pairs", (float, (3, 3)))]  # each contact's own one
    # by which its points move against each other without a change of forces [m]
    way: Annotated[np.ndarray, Column("pairs", VECTOR)]
    push: Annotated[np.ndarray, Column("pairs", VECTOR)]  # change of its force [N]
    pressed: Annotated[np.ndarray, Column("pressed", np.int64)]  # how many contacts press, and which,
    sticks: Annotated[np.ndarray, Column("pairs", bool)]  # and do not slide,
    # by which they are held together [N/m], and what part of P is across what slides
    stiffness: Annotated[np.ndarray, Column("two")]
    more: Annotated[np.ndarray, Column("forces")]  # what their points so move by in the solution [m],
    hold: Annotated[np.ndarray, Column("forces")]  # and by which force [N]


@by_reference
class ImplicitScratch(NamedTuple):
    matrix: Annotated[np.ndarray, Column("rows", ROW)]  # bands of all chains,
    # and of one chain: of that solved alone before walls were added, which Newton goes on with, or one not to be kept
    bare: Annotated[np.ndarray, Column("apart", ROW)]
    unknown: Annotated[np.ndarray, Column("rows")]  # minus the residual, then the change of the unknowns
    bound: Annotated[np.ndarray, Column("rows", bool)]  # unknowns that are given
    # rows of those, from each chain's first row on, and counted from there,
    given: Annotated[np.ndarray, Column("rows", np.int64)]
    given_count: Annotated[np.ndarray, Column("chains", np.int64)]  # and how many
    # of each, first row and end of its blocks but those at its ends that are all given or tied
    live: Annotated[np.ndarray, Column("chains", (np.int64, 2))]
    cells: Annotated[np.ndarray, Column("cells", CELLS)]  # couplings of chains with the border, panel by panel
    # by which each tie's row goes with its unknowns of the border
    factor: Annotated[np.ndarray, Column("ties", VECTOR)]
    # what one chain leaves of the border, of P panels at most: see block_border
    own: Annotated[np.ndarray, Column("panel_squares", CELLS)]
    own_side: Annotated[np.ndarray, Column("panels")]
    diagonal: Annotated[np.ndarray, Column("border")]  # of the border
    entries: Annotated[np.ndarray, Column("below")]  # below it
    border: Annotated[np.ndarray, Column("border")]  # minus its residual, then the change of its unknowns
    side: Annotated[np.ndarray, Column("rows")]  # minus the residual, kept,
    border_side: Annotated[np.ndarray, Column("border")]
    free: Annotated[np.ndarray, Column("rows")]  # solutions without contact,
    free_border: Annotated[np.ndarray, Column("border")]
    newton: Annotated[np.ndarray, Column("one", NEWTON)]
    together: Annotated[np.ndarray, Column("chains", bool)]  # those solved together
    # rods that go without material frames in this step: see `chain.go_plain`
    plain: Annotated[np.ndarray, Column("rods", bool)]
    response: ContactResponse
    wall: Annotated[np.ndarray, Column("chains", np.int64)]  # first contact of each with a wall, −1,
    walls: Annotated[np.ndarray, Column("contacts", WALL)]  # one behind the other
    pressing: Annotated[np.ndarray, Column("contacts", PRESSING)]
    bodies: Annotated[np.ndarray, Column("bodies", BODY_STEP)]
    inertia: Annotated[np.ndarray, Column("nodes")]  # M/s² [N/m]
    hooks: Annotated[np.ndarray, Column("nodes", HOOK)]
    # where a vertex would be as it moves, and as that changes [m]
    ahead: Annotated[np.ndarray, Column("nodes", VECTOR)]
    drift: Annotated[np.ndarray, Column("nodes", VECTOR)]  # where a vertex would be without forces [m]
    rest: Annotated[np.ndarray, Column("nodes", VECTOR)]  # where it would be at no velocity [m]
    force: Annotated[np.ndarray, Column("nodes", VECTOR)]  # from outside [N],
    couple: Annotated[np.ndarray, Column("nodes", VECTOR)]  # of this what torques on edges do
    # against the velocity, and how much more along the rod than across it [kg/s]
    drag: Annotated[np.ndarray, Column("nodes", (float, 2))]
    along: Annotated[np.ndarray, Column("nodes", VECTOR)]  # unit vectors along the rods
    pull: Annotated[np.ndarray, Column("nodes")]  # tension of each edge [N],
    least: Annotated[np.ndarray, Column("nodes")]  # and the least with which its hinges' part of the matrix is convex
    e: Annotated[np.ndarray, Column("frames", VECTOR)]  # edges of the frames [m]
    laid: Annotated[np.ndarray, Column("frames", VECTOR)]  # and those of a damped rod at `rest`,
    expected: Annotated[np.ndarray, Column("frames", VECTOR)]  # and where they are expected [m]
    t: Annotated[np.ndarray, Column("frames", VECTOR)]  # directions
    inverse: Annotated[np.ndarray, Column("frames")]  # and inverse lengths, where frames were last carried [1/m]
    m1: Annotated[np.ndarray, Column("frames", VECTOR)]  # first material axes
    frames: Annotated[np.ndarray, Column("frames", FRAME_STEP)]
    turn: Annotated[np.ndarray, Column("nodes")]  # twist of the hinges [rad]
    lanes: Annotated[np.ndarray, Column("one", LANES)]  # see `hinge_lanes`
    w: Annotated[np.ndarray, Column("one", VECTOR)]
    hinges: Annotated[np.ndarray, Column("nodes", HINGE_STEP)]
    tension: Annotated[np.ndarray, Column("nodes")]  # of the edges of Cosserat rods [N]
    segments: Annotated[np.ndarray, Column("segments", SEGMENT_STEP)]
    bends: Annotated[np.ndarray, Column("bends", BEND)]  # their joints with friction


def implicit_scratch(model: Model, contacts: int, entries: int) -> ImplicitScratch:
    """Room for the chains of a model, and for so many contacts, and for what numbers their response asked for."""
    n, system, chains = len(model.nodes), model.chain_system, model.chain_system.chains
    pairs, segments = (contacts, len(model.segments)) if len(chains) else (0, 0)
    longest = int((chains["size"] * chains["blocks"]).max(initial=0)) + BEHIND
    panels, apart = (
        int(chains["panels"].max(initial=1)),
        pairs > 0 or (chains["panels"] * (chains["size"] == SEVEN)).any(),
    )
    rows = {
        "one": 1, "two": 2, "nodes": n, "frames": n + len(model.rods), "rods": len(model.rods), "segments": segments,
        "bends": len(model.bends), "bodies": len(model.bodies), "chains": len(chains), "ties": len(system.ties),
        "rows": len(system.tied) + BEHIND, "forces": 3 * pairs, "apart": longest * apart,
        "cells": int((chains["panels"] * chains["size"] * chains["blocks"]).sum()) + WIDTH,
        "border": len(system.column) - 1, "below": len(system.below), "panels": PANEL * panels,
        "panel_squares": PANEL * panels * panels, "groups": len(system.groups) + 2,
        "longest": longest * (entries > 0), "behind": 2 * MET * (entries > 0), "contacts": pairs,
        "pairs": pairs, "pressed": pairs + 1, "meetings": 3 * pairs, "ways": 9 * pairs, "entries": room_for(entries),
    }  # fmt: skip
    own = laid_out(ImplicitScratch, rows, response=laid_out(ContactResponse, rows))
    own.bends[:] = model.bends
    return own


@by_reference
class EffectiveMass(NamedTuple):
    """See `effective_mass`, and `tied_rods` for its Q ties; all empty where no rod goes on so."""

    matrix: Annotated[np.ndarray, Column("rows", ROW)]  # eliminated
    inverse: Annotated[np.ndarray, Column("rows", ROW)]  # its band
    unknown: Annotated[np.ndarray, Column("rows")]  # right-hand side, then the solution
    closing: np.ndarray  # (6, rows) v, no columns where no such rod is closed: see `closed_chain`
    place: Annotated[np.ndarray, Column("nodes", VECTOR)]  # y [m]
    w: Annotated[np.ndarray, Column("nodes")]  # inverse masses [1/kg]
    turn: Annotated[np.ndarray, Column("three", VECTOR)]  # inertia [kg m²]
    square: Annotated[np.ndarray, Column("one")]  # s² [s²]
    tie: np.ndarray  # (Q,) numbers of ties
    tied: np.ndarray  # (3 Q, 3 Q) their response [1/kg], eliminated
    apart: Annotated[np.ndarray, Column("apart")]  # what is missing [m], then impulses [kg m]


def effective_mass(model: Model, ties: np.ndarray) -> EffectiveMass:
    """Room for all vertices of a model, where some rods go on so; ties: SOFT_TIE (T,)."""
    implicit = model.rods["implicit"]
    n, rods = (len(model.nodes), len(model.rods)) if implicit.any() else (0, 0)
    tie = np.flatnonzero((ties["vertex"] >= 0) & implicit[model.nodes["rod"][ties["vertex"]]] if n else [])
    rows = {"one": 1, "three": 3, "nodes": n, "rows": 4 * n + ROOM * rods, "apart": 3 * len(tie)}
    closing = np.zeros((CLOSURES, rows["rows"] if (implicit & model.rods["closed"]).any() else 0))
    tied = np.zeros((3 * len(tie), 3 * len(tie)))
    return laid_out(EffectiveMass, rows, closing=closing, tie=tie, tied=tied)
