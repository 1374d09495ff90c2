"""Measure everything: `python -m benchmarks`."""

import json
from pathlib import Path

from . import kernels, whole_steps

OUTPUT = Path(__file__).resolve().parents[1] / "out" / "benchmarks.json"


def main():
    rows = []
    for topic in (kernels, whole_steps):
        for row in topic.rows():
            print(f"{row['case']:66} {row['ours']:10.3g} {row['metric']:14} {row['ratio']:8.2f} × {row['reference_name']}", flush=True)
            rows.append(row)
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps(rows, indent=1, ensure_ascii=False), encoding="utf-8")


main()
