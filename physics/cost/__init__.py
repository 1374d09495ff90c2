"""Largest explicit steps, from stiffness, mass, resolution and pull, and what a bake takes by them. numpy only."""

from .coupled import coupled, implicit_beside
from .durations import frames, longest_step, of_soft, seconds, times_as_fast
from .islands import together
from .pulled import apart
from .slowest_sway import slowest_sway
from .stable_steps import hanging_step, linear_step, loads, rod_steps, soft_step

__all__ = [
    "apart",
    "coupled",
    "frames",
    "hanging_step",
    "implicit_beside",
    "linear_step",
    "loads",
    "longest_step",
    "of_soft",
    "rod_steps",
    "seconds",
    "slowest_sway",
    "soft_step",
    "times_as_fast",
    "together",
]
