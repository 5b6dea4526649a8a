"""Sentences of constructions that are rarer: reflexives, quantifiers, opinions, addresses."""

from dataclasses import replace

from tunescope.corpora.language.lexicon import (
    BLAME,
    PRAISE,
    names_of,
    nouns_of,
)
from tunescope.corpora.language.meaning import Adjunct, Clause, Nominal, Tense
from tunescope.corpora.language.sampling import (
    INTRANSITIVE_VERBS,
    PERSON_VERBS,
    Sampler,
)

#: Tenses as often as they are drawn.
TENSES: tuple[Tense, ...] = ("past", "past", "past", "past", "present", "future")


def reflexive_sentence(sampler: Sampler) -> Clause:
    """Somebody does it to himself or herself."""
    one = Nominal(sampler.pick(names_of("person")), "", referent=1)
    other = replace(one, pronoun=one.gender, reflexive=True)
    verbs = (
        "praise",
        "blame",
        "hit",
        "guard",
        "protect",
        "teach",
        "scare",
        "love",
        "hate",
        "judge",
    )
    return Clause(sampler.pick(verbs), one, other, negation="never" if sampler.chance(0.15) else "")


def quantified_sentence(sampler: Sampler) -> Clause:
    """Nobody, everyone, every or so many of a kind."""
    one = sampler.people(1, named=0.0)[0]
    two = sampler.people(1)[0]
    subject = sampler.pick(
        (
            Nominal("nobody", ""),
            Nominal("everyone", ""),
            Nominal(one.head, "no"),
            Nominal(one.head, "every"),
            Nominal(one.head, sampler.numeral(), plural=True),
            Nominal(one.head, "the", plural=True),
        )
    )
    clause = Clause(sampler.pick(PERSON_VERBS), subject, two, tense=sampler.pick(TENSES))
    if sampler.chance(0.3):
        return Clause(sampler.pick(INTRANSITIVE_VERBS), subject, tense=sampler.pick(TENSES))
    return clause


def opinion_sentence(sampler: Sampler) -> Clause:
    """A judgement of a work."""
    work = sampler.thing(("work",), determiner="the")
    subject = work
    if sampler.chance(0.4):
        subject = Nominal(sampler.pick(nouns_of("aspect")), "the", attribute=("of", work))
    adjective = sampler.pick(PRAISE if sampler.chance(0.5) else BLAME)
    negation = sampler.pick(("not", "never")) if sampler.chance(0.3) else ""
    return Clause("be", subject, predicative=adjective, negation=negation, degree=sampler.degree())


def address_sentence(sampler: Sampler) -> Clause:
    """I or you as the subject."""
    pronoun = Nominal("you", "", pronoun=sampler.pick(("first", "second")))
    one = sampler.people(1)[0]
    clause = Clause(
        sampler.pick(PERSON_VERBS), pronoun, one, tense=sampler.pick(("past", "future"))
    )
    return replace(clause, negation=sampler.pick(("", "", "not", "never")))


def institution_sentence(sampler: Sampler) -> Clause:
    """A place named after a town or a person."""
    name = sampler.pick((*names_of("town"), *names_of("person")))
    noun = sampler.pick(nouns_of("institution"))
    place = Nominal(noun, sampler.pick(("", "the")), name=name)
    if sampler.chance(0.5):
        return Clause("visit", sampler.people(1)[0], place, adjuncts=(sampler.time(),))
    clause = Clause(sampler.pick(("work", "wait")), sampler.people(1)[0])
    return replace(clause, adjuncts=(Adjunct("place", "at", place),), tense=sampler.pick(TENSES))
