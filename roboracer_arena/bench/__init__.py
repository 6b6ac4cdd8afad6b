"""Measuring the build: synthetic circuits of every size, and what reading them must cost at least.

Run it with ``python -m roboracer_arena.bench``. Nothing of the product imports this package.
"""
