"""Writing on pictures, in any script, with the fonts that the base dependencies carry.

OpenCV 5 carries fonts for Latin, Greek, Cyrillic, Chinese, Japanese and Korean. Before that there
is only Pillow's own, which knows plain Latin; other letters lose their accents or become question
marks. Fonts of the machine are left alone, so that a picture has the same bytes everywhere.
"""

from __future__ import annotations

import unicodedata
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

__all__ = ["Anchor", "text_width", "write_text"]

Anchor = Literal["left", "center", "right"]

_HAS_FONTS = hasattr(cv2, "FontFace")
_REGULAR, _BOLD = 400, 600
"""Weights of OpenCV's variable font."""
_DEPTH = 0.45
"""Room below the base line for descenders, in font sizes."""


def write_text(
    picture: Image.Image,
    place: tuple[float, float],
    text: str,
    *,
    size: int,
    color: tuple[int, int, int],
    anchor: Anchor = "left",
    bold: bool = False,
) -> None:
    """Write one line onto a colour picture.

    Args:
        picture: Changed in place.
        place: Where the base line begins, is centred or ends, by ``anchor`` [px].
        text: What to write; what cannot be printed is left out.
        size: Height of a capital with its accent [px].
        color: Red, green and blue, 0 to 255.
        anchor: Which part of the text lies at ``place``.
        bold: Whether to write heavier, where the font can.
    """
    mask, baseline = _mask(_printable(text), size, bold=bold)
    back = {"left": 0.0, "center": mask.shape[1] / 2, "right": float(mask.shape[1])}[anchor]
    corner = (round(place[0] - back), round(place[1]) - baseline)
    picture.paste(color, corner, Image.fromarray(mask))


def text_width(text: str, *, size: int, bold: bool = False) -> int:
    """Return how wide a line of text is [px]."""
    return int(_mask(_printable(text), size, bold=bold)[0].shape[1])


def _printable(text: str) -> str:
    """Leave out control characters and broken file name bytes."""
    return "".join(character for character in text if character.isprintable()) or " "


def _mask(text: str, size: int, *, bold: bool) -> tuple[NDArray[np.uint8], int]:
    """Return how much ink each pixel takes, and the row of the base line."""
    if _HAS_FONTS:
        return _opencv_mask(text, size, _BOLD if bold else _REGULAR)
    return _pillow_mask(text, size)


def _opencv_mask(text: str, size: int, weight: int) -> tuple[NDArray[np.uint8], int]:
    face = cv2.FontFace("sans")
    baseline = round(1.2 * size)
    width = max(1, cv2.getTextSize((0, 0), text, (0, 0), face, size, weight)[2])
    mask = np.zeros((baseline + round(_DEPTH * size), width), dtype=np.uint8)
    cv2.putText(mask, text, (0, baseline), (255,), face, size, weight)
    return mask, baseline


def _pillow_mask(text: str, size: int) -> tuple[NDArray[np.uint8], int]:
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    plain = plain.encode("ascii", "replace").decode()
    font = ImageFont.load_default(size)
    baseline = round(1.2 * size)
    mask = Image.new("L", (max(1, round(font.getlength(plain))), baseline + round(_DEPTH * size)))
    ImageDraw.Draw(mask).text((0, baseline), plain, fill=255, font=font, anchor="ls")
    return np.asarray(mask, dtype=np.uint8), baseline
