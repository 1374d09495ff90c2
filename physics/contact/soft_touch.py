"""Soft bodies pressed apart, in a step of velocity Verlet with lumped mass: inequality constraints (see
`inequality_constraints`) on positions, then on velocities, as RATTLE meets equations (Andersen 1983).

Half of a steady force acts before the positions at the end of a step and half behind, so an impulse λ on positions is
h²/2 times the force. Velocities are as one more step of h would find gaps that are closed: where things press, they do
not come nearer, and friction has another half of its cone. What hits something stays on it: its nodes have no bounce.
"""

from math import inf

import numpy as np

from .._jit import kernel
from ..model import Model, OldState, State
from ..rigid_bodies.scratch import WeldedScratch
from .carriers import chain
from .carriers.body import Held
from .carriers.led_surface import moment
from .conjugate_sweeps import begin_sweeps, lead
from .inequality_constraints import clear_force, sweep, warm_start
from .scratch import ContactScratch
from .soft_contact import soft_meets
from .soft_pairs import list_soft_pairs, of_one

SWEEPS = 60  # at most
PRECISION = 1e-3  # of a thickness: what is missing after the last sweep is left to the next step


@kernel
def press_apart(
    model: Model, state: State, old: OldState, welded: WeldedScratch, work: ContactScratch, h: float
) -> int:
    """Move nodes, and change their velocities with them, until nothing overlaps at the end of a step of h [s] from
    `old` that has led to `state`; how many contacts there are, or −1 where the list of pairs is full.
    """
    if not list_soft_pairs(model, state, old, work, h):
        return -1
    x, v, w, held = state.x, state.v, state.w, (model.bodies, model.slaves, welded.slaves, work.pushes)
    time, pairs, count, half = state.clock[0].time, state.soft_pairs, 0, 0.5 * h * h
    parts, listing = (moment(model.surfaces, time), moment(model.surfaces, time + h)), state.soft_listing
    for p in range(listing[0].count):
        if pairs[p].gap <= listing[of_one(model, pairs[p])].near or pairs[p].force[0] > 0.0:
            row = work.contacts[count]
            if soft_meets(model, pairs[p], (old.x, x), parts, row) and begin(row, pairs[p].force, w, half):
                row.pair = p
                count += 1
    contacts = work.contacts[:count]
    relax(contacts, x, old.x, w, held, h)
    for p in range(listing[0].count):
        clear_force(pairs[p])
    for q in range(count):
        row, force = contacts[q], pairs[contacts[q].pair].force
        force[0] = row.normal / half
        for c in range(3):
            force[1 + c] = row.along[c] / half
        hurl(row, v, w, h)
    return count


@kernel
def stop(
    model: Model, state: State, welded: WeldedScratch, work: ContactScratch, count: int, ahead: np.ndarray, h: float
) -> None:
    """Change velocities so that nothing that presses at the end of a step of h [s] comes nearer, of `count` contacts;
    ahead (N, 3): scratch.
    """
    x, v, w, held, pressing = state.x, state.v, state.w, (model.bodies, model.slaves, welded.slaves, work.pushes), 0
    for i in range(len(x)):
        for c in range(3):
            ahead[i, c] = x[i, c] + h * v[i, c]
    for q in range(count):
        if work.contacts[q].normal > 0.0:
            work.contacts[pressing] = work.contacts[q]
            row = work.contacts[pressing]
            row.gap = row.normal = row.left = 0.0
            row.gain = 1.0
            row.along[0] = row.along[1] = row.along[2] = 0.0
            pressing += 1
    contacts = work.contacts[:pressing]
    relax(contacts, ahead, x, w, held, h)
    for q in range(pressing):
        hurl(contacts[q], v, w, h)


@kernel
def begin(row: np.record, force: np.ndarray, w: np.ndarray, unit: float) -> bool:
    """Begin a contact with the last step's force (4,) [N], and whether it can move anything; unit [1/N] of impulses."""
    row.weight = row.slide = chain.mobility(row, w)
    inside = row.n[0] * force[1] + row.n[1] * force[2] + row.n[2] * force[3]
    row.normal = force[0] * unit
    for c in range(3):
        row.along[c] = (force[1 + c] - inside * row.n[c]) * unit
    row.gain, row.left, row.longest = 1.0, 0.0, inf
    return row.weight > 0.0


@kernel
def relax(contacts: np.ndarray, x: np.ndarray, x0: np.ndarray, w: np.ndarray, held: Held, h: float) -> None:
    """Sweeps over the contacts of a step of h [s] from x0 (N, 3) until little is missing at x (N, 3)."""
    warm_start(contacts, x, w, held)
    begin_sweeps(contacts)
    last = 0.0
    for k in range(SWEEPS):
        if k > 0:
            last = lead(contacts, x, w, held, last)
        if sweep(contacts, x, x0, w, held, h) < PRECISION:
            return


@kernel
def hurl(row: np.record, v: np.ndarray, w: np.ndarray, h: float) -> None:
    """Give nodes of a CONTACT the velocities that its impulse, over h [s], is."""
    for k in range(4):
        i = row.node[k]
        part = w[i] * row.share[k] / h
        for c in range(3):
            v[i, c] += part * (row.normal * row.n[c] + row.along[c])
