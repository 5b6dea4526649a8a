"""Participants of a clause: their place in its syntax, semantic roles, frame and proto-roles."""

from collections.abc import Iterator
from dataclasses import dataclass

from tunescope.corpora.language.meaning import Adjunct, Clause, Nominal
from tunescope.corpora.language.tree import Argument, Node, Relation, Word, head_word
from tunescope.corpora.language.verbs import (
    COPULA_PREDICATIVE,
    COPULA_SUBJECT,
    VERBS,
    Role,
)

_ADJUNCTS = {
    "place": ("ARGM-LOC", "Place"),
    "time": ("ARGM-TMP", "Time"),
    "manner": ("ARGM-MNR", "Manner"),
    "instrument": ("ARGM-MNR", "Instrument"),
    "goal": ("ARGM-GOL", "Goal"),
    "origin": ("ARGM-DIR", "Source"),
    "companion": ("ARGM-COM", "Depictive"),
    "reason": ("ARGM-CAU", "Explanation"),
    "occasion": ("ARGM-TMP", "Time"),
    "concession": ("ARGM-ADV", "Concessive"),
}
#: Elements of circumstances that are core to some frames.
_CORE_CIRCUMSTANCES = {("Self_motion", "Goal"), ("Self_motion", "Source"), ("Arriving", "Goal"),
                       ("Departing", "Source"), ("Bringing", "Goal")}  # fmt: skip
#: Relation between the nominals of two elements of a frame; "" stands for any frame.
_RELATIONS = {
    ("Causation", "Cause", "Effect"): "Cause-Effect(e1,e2)",
    ("Cooking_creation", "Produced_food", "Cook"): "Product-Producer(e1,e2)",
    ("Creating", "Created_entity", "Creator"): "Product-Producer(e1,e2)",
    ("Building", "Created_entity", "Agent"): "Product-Producer(e1,e2)",
    ("Bringing", "Theme", "Goal"): "Entity-Destination(e1,e2)",
    ("", "Instrument", "Agent"): "Instrument-Agency(e1,e2)",
}
#: Properties that only persons and animals can have.
_SENTIENT = frozenset({"volition", "awareness", "sentient"})
_ANIMATE = frozenset({"person", "animal"})


@dataclass(frozen=True, slots=True)
class Participant:
    """One participant in the syntax of its clause.

    Attributes:
        nominal: who or what it is; a clause for complement clauses.
        relation: dependency relation to the verb.
        preposition: preposition before it; empty for none.
        role: its semantic role.
    """

    nominal: Nominal | Clause
    relation: str
    preposition: str
    role: Role


class Roles:
    """Collects the arguments of one clause while it is built.

    Attributes:
        arguments: what was collected.
        frame: frame of the clause's verb.
        target: the word that counts as predicate, where it is not the head (the copula).
    """

    def __init__(self, clause: Clause) -> None:
        self._clause = clause
        self.arguments: list[Argument] = []
        self.target: Word | None = None
        if clause.predicative is not None:
            self.frame = "Attributes"
        else:
            self.frame = "Existence" if clause.existential else VERBS[clause.verb].frame

    @property
    def surface_subject_is_plural(self) -> bool:
        """Whether the verb agrees with a plural."""
        subject = self._clause.object if self._clause.passive else self._clause.subject
        return isinstance(subject, Nominal) and subject.is_plural

    def participants(self) -> Iterator[Participant]:
        """Subject first, then complements, as the clause's voice and alternation place them."""
        clause = self._clause
        if clause.verb == "be":
            relation = "nsubj"
            yield Participant(clause.subject, relation, "", COPULA_SUBJECT)
            return
        verb = VERBS[clause.verb]
        if clause.passive:
            if clause.object is None or verb.object is None:
                raise ValueError(f"{clause.verb}: no object to tell in the passive")
            yield Participant(clause.object, "nsubj:pass", "", verb.object)
        else:
            yield Participant(clause.subject, "nsubj", "", verb.subject)
        direct = clause.recipient is not None and not clause.dative and not clause.passive
        if direct and clause.recipient is not None and verb.recipient is not None:
            yield Participant(clause.recipient, "iobj", "", verb.recipient)
        if clause.object is not None and verb.object is not None and not clause.passive:
            relation = "ccomp" if isinstance(clause.object, Clause) else "obj"
            yield Participant(clause.object, relation, "", verb.object)
        if clause.recipient is not None and verb.recipient is not None and not direct:
            yield Participant(clause.recipient, "obl", "to", verb.recipient)
        if clause.source is not None and verb.source is not None:
            yield Participant(clause.source, "obl", "from", verb.source)
        if clause.passive and not clause.agentless:
            yield Participant(clause.subject, "obl:agent", "by", verb.subject)

    def add(self, part: Participant, node: Node) -> None:
        """Note a participant that is expressed by `node`."""
        self._add(node, part.role.label, part.role, part.nominal)

    def add_relative(self, part: Participant, node: Node) -> None:
        """Note the relative pronoun that stands for a participant (PropBank's R- arguments)."""
        self.arguments.append(Argument(node, f"R-{part.role.label}", None, False, None))

    def add_predicative(self, node: Node) -> None:
        """Note the predicative of a copular clause."""
        role = COPULA_PREDICATIVE
        self.arguments.append(Argument(node, role.label, role.element, True, None))

    def add_adjunct(self, adjunct: Adjunct, node: Node) -> None:
        """Note a circumstance."""
        label, element = _ADJUNCTS[adjunct.kind]
        core = (self.frame, element) in _CORE_CIRCUMSTANCES
        self.arguments.append(Argument(node, label, element, core, None))

    def add_word(self, word: Word, label: str) -> None:
        """Note a modal or a negation."""
        self.arguments.append(Argument(word, label, None, False, None))

    def _add(self, node: Node, label: str, role: Role, nominal: Nominal | Clause) -> None:
        kind = nominal.kind if isinstance(nominal, Nominal) else "clause"
        properties = role.properties
        if kind not in _ANIMATE:
            properties = tuple(one for one in properties if one not in _SENTIENT)
        elif "sentient" not in properties and kind in _ANIMATE:
            properties = (*properties, "sentient")
        self.arguments.append(Argument(node, label, role.element, True, properties))

    def relations(self) -> list[Relation]:
        """Semantic relations between nominals that the verb and its circumstances express."""
        nodes = {one.element: one.node for one in self.arguments if one.element is not None}
        found = []
        for (frame, first, second), label in _RELATIONS.items():
            if frame in ("", self.frame) and first in nodes and second in nodes:
                pair = nodes[first], nodes[second]
                if all(head_word(one).upos == "NOUN" for one in pair):
                    found.append(Relation(*pair, label))
        return found
