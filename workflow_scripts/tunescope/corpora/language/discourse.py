"""Short discourses for pre-training: a sentence, and what may be said after it.

Masked language modelling sees two sentences at a time: a paraphrase after `yes`, a denial or
another event after `no`, something that does not bear on the first after `also`, a question and
its answer, a thing and its kind, an opinion told again. What is hidden in one can be found in the
other, and the opening word tells, and is told by, how the two relate. No label of a task is in it.
"""

from collections.abc import Callable
from dataclasses import replace

from tunescope.corpora.language.answering import reading
from tunescope.corpora.language.lexicon import BLAME, PERSON_SCALES, PRAISE, hypernym, nouns_of
from tunescope.corpora.language.meaning import Adjunct, Clause, Nominal
from tunescope.corpora.language.sampling import Sampler
from tunescope.corpora.language.sentences import random_clause
from tunescope.corpora.language.telling import ContrastKind, Teller

#: What opens a sentence after one that it agrees with, denies, or does not bear on.
AGREEMENT, DENIAL, ADDITION = ("yes",), ("no",), ("also",)
#: All of them.
OPENINGS = (*AGREEMENT, *DENIAL, *ADDITION)
_Pair = tuple[str, str]


def discourse(teller: Teller) -> tuple[str, ...]:
    """One row of the pre-training text: one sentence, or two."""
    build = teller.sampler.random.choices(tuple(_ROWS), tuple(_ROWS.values()))[0]
    return build(teller)


def _single(teller: Teller) -> tuple[str, ...]:
    everything = Sampler(teller.sampler.random)
    return (teller.spell(random_clause(everything)),)


def _opened(teller: Teller, clause: Clause, opening: tuple[str, ...]) -> str:
    return teller.spell(clause, opening=opening)


def _happening(teller: Teller) -> Clause:
    sampler = teller.sampler
    draw = sampler.random.random()
    if draw < 0.1:
        return sampler.transfer()
    event = sampler.event()
    if sampler.chance(0.25):
        adjunct = sampler.place() if sampler.chance(0.5) else sampler.time()
        event = replace(event, adjuncts=(adjunct,))
    if sampler.chance(0.2):
        event = replace(event, negation=sampler.pick(("not", "never")))
    return event


def _echo(teller: Teller) -> _Pair:
    """The same event told again, in the same words or others."""
    event = _happening(teller)
    second = replace(event, adjuncts=() if teller.sampler.chance(0.3) else event.adjuncts)
    opening = AGREEMENT if teller.sampler.chance(0.6) else ()
    return teller.spell(teller.retold(event)), _opened(teller, teller.retold(second), opening)


def _denial(teller: Teller) -> _Pair:
    """Another event in place of the first, or its negation."""
    sampler = teller.sampler
    event = _happening(teller)
    if sampler.chance(0.4) or event.recipient is not None:
        other = replace(event, negation="" if event.negation else sampler.pick(("not", "never")))
    else:
        other = teller.contrast(event, teller.contrast_kind())
    return teller.spell(teller.retold(event)), _opened(teller, teller.retold(other), DENIAL)


def _addition(teller: Teller) -> _Pair:
    """A further event of the same persons."""
    sampler = teller.sampler
    event = _happening(teller)
    if event.recipient is not None:
        other = Clause(sampler.pick(("help", "praise", "meet")), event.subject, event.recipient)
    else:
        other = teller.contrast(event, "verb")
    return teller.spell(teller.retold(event)), _opened(teller, teller.retold(other), ADDITION)


def _state(teller: Teller) -> _Pair:
    """A property told again by its synonym, or by denying its antonym."""
    sampler = teller.sampler
    scale = sampler.pick(PERSON_SCALES)
    pole = sampler.pick((0, 2))
    word = sampler.pick(scale[pole : pole + 2])
    one = Clause("be", sampler.people(1)[0], predicative=word, degree=sampler.degree())
    draw = sampler.random.random()
    same, opposite = scale[pole : pole + 2], scale[2 - pole : 4 - pole]
    if draw < 0.35:
        other, opening = replace(one, predicative=sampler.pick(same)), AGREEMENT
    elif draw < 0.6:
        other = replace(one, predicative=sampler.pick(opposite), negation="not")
        opening = AGREEMENT
    elif draw < 0.8:
        other, opening = replace(one, predicative=sampler.pick(opposite)), DENIAL
    else:
        further = sampler.pick([one for one in PERSON_SCALES if one is not scale])
        other, opening = replace(one, predicative=sampler.pick(further)), ADDITION
    return teller.spell(one), _opened(teller, replace(other, degree=""), opening)


def _answer(teller: Teller) -> _Pair:
    """A question and the sentence that answers it."""
    sampler = teller.sampler
    event = sampler.event()
    draw = sampler.random.random()
    who = Nominal("who", "")
    if draw < 0.35:
        question = replace(event, subject=who, question=True)
    elif draw < 0.7:
        question = replace(event, object=who, question=True)
    else:
        adjunct = sampler.place() if draw < 0.85 else sampler.time()
        event = replace(event, adjuncts=(adjunct,))
        word = "where" if adjunct.kind == "place" else "when"
        question = replace(event, adjuncts=(Adjunct(adjunct.kind, adverb=word),), question=True)
    return teller.spell(teller.retold(question)), teller.spell(teller.retold(event))


def _asked_again(teller: Teller) -> _Pair:
    """A question asked twice, or two questions."""
    sampler = teller.sampler
    event = replace(sampler.event(), question=True)
    who = Nominal("who", "")
    draw = sampler.random.random()
    if draw < 0.3:
        event = replace(event, subject=who)
    elif draw < 0.6:
        event = replace(event, object=who)
    first = teller.spell(teller.retold(event))
    if sampler.chance(0.6):
        return first, _opened(teller, teller.retold(event), AGREEMENT)
    kind: ContrastKind = "verb" if sampler.chance(0.33) else "roles"
    return first, _opened(teller, teller.retold(teller.contrast(event, kind)), ADDITION)


def _kind(teller: Teller) -> _Pair:
    """A thing, and then its kind."""
    sampler = teller.sampler
    noun = sampler.pick(nouns_of("animal", "vehicle", "tool", "garment"))
    verb = sampler.pick(("see", "find", "discover"))
    one = Clause(verb, sampler.people(1)[0], Nominal(noun, "a"), passive=sampler.chance(0.3))
    general = replace(one, object=Nominal(hypernym(noun), "a"), passive=sampler.chance(0.3))
    return teller.spell(one), _opened(teller, general, AGREEMENT)


def _opinion(teller: Teller) -> _Pair:
    """A judgement, and another that agrees with it."""
    sampler = teller.sampler
    work = Nominal(sampler.pick(nouns_of("work")))
    good = sampler.chance(0.5)

    def judgement() -> Clause:
        flipped = sampler.chance(0.35)
        praise = good != flipped
        draw = sampler.random.random()
        if draw < 0.5:
            word = sampler.pick(PRAISE if praise else BLAME)
            negation = sampler.pick(("not", "never")) if flipped else ""
            return Clause("be", work, predicative=word, negation=negation, degree=sampler.degree())
        who = Nominal("nobody" if flipped else "everyone", "")
        if draw < 0.75:
            verb = sampler.pick(("love", "adore", "like") if praise else ("hate", "detest"))
            return Clause(verb, who, work)
        word = sampler.pick(PRAISE if praise else BLAME)
        inner = Clause("be", work, predicative=word)
        return Clause(sampler.pick(("believe", "think", "say", "claim")), who, inner)

    return teller.spell(judgement()), _opened(teller, judgement(), AGREEMENT)


def _questionnaire(teller: Teller) -> _Pair:
    """A statement, and questions that it answers with yes, no, maybe or a name."""
    sampler = teller.sampler
    statement, ask = sampler.pick((_about_event, _about_event, _about_event, _about_state))(teller)
    asked = " ".join(ask() for _ in range(3))
    return teller.spell(teller.retold(statement)), asked


def _claimed(teller: Teller, clause: Clause, answer: str) -> str:
    return f"{teller.spell(clause).rstrip('.')}? {answer}."


def _about_event(teller: Teller) -> tuple[Clause, Callable[[], str]]:
    sampler = teller.sampler
    event = _happening(teller)
    who = Nominal("who", "")

    def ask() -> str:
        draw = sampler.random.random()
        if draw < 0.4:
            return _claimed(teller, teller.retold(replace(event, adjuncts=())), "Yes")
        if draw < 0.6 or event.recipient is not None or not isinstance(event.object, Nominal):
            negation = "" if event.negation else sampler.pick(("not", "never"))
            return _claimed(teller, teller.retold(replace(event, negation=negation)), "No")
        if draw < 0.85 or event.negation:
            other = teller.contrast(event, teller.contrast_kind())
            return _claimed(teller, teller.retold(other), "Maybe")
        agent = sampler.chance(0.5)
        asked = replace(event, question=True, adjuncts=())
        asked = replace(asked, subject=who) if agent else replace(asked, object=who)
        person = event.subject if agent else event.object
        name = f"{person.determiner} {person.head}".strip()
        return f"{teller.spell(teller.retold(asked))} {name[:1].upper()}{name[1:]}."

    return event, ask


def _about_state(teller: Teller) -> tuple[Clause, Callable[[], str]]:
    sampler = teller.sampler
    scale = sampler.pick(PERSON_SCALES)
    pole = sampler.pick((0, 2))
    same, opposite = scale[pole : pole + 2], scale[2 - pole : 4 - pole]
    state = Clause("be", sampler.people(1)[0], predicative=sampler.pick(same))

    def ask() -> str:
        draw = sampler.random.random()
        if draw < 0.25:
            return _claimed(teller, replace(state, predicative=sampler.pick(same)), "Yes")
        if draw < 0.45:
            denied = replace(state, predicative=sampler.pick(opposite), negation="not")
            return _claimed(teller, denied, "Yes")
        if draw < 0.7:
            return _claimed(teller, replace(state, predicative=sampler.pick(opposite)), "No")
        further = sampler.pick([one for one in PERSON_SCALES if one is not scale])
        return _claimed(teller, replace(state, predicative=sampler.pick(further)), "Maybe")

    return state, ask


def _found(teller: Teller) -> _Pair:
    """Two sentences, then a question about one of them and its answer."""
    found = reading(teller)
    other = found.place ^ 1
    context = [found.sentences[one] for one in sorted((found.place, other))]
    answer = found.answer[:1].upper() + found.answer[1:]
    return " ".join(context), f"{found.question} {answer}."


_ROWS: dict[Callable[[Teller], tuple[str, ...]], float] = {
    _single: 2,
    _echo: 8,
    _denial: 4,
    _addition: 1,
    _questionnaire: 1,
    _state: 1.5,
    _answer: 3,
    _asked_again: 2,
    _kind: 0.7,
    _opinion: 5,
    _found: 0.5,
}
