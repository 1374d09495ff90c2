"""Measure everything: `python -m benchmarks`."""

import json
from pathlib import Path

from . import (
    bakes,
    broad_phase,
    colliders,
    estimates,
    groves,
    hair,
    implicit,
    kernels,
    knots,
    peers,
    soft_bodies,
    soft_peers,
    stacks,
    starting,
    strands,
    whole_steps,
)

OUTPUT = Path(__file__).resolve().parents[1] / "out" / "benchmarks.json"


def main():
    rows = []
    for topic in (
        kernels,
        broad_phase,
        whole_steps,
        implicit,
        peers,
        soft_bodies,
        soft_peers,
        knots,
        colliders,
        stacks,
        groves,
        hair,
        strands,
        starting,
        bakes,
        estimates,
    ):
        for row in topic.rows():
            ours = f"{row['ours']:8.3g} {row['metric']}"
            print(f"{row['case']:72} {ours:22} {row['ratio']:7.2f} × {row['reference_name']}", flush=True)
            rows.append(row)
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps(rows, indent=1, ensure_ascii=False), encoding="utf-8")


main()
