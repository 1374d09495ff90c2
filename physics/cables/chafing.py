"""How much a cable chafes: what contacts with surfaces press with, times how far it slides on these, N |Δs|.

What slides under a contact between points i and i + 1, a share s of the way, is the cable's material, and not the
points, which stay where it runs over edges (running.py). It goes by

    (1 − s) w_i + s w_{i+1} − (what the surface moves by there),    w = Δx − t Δa,

a the arc length at a point: less what is along the contact's normal, which is no sliding.
"""

import numpy as np

from ..arithmetic.fixed_order import norm
from ..elements.contact_press import PLANE, contact_forces
from .equilibrium import SettledCable
from .surroundings import moved
from .tables import STRIDE


def chafed(x: np.ndarray, length: np.ndarray, rest: SettledCable) -> np.ndarray:
    """(n,) [J] of its points at rest, which were at x (n, 3) [m] with segments as long (n − 1,) [m] as that before."""
    system, y, units = rest.state.system, rest.state.y, rest.state.units
    worn, contacts = np.zeros(len(x)), system.contacts
    if contacts is None or not len(contacts.rows):
        return worn
    along, d = np.gradient(rest.points, axis=0), np.diff(rest.points, axis=0)
    along /= norm(along)[:, None]
    run = np.concatenate([[0.0], np.cumsum(units.length * system.segments["length"] - length)])
    way = rest.points - x - run[:, None] * along
    pushes = contacts.pushes(y)
    pressing = pushes > 0.0
    rows, pushes = contacts.rows[pressing], pushes[pressing]
    s, n = rows["share"].copy(), rows["n"].copy()
    for c in np.flatnonzero(rows["kind"] != PLANE):
        s[c], n[c] = _place(y, rows[c : c + 1], len(x))
    i = rows["segment"]
    slid = (1.0 - s)[:, None] * way[i] + s[:, None] * way[i + 1]
    if contacts.around.moves > 0.0:
        places = rest.points[i] + s[:, None] * d[i]
        led = [moved(contacts.around, *one) for one in zip(rows["feature"].tolist(), places, strict=True)]
        slid -= np.reshape(led, (-1, 3))
    slid -= np.sum(slid * n, axis=1)[:, None] * n
    work = units.force * pushes * norm(slid)
    np.add.at(worn, i, (1.0 - s) * work)
    np.add.at(worn, i + 1, s * work)
    return worn


def _place(y: np.ndarray, row: np.ndarray, count: int) -> tuple[float, np.ndarray]:
    """(share along its segment, normal) of where a contact (1,) with what is sharp is, of so many points."""
    total, i = np.zeros((count, 3)), int(row["segment"][0])
    contact_forces(y, np.ones(1), row, STRIDE, total, np.zeros(3))
    sizes = norm(total[i : i + 2])
    return float(sizes[1] / sizes.sum()), total[i : i + 2].sum(axis=0) / sizes.sum()
