"""Pictures of a USD stage as image files, made on any machine: no display, no GPU.

Mitsuba 3 traces the light; the stage's own lights are not used, so that every stage is lit alike.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from roboracer_arena.errors import MissingExtraError, OutputError, UsageError
from roboracer_arena.files import atomic_path, check_target
from roboracer_arena.view.camera import Camera
from roboracer_arena.view.render_look import Layers, Look, Picture, develop
from roboracer_arena.view.render_scene import RenderScenes, build_scenes

if TYPE_CHECKING:
    from roboracer_arena.usd.visuals import VisualScene

__all__ = ["CameraChoice", "Progress", "check_picture_target", "render_stage"]

CameraChoice = Camera | Literal["overview", "chase", "onboard"]
"""A camera, or one of the views that are fitted to the stage."""
Progress = Callable[[str], None]
"""Called with the name of each step before it begins; may raise to cancel."""

_MIN_SIDE, _MAX_SIDE = 16, 8192
_MAX_PIXELS = 8192 * 4320
_MAX_SAMPLES = 1024
_FLOOR_THICKNESS = 0.02
"""What is lower over the lowest point is floor [m]."""
_FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}
_SEED = 0
_NO_RENDERER = (
    "rendering a picture needs the package mitsuba; "
    "install it with: pip install 'roboracer-arena[render]'"
)


def render_stage(
    stage_path: Path,
    image_path: Path,
    *,
    size: tuple[int, int] = (1280, 720),
    camera: CameraChoice = "overview",
    samples: int = 6,
    look: Look | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> tuple[str, ...]:
    """Render a stage to an image file.

    The bytes depend on stage, arguments and processor type, not on the number of threads.

    Args:
        stage_path: Any USD stage with something visible in it.
        image_path: ``.png`` or ``.jpg`` file to write.
        size: Width and height [px].
        camera: ``overview`` shows the whole stage from above, aslant; ``chase`` looks over the
            start line from behind, ``onboard`` from the height of a car; the latter two need a
            track with a centreline. Or a camera of one's own.
        samples: Light paths per pixel and light; time grows with it, noise falls with its root.
        look: Light and surroundings; None for the defaults.
        force: Whether an existing image may be replaced.
        progress: Told of each step; may raise to cancel.

    Returns:
        What could not be shown as the stage says, one sentence each.

    Raises:
        UsageError: Size, samples or view are out of range.
        OutputError: The image cannot be written.
        StageError: The stage cannot be read or shows nothing.
        MissingExtraError: ``mitsuba`` or ``usd-core`` is not installed.
    """
    _check_numbers(size, samples)
    check_picture_target(image_path, force=force)
    image_format = _format_of(image_path)
    mitsuba = _load_mitsuba()
    report = progress or (lambda _step: None)
    report("reading the stage")
    visuals = _read(stage_path)
    with atomic_path(image_path, force=force) as temporary:
        pixels, warnings = _picture(mitsuba, visuals, size, camera, samples, look or Look(), report)
        Image.fromarray(pixels).save(temporary, format=image_format, quality=92)
    return warnings


def check_picture_target(image_path: Path, *, force: bool) -> None:
    """Refuse a picture that could not be made, before any work is done.

    Raises:
        OutputError: The suffix is none of a picture, or the file cannot be written.
        OutputExistsError: It exists and ``force`` is false.
        MissingExtraError: ``mitsuba`` is not installed.
    """
    _format_of(image_path)
    check_target(image_path, force=force)
    if find_spec("mitsuba") is None:
        raise MissingExtraError(_NO_RENDERER)


def _check_numbers(size: tuple[int, int], samples: int) -> None:
    """Refuse pictures that are empty, or that would take all memory or all day."""
    width, height = size
    if not all(_MIN_SIDE <= side <= _MAX_SIDE for side in size) or width * height > _MAX_PIXELS:
        raise UsageError(
            f"a picture of {width} x {height} pixels; each side must be {_MIN_SIDE} to "
            f"{_MAX_SIDE} and both together at most {_MAX_PIXELS / 1e6:.0f} million pixels",
            where="size",
        )
    if not 1 <= samples <= _MAX_SAMPLES:
        raise UsageError(f"is {samples}, but must be 1 to {_MAX_SAMPLES}", where="samples")


def _format_of(image_path: Path) -> str:
    """Return the image format of a file name."""
    try:
        return _FORMATS[image_path.suffix.lower()]
    except KeyError:
        raise OutputError(
            f"the suffix '{image_path.suffix}' is no picture; use .png or .jpg",
            where=str(image_path),
        ) from None


def _load_mitsuba() -> Any:
    """Import the renderer; its scalar variant needs neither LLVM nor CUDA."""
    try:
        import mitsuba
    except ModuleNotFoundError as error:
        raise MissingExtraError(_NO_RENDERER) from error
    mitsuba.set_variant("scalar_rgb")
    mitsuba.set_log_level(mitsuba.LogLevel.Error)
    return mitsuba


def _read(stage_path: Path) -> VisualScene:
    """Read the stage; usd-core is an extra, too."""
    try:
        from roboracer_arena.usd.visuals import read_visuals
    except ModuleNotFoundError as error:
        if error.name != "pxr":
            raise
        raise MissingExtraError(
            "reading a stage needs the package usd-core; "
            "install it with: pip install 'roboracer-arena[usd]'"
        ) from error
    return read_visuals(stage_path)


def _picture(
    mitsuba: Any,
    visuals: VisualScene,
    size: tuple[int, int],
    choice: CameraChoice,
    samples: int,
    look: Look,
    report: Progress,
) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
    """Return the pixels [h, w, 3] and the warnings."""
    camera = _camera(choice, visuals, visuals.world_points(), size)
    # Far from its origin, a map's coordinates would use up the digits of single precision.
    offset = np.asarray(np.round(visuals.world_points().mean(axis=0)))
    visuals, camera = visuals.moved(-offset), camera.moved(-offset)
    points = visuals.world_points()
    scenes = build_scenes(mitsuba, visuals, camera, size, look)
    layers = _render_layers(mitsuba, scenes, samples, look, report)
    report("developing the picture")
    far = float(np.max(np.linalg.norm(points - np.asarray(camera.eye), axis=1)))
    diagonal = float(np.linalg.norm(points.max(axis=0) - points.min(axis=0)))
    pixels = develop(layers, camera, look, far=far, diagonal=max(diagonal, 1e-3))
    return pixels, visuals.warnings + scenes.warnings


def _camera(
    choice: CameraChoice, visuals: VisualScene, points: NDArray[np.float64], size: tuple[int, int]
) -> Camera:
    """Return the camera of a view."""
    if isinstance(choice, Camera):
        return choice
    if choice == "overview":
        return Camera.overview(_standing(points), size[0] / size[1])
    if visuals.centerline is None:
        raise UsageError(
            f"'{choice}' needs a track with a centreline, and this stage has none; use 'overview'",
            where="camera",
        )
    if choice == "chase":
        return Camera.chase(visuals.centerline)
    return Camera.onboard(visuals.centerline)


def _standing(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what stands on the floor and where; all points if there is nothing but floor.

    The floor itself may lose a corner to the picture.
    """
    low = points[:, 2].min()
    above = points[points[:, 2] > low + _FLOOR_THICKNESS]
    feet = np.column_stack([above[:, :2], np.full(len(above), low)])
    return np.concatenate([above, feet]) if len(above) else points


def _render_layers(
    mitsuba: Any, scenes: RenderScenes, samples: int, look: Look, report: Progress
) -> Layers:
    """Render one image per light and per guide."""

    def trace(scene: Any, integrator: Any) -> Picture:
        # The same seed makes all images sample the same places of a pixel.
        # Mitsuba itself stops at an interrupt (SIGINT) and passes it on.
        image = mitsuba.render(scene, integrator=integrator, spp=samples, seed=_SEED)
        return np.array(image, dtype=np.float32)

    report("measuring distances")
    measured = trace(scenes.sun, scenes.depth)
    report("gathering colours")
    albedo = trace(scenes.albedo, scenes.albedo.integrator())
    report("tracing sunlight")
    sun = trace(scenes.sun, scenes.sun.integrator())
    report("tracing skylight")
    sky = trace(scenes.sky, scenes.sky.integrator())
    coverage = sun[..., 3]
    # The sky itself is painted later; here is only what it lights.
    lit = sky[..., :3] - (1 - coverage[..., None]) * np.array(look.sky, dtype=np.float32)
    return Layers(
        sun=sun[..., :3],
        sky=np.maximum(lit, 0),
        coverage=coverage,
        albedo=albedo[..., :3],
        depth=measured[..., 0] / np.maximum(measured[..., 3], np.float32(1e-6)),
    )
