"""The commands and where each lives. A command's module is imported when it is needed."""

from __future__ import annotations

from cyclopts import App

from roboracer_arena import __version__

__all__ = ["make_app"]

_COMMANDS = {
    "build": "Build a collision-ready USD track from a ROS occupancy map.",
    "inspect": "Say what a map holds: corridors, lap, widths, problems.",
    "view": "Render a track stage in 3D, without display or GPU.",
    "drive": "Let cars drive laps on a track in contact physics.",
    "vehicle": "Show the car's parameters, or write the car as a USD asset.",
    "generate": "Generate a track from a sentence.",
    "parse": "Read a track request; what it does not state stays unset.",
    "screen": "Check a specification against every necessary condition, in numbers.",
    "validate": "Measure a map and compare it with a specification.",
    "settings": "Print a settings file with every default explained.",
    "doctor": "Say which engines and programs are present, and how to get the others.",
}
"""What each command does. Command ``x`` is the function, or the group, ``x`` of ``cli.x``."""


def make_app() -> App:
    """Return the application, ready to parse."""
    app = App(
        name="arena",
        help="3D, collision-ready race tracks out of ROS occupancy maps, and 1:10 cars on them.",
        version=__version__,
        help_format="plaintext",
        suppress_keyboard_interrupt=False,
    )
    for name, purpose in _COMMANDS.items():
        app.command(f"roboracer_arena.cli.{name}:{name}", name=name, help=purpose)
    return app
