"""``arena settings``: every default, explained."""

from __future__ import annotations

__all__ = ["settings"]


def settings() -> int:
    """Print a settings file with every default explained, to be changed and given to build."""
    from roboracer_arena.settings import default_settings_toml

    print(default_settings_toml(), end="")  # noqa: T201
    return 0
