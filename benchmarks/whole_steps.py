"""A whole step of the solver against the paper's own, at the same vertex counts and steps (Bergou 2008, Table 1); and a
simulated second by implicit steps of Good against one by these.
"""

from dataclasses import replace

from tendril.physics.scene import LONGEST_STEPS
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.implicit_steps import implicit_steps

from . import paper_figures
from .measure import medians, row
from .states import fresh, in_motion, with_room

STEPS = 400
SECONDS = 0.5  # simulated by implicit steps
PAPER = {  # total of a step [µs]
    "figure 1, knot, with contact": (paper_figures.knot, (True,), 310.0),
    "figure 1, knot, without contact": (paper_figures.knot, (False,), 310.0),
    "figure 5, anisotropic half circle": (paper_figures.half_circle, (), 180.0),
    "figure 6, two bodies on a rod, with contact": (paper_figures.transducer, (True,), 1000.0),
    "figure 6, two bodies on a rod, without contact": (paper_figures.transducer, (False,), 1000.0),
    "figure 7, localised buckling": (paper_figures.localised_buckling, (), 340.0),
    "figure 8, ring": (paper_figures.ring, (), 420.0),
    "figure 9, plectoneme, with contact": (paper_figures.plectoneme, (True,), 920.0),
    "figure 9, plectoneme, without contact": (paper_figures.plectoneme, (False,), 920.0),
    "figure 10, two chain links, with contact": (paper_figures.chain, (), 400.0),
    "figure 11, bob on a spring": (paper_figures.wilberforce, (), 27.0),
    "figure 12, tree of 2158 vertices": (paper_figures.tree, (), 22000.0),
}


def rows():
    figures = {name: build(*arguments) for name, (build, arguments, _) in PAPER.items()}
    tasks = {}
    for name, figure in figures.items():
        tasks |= _tasks(name, replace(figure, scene=replace(figure.scene, solver="IMPLICIT")))
    seconds, found = medians(tasks), []
    for name, (_, _, paper) in PAPER.items():
        step = seconds[name, "EXPLICIT"] / STEPS
        found.append(row(name, "µs per step", step * 1e6, paper, "Bergou 2008, Table 1"))
        own, explicit = seconds[name, "IMPLICIT"] / SECONDS, step / figures[name].step
        found.append(row(f"implicit: {name}", "ms per s", own * 1e3, explicit * 1e3, "explicit, the paper's step"))
    return found


def _tasks(name, figure):
    """Those of a figure by either solver, from the same state."""
    model, state = in_motion(figure)

    def explicit(model, state, work):
        status, _ = take_steps(model, state, work, figure.step, STEPS)
        assert status == 0

    def implicit(model, state, work):
        return implicit_steps(model, state, work, SECONDS, LONGEST_STEPS["GOOD"])[0]

    state = with_room(implicit, model, state)

    def prepare():
        return fresh(model, state)

    return {(name, "EXPLICIT"): (prepare, explicit), (name, "IMPLICIT"): (prepare, implicit)}
