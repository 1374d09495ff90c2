"""What holds directors of Cosserat rods along their edges, and their inertia, where nobody says: numpy only.

Only the spin about the edge has an inertia that counts, I₃ = ρ I_p l. Turning across is slaved to the edge by κ, so
neither κ nor I₁ = I₂ need be physical. The segment's penalty acts as a spring in series with bending: κ = 10 K₁/l² adds
its part of a tenth of the error of the edge length, second order like that. I₁ = max(ρ I_p l/2, m l²/4) is the most at
which both limits of the step, of edges and of directors, are alike: less would make it shorter, more would count.
"""

import numpy as np

PARALLEL = 10.0  # κ l²/K₁: a released cantilever of 50 edges errs by .00 % with it and takes the longest steps


def parallel_stiffness(bend_stiffness: np.ndarray, length: np.ndarray) -> np.ndarray:
    """κ (m,) [N] of edges of these bending stiffnesses (m, 2) [N m²] and lengths (m,) [m]."""
    stiffest: np.ndarray = bend_stiffness.max(axis=1)
    return PARALLEL * stiffest / length**2


def director_inertia(mass: np.ndarray, gyration: np.ndarray, length: np.ndarray) -> np.ndarray:
    """(I₁ = I₂, I₃) (m, 2) [kg m²] of edges of these masses [kg] and lengths [m]; gyration (m,): I_p/A [m²], r²/2 of a
    round section.
    """
    about = mass * gyration
    return np.stack([np.maximum(0.5 * about, 0.25 * mass * length**2), about], axis=1)
