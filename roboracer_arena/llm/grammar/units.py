"""Units of length, and the many units that are none."""

from __future__ import annotations

__all__ = ["LENGTHS", "NUMBER_ONLY", "ODD_UNITS", "in_metres"]

# Metres per unit; the foot, inch, yard and mile are exact by the international agreement of 1959.
_FOOT, _INCH, _YARD, _MILE = 0.3048, 0.0254, 0.9144, 1609.344
_NAMES: dict[float, str] = {
    1.0: "m metre metres meter meters mtr mtrs metern mètre mètres 米 公尺",
    0.01: "cm centimetre centimetres centimeter centimeters zentimeter zentimetern centimètre "
    "centimètres 厘米 公分",
    0.1: "dm decimetre decimetres decimeter decimeters dezimeter",
    0.001: "mm millimetre millimetres millimeter millimeters millimetern millimètre millimètres "
    "毫米",
    1000.0: "km kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres "
    "公里 千米",
    _FOOT: "ft foot feet ' fuß fuss pied pieds 英尺",
    _INCH: 'in inch inches " zoll pouce pouces 英寸',
    _YARD: "yd yds yard yards 码",
    _MILE: "mile miles meile meilen",
}
LENGTHS: dict[str, float] = {
    word: factor for factor, words in _NAMES.items() for word in words.split()
}
"""Metres per unit, by its spelling."""

NUMBER_ONLY = frozenset({"m", "cm", "dm", "mm", "km", "ft", "in", "yd", "'", '"'})
"""Spellings that are a unit only right after a number."""

ODD_UNITS: tuple[str, ...] = (
    "m / s", "m / s2", "m / sec", "m / min", "m / h", "km / h", "kmh", "kph", "mph", "m per second",
    "metre(s) per second", "meter(s) per second", "metre(s) a second", "meter(s) a second",
    "metre(s) / second", "meter(s) / second", "meter pro sekunde", "mètre(s) par seconde",
    "km per hour", "kilometre(s) per hour", "kilometer(s) per hour", "mile(s) per hour",
    "米 每 秒", "m 2", "m2", "m ^ 2", "m3", "m ^ 3", "sqm", "qm", "sq m", "sq . m", "sq ft", "sqft",
    "sq . ft", "sq metre(s)", "sq meter(s)",
    "square metre(s)", "square meter(s)", "square foot", "square feet", "square yard(s)",
    "square m",
    "square ft", "ft2", "ft 2", "quadratmeter(n)", "mètre(s) carré(s)", "平 方 米", "平 米",
    "cubic metre(s)", "cubic meter(s)", "s", "sec", "secs", "second(s)", "ms", "minute(s)", "mins",
    "h", "hr", "hrs", "hour(s)", "day(s)", "week(s)", "month(s)", "year(s)", "sekunde(n)",
    "minute(n)", "stunde(n)", "uhr", "heure(s)", "seconde(s)", "jour(s)", "秒", "分 钟", "小 时",
    "kg", "g", "gram(s)", "lbs", "pound(s)", "v", "volt(s)", "mah", "ah", "hz", "khz", "fps", "w",
    "kw", "watt(s)", "n", "nm", "rpm", "°", "° c", "deg", "degree(s)", "grad", "degré(s)", "度",
    "%", "percent", "per cent", "prozent", "pour cent", "€", "$", "£", "euro(s)", "dollar(s)",
    "usd", "eur", "px", "pixel(s)", "cell(s)", "am", "pm", "o ' clock", "o'clock", "gb", "mb",
    "rad", "radian(s)", "辆", "人",
)  # fmt: skip
"""Units that follow a number which is no length; words in the notation of the lexicon."""


def in_metres(number: float, factor: float) -> float:
    """Convert, rounding once: 140 cm is 1.4 m, not 1.4000000000000001 m."""
    if factor < 1.0 and (1.0 / factor) == round(1.0 / factor):
        return number / round(1.0 / factor)
    return number * factor
