"""Medians of several runs, in processor time, of one thread; and memory.

The cases take turns, so that a slow moment of the machine falls on all of them alike.
"""

from pathlib import Path
from statistics import median
from time import process_time

ROUNDS = 7


def medians(tasks, rounds=ROUNDS):
    """{name: median seconds} of {name: (prepare, run)}: run(*prepare()) is timed, prepare not; one round warms up."""
    seconds = {name: [] for name in tasks}
    for _ in range(rounds + 1):
        for name, (prepare, run) in tasks.items():
            arguments = prepare()
            start = process_time()
            run(*arguments)
            seconds[name].append(process_time() - start)
    return {name: median(values[1:]) for name, values in seconds.items()}


def most_memory():
    """Of this process so far [GB]; by Linux's own count, for getrusage begins a child's with what its parent had."""
    said = Path("/proc/self/status").read_text().partition("VmHWM:")[2]
    return int(said.split()[0]) / 1e6


def row(case, metric, ours, reference, reference_name):
    """A row of benchmarks.json. All metrics are durations: a ratio above 1 is faster than the reference."""
    return {
        "case": case,
        "metric": metric,
        "ours": ours,
        "reference": reference,
        "ratio": reference / ours,
        "reference_name": reference_name,
    }
