"""Repeatable timings, one topic per file: `python -m benchmarks` takes them all and writes out/benchmarks.json."""
