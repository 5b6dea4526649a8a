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
from tunescope.corpora.language.sampling import PEOPLE, PERSON_VERBS, Sampler
from tunescope.corpora.language.tree import text_of
from tunescope.corpora.language.verbs import VERBS

ContrastKind = Literal["roles", "agent", "patient", "verb"]
CONTRASTS: tuple[ContrastKind, ...] = ("roles", "agent", "patient", "verb")


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
        recipient and thing, the receiver's side.

        Args:
            clause: what to tell.
            voice: whether active and passive are drawn anew.
        """
        chance = self.sampler.chance
        if clause.recipient is not None and chance(0.5):
            clause = converse(clause)
        if clause.recipient is not None:
            clause = replace(clause, dative=chance(0.5))
        if chance(0.5):
            clause = with_synonym(clause)
        if isinstance(clause.predicative, str) and chance(0.7):
            clause = replace(clause, predicative=adjective_synonym(clause.predicative))
        if voice and isinstance(clause.object, Nominal) and clause.source is None:
            clause = replace(clause, passive=chance(0.5) and clause.recipient is None)
        subject = self.renamed(clause.subject)
        what = self.renamed(clause.object) if isinstance(clause.object, Nominal) else clause.object
        return replace(clause, subject=subject, object=what)

    def renamed(self, nominal: Nominal) -> Nominal:
        """The nominal, by chance with its noun's synonym."""
        synonym = NOUNS[nominal.head].synonym if nominal.head in NOUNS else ""
        return replace(nominal, head=synonym) if synonym and self.sampler.chance(0.5) else nominal

    def contrast(self, clause: Clause, kind: ContrastKind) -> Clause:
        """Another event that differs in one thing: who did it to whom, one person, or the verb."""
        if kind == "roles":
            return swapped(clause)
        assert isinstance(clause.object, Nominal)
        if kind == "verb":
            verb = VERBS[clause.verb]
            near = [one for one in PERSON_VERBS if VERBS[one].frame == verb.frame]
            return replace(clause, verb=self.sampler.pick(PERSON_VERBS, but=near))
        other = self.other_person(clause.subject, clause.object)
        if kind == "agent":
            return replace(clause, subject=other)
        return replace(clause, object=other)

    def other_person(self, *present: Nominal) -> Nominal:
        """A person who is none of these."""
        taken = [name for one in present for name in (one.head, _synonym(one.head))]
        head = self.sampler.pick(PEOPLE, but=taken)
        return Nominal(head, "the" if head in NOUNS else "", referent=len(present) + 1)

    def contrast_kind(self) -> ContrastKind:
        """One of the contrasts; roles as often as all others together."""
        return "roles" if self.sampler.chance(0.5) else self.sampler.pick(CONTRASTS[1:])


def square(
    firsts: Sequence[str], seconds: Sequence[str], same: str, different: str
) -> list[Example]:
    """All pairs of two first and two second parts, of which those of one meaning are `same`."""
    return [
        Example(first, second, same if i == j else different)
        for i, first in enumerate(firsts)
        for j, second in enumerate(seconds)
    ]


def _synonym(head: str) -> str:
    return NOUNS[head].synonym if head in NOUNS else ""
