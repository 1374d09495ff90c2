"""A sheet in motion: BDF2 with steps of any length, as rods take them (docs/physics/solvers.md).

With ρ the step h over the last one, s = h (1 + ρ)/(1 + 2ρ), and x̄ = ((1 + ρ)² x₀ − ρ² x₋)/(1 + 2ρ), v̄ alike,

    M (x − x̄ − s v̄)/s² + ∂E/∂x = f,    v = (x − x̄)/s,

is where ½ (x − x̂)ᵀ M (x − x̂)/s² + E − f·x, x̂ = x̄ + s v̄, is least: the energy that schemes/static brings to rest. The
first step is backward Euler's, ρ = 0, and so is one after a step that could not be taken. Angles ξ of directors are
carried along with their edges, so their differences are turns about these.
"""

from typing import Any

import numpy as np

from ..schemes.static import Equilibrium
from . import plate as own
from .system import ENOUGH, SheetSystem

PRECISION = 1e-3  # of an edge, to which a step finds places before its last iteration, which squares it
FURTHEST = 0.7  # rad, by which an edge or a director turns in a step: farther, and another shape may be found
SHORTEST = 2.0**-12  # of what is asked for
WON = 0.02  # of the most energy there was, that a step may win: more comes from another root than that of the motion
GROWTH = 2.0  # of a step over the last one: BDF2 is stable up to 1 + √2 (Grigorieff 1983, *Numer. Math.* 42)
EFFORT = 60  # steps of Newton's method, from which on half the time takes less


class SheetMotion:
    """Of a sheet from where its system is, at velocities v (n, 3) [m/s], under dead loads on its nodes (n, 3) [N].
    damping [s]: τ of Kelvin and Voigt.
    """

    def __init__(self, system: SheetSystem, v: np.ndarray, load: np.ndarray, damping: float = 0.0) -> None:
        self.system, plate = system, system.plate
        self.mass = np.concatenate([np.repeat(plate.mass, 3), plate.inertia])
        self.v = np.concatenate([v.ravel(), np.zeros(len(plate.edges))])
        self.load = np.concatenate([load.ravel(), np.zeros(len(plate.edges))])
        self.past: tuple[np.ndarray, np.ndarray, float, np.ndarray] | None = None
        self.damping, self.strains = damping, self._strains(system.z)
        self.unit = 0.5 * float(plate.mass.sum()) * (PRECISION * float(system.lengths.mean())) ** 2 / ENOUGH
        self.steps = self.iterations = 0
        self.energy, self.most = self._stored(system.z, self.v)

    def advance(self, duration: float) -> bool:
        """Goes on by `duration` [s], in steps as long or shorter. Returns whether it came there."""
        left, h = duration, duration if self.past is None else GROWTH * self.past[2]
        while left > 1e-9 * duration:
            h = left / np.ceil(left / h - 1e-9)
            if self._attempt(h):
                left, h = left - h, GROWTH * h
                continue
            self.past, h = None, 0.5 * h
            if h < SHORTEST * duration:
                return False
        return True

    def _attempt(self, h: float) -> bool:
        """A step of h [s]. Returns whether it may count; else all is as it was."""
        system: Any = self.system  # of what schemes/static asks, all but constraints and contacts
        x, v, before = system.z.copy(), self.v, system.memory()
        s, x_bar, v_bar, strains = h, x, v, self.strains
        if self.past is not None:
            ratio = h / self.past[2]
            s = h * (1.0 + ratio) / (1.0 + 2.0 * ratio)
            here, there = (1.0 + ratio) ** 2 / (1.0 + 2.0 * ratio), ratio**2 / (1.0 + 2.0 * ratio)
            x_bar, v_bar = here * x - there * self.past[0], here * v - there * self.past[1]
            strains = here * self.strains - there * self.past[3]
        system.shape.triangles["drag"], system.shape.triangles["past"] = self.damping / s, strains
        system.led(self.mass / s**2, x_bar + s * v_bar, self.unit / s**2)
        system.load[:] = self.load
        y = system.unknowns  # from where velocities lead it takes as many steps, if there triangles have an area
        solver = Equilibrium(system, most=EFFORT)
        found = solver.settle(y, ENOUGH)
        system.shape.triangles["drag"] = 0.0
        self.steps, self.iterations = self.steps + 1, self.iterations + solver.effort.steps
        if not found or system.turned(before, y) > FURTHEST:
            system.recall(before)
            return False
        z = system.whole(y)
        now = np.zeros_like(v)
        now[system.free] = (z - x_bar)[system.free] / s
        total, whole = self._stored(z, now)
        if total > self.energy + WON * max(self.most, whole):
            system.recall(before)
            return False
        system.z, self.past, self.v = z, (x, v, h, self.strains), now
        self.strains = self._strains(z)
        self.energy, self.most = total, max(self.most, whole)
        return True

    def _strains(self, z: np.ndarray) -> np.ndarray:
        """(t, 2, 3) at z."""
        found = np.zeros((len(self.system.shape.triangles), 2, 3))
        own.strains(z, self.system.shape, found)
        return found

    def _stored(self, z: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        """Energy with and without that of loads [J]."""
        inner = 0.5 * float(np.sum(self.mass * v * v)) + own.energy(z, self.system.shape)
        return inner - float(np.sum(self.load * z)), inner
