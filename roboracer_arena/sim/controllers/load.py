"""Finding a driver by name, or in a user's file as ``FILE.py:name``."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from roboracer_arena.errors import InputError, UsageError
from roboracer_arena.sim.controllers.base import Controller
from roboracer_arena.sim.controllers.follow_the_gap import FollowTheGap
from roboracer_arena.sim.controllers.pure_pursuit import PurePursuit
from roboracer_arena.sim.controllers.stanley import Stanley
from roboracer_arena.sim.controllers.wall_follow import WallFollow

__all__ = ["CONTROLLERS", "load_controller"]

CONTROLLERS: dict[str, type[Controller]] = {
    "pure-pursuit": PurePursuit,
    "follow-the-gap": FollowTheGap,
    "stanley": Stanley,
    "wall-follow": WallFollow,
}
"""The drivers that come with Arena, by the name of ``--controller``."""


def load_controller(name: str) -> Controller:
    """Return a driver.

    Args:
        name: One of :data:`CONTROLLERS`, or ``FILE.py:name`` for a class (or a function that
            returns a driver) in a user's file. The file is run: it is the user's own program.

    Raises:
        UsageError: No driver of that name.
        InputError: The file cannot be run or holds no such driver.
    """
    if name in CONTROLLERS:
        return CONTROLLERS[name]()
    path, separator, attribute = name.rpartition(":")
    if not separator or not path.endswith(".py"):
        raise UsageError(
            f"'{name}' is no controller; choose one of {', '.join(CONTROLLERS)}, or FILE.py:name",
            where="--controller",
        )
    return _from_file(Path(path), attribute)


def _from_file(path: Path, attribute: str) -> Controller:
    """Run a user's file and make the driver it defines."""
    if not path.is_file():
        raise InputError("there is no such controller file", where=str(path))
    spec = importlib.util.spec_from_file_location(f"arena_controller_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InputError("is no Python file", where=str(path))
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        maker = getattr(module, attribute, None)
        if maker is None:
            raise InputError(f"defines no '{attribute}'", where=str(path))
        controller = maker() if callable(maker) else maker
    except InputError:
        raise
    except Exception as error:  # the user's own code may raise anything
        raise InputError(f"raised {type(error).__name__}: {error}", where=str(path)) from error
    for method in ("reset", "act"):
        if not callable(getattr(controller, method, None)):
            raise InputError(f"'{attribute}' has no method {method}()", where=str(path))
    return controller  # type: ignore[no-any-return]
