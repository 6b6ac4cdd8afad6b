"""``arena view``: a stage becomes a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from roboracer_arena.cli.output import show_progress

__all__ = ["view"]


def view(
    track: Path,
    /,
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"])],
    size: tuple[int, int] = (1280, 720),
    force: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Render a track stage in 3D, without display or GPU.

    Parameters
    ----------
    track
        The stage that was built.
    output
        PNG to write.
    size
        Width and height of the picture [px].
    force
        Replace the picture if it exists.
    """
    from roboracer_arena.view.render import render_stage

    with show_progress(f"Rendering {track.name}") as progress:
        render_stage(
            track,
            output,
            size=size,
            force=force,
            progress=progress,
        )
    print(output)  # noqa: T201
    return 0
