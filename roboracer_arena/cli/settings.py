"""``arena settings``: every default, explained."""

from __future__ import annotations

from roboracer_arena.cli.output import print_text

__all__ = ["settings"]


def settings() -> int:
    """Print a settings file with every default explained, to be changed and given to build."""
    from roboracer_arena.settings import default_settings_toml

    print_text(default_settings_toml().rstrip("\n"))
    return 0
