"""Forces that only press, of contacts that nothing goes through: a symmetric linear complementarity problem.

λ ≥ 0,  g + M λ ≥ 0,  λ·(g + M λ) = 0 is the minimum of ½ λᵀMλ + gᵀλ over λ ≥ 0, and with M = L Lᵀ that of
|Lᵀλ + L⁻¹g|², which takes finitely many rounds (Lawson & Hanson 1974, *Solving Least Squares Problems*, ch. 23).
"""

import numpy as np
from scipy.optimize import nnls


def complementary(matrix: np.ndarray, gap: np.ndarray, compliance: float) -> np.ndarray | None:
    """λ (c,) of M (c, c), positive semidefinite, and g (c,); compliance: what is added to M's diagonal.
    None: rounding makes it indefinite.
    """
    if not len(gap):
        return np.zeros(0)  # nnls frees what is not its own
    try:
        lower = np.linalg.cholesky(0.5 * (matrix + matrix.T) + compliance * np.eye(len(gap)))
        found: np.ndarray = nnls(lower.T, -np.linalg.solve(lower, gap))[0]
    except (np.linalg.LinAlgError, RuntimeError):  # nnls goes round and round
        return None
    return found
