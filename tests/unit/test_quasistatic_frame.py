"""Material frames at equilibrium: a minimum of the energy, less the work of loads, from anywhere, at once the right one
where it is known.
"""

import numpy as np
import pytest
from scipy.optimize import minimize
from tendril.physics.elements.hinge_rows import COUNT, ROW, lay_hinges
from tendril.physics.model import HINGE
from tendril.physics.rods.general_force import general_energy
from tendril.physics.rods.quasistatic_frame import derivatives, quasistatic_frame


class Frames:
    """A random rod as the kernel sees it: n − 2 hinges, n − 1 frames, curvatures of the size `bent` in the Bishop
    frame, loads of the size `loaded`, without a resultant.
    """

    def __init__(self, seed, closed=False, bent=0.6, natural=0.6, flat=4.0, loaded=0.0, n=15, curved=False):
        rng = np.random.default_rng(seed)
        self.closed = closed
        self.k = rng.normal(0.0, bent, (n, 2))[1:-1]
        cell = rng.uniform(3.0, 6.0, n)[1:-1, None]
        stiffness = np.stack([np.ones(n - 1), rng.uniform(1.0, flat, n - 1)], axis=1)
        self.hinges = np.zeros(n - 2, HINGE)
        self.hinges["bending"] = cell * np.hstack([stiffness[:-1], stiffness[1:]])
        self.hinges["rest_curvature"] = rng.normal(0.0, natural, (n, 4))[1:-1]
        if curved:  # as drawn
            self.hinges["bent"] = np.sum(self.hinges["rest_curvature"] ** 2, axis=1) / 8.0
        self.hinges["rest_share"] = 1.0 / np.sqrt(1.0 + self.hinges["bent"])
        self.hinges["twist_rate"] = rng.uniform(3.0, 6.0, n)[1:-1]
        self.hinges["rest_twist"] = rng.normal(0.0, 0.2, n)[1:-1]
        self.fixed = np.zeros(n - 1, dtype=np.uint8)
        self.theta = rng.uniform(-3.0, 3.0, n - 1)
        if closed:
            self.theta[-1] = self.theta[0] + 1.0
        self.load = rng.normal(0.0, loaded, n - 1)
        if closed:
            self.load[0] = 0.0
        self.load[-1] -= self.load.sum()

    def energy(self):
        """Less the work of the loads."""
        return general_energy(self.k, self.theta, self.hinges) - self.load @ self.theta

    def rows(self):
        """ROW of the hinges."""
        rows = np.zeros(len(self.hinges) // COUNT + 1, ROW)
        lay_hinges(self.hinges, self.k, rows)
        return rows

    def settle(self):
        rest, scratch = (self.load, self.fixed, self.closed, self.theta), np.zeros((6, len(self.theta)))
        return quasistatic_frame(self.k, self.hinges, *rest, self.rows(), scratch)

    def free(self):
        """Turns (f, m) that may be made: a closed rod's last angle goes with its first."""
        turns = np.eye(len(self.theta))
        if self.closed:
            turns[0, -1] = 1.0
            turns = turns[:-1]
        return turns[~self.fixed[: len(turns)].astype(bool)]

    def gradient(self):
        gradient, diagonal, beside = np.zeros((3, len(self.theta)))
        derivatives(self.theta, self.rows(), self.load, gradient, diagonal, beside)
        return self.free() @ gradient

    def hessian(self):
        """By central differences of the gradient."""
        start, turns = self.theta.copy(), self.free()
        rows = []
        for turn in turns:
            sides = []
            for side in (1e-6, -1e-6):
                self.theta[:] = start + side * turn
                sides.append(self.gradient())
            rows.append((sides[0] - sides[1]) / 2e-6)
        self.theta[:] = start
        return np.array(rows)


@pytest.mark.parametrize("curved", [False, True])
@pytest.mark.parametrize("loaded", [0.0, 2.0])
@pytest.mark.parametrize("closed", [False, True])
def test_gradient_is_that_of_the_energy(closed, loaded, curved):
    frames = Frames(1, closed, loaded=loaded, curved=curved)
    start = frames.theta.copy()
    expected = []
    for turn in frames.free():
        levels = []
        for side in (1e-6, -1e-6):
            frames.theta[:] = start + side * turn
            levels.append(frames.energy())
        expected.append((levels[0] - levels[1]) / 2e-6)
    frames.theta[:] = start
    np.testing.assert_allclose(frames.gradient(), expected, atol=1e-7 * np.abs(expected).max())


@pytest.mark.parametrize("curved", [False, True])
@pytest.mark.parametrize("loaded", [0.0, 2.0])
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("held", [(), (0,), (0, 13), (5,), (4, 5, 9)])
def test_a_minimum_from_anywhere(closed, held, loaded, curved):
    for seed in range(40):
        frames = Frames(seed, closed, loaded=loaded, curved=curved)
        frames.fixed[list(held)] = 1
        if closed:
            frames.fixed[-1] = 0
        before, start = frames.energy(), frames.theta.copy()
        assert frames.settle()
        np.testing.assert_array_equal(frames.theta[list(held)][:-1], start[list(held)][:-1])
        assert frames.energy() < before
        assert np.abs(frames.gradient()).max() < 1e-8
        assert np.linalg.eigvalsh(frames.hessian())[0] > -1e-6
        if closed:
            assert frames.theta[-1] - frames.theta[0] == pytest.approx(1.0, abs=1e-12)


def test_the_same_minimum_as_another_method():
    """Near the start, where there is only one."""
    frames = Frames(2, bent=0.2, natural=0.2)
    frames.fixed[[0, -1]] = 1
    frames.theta[:] = 0.0

    def energy(inner):
        return general_energy(frames.k, np.concatenate([[0.0], inner, [0.0]]), frames.hinges)

    other = minimize(energy, np.zeros(12), method="BFGS", jac="3-point", options={"gtol": 1e-10})
    assert frames.settle()
    np.testing.assert_allclose(frames.theta[1:-1], other.x, atol=1e-6)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("size", [1e-1, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5])
def test_what_newton_leaves_undone(closed, size):
    """It stops where it knows from how its steps shrink that the next one is nothing, or, for how fast they shrink
    changes, less than 1e-11 rad.
    """
    for seed in range(40):
        frames = Frames(seed, closed, loaded=0.5)
        frames.fixed[0] = 1
        if closed:
            frames.fixed[-1] = 0
        assert frames.settle()
        frames.theta[1:-1] += np.random.default_rng(seed).normal(0.0, size, len(frames.theta) - 2)
        assert frames.settle()
        found = frames.theta.copy()
        for _ in range(2):
            assert frames.settle()
        np.testing.assert_allclose(frames.theta, found, rtol=0.0, atol=1e-11)


@pytest.mark.parametrize("closed", [False, True])
def test_round_and_straight_spreads_evenly(closed):
    """No curvature has a say: the twist is m̄ plus a share that is the same torque everywhere."""
    frames = Frames(3, closed, natural=0.0, flat=1.0)
    frames.hinges["bending"] = frames.hinges["bending"][:, :1]
    if not closed:
        frames.fixed[[0, -1]] = 1
    total = frames.theta[-1] - frames.theta[0]
    assert frames.settle()
    torque = frames.hinges["twist_rate"] * (np.diff(frames.theta) - frames.hinges["rest_twist"])
    np.testing.assert_allclose(torque, torque[0], atol=1e-9)
    assert frames.theta[-1] - frames.theta[0] == pytest.approx(total, abs=1e-12)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("little", [1e-3, 1e-6, 1e-9, 1e-11])
def test_hardly_flat_or_curved(closed, little):
    """A spin that costs next to nothing is found, or left as it is, but never stops the bake."""
    for seed in range(20):
        frames = Frames(seed, closed, natural=little, flat=1.0 + little)
        assert frames.settle()
        assert np.abs(frames.gradient()).max() < 1e-8
