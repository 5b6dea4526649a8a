"""Tell meanings in different ways: paraphrases, and minimal contrasts of what they say.

Tasks are built of blocks of examples. In a block every first part and every second part occurs
equally often under every label, so that neither part, nor any sum of what its words suggest, tells
the label: only how the parts relate does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tunescope.corpora.language.grammar import Grammar
from tunescope.corpora.language.lexicon import NOUNS, adjective_synonym
from tunescope.corpora.language.meaning import Clause, Nominal, converse, swapped, with_synonym
from tunescope.corpora.language.sampling import Sampler
from tunescope.corpora.language.tree import text_of
from tunescope.corpora.language.verbs import VERBS

ContrastKind = Literal["event", "agent", "patient", "verb", "roles"]
#: How often each contrast is drawn: mostly another event altogether, which small encoders can tell;
#: the others differ in one thing, down to who did it to whom.
CONTRASTS: dict[ContrastKind, float] = {
    "event": 5,
    "agent": 1.5,
    "patient": 1.5,
    "verb": 1,
    "roles": 1,
}


@dataclass(frozen=True, slots=True)
class Example:
    """One example of a task.

    Attributes:
        first: first part.
        second: second part; None in tasks of one sentence.
        label: name of the class, or the score.
    """

    first: str
    second: str | None
    label: str | float


class Teller:
    """Spells meanings and varies them.

    Args:
        sampler: draws meanings.
        grammar: tells them.
    """

    def __init__(self, sampler: Sampler, grammar: Grammar) -> None:
        self.sampler = sampler
        self._grammar = grammar

    def spell(self, clause: Clause, *, opening: Sequence[str] = ()) -> str:
        """The sentence that says a meaning."""
        return text_of(self._grammar.sentence(clause, opening=opening).root)

    def retold(self, clause: Clause, *, voice: bool = True) -> Clause:
        """The same meaning told in another way.

        By chance: a synonym of verb, nouns and predicative, the passive, the other order of
        recipient and thing, the receiver's side. What would take `did` is told in the passive, so
        that the verb keeps its form.

        Args:
            clause: what to tell.
            voice: whether active and passive are drawn anew.
        """
        chance = self.sampler.chance
        if clause.recipient is not None and chance(0.5):
            clause = converse(clause)
        if clause.recipient is not None:
            clause = replace(clause, dative=chance(0.5))
        if chance(0.4):
            clause = with_synonym(clause)
        if isinstance(clause.predicative, str) and chance(0.7):
            clause = replace(clause, predicative=adjective_synonym(clause.predicative))
        if voice and isinstance(clause.object, Nominal) and clause.source is None:
            clause = replace(clause, passive=chance(0.5) and clause.recipient is None)
        if voice and _takes_do(clause):
            if isinstance(clause.object, Nominal) and clause.source is None:
                clause = replace(clause, passive=clause.recipient is None)
            elif clause.negation:
                clause = replace(clause, negation="never")
        subject = self.renamed(clause.subject)
        what = self.renamed(clause.object) if isinstance(clause.object, Nominal) else clause.object
        return replace(clause, subject=subject, object=what)

    def renamed(self, nominal: Nominal) -> Nominal:
        """The nominal, by chance with its noun's synonym."""
        synonym = NOUNS[nominal.head].synonym if nominal.head in NOUNS else ""
        return replace(nominal, head=synonym) if synonym and self.sampler.chance(0.3) else nominal

    def contrast(self, clause: Clause, kind: ContrastKind) -> Clause:
        """Another event: it differs altogether, in one person, the verb, or who did it to whom."""
        if kind == "roles":
            return swapped(clause)
        assert isinstance(clause.object, Nominal)
        if kind == "event":
            agent, patient = self.sampler.people(2, but=(clause.subject, clause.object))
            asks_agent, asks_patient = clause.subject.head == "who", clause.object.head == "who"
            return replace(
                self.contrast(clause, "verb"),
                subject=clause.subject if asks_agent else agent,
                object=clause.object if asks_patient else patient,
            )
        if kind == "verb":
            verb = VERBS[clause.verb]
            near = [one for one in self.sampler.verbs if VERBS[one].frame == verb.frame]
            return replace(clause, verb=self.sampler.pick(self.sampler.verbs, but=near))
        other = self.other_person(clause.subject, clause.object)
        if kind == "agent":
            return replace(clause, subject=other)
        return replace(clause, object=other)

    def other_person(self, *present: Nominal) -> Nominal:
        """A person who is none of these."""
        return self.sampler.people(1, but=present)[0]

    def contrast_kind(self) -> ContrastKind:
        """One of the contrasts, as often as `CONTRASTS` says."""
        kinds, weights = tuple(CONTRASTS), tuple(CONTRASTS.values())
        return self.sampler.random.choices(kinds, weights)[0]


def square(
    firsts: Sequence[str], seconds: Sequence[str], same: str, different: str
) -> list[Example]:
    """All pairs of two first and two second parts, of which those of one meaning are `same`."""
    return [
        Example(first, second, same if i == j else different)
        for i, first in enumerate(firsts)
        for j, second in enumerate(seconds)
    ]


def _takes_do(clause: Clause) -> bool:
    """Whether English tells the clause with `did` and the verb's base form."""
    if clause.passive or clause.verb == "be" or clause.tense != "past":
        return False
    asks = clause.question and clause.subject.head != "who"
    return asks or clause.negation in ("not", "n't")
