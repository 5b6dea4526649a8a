"""Read the annotations of a sentence off its tree: the rows of the treebank."""

from collections.abc import Mapping
from itertools import combinations

from tunescope.corpora.language.tree import (
    HEAD,
    Node,
    Phrase,
    Sentence,
    Word,
    head_word,
    leaves,
    text_of,
)

Span = tuple[int, int]


class Places:
    """Where words and phrases of a sentence stand.

    Attributes:
        words: words from left to right.
        phrases: phrases from the outside in, left to right, with their spans (end exclusive).
    """

    def __init__(self, root: Phrase) -> None:
        self.words: list[Word] = list(leaves(root))
        self.phrases: list[tuple[Phrase, Span]] = []
        self._index = {id(word): place for place, word in enumerate(self.words)}
        self._spans: dict[int, Span] = {}
        self._visit(root)
        self.phrases.sort(key=lambda one: (one[1][0], -one[1][1]))

    def _visit(self, node: Node) -> Span:
        if isinstance(node, Word):
            place = self._index[id(node)]
            return place, place + 1
        slot = len(self.phrases)
        self.phrases.append((node, (0, 0)))
        inner = [self._visit(child.node) for child in node.children]
        span = inner[0][0], inner[-1][1]
        self.phrases[slot] = (node, span)
        self._spans[id(node)] = span
        return span

    def span(self, node: Node) -> Span:
        """Words of a node, end exclusive."""
        if isinstance(node, Word):
            place = self._index[id(node)]
            return place, place + 1
        return self._spans[id(node)]

    def head(self, node: Node) -> int:
        """Place of a node's head word."""
        return self._index[id(head_word(node))]


def treebank_row(sentence: Sentence, *, row: int, name: str) -> dict[str, object]:
    """Everything that is known about a sentence, in the canonical form.

    Entities are named entities and numerals. Coreference targets are all pairs of phrases that
    speak of a known referent, in sentences where at least two of them corefer. Relations hold the
    sentence's semantic relations, or `Other` for the first two noun phrases of a sentence that has
    none. Proto-role targets are predicate and head word of the argument.

    Args:
        sentence: the sentence.
        row: its number in the corpus.
        name: its identifier.
    """
    places = Places(sentence.root)
    heads, deprels = dependencies(sentence.root, places)
    return {
        "row": row,
        "id": name,
        "text": text_of(sentence.root),
        "words": [_cased(word, place) for place, word in enumerate(places.words)],
        "upos": [word.upos for word in places.words],
        "xpos": [word.xpos for word in places.words],
        "heads": heads,
        "deprels": deprels,
        "constituents": _constituents(places),
        "entities": _entities(places),
        "semantic_roles": _semantic_roles(sentence, places),
        "proto_roles": _proto_roles(sentence, places),
        "coreference": _coreference(places),
        "relations": _relations(sentence, places),
        "frames": _frames(sentence, places),
    }


def dependencies(root: Phrase, places: Places) -> tuple[list[int], list[str]]:
    """Heads (1-based, 0 for the root) and relations of all words."""
    heads = [0] * len(places.words)
    deprels = ["root"] * len(places.words)

    def attach(phrase: Phrase) -> None:
        head = places.head(phrase)
        for child in phrase.children:
            if child.relation != HEAD:
                governor = head if child.governor is None else places.head(child.governor.node)
                place = places.head(child.node)
                heads[place], deprels[place] = governor + 1, child.relation
            if isinstance(child.node, Phrase):
                attach(child.node)

    attach(root)
    return heads, deprels


def _cased(word: Word, place: int) -> str:
    return word.form[:1].upper() + word.form[1:] if place == 0 else word.form


def _span(span: Span) -> dict[str, int]:
    return {"start": span[0], "end": span[1]}


def _target(first: Span, second: Span | None, labels: list[str]) -> dict[str, object]:
    return {
        "span1": _span(first),
        "span2": None if second is None else _span(second),
        "labels": labels,
    }


def _constituents(places: Places) -> list[dict[str, object]]:
    return [_target(span, None, [phrase.category]) for phrase, span in places.phrases]


def _entities(places: Places) -> list[dict[str, object]]:
    found = {span: phrase.entity for phrase, span in places.phrases if phrase.entity}
    found |= {
        (place, place + 1): word.entity for place, word in enumerate(places.words) if word.entity
    }
    return [_target(span, None, [str(found[span])]) for span in sorted(found)]


def _semantic_roles(sentence: Sentence, places: Places) -> list[dict[str, object]]:
    return [
        _target(places.span(predicate.target), places.span(argument.node), [argument.label])
        for predicate in sentence.predicates
        for argument in predicate.arguments
    ]


def _proto_roles(sentence: Sentence, places: Places) -> list[dict[str, object]]:
    targets = []
    for predicate in sentence.predicates:
        for argument in predicate.arguments:
            if argument.properties is not None:
                head = places.head(argument.node)
                target = places.span(predicate.target)
                targets.append(_target(target, (head, head + 1), sorted(argument.properties)))
    return targets


def _coreference(places: Places) -> list[dict[str, object]]:
    mentions: list[tuple[Span, int]] = [
        (span, phrase.referent) for phrase, span in places.phrases if phrase.referent is not None
    ]
    pairs = [
        (one[0], other[0], one[1] == other[1]) for one, other in combinations(sorted(mentions), 2)
    ]
    if not any(same for _, _, same in pairs):
        return []
    return [_target(one, other, ["1" if same else "0"]) for one, other, same in pairs]


_REVERSED: Mapping[str, str] = {"(e1,e2)": "(e2,e1)", "(e2,e1)": "(e1,e2)"}


def _relations(sentence: Sentence, places: Places) -> list[dict[str, object]]:
    targets = []
    for relation in sentence.relations:
        first, second = places.head(relation.first), places.head(relation.second)
        label = relation.label
        if first > second:  # e1 is the nominal that stands first; the label tells the direction
            first, second = second, first
            label = label[:-7] + _REVERSED[label[-7:]]
        targets.append(_target((first, first + 1), (second, second + 1), [label]))
    if targets:
        return targets
    nouns = [place for place, word in enumerate(places.words) if word.upos == "NOUN"]
    if len(nouns) < 2:
        return []
    first, second = nouns[:2]
    return [_target((first, first + 1), (second, second + 1), ["Other"])]


def _frames(sentence: Sentence, places: Places) -> list[dict[str, object]]:
    return [
        {
            "frame": predicate.frame,
            "target": _span(places.span(predicate.target)),
            "elements": [
                {
                    "name": argument.element,
                    "span": _span(places.span(argument.node)),
                    "core": argument.core,
                }
                for argument in predicate.arguments
                if argument.element is not None
            ],
        }
        for predicate in sentence.predicates
    ]
