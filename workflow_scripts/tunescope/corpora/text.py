"""Plain text: one sentence a line, or WikiText's paragraphs cut into sentences."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from tunescope.corpora.canonical import Accounting, Split, make_split
from tunescope.corpora.source import read_source, split_lines
from tunescope.errors import InputError

#: Shorter pieces of WikiText (in tokens) are captions, list entries and split abbreviations.
MIN_WIKITEXT_TOKENS = 5

_SENTENCE_ENDS = frozenset(".?!")
_MARKS = {"@-@": "-", "@,@": ",", "@.@": "."}


def read_text(path: Path) -> Split:
    """Read sentences, one a line; blank lines are dropped and counted.

    Raises:
        InputError: missing, empty or not UTF-8.
    """
    source = read_source(path)
    lines, notes = split_lines(source)
    return text_split(lines, source=str(path), sha256=source.sha256, notes=notes)


def read_wikitext(path: Path) -> Split:
    """Read a WikiText file, word-level or raw, into sentences (see `wikitext_split`).

    Raises:
        InputError: missing, empty, not UTF-8, or nothing is left.
    """
    source = read_source(path)
    lines, notes = split_lines(source)
    return wikitext_split(lines, source=str(path), sha256=source.sha256, notes=notes)


def text_split(
    lines: Iterable[str], *, source: str, sha256: str, notes: dict[str, int] | None = None
) -> Split:
    """Make a split of text from lines that hold one sentence each."""
    rows: list[dict[str, object]] = []
    read = 0
    for row, line in enumerate(lines):
        read += 1
        if line.strip():
            rows.append({"row": row, "text": line})
    dropped = {"blank line": read - len(rows)} if read > len(rows) else {}
    return _finish(rows, Accounting(source, sha256, read, len(rows), dropped, notes or {}))


def wikitext_split(
    lines: Iterable[str], *, source: str, sha256: str, notes: dict[str, int] | None = None
) -> Split:
    """Make a split of sentences from WikiText's lines, each a paragraph, a heading or blank.

    The records of the account are blank lines, headings and sentences. Dropped and counted: blank
    lines, headings (`= Name =`), sentences with `<unk>` and those of fewer than
    `MIN_WIKITEXT_TOKENS` tokens. In the others the tokeniser's marks ` @-@ `, ` @,@ `, ` @.@ `
    become the plain sign again, joined to its neighbours; other blanks before punctuation stay,
    since BERT's tokeniser does not see them.
    """
    rows: list[dict[str, object]] = []
    dropped: Counter[str] = Counter()
    counts = Counter(notes or {})
    for read, record in enumerate(_records(lines)):
        if isinstance(record, str):
            dropped[record] += 1
        elif "<unk>" in record:
            dropped["sentence with <unk>"] += 1
        elif len(record) < MIN_WIKITEXT_TOKENS:
            dropped[f"sentence of fewer than {MIN_WIKITEXT_TOKENS} tokens"] += 1
        else:
            text, marks = _join(record)
            if marks:
                counts["tokeniser's marks undone"] += marks
            rows.append({"row": read, "text": text})
    total = len(rows) + sum(dropped.values())
    return _finish(rows, Accounting(source, sha256, total, len(rows), dict(dropped), dict(counts)))


def split_sentences(tokens: list[str]) -> Iterator[list[str]]:
    """Cut a tokenised paragraph into sentences.

    A sentence ends at a token `.`, `?` or `!`; a double quote after it goes along when it closes
    one that is open. No end before a token that begins in lower case: there the stop belongs to
    an abbreviation or to quoted speech.
    """
    sentence: list[str] = []
    place = 0
    while place < len(tokens):
        sentence.append(tokens[place])
        place += 1
        if sentence[-1] not in _SENTENCE_ENDS:
            continue
        if place < len(tokens) and tokens[place] == '"' and sentence.count('"') % 2:
            sentence.append('"')
            place += 1
        if place < len(tokens) and tokens[place][0].islower():
            continue
        yield sentence
        sentence = []
    if sentence:
        yield sentence


def _records(lines: Iterable[str]) -> Iterator[str | list[str]]:
    """Sentences as token lists; for what is none, the reason why as a string."""
    for line in lines:
        tokens = line.split()
        if not tokens:
            yield "blank line"
        elif len(tokens) > 2 and tokens[0] == tokens[-1] == "=":
            yield "heading"
        else:
            yield from split_sentences(tokens)


def _join(tokens: list[str]) -> tuple[str, int]:
    """Text of the tokens with the marks undone, and the number of marks."""
    marks = sum(token in _MARKS for token in tokens)
    text = " ".join(tokens)
    for mark, sign in _MARKS.items():
        text = text.replace(f" {mark} ", sign)
    return text, marks


def _finish(rows: list[dict[str, object]], accounting: Accounting) -> Split:
    if not rows:
        raise InputError(
            accounting.source,
            f"no sentence is left of {accounting.read} records ({dict(accounting.dropped)})",
            "Name a file with running text, one sentence a line (`text`) or WikiText (`wikitext`)",
        )
    return make_split("text", rows, (), accounting)
