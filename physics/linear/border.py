"""A symmetric band with a border of a few unknowns that are coupled with all others.

    [ A  Bᵀ ] [x]   [f]
    [ B  C  ] [s] = [g],    S = C − B A⁻¹ Bᵀ,    S s = g − B A⁻¹ f,    x = A⁻¹ (f − Bᵀ s).

The whole has as many negative eigenvalues as A and S have (Haynsworth). With no border it is the band alone.
"""

import numpy as np

from .block_band import factorise, negative_direction, solve


class Bordered:
    """Factors of a band (n, w + 1), in place, with a border (m, n + m): B and C side by side."""

    def __init__(self, band: np.ndarray, border: np.ndarray) -> None:
        self.band, self.n = band, len(band)
        self.negative = factorise(band, np.empty(self.n))
        self.b = border[:, : self.n]
        if len(border):
            self.z = np.array(self.b, order="C")
            solve(band, self.z)
            s = border[:, self.n :] - self.b @ self.z.T
            self.value, self.axes = np.linalg.eigh(0.5 * (s + s.T))
            self.negative += int(np.count_nonzero(self.value <= 0.0))

    def solve(self, y: np.ndarray) -> None:
        """y (n + m,), the right-hand side, becomes the solution."""
        x, s = y[None, : self.n], y[self.n :]
        solve(self.band, x)
        if len(s):
            s[:] = self.axes @ ((self.axes.T @ (s - self.b @ x[0])) / self.value)
            x[0] -= s @ self.z

    def negative_direction(self, p: np.ndarray) -> None:
        """p (n + m,): pᵀAp < 0 of the whole, where it has a negative eigenvalue."""
        x, s = p[: self.n], p[self.n :]
        if len(s) and self.value[0] < 0.0:
            s[:] = self.axes[:, 0]
            x[:] = -(s @ self.z)
        else:
            s[:] = 0.0
            negative_direction(self.band, x)
