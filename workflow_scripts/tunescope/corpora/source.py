"""A source file: its bytes' hash and its text, checked before any reader sees it."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from tunescope.errors import InputError

_BOM = "\ufeff"


@dataclass(frozen=True)
class Source:
    """A text file as it was read.

    Attributes:
        path: where it was found.
        sha256: hash of its bytes.
        text: its characters, without the byte order mark.
        notes: what was found at the level of the file (byte order mark), as counts.
    """

    path: Path
    sha256: str
    text: str
    notes: dict[str, int]

    def at(self, line: int) -> str:
        """`file:line`, as editors open it; lines count from 1."""
        return f"{self.path}:{line}"


def read_source(path: Path) -> Source:
    """Read a UTF-8 file.

    Raises:
        InputError: the file is missing, empty or not UTF-8.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(
            path, "no such file", "Put the file there, or correct its path in the configuration"
        ) from None
    except OSError as error:
        raise InputError(
            path, f"cannot be read ({error.strerror})", "Name a readable file"
        ) from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path}:{line}",
            f"byte 0x{data[error.start]:02x} at offset {error.start} is not UTF-8",
            "Convert the file to UTF-8 (iconv -f its-encoding -t UTF-8), or get the official file",
        ) from None
    notes = {}
    if text.startswith(_BOM):
        text = text.removeprefix(_BOM)
        notes["byte order mark at the start of the file"] = 1
    if not text.strip():
        raise InputError(
            path, "the file is empty", "Get the file again; the download was cut short"
        )
    return Source(path, hashlib.sha256(data).hexdigest(), text, notes)


def split_lines(source: Source) -> tuple[list[str], dict[str, int]]:
    r"""Cut a text into lines at `\n` only, and drop the `\r` of Windows line ends.

    `str.splitlines` would also cut at U+001C to U+001E, U+0085, U+2028 and U+2029, which official
    files contain inside sentences.

    Returns:
        The lines, without the empty piece after the last line end, and the source's notes with
        what was seen of the line ends.
    """
    notes = dict(source.notes)
    lines = source.text.split("\n")
    if lines[-1] == "":
        lines.pop()
    else:
        notes["last line without a line end"] = 1
    returns = sum(line.endswith("\r") for line in lines)
    if returns:
        notes["lines that ended in CR LF"] = returns
        lines = [line.removesuffix("\r") for line in lines]
    return lines, notes


def shorten(text: str, limit: int = 60) -> str:
    """Quote a value for a message, cut to `limit` characters."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")
