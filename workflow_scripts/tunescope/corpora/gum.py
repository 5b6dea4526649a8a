"""GUM: constituents from its PTB trees, coreference from OntoGUM, a pair of files a document."""

import hashlib
from collections import Counter
from pathlib import Path

from tunescope.corpora.annotations import UNESCAPED, Span, mention_pairs, target, unescape
from tunescope.corpora.brackets import BracketError, mentions
from tunescope.corpora.canonical import Accounting, Split, make_split
from tunescope.corpora.ptb import Tree, parse_trees
from tunescope.corpora.source import Source, read_source, split_lines
from tunescope.errors import InputError

OTHER_WORD = "words that the coreference file writes in another way"
ACROSS = "mentions that reach over a sentence's end, left out"


def read_gum(trees: Path, coreference: Path) -> Split:
    """Read the documents of a split; each tree is a sentence.

    Coreference is told between mentions of one sentence only, as in the data of edge probing.

    Args:
        trees: folder of `*.ptb`.
        coreference: folder of OntoGUM's `*.conll`, one for each of them, of the same name.

    Raises:
        InputError: a folder or a document's file is missing, brackets do not match, or the two
            files of a document have another number of words.
    """
    files = sorted(trees.glob("*.ptb"))
    if not files:
        raise InputError(trees, "no *.ptb file in this folder", "Name GUM's folder const")
    counts: Counter[str] = Counter()
    digest = hashlib.sha256()
    rows: list[dict[str, object]] = []
    for file in files:
        source = read_source(file)
        parsed = list(parse_trees(source))
        other = read_source(coreference / f"{file.stem}.conll")
        digest.update((source.sha256 + other.sha256).encode())
        found = _mentions_by_sentence(source, parsed, other, counts)
        for place, (tree, spans) in enumerate(zip(parsed, found, strict=True), start=1):
            words = [unescape(word) for word in tree.words]
            if changed := sum(map(str.__ne__, words, tree.words)):
                counts[UNESCAPED] += changed
            rows.append(
                {
                    "row": len(rows),
                    "id": f"{file.stem}-{place}",
                    "text": " ".join(words),
                    "words": words,
                    "xpos": list(tree.tags),
                    "constituents": [
                        target(span, None, [label]) for label, span in tree.constituents
                    ],
                    "coreference": mention_pairs(spans),
                }
            )
    accounting = Accounting(str(trees), digest.hexdigest(), len(rows), len(rows), {}, dict(counts))
    return make_split("treebank", rows, (), accounting)


def _mentions_by_sentence(
    source: Source, trees: list[Tree], other: Source, counts: Counter[str]
) -> list[list[tuple[Span, str]]]:
    """Mentions of a document, each given to the sentence that holds it whole."""
    lines, _ = split_lines(other)
    numbered = [
        (number, line.split("\t"))
        for number, line in enumerate(lines, start=1)
        if line and not line.startswith("#")
    ]
    for number, columns in numbered:
        if len(columns) != 3:
            raise InputError(
                other.at(number), f"{len(columns)} columns", "Give number, word and coreference"
            )
    words = [unescape(word) for tree in trees for word in tree.words]
    if len(words) != len(numbered):
        raise InputError(
            other.path,
            f"{len(numbered)} words, but the trees of {source.path} have {len(words)}",
            "Take both files from the same release",
        )
    if differing := sum(
        columns[1] != word for (_, columns), word in zip(numbered, words, strict=True)
    ):
        counts[OTHER_WORD] += differing
    try:
        found = mentions([columns[2] for _, columns in numbered], "_")
    except BracketError as error:
        where = other.at(numbered[error.word][0])
        raise InputError(where, str(error), "Correct the brackets of the document") from None
    bounds: list[Span] = []
    for tree in trees:
        start = bounds[-1][1] if bounds else 0
        bounds.append((start, start + len(tree.words)))
    sentences: list[list[tuple[Span, str]]] = [[] for _ in trees]
    owner = [place for place, (start, end) in enumerate(bounds) for _ in range(start, end)]
    for (start, end), cluster in found:
        if owner[start] != owner[end - 1]:
            counts[ACROSS] += 1
            continue
        offset = bounds[owner[start]][0]
        sentences[owner[start]].append(((start - offset, end - offset), cluster))
    return sentences
