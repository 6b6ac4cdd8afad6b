"""Writes the documents that are generated: docs/settings.md."""

from __future__ import annotations

from pathlib import Path

from roboracer_arena.settings import default_settings_toml

TEXT = """# Settings

`arena build --settings my.toml` takes any part of this; what it leaves out keeps its default.
`arena settings` prints the same text.

```toml
{settings}
```
"""


def main() -> None:
    """Write the documents."""
    target = Path(__file__).resolve().parents[1] / "docs" / "settings.md"
    target.write_text(TEXT.format(settings=default_settings_toml().strip()))
    print(target)


if __name__ == "__main__":
    main()
