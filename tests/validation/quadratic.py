"""Statics and modes of soft bodies by Newton's method and by quadratic tetrahedra, which do not lock: what smoothed and
affine ones are held against.

An element of straight edges has ten nodes, its corners and the middles of its edges; four points of quadrature make its
linear gradients' products exact, and each is a DOMAIN of a quarter of its volume. So the kernels that others are
checked by give its forces as well.
"""

from dataclasses import replace
from itertools import combinations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh, spsolve
from tendril.physics.assemble.solids import assemble_solids
from tendril.physics.elements.domain_tangent import tangents
from tendril.physics.elements.domains import gradients, gradients_at
from tendril.physics.elements.tetrahedra import volumes
from tendril.physics.model import DOMAIN, SLOPE, changed
from tendril.physics.scene import Scene
from tendril.physics.solids.forces import elastic_forces
from tendril.physics.start.soft_rest_in_equilibrium import stiffness

ENDS = np.array(list(combinations(range(4), 2)))
NEAR, FAR = (5.0 + 3.0 * 5.0**0.5) / 20.0, (5.0 - 5.0**0.5) / 20.0  # barycentric, of the four points


class Static:
    """A soft body whose equilibria are looked for: x (n, 3) relaxed, Solids, and M (n, n) [kg]."""

    def __init__(self, body, quadratic=False):
        model, state, _ = assemble_solids(Scene((), 1 / 24, 2, solids=(body,)))
        self.x, self.solids, tetrahedra = state.x.copy(), model.solids, model.solids.tetrahedra
        if quadratic:
            self._divide(tetrahedra["node"], model.solids.domains[0], body.density)
        else:
            self.M = sp.diags(model.nodes["mass"]).tocsr()

    def _divide(self, corner, material, density):
        ends, place = np.unique(np.sort(corner[:, ENDS], axis=2).reshape(-1, 2), axis=0, return_inverse=True)
        node = np.concatenate([corner, len(self.x) + place.reshape(-1, 6)], axis=1)
        slope, volume = gradients(self.x[corner]), volumes(self.x[corner])
        found = np.empty((len(corner), 4, 10, 3))
        for point in range(4):
            share = np.where(np.arange(4) == point, NEAR, FAR)
            found[:, point, :4] = (4.0 * share[:, None] - 1.0) * slope
            i, j = ENDS.T
            found[:, point, 4:] = 4.0 * (share[i, None] * slope[:, j] + share[j, None] * slope[:, i])
        count = 4 * len(corner)
        rows = changed(np.zeros(10 * count, SLOPE), slope=found.reshape(-1, 3))
        rows["node"] = np.repeat(node, 4, axis=0).ravel()
        domains = changed(
            np.zeros(count, DOMAIN), first=10 * np.arange(count), end=10 * np.arange(1, count + 1), tetrahedron=-1,
            volume=np.repeat(volume / 4.0, 4), **{name: material[name] for name in ("bulk", "shear", "paper")},
        )  # fmt: skip
        shared = (ENDS[:, None, :, None] == ENDS[None, :, None, :]).sum(axis=(2, 3))
        mass = np.empty((10, 10))  # times 420/ρV
        mass[:4, :4] = 1.0 + 5.0 * np.eye(4)
        mass[:4, 4:] = np.where((ENDS[None] == np.arange(4)[:, None, None]).any(axis=2), -4.0, -6.0)
        mass[4:, :4], mass[4:, 4:] = mass[:4, 4:].T, np.array([8.0, 16.0, 32.0])[shared]
        self.x = np.concatenate([self.x, self.x[ends].mean(axis=1)])
        value = density * volume[:, None, None] / 420.0 * mass
        row, column = np.repeat(node, 10, axis=1), np.tile(node, 10)
        self.M = sp.coo_matrix((value.ravel(), (row.ravel(), column.ravel()))).tocsr()
        self.solids = self.solids._replace(tetrahedra=self.solids.tetrahedra[:0], domains=domains, slopes=rows)

    def forces(self, x):
        """(n, 3) [N]."""
        f = np.zeros_like(x)
        elastic_forces(self.solids, x, f, np.zeros(len(self.solids.tetrahedra)))
        return f

    def stiffness(self, x):
        """K (3n, 3n) [N/m], of the polyconvex energy."""
        domains, slopes = self.solids.domains, self.solids.slopes
        F = gradients_at(domains, slopes, x)
        return stiffness(domains, slopes, tangents(F, domains["bulk"], domains["shear"]), len(x))

    def equilibrium(self, held, gravity, parts=1):
        """x (n, 3) where nodes `held` (n,) bool stay, under gravity (3,) that comes in so many parts."""
        free, x, load = np.repeat(~held, 3), self.x.copy(), (self.M @ np.ones((len(self.x), 1))) * gravity
        for part in range(1, parts + 1):
            for _ in range(30):
                off = (self.forces(x) + part / parts * load).ravel()[free]
                if np.abs(off).max() <= 1e-9 * np.abs(load).max():
                    break
                step = np.zeros(3 * len(x))
                step[free] = spsolve(self.stiffness(x)[free][:, free].tocsc(), off)
                x += step.reshape(-1, 3)
        return x

    def linear(self, held, gravity):
        """Displacements (n, 3) of Hooke's law."""
        free, u = np.repeat(~held, 3), np.zeros(3 * len(self.x))
        load = ((self.M @ np.ones((len(self.x), 1))) * gravity).ravel()
        u[free] = spsolve(self.stiffness(self.x)[free][:, free].tocsc(), load[free])
        return u.reshape(-1, 3)

    def frequencies(self, count):
        """[1/s] ω of the lowest modes of the free body that are not rigid, and the largest of its six that are."""
        M = sp.kron(self.M, sp.eye(3)).tocsc()
        K = self.stiffness(self.x).tocsc()
        square = np.sort(eigsh(K, count + 6, M, sigma=-1e-4 * K.diagonal().max() / M.diagonal().max())[0])
        return np.sqrt(square[6:]), float(np.sqrt(np.abs(square[:6]).max()))


def refined(body, **options):
    """The body as Static of quadratic tetrahedra."""
    return Static(replace(body, elements="AFFINE", **options), quadratic=True)
