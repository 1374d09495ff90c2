"""Soft bodies pressed apart, in a step of velocity Verlet with lumped mass: inequality constraints (see
`inequality_constraints`) on positions, then on velocities, as RATTLE meets equations (Andersen 1983).

Half of a steady force acts before the positions at the end of a step and half behind, so an impulse λ on positions is
h²/2 times the force. Velocities are as one more step of h would find gaps that are closed: where things press, they do
not come nearer, and friction has another half of its cone. What hits something stays on it: its nodes have no bounce.

Viscosity is solved for without contact, but with the last step's forces, so that what rests is at rest; then only what
they have changed by is left to impulses on nodes.
"""

import numpy as np

from .._jit import kernel
from ..model import Model, OldState, State
from ..rigid_bodies.scratch import WeldedScratch
from . import kept_forces
from .carriers import chain
from .carriers.body import Held
from .carriers.led_surface import lay
from .conjugate_sweeps import begin_sweeps, lead
from .detect import meeting_features
from .feature_list import list_features
from .inequality_constraints import RECOVERY_SPEED, sweep
from .kept_forces import add_forces, clear_forces, pressing
from .room import forget, has_rows
from .scratch import ContactScratch

SWEEPS = 60  # at most
# Of a thickness: what is missing after the last sweep is left to the next step. In very short steps that would be
# faster than what overlaps drifts apart, so less is: sweeps begin with the last step's forces, and these have to go.
PRECISION = 1e-3
# Squared shares of nodes that are free, of all: where it is less, one would have to go more than ten times as far as
# what is missing. So it is next to nodes that are held on both sides, which pass through each other: see `both_led`.
FURTHEST = 1e-2


@kernel
def find_contacts(model: Model, state: State, old: OldState, work: ContactScratch, h: float) -> int:
    """Contacts of a step of h [s] from `old` that leads to about `state`, as rows of work.contacts, with the last
    step's forces; how many there are, or −1: there is no room for them.
    """
    own, rows, count = model.solids, work.contacts, 0
    lay(own.surface, own.on_node, old.x, 0)
    lay(own.surface, own.on_node, state.x, 1)
    forget(state)
    if not list_features(model, state, old, work, h):
        return -1
    found = meeting_features(model, state, old, rows, 0, h)
    if not has_rows(state, len(rows), found):
        return -1
    for q in range(found):
        if begin(rows[q], state.feature_pairs[rows[q].pair].force, state.w, 0.5 * h * h):
            if count < q:
                rows[count] = rows[q]
            count += 1
    return count


@kernel
def give_forces(contacts: np.ndarray, f: np.ndarray, h: float) -> None:
    """Add the last step's forces to f (N, 3) [N], which velocities have from then on, and positions half of that."""
    for q in range(len(contacts)):
        row = contacts[q]
        give(row)
        for k in range(4):
            for c in range(3):
                f[row.node[k], c] += row.share[k] * (row.normal * row.n[c] + row.along[c]) / (0.5 * h * h)


@kernel
def withdraw(contacts: np.ndarray, v: np.ndarray, w: np.ndarray, h: float) -> None:
    """Take from v (N, 3) what forces that were given have done to them in a step of h [s]."""
    for q in range(len(contacts)):
        if contacts[q].given[0] > 0.0:
            hurl(contacts[q], v, w, -0.5 * h)


@kernel
def press_apart(
    model: Model, state: State, old: OldState, welded: WeldedScratch, work: ContactScratch, count: int, h: float
) -> None:
    """Move nodes, and change their velocities with them, until nothing overlaps at the end of a step of h [s] from
    `old`, of `count` contacts; their forces are kept.
    """
    x, v, w, held = state.x, state.v, state.w, (model.bodies, model.slaves, welded.slaves, work.pushes)
    contacts, half = work.contacts[:count], 0.5 * h * h
    for q in range(count):
        if contacts[q].given[0] > 0.0:
            hurl(contacts[q], v, w, -h)
        else:
            chain.push(contacts[q], x, w, pressing(contacts[q]))
    relax(contacts, x, old.x, w, held, work.frames, h)
    clear_forces(state)
    add_forces(state, contacts, 1.0 / half)
    for q in range(count):
        hurl(contacts[q], v, w, h)


@kernel
def stop(
    model: Model, state: State, welded: WeldedScratch, work: ContactScratch, count: int, ahead: np.ndarray, h: float
) -> None:
    """Change velocities so that nothing that presses at the end of a step of h [s] comes nearer, of `count` contacts;
    ahead (N, 3): scratch.
    """
    x, v, w, held, left = state.x, state.v, state.w, (model.bodies, model.slaves, welded.slaves, work.pushes), 0
    for q in range(count):
        work.contacts[left] = work.contacts[q]
        row = work.contacts[left]
        presses = row.normal > 0.0
        row.normal = row.given[0]
        for c in range(3):
            row.along[c] = row.given[1 + c]
        if presses:
            row.gap, row.left, row.gain = 0.0, 0.0, 1.0
            left += 1
        else:
            hurl(row, v, w, -h)
    for i in range(len(x)):
        for c in range(3):
            ahead[i, c] = x[i, c] + h * v[i, c]
    contacts = work.contacts[:left]
    for q in range(left):
        hurl(contacts[q], v, w, -h)
    relax(contacts, ahead, x, w, held, work.frames, h)
    for q in range(left):
        hurl(contacts[q], v, w, h)


@kernel
def give(row: np.record) -> None:
    """A CONTACT's impulse is given."""
    row.given[0] = row.normal
    for c in range(3):
        row.given[1 + c] = row.along[c]


@kernel
def begin(row: np.record, force: np.ndarray, w: np.ndarray, unit: float) -> bool:
    """Begin a contact with the last step's force (4,) [N], and whether what it can move has a share worth the name in
    it; unit [1/N] of impulses.
    """
    row.weight = row.slide = chain.mobility(row, w)
    kept_forces.begin(row, force, unit)
    free = whole = 0.0
    for k in range(4):
        row.given[k] = 0.0
        square = row.share[k] * row.share[k]
        whole += square
        free += square if w[row.node[k]] > 0.0 else 0.0
    return row.weight > 0.0 and free > FURTHEST * whole


@kernel
def relax(
    contacts: np.ndarray, x: np.ndarray, x0: np.ndarray, w: np.ndarray, held: Held, frames: np.ndarray, h: float
) -> None:
    """Sweeps over the contacts of a step of h [s] from x0 (N, 3) until little is missing at x (N, 3)."""
    begin_sweeps(contacts)
    last, enough = 0.0, min(PRECISION, RECOVERY_SPEED * h)
    for k in range(SWEEPS):
        if k > 0:
            last = lead(contacts, x, w, held, frames, last)
        if sweep(contacts, x, x0, w, held, frames, h) < enough:
            return


@kernel
def hurl(row: np.record, v: np.ndarray, w: np.ndarray, h: float) -> None:
    """Give nodes of a CONTACT the velocities that its impulse, over h [s], is."""
    for k in range(4):
        i = row.node[k]
        part = w[i] * row.share[k] / h
        for c in range(3):
            v[i, c] += part * (row.normal * row.n[c] + row.along[c])
