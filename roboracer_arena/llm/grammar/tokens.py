"""The kinds of words that the grammar knows, and one word of a request."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from roboracer_arena.generate.spec import Feature

__all__ = ["BREAKS", "FEATURE_OF", "Amount", "Kind", "Token"]


class Kind(Enum):
    """What a word or phrase means to the grammar."""

    # Things that are described.
    LAP = auto()
    LAPS = auto()
    TRACK = auto()
    CORRIDOR = auto()
    HALL = auto()
    RADIUS = auto()
    STRAIGHT = auto()
    HAIRPIN = auto()
    CHICANE = auto()
    SWEEPER = auto()
    TURN = auto()
    OTHER = auto()  # a thing that has sizes of its own: car, wall, ceiling
    # Properties.
    LENGTH = auto()
    LONG = auto()
    WIDTH = auto()
    WIDE = auto()
    DEEP = auto()
    SQUARE = auto()
    TIGHTER = auto()
    HALL_X = auto()
    HALL_Y = auto()
    CW = auto()
    CCW = auto()
    EITHER = auto()
    AWAY = auto()  # follows a length that is no track property: high, thick, apart
    # Amounts.
    NUMBER = auto()
    UNIT = auto()
    ODD_UNIT = auto()
    AMOUNT = auto()
    PAIR = auto()
    COUPLE = auto()
    DOUBLE = auto()
    TRIPLE = auto()
    ARTICLE = auto()
    ANOTHER = auto()
    THE = auto()
    VAGUE = auto()
    NONE = auto()
    MIN = auto()
    MAX = auto()
    OR_MORE = auto()
    OR_LESS = auto()
    ABOUT = auto()
    PLUS_MINUS = auto()
    # Joints.
    BY = auto()
    TO = auto()
    BETWEEN = auto()
    FROM = auto()
    AND = auto()
    OR = auto()
    BUT = auto()
    THEN = auto()
    BEFORE = auto()
    AFTER = auto()
    ORDER = auto()
    NO_ORDER = auto()
    OF = auto()
    IS = auto()
    WITH = auto()
    PREPOSITION = auto()
    MEASURE_WORD = auto()
    NUMBER_OF = auto()
    FREE = auto()
    # Everything else.
    ADJECTIVE = auto()
    STOP = auto()
    CODE = auto()
    COMMA = auto()
    COLON = auto()
    HYPHEN = auto()
    BRACKET = auto()
    SENTENCE_END = auto()
    UNKNOWN = auto()


FEATURE_OF: dict[Kind, Feature] = {
    Kind.HAIRPIN: "hairpin",
    Kind.CHICANE: "chicane",
    Kind.SWEEPER: "sweeper",
}
BREAKS = frozenset({Kind.COMMA, Kind.SENTENCE_END, Kind.BRACKET})
"""What ends a clause, besides joints."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with or without a unit, or a range of them.

    Attributes:
        low: Smaller end; metres where ``unit`` is set, else as written.
        high: Larger end; equal to ``low`` unless a range.
        unit: Whether a unit of length was given.
        choice: What was chosen where the text leaves it open, or an empty string.
    """

    low: float
    high: float
    unit: bool
    choice: str = ""

    @property
    def value(self) -> float:
        """The middle."""
        return self.low if self.low == self.high else (self.low + self.high) / 2.0


@dataclass(frozen=True, slots=True)
class Token:
    """One word, phrase, number or mark.

    Attributes:
        kind: What it means.
        start: First character in the folded text.
        end: One past the last character.
        text: The characters, folded to lower case.
        value: The number, or the length of the unit [m]; 0 otherwise.
        amounts: One amount for AMOUNT, two for PAIR.
        plural: Whether a feature stands in the plural.
        hint: LONG or WIDE where a comparison says it ("longer than").
    """

    kind: Kind
    start: int
    end: int
    text: str
    value: float = 0.0
    amounts: tuple[Amount, ...] = ()
    plural: bool = False
    hint: Kind | None = None
