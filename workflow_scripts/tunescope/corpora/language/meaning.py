"""What a sentence says, before it has words in an order: clauses, nominals and circumstances.

Tasks compare sentences by changing meanings (roles swapped, a verb for its synonym, a circumstance
left out) and by telling one meaning in two ways (active and passive, giver's or receiver's side).
"""

from dataclasses import dataclass, replace
from typing import Literal

from tunescope.corpora.language.lexicon import NAMES, NOUNS
from tunescope.corpora.language.verbs import VERBS

Tense = Literal["past", "present", "future"]
AdjunctKind = Literal[
    "place", "time", "manner", "instrument", "goal", "origin", "companion", "reason", "occasion",
    "concession",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Nominal:
    """A noun phrase.

    Attributes:
        head: lemma of a noun, form of a name, or a word that stands by itself (who, nobody, GAP).
        determiner: the, a, no, every, some, a numeral; empty for none.
        adjectives: adjectives before the noun.
        plural: whether it is plural.
        possessor: the owner, as in "the guard's dog".
        attribute: preposition and nominal after it, as in "the cup of tea".
        relation: semantic relation that the attribute expresses, with its direction.
        relative: relative clause; one of its nominals is `GAP`.
        referent: number of who or what it speaks of; None if nothing is known to be the same.
        pronoun: key of `lexicon.PRONOUNS` if it is a pronoun; `head` then is what it stands for.
        reflexive: whether the pronoun is reflexive.
        name: name that makes an institution of it, as in "the Reading Bank".
        second: another nominal joined by "and".
    """

    head: str
    determiner: str = "the"
    adjectives: tuple[str, ...] = ()
    plural: bool = False
    possessor: "Nominal | None" = None
    attribute: "tuple[str, Nominal] | None" = None
    relation: str = ""
    relative: "Clause | None" = None
    referent: int | None = None
    pronoun: str = ""
    reflexive: bool = False
    name: str = ""
    second: "Nominal | None" = None

    @property
    def is_plural(self) -> bool:
        """Whether a verb agrees with it in the plural."""
        return self.plural or self.second is not None or self.pronoun in ("pl", "second")

    @property
    def kind(self) -> str:
        """Semantic class of the head: that of its noun or name."""
        if self.head in NOUNS:
            return NOUNS[self.head].kind
        return NAMES[self.head].kind if self.head in NAMES else "person"

    @property
    def gender(self) -> str:
        """Gender of the head: m, f, n (a person of either), or empty (an animal or thing)."""
        if self.head in NOUNS:
            return NOUNS[self.head].gender
        return NAMES[self.head].gender if self.head in NAMES else "n"


#: The place in a relative clause of what the clause modifies.
GAP = Nominal("GAP", "")


@dataclass(frozen=True, slots=True)
class Adjunct:
    """A circumstance.

    Attributes:
        kind: what it tells.
        preposition: preposition, or conjunction before a clause; empty for adverbs.
        nominal: after a preposition.
        adverb: an adverb instead (`where`, `when` in questions).
        clause: after a conjunction.
        fronted: whether it opens the sentence, before a comma.
    """

    kind: AdjunctKind
    preposition: str = ""
    nominal: Nominal | None = None
    adverb: str = ""
    clause: "Clause | None" = None
    fronted: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """One event or state.

    Attributes:
        verb: base form; `be` for copular and existential clauses.
        subject: subject of the active form.
        object: direct object, or a complement clause.
        recipient: indirect object.
        source: participant named by `from`.
        predicative: adjective or nominal after the copula.
        degree: adverb of degree before a predicative adjective.
        tense: past, present or future.
        negation: not, never, n't; empty if affirmed.
        passive: whether the object is told as the subject.
        agentless: whether the passive leaves the agent out.
        dative: whether the recipient follows as "to ...".
        adjuncts: circumstances in their usual order.
        question: whether it asks (a wh-word among the nominals or adjuncts, or yes/no).
        existential: whether it tells that the subject is there ("there was a cat").
        second: a further clause joined by `conjunction`; its subject, if the same, is left out.
        conjunction: and, but, or.
    """

    verb: str
    subject: Nominal
    object: "Nominal | Clause | None" = None
    recipient: Nominal | None = None
    source: Nominal | None = None
    predicative: str | Nominal | None = None
    degree: str = ""
    tense: Tense = "past"
    negation: str = ""
    passive: bool = False
    agentless: bool = False
    dative: bool = True
    adjuncts: tuple[Adjunct, ...] = ()
    question: bool = False
    existential: bool = False
    second: "Clause | None" = None
    conjunction: str = "and"


def swapped(clause: Clause) -> Clause:
    """The same event with agent and patient exchanged."""
    if not isinstance(clause.object, Nominal):
        raise ValueError(f"{clause.verb}: no object to exchange with the subject")
    return replace(clause, subject=clause.object, object=clause.subject)


def with_synonym(clause: Clause) -> Clause:
    """The same event told with the verb's synonym; unchanged if it has none."""
    if clause.verb == "be":
        return clause
    return replace(clause, verb=VERBS[clause.verb].synonym or clause.verb)


def converse(clause: Clause) -> Clause:
    """The same transfer from the other side: "A gave X to B" as "B received X from A" and back."""
    verb = VERBS[clause.verb]
    if not verb.converse:
        raise ValueError(f"{clause.verb}: no verb tells it from the other side")
    if clause.recipient is not None:
        return replace(
            clause,
            verb=verb.converse,
            subject=clause.recipient,
            recipient=None,
            source=clause.subject,
        )
    if clause.source is None:
        raise ValueError(f"{clause.verb}: neither recipient nor source")
    return replace(
        clause, verb=verb.converse, subject=clause.source, source=None, recipient=clause.subject
    )


def adjunct_of(clause: Clause, kind: AdjunctKind) -> Adjunct | None:
    """The circumstance of a kind, if the clause has one."""
    return next((one for one in clause.adjuncts if one.kind == kind), None)
