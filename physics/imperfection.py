"""A perfectly straight rod under thrust has no way to choose where it buckles to. Nature decides by an imperfection;
so do we: half a sine wave, a ten-thousandth of an edge high. Rods that are bent at all, pulled or at ease are left as
they are."""

import numpy as np

from .rods.frames import any_normal

HEIGHT = 1e-4  # of an edge
STRAIGHT = 1e-14  # 1 − cos of the largest turning angle


def imperfect(model, state, always=False):
    """Bend each straight rod that is under thrust (or `always`) a little, in place."""
    rods = model.rods
    for r in range(len(rods.first)):
        own = slice(rods.first[r], rods.last[r] + 1)
        x, t = state.x[own], np.diff(state.x[own], axis=0)
        t /= np.linalg.norm(t, axis=1)[:, None]
        straight = not rods.closed[r] and np.all(np.einsum("ij,ij->i", t[1:], t[:-1]) > 1.0 - STRAIGHT)
        if straight and (always or state.tension[own].max() > 0.0):
            wave = np.sin(np.linspace(0.0, np.pi, len(x)))
            x += HEIGHT * rods.shortest[r] * (wave * (state.w[own] > 0.0))[:, None] * any_normal(t[0])
