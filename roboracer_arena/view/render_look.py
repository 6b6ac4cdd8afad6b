"""How pictures look: light, ground, backdrop, and from light to pixels."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import rank_filter

if TYPE_CHECKING:
    from roboracer_arena.view.camera import Camera

__all__ = ["Layers", "Look", "Picture", "develop", "smooth_light", "without_specks"]

Colour = tuple[float, float, float]
Picture = NDArray[np.floating[Any]]
"""Light or measures per pixel, rows from the top."""

_MIN_ALBEDO = 0.02
"""Darkest colour that light is divided by."""
_SHADE_TOLERANCE = 0.08
"""Difference of albedo at which a neighbour counts a third."""
_LIGHT_TOLERANCE = 0.6
"""Relative difference of light at which a neighbour counts a third, for the first pass."""
_FILTER_STEPS = (1, 2, 4, 8)
"""Distance of the neighbours that each pass of the noise filter takes in [px]."""


@dataclass(frozen=True, slots=True)
class Look:
    """Light and surroundings; colours are linear RGB."""

    sun: Colour = (4.2, 3.7, 3.0)
    """Irradiance on a surface that faces the sun."""
    sun_elevation: float = 36.0
    """Height of the sun over the horizon [deg]."""
    sun_side: float = 118.0
    """Where the sun stands, counter-clockwise from the direction of view [deg]: over the left
    shoulder."""
    sky: Colour = (0.36, 0.43, 0.55)
    """Radiance of the sky, the same all over."""
    ground: Colour = (0.07, 0.115, 0.12)
    """Albedo of the surroundings: the painted floor of a sports hall."""
    horizon: Colour = (0.74, 0.83, 0.90)
    """What is seen of the sky at the horizon; the ground far away fades into it."""
    zenith: Colour = (0.10, 0.25, 0.58)
    """What is seen of the sky overhead."""
    haze: float = 1.5
    """How far behind the stage the ground has faded by two thirds, in diagonals of the stage."""
    exposure: float = 0.88
    """Factor on all light before it is compressed to the range of a screen."""

    def sun_direction(self, camera: Camera) -> NDArray[np.float64]:
        """Return the unit vector towards the sun."""
        look = np.subtract(camera.target, camera.eye)
        turn = math.atan2(look[1], look[0]) + math.radians(self.sun_side)
        height = math.radians(self.sun_elevation)
        flat = math.cos(height)
        return np.array([flat * math.cos(turn), flat * math.sin(turn), math.sin(height)])


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """Rendered images of one picture; rows from the top."""

    sun: Picture
    """Shape [h, w, 3], light of the sun."""
    sky: Picture
    """Shape [h, w, 3], light of the sky on surfaces, without the sky itself."""
    coverage: Picture
    """Shape [h, w], part of the pixel that is not sky."""
    albedo: Picture
    """Shape [h, w, 3], colour of the surfaces."""
    depth: Picture
    """Shape [h, w], mean distance [m]; 0 for the sky."""


def develop(
    layers: Layers, camera: Camera, look: Look, *, far: float, diagonal: float
) -> NDArray[np.uint8]:
    """Put the layers together and bring them to the range of a screen.

    Args:
        layers: The images.
        camera: Where they were taken from.
        look: Light and surroundings.
        far: Distance from the camera to the farthest point of the stage [m].
        diagonal: Size of the stage [m].

    Returns:
        Shape [h, w, 3], sRGB.
    """
    light = without_specks(layers.sun) + smooth_light(layers)
    behind = np.maximum(layers.depth - far, 0) / (look.haze * diagonal)
    haze = 1 - np.exp(-(behind**2) / (1 + behind))[..., None]
    coverage = layers.coverage[..., None]
    seen = light * (1 - haze) + coverage * haze * np.array(look.horizon, dtype=np.float32)
    backdrop = _backdrop(camera, look, layers.depth.shape)
    return _to_screen((seen + backdrop * (1 - coverage)) * look.exposure)


def without_specks(light: Picture) -> Picture:
    """Return light without lone bright pixels or pairs of them: a few lucky paths.

    No pixel stays brighter than the third brightest of itself and its neighbours; a line, however
    thin, has three.
    """
    third = [rank_filter(light[..., i], -3, size=3, mode="nearest") for i in range(3)]
    return np.asarray(np.minimum(light, np.stack(third, axis=-1)))


def smooth_light(layers: Layers) -> Picture:
    """Return the light of the sky without the noise of few paths.

    The light that falls on a surface changes slowly where neither distance nor colour jumps, so
    it is averaged over such neighbours, ever farther ones (edge-avoiding à-trous wavelet,
    Dammertz et al. 2010), before it is multiplied by the colour of the surface again.
    """
    albedo = np.maximum(layers.albedo, _MIN_ALBEDO)
    light: Picture = layers.sky / albedo
    slope = _slope(layers.depth)
    shade = albedo.mean(axis=2)
    for step in _FILTER_STEPS:
        light = _filter(light, layers.depth, slope, shade, step)
    return light * albedo


def _slope(depth: Picture) -> Picture:
    """Return how much the distance changes from a pixel to the next on the same surface."""
    flat = np.zeros_like(depth)
    for axis in (0, 1):
        step = np.abs(np.diff(depth, axis=axis))
        pad = [(0, 0), (0, 0)]
        pad[axis] = (1, 0)
        before = np.pad(step, pad, mode="edge")
        pad[axis] = (0, 1)
        flat += np.minimum(before, np.pad(step, pad, mode="edge"))
    return flat


def _filter(light: Picture, depth: Picture, slope: Picture, shade: Picture, step: int) -> Picture:
    """Average each pixel with its eight neighbours at a distance, as alike as they are."""
    glow = cv2.GaussianBlur(light.mean(axis=2), (0, 0), 1.2)
    near = 1 / (step * slope + 2e-3 * depth + 1e-6)
    bright = 1 / (_LIGHT_TOLERANCE / step**0.5 * glow + 1e-3)
    total = light.copy()
    weight = np.ones_like(depth)
    for down in (-step, 0, step):
        for right in (-step, 0, step):
            if not (down or right):
                continue
            moved = _mover(down, right)
            unlike = np.abs(moved(depth) - depth) * near
            unlike += np.abs(moved(shade) - shade) * (1 / _SHADE_TOLERANCE)
            unlike += np.abs(moved(glow) - glow) * bright
            alike = np.exp(-unlike) * (0.5 if down == 0 or right == 0 else 0.25)
            total += moved(light) * alike[..., None]
            weight += alike
    return np.asarray(total / weight[..., None])


def _mover(down: int, right: int) -> Callable[[Picture], Picture]:
    """Return what moves a picture by some pixels, its edge repeated."""
    move = np.array([[1, 0, right], [0, 1, down]], dtype=np.float32)

    def moved(image: Picture) -> Picture:
        size = (image.shape[1], image.shape[0])
        edge = cv2.BORDER_REPLICATE
        return np.asarray(
            cv2.warpAffine(image, move, size, flags=cv2.INTER_NEAREST, borderMode=edge)
        )

    return moved


def _backdrop(camera: Camera, look: Look, shape: tuple[int, ...]) -> Picture:
    """Paint the sky as the camera sees it: shape [h, w, 3]."""
    height, width = shape
    eye, target = np.asarray(camera.eye), np.asarray(camera.target)
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    rise = math.tan(math.radians(camera.vertical_fov) / 2)
    y = (1 - (np.arange(height) + 0.5) / height * 2)[:, None] * rise
    x = ((np.arange(width) + 0.5) / width * 2 - 1)[None] * rise * width / height
    # Of the ray forward + x right + y up, only its height over the horizon matters.
    climb = (forward[2] + y * up[2] + x * right[2]) / np.sqrt(1 + x**2 + y**2)
    blend = np.clip(climb, 0, 1)[..., None] ** 0.5
    sky = np.array(look.horizon) * (1 - blend) + np.array(look.zenith) * blend
    return np.asarray(sky, dtype=np.float32)


def _to_screen(light: Picture) -> NDArray[np.uint8]:
    """Compress light with a film curve (Narkowicz's fit of ACES, 2015) and encode it as sRGB.

    Rounding is spread by a fixed pattern (interleaved gradient noise, Jimenez 2014), or the sky
    would show bands.
    """
    curve = light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14)
    linear = np.clip(curve, 0, 1)
    encoded = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    row, column = np.ogrid[: light.shape[0], : light.shape[1]]
    pattern = (52.9829189 * ((0.06711056 * column + 0.00583715 * row) % 1.0)) % 1.0
    return np.asarray(np.clip(encoded * 255 + pattern[..., None], 0, 255), dtype=np.uint8)
