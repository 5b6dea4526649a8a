"""CoNLL-2012 columns: parts of speech, constituents, semantic roles, entities, coreference.

OntoNotes has this form, and so has PropBank's English Web Treebank once its words are filled in.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tunescope.corpora.annotations import (
    UNESCAPED,
    Span,
    bare_label,
    mention_pairs,
    target,
    unescape,
)
from tunescope.corpora.brackets import BracketError, labelled_spans, mentions
from tunescope.corpora.canonical import Accounting, Split, make_split
from tunescope.corpora.source import Source, read_source, shorten, split_lines
from tunescope.errors import InputError

#: document, part, word number, word, part of speech, parse bit, predicate lemma, frameset, sense,
#: speaker, entity; then a column a predicate; then coreference.
_BEFORE_ROLES, _AFTER_ROLES = 11, 1
PREDICATES = "predicates"
BARE_PREDICATES = "predicates without an argument, which give no target"


def read_conll2012(path: Path) -> Split:
    """Read a `*_conll` file.

    - Constituents: every bracket of the parse column, the root's too, function tags cut off.
    - Semantic roles: for every predicate its verb (`V`) with each other span of its column, `C-`
      and `R-` roles too; a predicate without arguments gives none.
    - Coreference: every pair of mentions in a sentence, labelled 1 or 0.
    - Entities or coreference stay null throughout where the whole file annotates none.

    Raises:
        InputError: too few columns, sentences with rows of different width, word numbers that are
            not consecutive, or brackets that do not match.
    """
    source = read_source(path)
    lines, notes = split_lines(source)
    counts = Counter(notes)
    rows = [
        {"row": place, **_sentence(source, block, counts)}
        for place, block in enumerate(_blocks(source, lines))
    ]
    if not rows:
        raise InputError(path, "no sentence", "Name a file in CoNLL-2012's columns")
    for name in ("entities", "coreference"):
        if not counts.pop(name, 0):
            for row in rows:
                row[name] = None
    accounting = Accounting(str(path), source.sha256, len(rows), len(rows), {}, dict(counts))
    return make_split("treebank", rows, (), accounting)


def _blocks(source: Source, lines: list[str]) -> Iterator[list[tuple[int, list[str]]]]:
    """Sentences as lists of line number and columns, checked for their width and numbering."""
    block: list[tuple[int, list[str]]] = []
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip() and not line.startswith("#"):
            columns = line.split()
            where = source.at(number)
            if len(columns) < _BEFORE_ROLES + _AFTER_ROLES:
                raise InputError(
                    where,
                    f"{len(columns)} columns, but CoNLL-2012 has 12 and one a predicate",
                    "Get the file again, or mend the line",
                )
            if block and len(columns) != len(block[0][1]):
                raise InputError(
                    where,
                    f"{len(columns)} columns, but the sentence began with {len(block[0][1])}",
                    "Put the blank line back between sentences, or mend the line",
                )
            if columns[2] != str(len(block)):
                raise InputError(
                    where,
                    f"word number {shorten(columns[2])} where {len(block)} was due",
                    "Number the words of a sentence 0, 1, 2 ...",
                )
            block.append((number, columns))
        elif block:
            yield block
            block = []


def _sentence(
    source: Source, block: list[tuple[int, list[str]]], counts: Counter[str]
) -> dict[str, object]:
    def column(place: int) -> list[str]:
        return [columns[place] for _, columns in block]

    def failed(error: BracketError, what: str) -> InputError:
        where = source.at(block[error.word][0])
        return InputError(where, f"{what}: {error}", "Correct the brackets of the sentence")

    words = [unescape(word) for word in column(3)]
    counts.update({UNESCAPED: n} if (n := sum(map(str.__ne__, words, column(3)))) else {})
    try:
        constituents = labelled_spans(column(5))
    except BracketError as error:
        raise failed(error, "parse column") from None
    try:
        entities = labelled_spans(column(10))
    except BracketError as error:
        raise failed(error, "entity column") from None
    try:
        found = mentions(column(len(block[0][1]) - 1), "-")
    except BracketError as error:
        raise failed(error, "coreference column") from None
    roles: list[dict[str, object]] = []
    for place in range(_BEFORE_ROLES, len(block[0][1]) - _AFTER_ROLES):
        try:
            roles += _roles(labelled_spans(column(place)), counts)
        except BracketError as error:
            raise failed(error, f"column {place + 1} (roles)") from None
    counts.update({"entities": len(entities), "coreference": len(found)})
    first = block[0][1]
    return {
        "id": f"{first[0]}/{first[1]}/line {block[0][0]}",
        "text": " ".join(words),
        "words": words,
        "xpos": column(4),
        "constituents": [target(span, None, [bare_label(label)]) for label, span in constituents],
        "entities": [target(span, None, [label]) for label, span in entities],
        "semantic_roles": roles,
        "coreference": mention_pairs(found),
    }


def _roles(spans: list[tuple[str, Span]], counts: Counter[str]) -> list[dict[str, object]]:
    """Targets of one predicate."""
    verbs = [span for label, span in spans if label == "V"]
    if len(verbs) != 1:
        raise BracketError(0, f"{len(verbs)} spans are labelled V, but a predicate has one")
    counts[PREDICATES] += 1
    arguments = [(label, span) for label, span in spans if label != "V"]
    if not arguments:
        counts[BARE_PREDICATES] += 1
    return [target(verbs[0], span, [label]) for label, span in arguments]
