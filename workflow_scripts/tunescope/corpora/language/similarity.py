"""Sameness of meaning: MRPC's sentences, QQP's questions, STS-B's degrees."""

from dataclasses import replace

from tunescope.corpora.language.lexicon import names_of
from tunescope.corpora.language.meaning import Adjunct, Clause, Nominal
from tunescope.corpora.language.sampling import PLACES
from tunescope.corpora.language.telling import Example, Teller, square

MRPC_LABELS = ("not_equivalent", "equivalent")
QQP_LABELS = ("not_duplicate", "duplicate")


def mrpc_block(teller: Teller) -> list[Example]:
    """Four pairs: two events that differ in one thing, each told twice."""
    sampler = teller.sampler
    event = sampler.event()
    if sampler.chance(0.6):
        adjunct = sampler.place() if sampler.chance(0.5) else sampler.time()
        event = replace(event, adjuncts=(adjunct,))
    if event.adjuncts and sampler.chance(0.3):
        other = replace(event, adjuncts=(_other_circumstance(teller, event.adjuncts[0]),))
    else:
        other = teller.contrast(event, teller.contrast_kind())
    firsts = [teller.spell(teller.retold(one)) for one in (event, other)]
    seconds = [teller.spell(teller.retold(one)) for one in (event, other)]
    return square(firsts, seconds, "equivalent", "not_equivalent")


def _other_circumstance(teller: Teller, adjunct: Adjunct) -> Adjunct:
    while True:
        sampler = teller.sampler
        other = sampler.place() if adjunct.kind == "place" else sampler.time()
        if other != adjunct and other.nominal != adjunct.nominal:
            return other


def qqp_block(teller: Teller) -> list[Example]:
    """Four pairs: two questions that differ in one thing, each asked twice."""
    sampler = teller.sampler
    event = replace(sampler.event(), question=True)
    draw = sampler.random.random()
    if draw < 0.5:  # who did it, or to whom was it done
        who = Nominal("who", "")
        event = replace(event, subject=who) if sampler.chance(0.5) else replace(event, object=who)
        other = _other_question(teller, event)
    else:
        kind, word = ("place", "where") if sampler.chance(0.5) else ("time", "when")
        asked = Adjunct("place" if kind == "place" else "time", adverb=word)
        event = replace(event, adjuncts=(asked,) if draw < 0.8 else ())
        other = teller.contrast(event, teller.contrast_kind())
    firsts = [teller.spell(teller.retold(one)) for one in (event, other)]
    seconds = [teller.spell(teller.retold(one)) for one in (event, other)]
    return square(firsts, seconds, "duplicate", "not_duplicate")


def _other_question(teller: Teller, event: Clause) -> Clause:
    assert isinstance(event.object, Nominal)
    asks_agent = event.subject.head == "who"
    kind = teller.contrast_kind()
    if kind in ("agent", "patient"):  # the person that is not asked for
        kind = "patient" if asks_agent else "agent"
    return teller.contrast(event, kind)


#: What each part of an event adds to the similarity of two events; together 5.
STSB_WEIGHTS = {"subject": 1.3, "object": 1.2, "verb": 1.5, "place": 1.0}


def stsb_block(teller: Teller) -> list[Example]:
    """Four pairs of two events that share no part with two mixtures of them.

    The score is the sum of the weights of the parts that both sentences of a pair share. What one
    mixture takes from the first event the other takes from the second, so that both scores of a
    sentence add up to 5.
    """
    sampler = teller.sampler
    one = replace(sampler.event(), adjuncts=(Adjunct("place", "in", _place(teller)),))
    assert isinstance(one.object, Nominal)
    place = one.adjuncts[0].nominal
    assert place is not None
    patient = teller.other_person(one.subject, one.object)
    agent = teller.other_person(one.subject, one.object, patient)
    verb = teller.contrast(one, "verb").verb
    there = replace(one.adjuncts[0], nominal=_place(teller, but=place.head))
    two = Clause(verb, agent, patient, adjuncts=(there,))
    shared = [part for part in STSB_WEIGHTS if sampler.chance(0.5)]
    mixed, remainder = _mixture(one, two, shared), _mixture(two, one, shared)
    score = round(sum(STSB_WEIGHTS[part] for part in shared), 2)
    first = [teller.spell(teller.retold(event)) for event in (one, two)]
    second = [teller.spell(teller.retold(event)) for event in (mixed, remainder)]
    return [
        Example(text, other, score if i == j else round(5 - score, 2))
        for i, text in enumerate(first)
        for j, other in enumerate(second)
    ]


def _place(teller: Teller, *, but: str = "") -> Nominal:
    head = teller.sampler.pick((*PLACES, *names_of("town")), but=(but,))
    return Nominal(head, "the" if head in PLACES else "")


def _mixture(one: Clause, two: Clause, shared: list[str]) -> Clause:
    """An event with the shared parts of `one` and the rest of `two`."""
    return Clause(
        verb=one.verb if "verb" in shared else two.verb,
        subject=one.subject if "subject" in shared else two.subject,
        object=one.object if "object" in shared else two.object,
        adjuncts=one.adjuncts if "place" in shared else two.adjuncts,
    )
