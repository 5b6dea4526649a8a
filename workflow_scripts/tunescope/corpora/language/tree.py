"""Phrases whose children know their function: constituents and dependencies from one tree.

A phrase has one head child; every other child names its Universal Dependencies relation to it. So
brackets are read off the phrases and arcs off the heads, and the two cannot disagree.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(eq=False, slots=True)
class Word:
    """One word in its place; two occurrences of a word are two objects.

    Attributes:
        form: spelling within a sentence (names with a capital).
        lemma: dictionary form.
        upos: universal part of speech.
        xpos: part of speech in the manner of the Penn Treebank.
        entity: type of the named entity it is by itself; else None.
    """

    form: str
    lemma: str
    upos: str
    xpos: str
    entity: str | None = None


@dataclass(eq=False, slots=True)
class Phrase:
    """A constituent.

    Attributes:
        category: label in the manner of the Penn Treebank (S, NP, VP, ...).
        children: its parts from left to right.
        referent: number of the person, animal or thing it speaks of, for coreference; else None.
        entity: type of the named entity it is; else None.
    """

    category: str
    children: "tuple[Child, ...]"
    referent: int | None = None
    entity: str | None = None

    def __post_init__(self) -> None:
        heads = sum(child.relation == HEAD for child in self.children)
        if heads != 1:
            raise ValueError(f"{self.category}: {heads} heads among {len(self.children)} children")


Node = Word | Phrase
HEAD = "head"


@dataclass(eq=False, slots=True)
class Child:
    """A part of a phrase.

    Attributes:
        relation: `HEAD`, or the dependency relation to its governor.
        node: the word or phrase.
        governor: the sister it depends on; the phrase's head if None (a conjunction depends on the
            conjunct after it).
    """

    relation: str
    node: Node
    governor: "Child | None" = None


@dataclass(frozen=True, slots=True)
class Argument:
    """What a predicate says of one participant or circumstance.

    Attributes:
        node: the phrase (or word) that expresses it.
        label: semantic role in the manner of PropBank (ARG0, ARGM-LOC, ...).
        element: name of the frame element; None if the frame has none for it.
        core: whether the element is core to its frame.
        properties: proto-role properties that hold of it; None for circumstances.
    """

    node: Node
    label: str
    element: str | None
    core: bool
    properties: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate with its arguments.

    Attributes:
        target: the word that evokes the frame.
        frame: name of the frame.
        arguments: overt participants and circumstances.
    """

    target: Word
    frame: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """A semantic relation between two nominals, in the manner of SemEval-2010 task 8.

    Attributes:
        first: one nominal, by its phrase or the prepositional phrase around it.
        second: the other.
        label: relation with its direction, as in `Content-Container(e1,e2)`, for this order.
    """

    first: Node
    second: Node
    label: str


@dataclass(slots=True)
class Sentence:
    """A sentence with everything that is known about it.

    Attributes:
        root: its tree.
        predicates: predicates in the order in which they were built.
        relations: semantic relations between nominals.
    """

    root: Phrase
    predicates: list[Predicate] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)


def leaves(node: Node) -> Iterator[Word]:
    """Words of a tree from left to right."""
    if isinstance(node, Word):
        yield node
    else:
        for child in node.children:
            yield from leaves(child.node)


def head_word(node: Node) -> Word:
    """The word on which all others of the phrase depend."""
    while isinstance(node, Phrase):
        node = next(child.node for child in node.children if child.relation == HEAD)
    return node


def text_of(root: Node) -> str:
    """Spell a sentence: capital at the start, no blank before punctuation and clitics."""
    pieces: list[str] = []
    for word in leaves(root):
        if pieces and word.form not in _ATTACHED:
            pieces.append(" ")
        pieces.append(word.form)
    text = "".join(pieces)
    return text[:1].upper() + text[1:]


_ATTACHED = frozenset({".", ",", "?", "'s", "n't"})
