"""A sheet as a system that schemes/static brings to rest: its unknowns that nothing holds, in units of their own.

Unknowns are places of nodes, then the angles ξ of edges' directors (see elements/plate): directors r that go with their
edges without turning about them, where these have the directions t they had at `carry`, are turned by ξ besides.
Loads are dead forces. No scene is brought to rest so, which would have to know what touches: it is what the element is
validated by.
"""

from typing import Any, NamedTuple

import numpy as np
from plate_hessian import UNKNOWNS, plate_derivatives
from scipy.sparse import csc_matrix, identity
from tendril.physics._jit import entry, kernel
from tendril.physics.elements.plate import measure
from tendril.physics.linear.border import Border
from tendril.physics.linear.elimination import factorised
from tendril.physics.sheets.plate import Plate, directors_of, stand, stored, turned

LONGEST_TURN = 0.5  # rad, of an edge or a director in a step: so far the second derivatives tell
SOFTEST = 1e-7  # over the count of unknowns: what bends least resists by 10 or more of a unit, on all nodes together
SMALL = (29, 12)  # scratch of a triangle


def freedoms(plate: Plate) -> int:
    """How many unknowns."""
    return 3 * len(plate.mass) + len(plate.edges)


def unknowns_of(plate: Plate) -> np.ndarray:
    """(t, 12) of each triangle."""
    corners = 3 * plate.triangles["node"][:, :, None] + np.arange(3)
    directors = 3 * len(plate.mass) + plate.triangles["edge"]
    return np.concatenate([corners.reshape(-1, 9), directors], axis=1)


class Shape(NamedTuple):
    """What kernels read: triangles (t,) PLATE, edges (e,) PLATE_EDGE and PLATE_DIRECTOR (e,) on them; own (t, 12):
    unknowns of each triangle; slot (t, 144): which values of the matrix its entries are added to, −1: none; turned (e,)
    PLATE_DIRECTOR and small (29, 12) are scratch.
    """

    triangles: np.ndarray
    edges: np.ndarray
    directors: np.ndarray
    own: np.ndarray
    slot: np.ndarray
    turned: np.ndarray
    small: np.ndarray


@kernel
def turn_directors(y: np.ndarray, shape: Shape, out: np.ndarray, share: float) -> None:
    """Fills PLATE_DIRECTOR (e,), out, with those at y, turned by a share of their ξ."""
    first = len(y) - len(shape.edges)
    x = y[:first].reshape(-1, 3)
    for e in range(len(shape.edges)):
        u, d = turned(x, shape.edges[e], shape.directors[e], share * y[first + e])
        stand(out[e], u, d)


@entry
def carry(y: np.ndarray, shape: Shape) -> None:
    """Directors go along to where edges are at y."""
    turn_directors(y, shape, shape.directors, 0.0)


@entry
def energy(y: np.ndarray, shape: Shape) -> float:
    """[J] at y."""
    turn_directors(y, shape, shape.turned, 1.0)
    return stored(y[: len(y) - len(shape.edges)].reshape(-1, 3), shape.turned, shape.triangles)


@entry
def derivatives(y: np.ndarray, shape: Shape, convex: bool, gradient: np.ndarray, values: np.ndarray) -> None:
    """The gradient (N,) and values (Z,) of the Hessian at y, to where directors have gone along; convex: see
    plate_derivatives.
    """
    small, x = shape.small, y[: len(y) - len(shape.edges)].reshape(-1, 3)
    turn_directors(y, shape, shape.turned, 1.0)
    out, g, h, room = small[:4, :3], small[4], small[5:17], small[17:29]
    gradient[:] = 0.0
    values[:] = 0.0
    for k in range(len(shape.triangles)):
        measure(x, shape.turned, shape.triangles[k], out)
        plate_derivatives(x, shape.triangles[k], out, convex, g, h, room)
        for i in range(UNKNOWNS):
            gradient[shape.own[k, i]] += g[i]
            for j in range(UNKNOWNS):
                at = shape.slot[k, UNKNOWNS * i + j]
                if at >= 0:
                    values[at] += h[i, j]


def pattern(unknowns: np.ndarray, number: np.ndarray, count: int) -> tuple[csc_matrix, np.ndarray]:
    """A symmetric matrix (count, count) of zeros where elements of `unknowns` (t, k) have entries, and where each of
    these (t, k k) is among its values; number (N,): of an unknown in the matrix, −1: it has none.
    """
    own = number[unknowns]
    row, column = (np.broadcast_to(a, (*own.shape, own.shape[1])) for a in (own[:, :, None], own[:, None, :]))
    key = np.where((row >= 0) & (column >= 0), column * count + row, -1)
    kept = np.unique(key)
    kept = kept[kept >= 0]
    slot = np.where(key >= 0, np.searchsorted(kept, key), -1)
    start = np.searchsorted(kept, count * np.arange(count + 1))
    return csc_matrix((np.zeros(len(kept)), kept % count, start), shape=(count, count)), slot.reshape(len(own), -1)


class SheetFactors:
    """L D Lᵀ of a sparse matrix + shift 1: as many pivots are negative as eigenvalues are."""

    def __init__(self, matrix: csc_matrix, shift: float) -> None:
        self.found = factorised(matrix + shift * identity(matrix.shape[0], format="csc"), "NATURAL")
        self.n = matrix.shape[0]
        self.pivot = self.found.U.diagonal()
        self.negative = int(np.count_nonzero(self.pivot <= 0.0))

    @property
    def blocks(self) -> list[tuple[slice, "SheetFactors"]]:
        """See linear/border: it is all one."""
        return [(slice(0, self.n), self)]

    def solve(self, b: np.ndarray) -> None:
        """The rows of b (r, n), right-hand sides, become solutions."""
        b[:] = self.found.solve(np.ascontiguousarray(b.T)).T

    def negative_direction(self, p: np.ndarray) -> None:
        """p (n,) = L⁻ᵀe of the most negative pivot d, which is pᵀAp: what Ap = d L e asks for."""
        k = int(np.argmin(self.pivot))
        column = self.found.L[:, [k]].toarray()[:, 0]
        p[:] = self.found.solve(self.pivot[k] * column[self.found.perm_r])


class Unconstrained:
    """What schemes/static asks of a system of a sparse matrix, with neither constraints nor contacts."""

    half_bandwidth, bordering, at_once, contacts, stiffness, parted = (
        -1,
        0,
        False,
        None,
        1.0,
        1.0,
    )  # nothing of it is in a band
    count: int

    def no_border(self) -> Border:
        """All unknowns are in the matrix."""
        return Border.full(np.zeros((0, self.count)))

    def add_contacts(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray) -> None:
        """See schemes/static."""

    def springs(self, y: np.ndarray) -> None:
        """See schemes/static: nothing is coupled."""

    def flatten(self, flat: bool) -> bool:
        """See schemes/static."""
        return False

    def update_multipliers(self, y: np.ndarray, share: float) -> tuple[float, float]:
        """See schemes/static: there are none."""
        return 0.0, 0.0

    def detect_contacts(self, y: np.ndarray) -> float:
        """See schemes/static."""
        return 0.0

    def loosen(self, stiffness: float) -> bool:
        """See schemes/static."""
        return False

    def stiffen(self, factor: float) -> None:
        """See schemes/static."""

    def brace(self, most: float) -> bool:
        """See schemes/static."""
        return False

    def memory(self) -> Any:
        """See schemes/static."""

    def recall(self, memory: Any) -> None:
        """See schemes/static."""


class SheetSystem(Unconstrained):
    """A plate whose nodes x (n, 3) [m] and directors begin as drawn or as a rest shape at x has them; held: which of
    its unknowns, (n, 3) of nodes and (e,) of directors, bool, stay where they are.
    """

    def __init__(self, plate: Plate, x: np.ndarray, held: np.ndarray, held_directors: np.ndarray) -> None:
        self.plate = plate
        self.z = np.concatenate([x.ravel(), np.zeros(len(plate.edges))])  # all unknowns, in SI units
        elements, fixed = unknowns_of(plate), np.concatenate([held.ravel(), held_directors])
        self.free = _order(np.flatnonzero(~fixed), elements, freedoms(plate))
        self.count = len(self.free)
        number = np.full(freedoms(plate), -1)
        number[self.free] = np.arange(self.count)
        self.matrix, slot = pattern(elements, number, self.count)
        self.column = np.repeat(np.arange(self.count), np.diff(self.matrix.indptr))
        triangles = plate.triangles.copy()
        directors, turned = (directors_of(x, triangles, plate.edges) for _ in range(2))
        self.shape = Shape(triangles, plate.edges, directors, elements, slot, turned, np.zeros(SMALL))
        self.load, self.drawn = np.zeros(freedoms(plate)), self.z.copy()  # [N]
        self.lengths = np.linalg.norm(x[plate.edges["node"][:, 1]] - x[plate.edges["node"][:, 0]], axis=1)
        self.slopes = np.zeros(freedoms(plate))
        size, bend = float(np.ptp(x, axis=0).max()), np.trace(triangles["bend"], axis1=1, axis2=2).mean()
        units = np.where(np.arange(freedoms(plate)) < x.size, size, 1.0)
        self.size, self.energy_unit = units[self.free], float(bend * self.lengths.mean() ** 2 / size**2)
        self.softest = SOFTEST / self.count  # the shift that any matrix has
        self.factor = self.size[self.matrix.indices] * self.size[self.column] / self.energy_unit

    def soften(self, factor: float) -> None:
        """The membrane is so many times as stiff as the plate's."""
        for name in ("shear", "bulk"):
            self.shape.triangles[name] = factor * self.plate.triangles[name]

    @property
    def unknowns(self) -> np.ndarray:
        """y (count,) of where all is."""
        return self.z[self.free] / self.size

    def whole(self, y: np.ndarray) -> np.ndarray:
        """All unknowns (N,) in SI units, at y."""
        z = self.z.copy()
        z[self.free] = y * self.size
        return z

    def energy(self, y: np.ndarray) -> float:
        """See schemes/static."""
        z = self.whole(y)
        return float((energy(z, self.shape) - self.load @ (z - self.drawn)) / self.energy_unit)

    def derivatives(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray) -> tuple[Border, None]:
        """See schemes/static: directors go along with their edges to y, from where the next step begins."""
        self.z[self.free] = y * self.size
        carry(self.z, self.shape)
        self._differentiate(False)
        gradient[:] = self.slopes[self.free] * self.size / self.energy_unit
        return self.no_border(), None

    def _differentiate(self, convex: bool) -> None:
        """Finds slopes and the matrix where all is; convex: see elements/plate."""
        matrix = self.matrix
        derivatives(self.z, self.shape, convex, self.slopes, matrix.data)
        self.slopes -= self.load
        matrix.data *= self.factor
        self.convex = convex

    def factors(self, band: np.ndarray, shift: float) -> SheetFactors:
        """See schemes/static: where the matrix is not definite, what spoils it is left out before it is shifted."""
        if shift > self.softest and not self.convex:
            self._differentiate(True)
            shift = self.softest
        return SheetFactors(self.matrix, shift)

    def longest(self, y: np.ndarray, p: np.ndarray) -> float:
        """See schemes/static."""
        step = np.zeros(freedoms(self.plate))
        step[self.free] = p * self.size
        first = 3 * len(self.plate.mass)
        x, ends = step[:first].reshape(-1, 3), self.plate.edges["node"]
        turn = np.linalg.norm(x[ends[:, 1]] - x[ends[:, 0]], axis=1) / self.lengths
        return LONGEST_TURN / max(LONGEST_TURN, float(turn.max()), float(np.abs(step[first:]).max(initial=0.0)))

    def memory(self) -> tuple[Any, ...]:
        """See schemes/static."""
        return self.z.copy(), self.shape.directors.copy()

    def recall(self, memory: tuple[Any, ...]) -> None:
        """See schemes/static."""
        self.z[:], self.shape.directors[:] = memory


def _order(free: np.ndarray, elements: np.ndarray, count: int) -> np.ndarray:
    """Free unknowns in the order of minimum degree, in which a sheet's factors fill in little."""
    number = np.full(count, -1)
    number[free] = np.arange(len(free))
    matrix, _ = pattern(elements, number, len(free))
    matrix.data[:] = -1.0
    matrix.setdiag(matrix.shape[0])
    place = factorised(matrix).perm_c
    return free[np.argsort(place)]
