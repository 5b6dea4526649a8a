"""CoNLL-U treebanks: words, parts of speech and one dependency tree a sentence."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tunescope.corpora.canonical import Accounting, Split, make_split
from tunescope.corpora.source import Source, read_source, shorten, split_lines
from tunescope.corpora.trees import tree_problem
from tunescope.errors import InputError

COLUMNS = 10
MULTIWORD = "multiword tokens left out, their words kept"
EMPTY_NODES = "empty nodes left out"
EMPTY_NODE_SENTENCE = "sentence with an empty node"

_RANGE = re.compile(r"([1-9]\d*)-([1-9]\d*)")
_EMPTY_NODE = re.compile(r"(\d+)\.([1-9]\d*)")
_COMMENT = re.compile(r"#\s*(\w+)\s*=\s?(.*)")


@dataclass(frozen=True)
class Sentence:
    """A checked sentence: its first line, its comments `key = value`, its canonical columns."""

    line: int
    comments: Mapping[str, str]
    columns: Mapping[str, object]
    empty_nodes: int

    def id(self, place: int) -> str:
        """`sent_id`, or the sentence's place in the file where it has none."""
        return self.comments.get("sent_id") or str(place)


def read_conllu(path: Path, *, empty_node_sentences: Literal["kept", "dropped"] = "kept") -> Split:
    """Read a CoNLL-U file.

    Words are the lines with a plain number; multiword-token ranges (`3-4`) and empty nodes (`8.1`)
    are no words and only counted. `id` and `text` come from the comments; a sentence without a text
    comment gets its words joined by `SpaceAfter`.

    Args:
        path: the file.
        empty_node_sentences: `dropped` leaves out sentences with an empty node, as the data of
            edge probing did (Tenney et al. 2019).

    Raises:
        InputError: another number of columns, ids that are not consecutive, a head out of range,
            two roots, a cycle, or a file that ends inside a sentence.
    """
    source = read_source(path)
    counts: Counter[str] = Counter()
    rows: list[dict[str, object]] = []
    read = dropped = 0
    for read, sentence in enumerate(parse_sentences(source, counts), start=1):
        if sentence.empty_nodes and empty_node_sentences == "dropped":
            dropped += 1
        else:
            rows.append({"row": read - 1, **sentence.columns, "id": sentence.id(read - 1)})
    if not rows:
        raise InputError(path, "no sentence", "Name a CoNLL-U file")
    accounting = Accounting(
        source=str(path),
        sha256=source.sha256,
        read=read,
        kept=len(rows),
        dropped={EMPTY_NODE_SENTENCE: dropped} if dropped else {},
        notes=dict(counts),
    )
    return make_split("treebank", rows, (), accounting)


def parse_sentences(source: Source, counts: Counter[str]) -> Iterator[Sentence]:
    """Parse and check the sentences of a file in order, counting what was left out of each.

    Raises:
        InputError: as for `read_conllu`.
    """
    lines, notes = split_lines(source)
    counts.update(notes)
    block: list[tuple[int, str]] = []
    for number, line in enumerate(lines, start=1):
        if line:
            block.append((number, line))
        elif block:
            yield _sentence(source, block, counts)
            block = []
        else:
            counts["surplus blank lines"] += 1
    if block:
        raise InputError(
            source.at(block[-1][0]),
            "the file ends inside a sentence, without the blank line that closes one",
            "Get the file again (it was cut), or add the blank line if the sentence is whole",
        )


def _sentence(source: Source, block: list[tuple[int, str]], counts: Counter[str]) -> Sentence:
    comments: dict[str, str] = {}
    words: list[list[str]] = []
    numbers: list[int] = []  # line of each word
    heads: list[int] = []
    surface: list[str] = []  # forms with the blank that follows them, ranges instead of their words
    range_end = empty_nodes = nodes_here = 0
    for number, line in block:
        where = source.at(number)
        if line.startswith("#"):
            if words:
                raise InputError(
                    where,
                    "a comment inside a sentence",
                    "Put the blank line back that ends the sentence above",
                )
            if match := _COMMENT.match(line):
                comments[match[1]] = match[2]
            continue
        fields = line.split("\t")
        if len(fields) != COLUMNS:
            raise InputError(
                where,
                f"{len(fields)} columns, but CoNLL-U has {COLUMNS}",
                "Separate columns by single tabs; a cut line means the file must be got again",
            )
        word_id = fields[0]
        if match := _RANGE.fullmatch(word_id):
            first, last = int(match[1]), int(match[2])
            if first != len(words) + 1 or last <= first or first <= range_end:
                raise _wrong_id(where, word_id, len(words) + 1)
            range_end = last
            counts[MULTIWORD] += 1
            surface.append(_spaced(fields))
            continue
        if match := _EMPTY_NODE.fullmatch(word_id):
            nodes_here = nodes_here + 1
            if int(match[1]) != len(words) or int(match[2]) != nodes_here:
                raise _wrong_id(where, word_id, len(words) + 1)
            empty_nodes += 1
            continue
        if word_id != str(len(words) + 1):
            raise _wrong_id(where, word_id, len(words) + 1)
        if not fields[1]:
            raise InputError(where, "an empty word form", "Fill in the second column")
        nodes_here = 0
        words.append(fields)
        numbers.append(number)
        heads.append(_head(fields[6], where))
        if len(words) > range_end:
            surface.append(_spaced(fields))
    first_line = block[0][0]
    if not words:
        raise InputError(source.at(first_line), "a sentence without words", "Remove these lines")
    if range_end > len(words):
        raise InputError(
            source.at(block[-1][0]),
            f"a multiword token reaches to word {range_end}, but the sentence has {len(words)}",
            "Correct the range, or get the file again",
        )
    if problem := tree_problem(heads):
        word, found = problem
        name = comments.get("sent_id", "without sent_id")
        raise InputError(
            source.at(numbers[word]),
            f"{found} (sentence {name}, from line {first_line})",
            "Correct the seventh column (HEAD); every sentence needs one tree with one root",
        )
    if empty_nodes:
        counts[EMPTY_NODES] += empty_nodes
    if "text" not in comments:
        counts["texts joined from the words, for want of a text comment"] += 1
    columns: dict[str, object] = {
        "text": comments.get("text", "".join(surface).rstrip(" ")),
        "words": [fields[1] for fields in words],
        "upos": [fields[3] for fields in words],
        "xpos": [fields[4] for fields in words],
        "heads": heads,
        "deprels": [fields[7] for fields in words],
    }
    return Sentence(first_line, comments, columns, empty_nodes)


def _spaced(fields: list[str]) -> str:
    return fields[1] if "SpaceAfter=No" in fields[9].split("|") else fields[1] + " "


def _head(value: str, where: str) -> int:
    if not (value.isascii() and value.isdigit()):
        raise InputError(
            where,
            f"head {shorten(value)} is no number",
            "The seventh column (HEAD) holds the number of a word, 0 for the root",
        )
    return int(value)


def _wrong_id(where: str, found: str, expected: int) -> InputError:
    return InputError(
        where,
        f"id {shorten(found)} where word {expected} was due",
        "Number the words of a sentence 1, 2, 3 ...; a missing blank line joins two sentences",
    )
