"""The command line ``arena``; one module a command."""

from roboracer_arena.cli.run import main

__all__ = ["main"]
