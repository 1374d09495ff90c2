"""A whole step of the solver against the paper's own, at the same vertex counts and steps (Bergou 2008, Table 1)."""

from tendril.physics.time_integration.advance import take_steps

from . import paper_figures
from .measure import medians, row
from .states import fresh, in_motion

STEPS = 400
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
    tasks = {name: _task(build(*arguments)) for name, (build, arguments, _) in PAPER.items()}
    seconds = medians(tasks)
    return [
        row(name, "µs per step", seconds[name] / STEPS * 1e6, paper, "Bergou 2008, Table 1")
        for name, (_, _, paper) in PAPER.items()
    ]


def _task(figure):
    model, state = in_motion(figure)

    def run(model, state, work):
        status, _ = take_steps(model, state, work, figure.step, STEPS)
        assert status == 0

    return lambda: fresh(model, state), run
