"""Kinds of options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

__all__ = ["Flag", "Output", "PictureSize", "Place"]

Flag = Annotated[bool, Parameter(negative=(), show_default=False)]
"""Off unless it is named; there is no ``--no-...``."""
Output = Annotated[Path, Parameter(name=["--output", "-o"])]
"""The file that a command is there to write."""
Place = Annotated[tuple[float, float] | None, Parameter(allow_leading_hyphen=True, negative=())]
"""Two numbers, which may be negative: x and y, map frame [m]."""
PictureSize = Annotated[tuple[int, int], Parameter(negative=())]
"""Width and height [px]."""
