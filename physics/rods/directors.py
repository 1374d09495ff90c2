"""What holds directors of Cosserat rods along their edges, and their inertia, where nobody says: numpy only.

Only the spin about the edge has an inertia that counts, I₃ = ρ I_p l. Turning across is slaved to the edge by κ, so
neither κ = a K₁/l² nor I₁ = I₂ = b m l² need be physical. What they take of frequencies follows from the dispersion of
a straight rod of edges l between nodes of mass m, y ~ Y e^{i(kjl − ωt)}, directors turned by φ ~ Φ. With s = 2 sin kl/2
and ω in units of √(K₁/m l³),

    ω² Y = a s² Y − a s l Φ,    b ω² l Φ = (a + s²) l Φ − a s Y,    ω² = s⁴ (1 − (b + 1/a) s² + …),

where s⁴ = (kl)⁴ (1 − (kl)²/6 + …) is that of masses at nodes, which hinges have as well. The fastest wave, s = 2, has
the ω² = Ω for which

    (Ω − 4a)(bΩ − a − 4) = 4a².

So of all that ask for the same step the least b + 1/a is at a = 1/b = Ω/(√Ω + 4), and Ω is free up to what stretching
takes anyway, 4 EA l²/K₁. Half of that is taken: directors that lean, and what pulls, make bending faster. Where that is
little, in stout edges, it is 88.8, as for κ = 10 K₁/l² and I₁ = ml²/4, less than which κ never is; nor is I₁ less than
it is by nature, ρ I_p l/2.

An edge whose end is whipped round at v leaves its directors behind by a right angle, which takes 2 l κ (see
elements/spinning_segment), if I₁ (v/l)²/2 is more: v² > 4 κ/(b ρA), more than the speed of sound, E/ρ.
"""

import numpy as np

PARALLEL, ACROSS = 10.0, 0.25  # κ l²/K₁ and I₁/ml² at least and at most; a cantilever let go errs by .00 % so, 50 edges
FASTEST = 88.8  # Ω of these
SHARE = 0.5  # of the ω² of stretching


def parallel_stiffness(
    bend_stiffness: np.ndarray,
    length: np.ndarray,
    stretch_stiffness: np.ndarray | None = None,
    gyration: np.ndarray | float = 0.0,
) -> np.ndarray:
    """κ (m,) [N] of edges of these bending stiffnesses (m, 2) [N m²] and lengths (m,) [m]; stretch_stiffness (m,) [N],
    None: as little as there may be; gyration: I_p/A [m²], r²/2 of a round section.
    """
    stiffest: np.ndarray = bend_stiffness.max(axis=1)
    return _shares(stiffest, length, stretch_stiffness, gyration)[0] * stiffest / length**2


def director_inertia(
    mass: np.ndarray,
    gyration: np.ndarray,
    length: np.ndarray,
    bend_stiffness: np.ndarray | None = None,
    stretch_stiffness: np.ndarray | None = None,
) -> np.ndarray:
    """(I₁ = I₂, I₃) (m, 2) [kg m²] of edges of these masses [kg] and lengths [m]; gyration (m,): I_p/A [m²], r²/2 of a
    round section. Where no stiffness is given, I₁ is what suits any κ of about 10 K₁/l².
    """
    about = mass * gyration
    if bend_stiffness is None:
        return np.stack([np.maximum(0.5 * about, ACROSS * mass * length**2), about], axis=1)
    part = _shares(bend_stiffness.max(axis=1), length, stretch_stiffness, gyration)[1]
    return np.stack([np.maximum(0.5 * about, part * mass * length**2), about], axis=1)


def _shares(
    stiffest: np.ndarray, length: np.ndarray, stretch: np.ndarray | None, gyration: np.ndarray | float
) -> tuple[np.ndarray, np.ndarray]:
    """(a (m,), b (m,)): the least b + 1/a there is for half of what stretching takes."""
    taken = np.zeros(len(length)) if stretch is None else SHARE * 4.0 * stretch * length**2 / stiffest
    omega = np.maximum(taken, FASTEST)
    own = 0.5 * gyration / length**2
    b = np.minimum(np.maximum((np.sqrt(omega) + 4.0) / omega, own), ACROSS)
    a = np.maximum((b * omega - 4.0) / (1.0 - 16.0 / omega + 4.0 * b), PARALLEL)
    return a, np.minimum((a + 4.0 - 16.0 * a / omega) / (omega - 4.0 * a), ACROSS)
