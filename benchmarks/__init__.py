"""Repeatable timings, one topic per file: `python -m benchmarks` measures all of them and writes out/benchmarks.json."""
