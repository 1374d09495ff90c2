"""How fast a bent rod sways that is clamped at one end and free at the other: a coil, a hook, a curl. numpy only.

Loads f at its vertices ask no stiffness for the moments M = Σ (x_i − x) × f_i beyond a place x: what is held at one end
is statically determinate. So its flexibility is two sums along it,

    θ' = (I − t tᵀ) M/B + t tᵀ M/C ,    u_i = ∫ θ' × (x_i − x) ,

and f ← m u comes to the slowest motion, of which Rayleigh's quotient is ω² = Σ f·u / Σ m u·u (power iteration on K⁻¹M).
"""

import numpy as np

ROUNDS = 8  # two motions across a coil are as slow: between such the quotient need not tell


def slowest_sway(
    x: np.ndarray, mass: np.ndarray, lengths: np.ndarray, bend: np.ndarray, twist: np.ndarray
) -> np.ndarray:
    """ω² (…) [1/s²] of rods clamped at x[…, 0, :] of x (…, n, 3) [m]; mass (…, n) [kg]; lengths (…, n − 1) [m]; bend,
    twist (…, n − 1) stiffness [N m²].
    """
    t, middle = np.diff(x, axis=-2), 0.5 * (x[..., 1:, :] + x[..., :-1, :])
    t /= np.sqrt((t**2).sum(axis=-1))[..., None]
    u, square = np.ones_like(x), np.zeros(x.shape[:-2])
    for _ in range(ROUNDS):
        u[..., 0, :] = 0.0
        f = mass[..., None] * u / np.sqrt((u**2).sum(axis=(-2, -1)))[..., None, None]
        force, torque = _beyond(f), _beyond(_cross(x, f))
        moment = torque - _cross(middle, force)
        along = (moment * t).sum(axis=-1)[..., None] * t
        turn = lengths[..., None] * ((moment - along) / bend[..., None] + along / twist[..., None])
        u = np.zeros_like(x)
        u[..., 1:, :] = _cross(np.cumsum(turn, axis=-2), x[..., 1:, :]) - np.cumsum(_cross(turn, middle), axis=-2)
        square = (f * u).sum(axis=(-2, -1)) / (mass[..., None] * u**2).sum(axis=(-2, -1))
    return square


def _beyond(values: np.ndarray) -> np.ndarray:
    """(…, n − 1, 3) sums of values (…, n, 3) beyond each edge."""
    found: np.ndarray = np.cumsum(values[..., :0:-1, :], axis=-2)[..., ::-1, :]
    return found


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Of (…, 3), which `numpy.cross` takes many times as long for where there are few."""
    (ax, ay, az), (bx, by, bz) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)
