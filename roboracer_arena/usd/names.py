"""Names of tracks as USD identifiers.

``Tf.MakeValidIdentifier`` replaces a leading digit, so ``2024_icra`` and ``1024_icra`` would both
become ``_024_icra``. The identifiers here stay distinct for distinct names.
"""

from __future__ import annotations

import hashlib
import re

__all__ = ["is_identifier", "track_identifier"]

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DIGEST_CHARACTERS = 10
"""Hex digits of the name's hash; 40 bits keep a library of thousands of tracks free of clashes."""


def is_identifier(text: str) -> bool:
    """Return whether ``text`` can name a prim in every version of USD (ASCII only)."""
    return _IDENTIFIER.fullmatch(text) is not None


def track_identifier(name: str) -> str:
    """Return a prim name for a track, for use where several tracks meet in one stage.

    A name of ASCII letters, digits and underscores is kept; one that starts with a digit or an
    underscore gets one more underscore in front. Any other name keeps its usable characters and
    gets a hash of the whole name behind.

    Args:
        name: Display name; any text, also empty.

    Returns:
        An identifier that matches ``[A-Za-z_][A-Za-z0-9_]*``.
    """
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_") if name else ""
    if re.fullmatch(r"[A-Za-z0-9_]+", name):
        plain = name
    else:
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        plain = f"{plain or 'track'}_{digest[:_DIGEST_CHARACTERS]}"
    return plain if plain[0].isalpha() else f"_{plain}"
