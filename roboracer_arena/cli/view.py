"""``arena view``: a stage becomes a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from roboracer_arena.cli.options import Flag, Output, PictureSize
from roboracer_arena.cli.output import print_text, print_warnings, show_progress

__all__ = ["view"]


def view(
    track: Path,
    /,
    *,
    output: Output,
    camera: Literal["overview", "chase", "onboard"] = "overview",
    size: PictureSize = (1280, 720),
    samples: int = 6,
    force: Flag = False,
) -> int:
    """Render a track stage in 3D, without display or GPU.

    Parameters
    ----------
    track
        The stage that was built.
    output
        PNG or JPEG to write.
    camera
        The whole track from above, over the start line from behind, or from a car's height.
    size
        Width and height of the picture [px].
    samples
        Light paths per pixel: time grows with it, noise falls with its root.
    force
        Replace the picture if it exists.
    """
    from roboracer_arena.view.render import render_stage

    with show_progress(f"Rendering {track.name}") as progress:
        warnings = render_stage(
            track,
            output,
            size=size,
            camera=camera,
            samples=samples,
            force=force,
            progress=progress,
        )
    print_warnings(warnings)
    print_text(str(output))
    return 0
