"""How much a cable chafes: what contacts with surfaces press with, times how far it slides on these, N |Δs|.

What slides under a contact between points i and i + 1, a share s of the way, is the cable's material, and not the
points, which stay where it runs over edges (running.py). It goes by

    (1 − s) w_i + s w_{i+1} − (what the surface moves by there),    w = Δx − t Δa,

a the arc length at a point: less what is along the contact's normal, which is no sliding.
"""

import numpy as np

from ..arithmetic.fixed_order import norm
from ..elements.contact_press import contact_forces
from .equilibrium import SettledCable
from .surroundings import Surroundings
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
    pushes, work = contacts.pushes(y), np.zeros(3)
    for c in np.flatnonzero(pushes > 0.0):
        row, total = contacts.rows[c : c + 1], np.zeros_like(x)
        contact_forces(y, pushes[c : c + 1], row, STRIDE, total, work)
        i = int(row["segment"][0])
        sizes = norm(total[i : i + 2])
        s = float(sizes[1] / sizes.sum())
        n = total[i : i + 2].sum(axis=0) / sizes.sum()
        slid = (1.0 - s) * way[i] + s * way[i + 1]
        slid -= moved(contacts.around, int(row["feature"][0]), rest.points[i] + s * d[i])
        slid -= float((slid * n).sum()) * n
        worn[i : i + 2] += units.force * sizes * float(norm(slid))
    return worn


def moved(around: Surroundings, feature: int, place: np.ndarray) -> np.ndarray:
    """(3,) [m] by which a surface moved, since it was as it was before, where a feature is nearest to a place now."""
    s = around.surfaces
    if feature < 0 or around.moves == 0.0:
        return np.zeros(3)
    faces, edges = len(s.faces), len(s.faces) + len(s.edges)
    if feature < faces:
        corners = s.faces["corner"][feature]
    else:
        corners = s.edges["end"][feature - faces] if feature < edges else np.array([feature - edges])
    now = around.length * s.samples[1][corners]
    way = now - around.length * s.samples[0][corners]
    found: np.ndarray = way[0].copy()
    sides, away = now[1:] - now[0], place - now[0]
    if len(corners) == 3:
        (a, b), across = sides, np.cross(sides[0], sides[1])
        area = float((across * across).sum())
        if area > 0.0:
            found += float((np.cross(away, b) * across).sum()) / area * (way[1] - way[0])
            found += float((np.cross(a, away) * across).sum()) / area * (way[2] - way[0])
    elif len(corners) == 2 and (size := float((sides * sides).sum())) > 0.0:
        found += min(1.0, max(0.0, float((away * sides[0]).sum()) / size)) * (way[1] - way[0])
    return found
