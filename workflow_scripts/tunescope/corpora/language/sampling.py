"""Draw meanings at random: who, what, where, when, and what happened."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from tunescope.corpora.language.lexicon import (
    DEGREE,
    MANNER,
    NOUNS,
    NUMERALS,
    PERSON_SCALES,
    PLAIN_ADJECTIVES,
    THING_SCALES,
    TIME_ADVERBS,
    names_of,
    nouns_of,
)
from tunescope.corpora.language.meaning import Adjunct, AdjunctKind, Clause, Nominal
from tunescope.corpora.language.verbs import VERBS, verbs_between, verbs_of

T = TypeVar("T")

PERSONS = nouns_of("person")
#: What a person can do to a person.
PERSON_VERBS = verbs_between("person", "person")
TRANSFER_VERBS = tuple(lemma for lemma, verb in VERBS.items() if verb.recipient is not None)
INTRANSITIVE_VERBS = tuple(lemma for lemma, verb in VERBS.items() if verb.object is None)
MOTION_VERBS = verbs_of("Self_motion", "Arriving", "Departing")
CLAUSE_VERBS = verbs_of("Statement", "Awareness")
PLACES = nouns_of("place", "institution")
THINGS = nouns_of("text", "garment", "tool", "vehicle", "food")
_PERSON_ADJECTIVES = tuple(word for scale in PERSON_SCALES for word in scale)
_THING_ADJECTIVES = tuple(word for scale in THING_SCALES for word in scale)


class Sampler:
    """Draws meanings.

    Args:
        random: the only source of chance.
        named: share of persons that are called by name.
        persons: nouns for the others.
        verbs: what persons do to each other.
    """

    def __init__(
        self,
        random: Random,
        *,
        named: float = 0.35,
        persons: tuple[str, ...] = PERSONS,
        verbs: tuple[str, ...] = PERSON_VERBS,
    ) -> None:
        self.random = random
        self.verbs = verbs
        self._named = named
        self._persons = persons

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random.random() < probability

    def pick(self, options: Sequence[T], *, but: Sequence[T] = ()) -> T:
        """One of the options, none of `but`."""
        left = [one for one in options if one not in but] if but else options
        return self.random.choice(left)

    def people(
        self, number: int, *, named: float | None = None, but: Sequence[Nominal] = ()
    ) -> list[Nominal]:
        """Different persons (no two of a synonym pair), each with a number to refer to.

        Args:
            number: how many.
            named: share that is called by name; that of the sampler if None.
            but: persons who are there already.
        """
        chosen = list(but)
        while len(chosen) < number + len(but):
            by_name = self.chance(self._named if named is None else named)
            pool = names_of("person") if by_name else self._persons
            one = pool[self.random.randrange(len(pool))]
            if not any(one in _same(other.head) for other in chosen):
                chosen.append(Nominal(one, "" if by_name else "the", referent=len(chosen) + 1))
        return chosen[len(but) :]

    def thing(self, kinds: Sequence[str], *, determiner: str = "") -> Nominal:
        """A thing (or animal) of one of these classes."""
        determiner = determiner or self.pick(("a", "the"))
        nouns = nouns_of(*kinds)
        head = self.pick(nouns)
        if head in ("bread", "soup", "tea", "milk", "wine", "panic", "smoke"):
            determiner = "the" if determiner == "a" else determiner
        return Nominal(head, determiner)

    def adjective(self, nominal: Nominal) -> Nominal:
        """The nominal with an adjective that suits it."""
        if nominal.determiner == "" and not nominal.plural:
            return nominal
        suited = _PERSON_ADJECTIVES if nominal.kind in ("person", "animal") else _THING_ADJECTIVES
        pool = suited if self.chance(0.7) else PLAIN_ADJECTIVES
        return replace(nominal, adjectives=(self.pick(pool),))

    def event(self, *, named: float | None = None) -> Clause:
        """Something that one person does to another."""
        agent, patient = self.people(2, named=named)
        return Clause(self.pick(self.verbs), agent, patient)

    def transfer(self) -> Clause:
        """Something given, sold, lent or handed from one person to another."""
        giver, taker = self.people(2)
        verb = self.pick(TRANSFER_VERBS)
        thing = self.thing(_fillers(verb))
        return Clause(verb, giver, thing, recipient=taker, dative=self.chance(0.5))

    def action(self) -> Clause:
        """Something that a person does to a thing."""
        verb = self.pick(_ACTION_VERBS)
        kinds = [kind for kind in _fillers(verb) if kind not in ("person", "animal")]
        return Clause(verb, self.people(1)[0], self.thing(kinds))

    def place(self) -> Adjunct:
        """Where something happens."""
        noun = self.pick(PLACES)
        if self.chance(0.2):
            return Adjunct("place", "in", Nominal(self.pick(names_of("town")), ""))
        return Adjunct("place", self.pick(("in", "near")), Nominal(noun))

    def time(self) -> Adjunct:
        """When something happens."""
        if self.chance(0.3):
            return Adjunct("time", adverb=self.pick(TIME_ADVERBS))
        if self.chance(0.5):
            return Adjunct("time", "on", Nominal(self.pick(names_of("day")), ""))
        return Adjunct("time", "in", Nominal(self.pick(names_of("month")), ""))

    def manner(self) -> Adjunct:
        """How something happens."""
        return Adjunct("manner", adverb=self.pick(MANNER))

    def instrument(self) -> Adjunct:
        """What something is done with."""
        return Adjunct("instrument", "with", Nominal(self.pick(nouns_of("tool")), "a"))

    def direction(self, kind: AdjunctKind) -> Adjunct:
        """Where a motion leads (`goal`) or comes from (`origin`)."""
        preposition = "to" if kind == "goal" else "from"
        return Adjunct(kind, preposition, Nominal(self.pick(PLACES)))

    def numeral(self) -> str:
        """A small number in words."""
        return self.pick(NUMERALS)

    def degree(self) -> str:
        """An adverb of degree, or nothing."""
        return self.pick(DEGREE) if self.chance(0.3) else ""


_ACTION_VERBS = tuple(
    lemma
    for lemma, verb in VERBS.items()
    if verb.object is not None
    and verb.recipient is None
    and "person" in verb.subject.fillers
    and any(kind not in ("person", "animal", "clause") for kind in verb.object.fillers)
)


def _fillers(verb: str) -> tuple[str, ...]:
    """Semantic classes of a transitive verb's object."""
    role = VERBS[verb].object
    if role is None:
        raise ValueError(f"{verb}: takes no object")
    return role.fillers


def _same(head: str) -> tuple[str, ...]:
    """A head and its synonym."""
    return (head, NOUNS[head].synonym) if head in NOUNS else (head,)
