"""Motion of Cosserat rods: what is kept, and a cantilever let go."""

import numpy as np
import pytest
from cosserat import ALONG_X, CosseratRod, Laws, along_x, round_laws

LOWEST = -0.7210  # m, the tip of a cantilever of 1 m let go: three peers, extrapolated
STEPS = 10_000


def flying(seed=0, closed=False):
    """A naturally bent rod, or ring, of two bending stiffnesses, thrown, spun and shaken."""
    rng = np.random.default_rng(seed)
    around = np.linspace(0.0, 2.0 * np.pi, 30, endpoint=False) if closed else np.linspace(0.0, 3.0, 31)
    x = 0.2 * np.stack([np.cos(around), np.sin(around), 0.3 * np.sin(around)], axis=1)
    rod = CosseratRod(x, Laws([1e-2, 2e-2], 1.5e-2, 1e3, 0.1, 1e-4), closed=closed)
    rod.v = np.cross([1.0, 2.0, 5.0], rod.x) + [1.0, 0.0, 0.0] + rng.normal(0.0, 0.3, rod.x.shape)
    rod.spin = rng.normal(0.0, 3.0, rod.spin.shape) + [0.0, 0.0, 20.0]
    return rod


@pytest.mark.parametrize("closed", [False, True], ids=["open", "ring"])
def test_momenta_are_kept_and_energy_is_bounded(closed):
    rod = flying(closed=closed)
    momentum, angular, energies = rod.momentum(), rod.angular_momentum(), [rod.energy()]
    for _ in range(100):
        rod.advance(STEPS // 100, 0.2 * rod.step())
        energies.append(rod.energy())
    assert np.abs(rod.momentum() - momentum).max() < 1e-9 * np.linalg.norm(momentum)
    assert np.abs(rod.angular_momentum() - angular).max() < 1e-9 * np.linalg.norm(angular)
    part = np.array(energies) / energies[0] - 1.0
    assert np.abs(part).max() < 0.012
    assert abs(np.mean(part[-20:]) - np.mean(part[1:21])) < 1e-3


@pytest.mark.parametrize(("edges", "bound"), [(25, 1.2e-3), (50, 1e-3)])
def test_a_cantilever_let_go_falls_as_far_as_it_does(edges, bound):
    rod = CosseratRod(along_x(edges), round_laws(), walls=(ALONG_X, None))
    rod.hold(0)
    rod.gravity[2] = -9.81
    h, lowest = 0.8 * rod.step(), 0.0
    for _ in range(int(0.6 / (20 * h))):
        rod.advance(20, h)
        lowest = min(lowest, rod.x[-1, 2])
    assert lowest == pytest.approx(LOWEST, rel=bound)
