"""How long a bake will take, before it starts: steps from the rods' stability and motion, measured costs. numpy only.

`python -m benchmarks.estimates` sets what is said here beside what bakes then take. What nobody can see in a scene at
rest is not in it: that ropes will strike each other or lie in a heap, that a soft body will come to rest, that a limp
thread will fold. The first second of a bake tells that: see bake/probe.
"""

from .coupled import coupled, implicit_beside
from .durations import durations, estimate, side_by_side
from .islands import islands
from .pulled import apart
from .seen import near_rods
from .stable_steps import hanging_step, linear_step, loads, rod_steps, soft_step

__all__ = [
    "apart",
    "coupled",
    "durations",
    "estimate",
    "hanging_step",
    "implicit_beside",
    "islands",
    "linear_step",
    "loads",
    "near_rods",
    "rod_steps",
    "side_by_side",
    "soft_step",
]
