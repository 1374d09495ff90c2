"""Measure everything: `python -m benchmarks`; or some of it, by its files: `python -m benchmarks knots trees`."""

import json
import sys
from pathlib import Path

from . import (
    bakes,
    broad_phase,
    cables,
    colliders,
    cosserat,
    first_bakes,
    groves,
    hair,
    hair_peer,
    harnesses,
    implicit,
    kernels,
    knots,
    peers,
    sheets,
    soft_bodies,
    soft_peers,
    solver_choice,
    stacks,
    starting,
    strands,
    whole_steps,
)

OUTPUT = Path(__file__).resolve().parents[1] / "out" / "benchmarks.json"
TOPICS = (
    kernels,
    broad_phase,
    whole_steps,
    cables,
    harnesses,
    cosserat,
    implicit,
    peers,
    sheets,
    soft_bodies,
    soft_peers,
    knots,
    colliders,
    stacks,
    groves,
    hair,
    hair_peer,
    strands,
    starting,
    first_bakes,
    bakes,
    solver_choice,
)


def main(*asked):
    """Of all topics, or of those asked for by name."""
    named = {topic.__name__.rpartition(".")[2]: topic for topic in TOPICS}
    if unknown := set(asked) - set(named):
        raise SystemExit(f"there is nothing to measure in {', '.join(sorted(unknown))}; there is in {', '.join(named)}")
    rows = []
    for name in asked or named:
        for row in named[name].rows():
            ours = f"{row['ours']:8.3g} {row['metric']}"
            print(f"{row['case']:72} {ours:22} {row['ratio']:7.2f} × {row['reference_name']}", flush=True)
            rows.append(row)
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps(rows, indent=1, ensure_ascii=False), encoding="utf-8")


main(*sys.argv[1:])
