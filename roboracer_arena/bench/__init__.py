"""Measuring the build: synthetic circuits of every size, and what reading them must cost at least.

Nothing of the product imports this package; ``tools/bench_build.py`` is its command line.
"""
