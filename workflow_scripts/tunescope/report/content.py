"""What a report is made of: sections of paragraphs, notes, tables and pictures.

Sections build these; the template turns each kind into HTML. All text is plain text, which the
template escapes.
"""

import base64
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from tunescope.errors import InputError

_MEDIA_TYPES = {".png": "image/png", ".svg": "image/svg+xml"}


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    kind: ClassVar[str] = "paragraph"
    text: str


@dataclass(frozen=True)
class Note:
    """A remark set apart: how to read what follows, or what to beware of.

    Attributes:
        label: one or two words in front.
        text: the remark.
        caution: whether it warns.
    """

    kind: ClassVar[str] = "note"
    label: str
    text: str
    caution: bool = False


@dataclass(frozen=True)
class Findings:
    """What the numbers of this very run say, one sentence each, counted from the tables."""

    kind: ClassVar[str] = "findings"
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Facts:
    """Terms with what stands behind them."""

    kind: ClassVar[str] = "facts"
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Cell:
    """One cell of a table.

    Attributes:
        text: what it says; empty for nothing to say.
        detail: smaller text below (an interval, a count).
        look: `published` (set back), `strong`, `code`, or empty.
        number: whether it is set as a number.
        link: anchor of the section it leads to; empty for none.
    """

    text: str
    detail: str = ""
    look: str = ""
    number: bool = True
    link: str = ""


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        caption: what it shows, readable alone.
        columns: headings of the columns.
        rows: cells by row; the first `headers` of each row head it. A string is a cell of text.
        groups: headings above the columns as (text, number of columns); empty for none.
        notes: remarks below.
        headers: number of cells at the start of a row that head it.
        folded: a line to click on for a table too long to stand open; empty for an open one.
    """

    kind: ClassVar[str] = "table"
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple["Cell | str", ...], ...]
    groups: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()
    headers: int = 1
    folded: str = ""

    def __post_init__(self) -> None:
        if uneven := [row for row in self.rows if len(row) != len(self.columns)]:
            raise ValueError(f"{self.caption}: {len(self.columns)} columns, row {uneven[0]}")
        if self.groups and sum(span for _, span in self.groups) != len(self.columns):
            raise ValueError(f"{self.caption}: the groups do not span {len(self.columns)} columns")


@dataclass(frozen=True)
class Picture:
    """A figure that travels inside the page.

    Attributes:
        source: its data as a `data:` address.
        alt: what it shows, for readers who cannot see it.
        caption: text below.
        files: names of its files, for use elsewhere.
        width: width at which it is shown, in CSS pixels; 0 for its own.
    """

    kind: ClassVar[str] = "picture"
    source: str
    alt: str
    caption: str
    files: str = ""
    width: int = 0


@dataclass(frozen=True)
class Code:
    """Text set as it is, such as a configuration; folded where `summary` is given."""

    kind: ClassVar[str] = "code"
    text: str
    summary: str = ""


Block = Paragraph | Note | Findings | Facts | Table | Picture | Code


@dataclass(frozen=True)
class Section:
    """One part of the report.

    Attributes:
        anchor: its name in addresses.
        title: its heading.
        blocks: what it consists of, in order.
        source: the published table or figure it repeats; empty for none.
        claim: what the paper claims, in our words; empty for none.
    """

    anchor: str
    title: str
    blocks: tuple[Block, ...] = field(default=())
    source: str = ""
    claim: str = ""


def picture(path: Path, *, alt: str, caption: str) -> Picture:
    """Take a picture file into the page.

    Args:
        path: a PNG or SVG file.
        alt: what it shows, for readers who cannot see it.
        caption: text below.

    Raises:
        InputError: no such file, or a file of another kind.
    """
    media = _MEDIA_TYPES.get(path.suffix)
    if media is None:
        raise InputError(path, f"{path.suffix or 'no ending'}", "Give a .png or .svg file")
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(path, "no such file", "Draw the figure first") from None
    # A PNG's width stands in its first chunk; it is drawn at 200 dots an inch and shown at 120.
    width = 0.6 * int.from_bytes(content[16:20], "big") if path.suffix == ".png" else 0
    data = base64.b64encode(content).decode("ascii")
    files = f"{path.name}, {path.with_suffix('.pdf').name}"
    return Picture(f"data:{media};base64,{data}", alt, caption, files, round(width))
