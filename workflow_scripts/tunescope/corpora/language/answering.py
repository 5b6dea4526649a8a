"""Questions and answers: QNLI's pairs and SQuAD's contexts."""

from dataclasses import dataclass, replace

from tunescope.corpora.language.meaning import Adjunct, Clause, Nominal
from tunescope.corpora.language.telling import ContrastKind, Example, Teller, square

QNLI_LABELS = ("entailment", "not_entailment")
_WHO = Nominal("who", "")


def qnli_block(teller: Teller) -> list[Example]:
    """Four pairs: two questions, and a sentence that answers each alone."""
    sampler = teller.sampler
    event = sampler.event()
    if sampler.chance(0.3):  # one sentence tells where, the other when
        sentences = (
            replace(event, adjuncts=(sampler.place(),)),
            replace(event, adjuncts=(sampler.time(),)),
        )
        questions = (
            replace(event, adjuncts=(Adjunct("place", adverb="where"),), question=True),
            replace(event, adjuncts=(Adjunct("time", adverb="when"),), question=True),
        )
    else:
        other = teller.contrast(event, _but(teller.contrast_kind(), "agent"))
        sentences = (event, other)
        questions = (
            replace(event, subject=_WHO, question=True),
            replace(other, subject=_WHO, question=True),
        )
        if sampler.chance(0.5):
            other = teller.contrast(event, _but(teller.contrast_kind(), "patient"))
            sentences = (event, other)
            questions = (
                replace(event, object=_WHO, question=True),
                replace(other, object=_WHO, question=True),
            )
    asked = [teller.spell(teller.retold(one)) for one in questions]
    told = [teller.spell(teller.retold(one)) for one in sentences]
    return square(asked, told, *QNLI_LABELS)


def _but(kind: ContrastKind, asked: ContrastKind) -> ContrastKind:
    """The contrast, unless it is in the person asked for, which would leave two equal questions."""
    return "event" if kind == asked else kind


@dataclass(frozen=True, slots=True)
class Reading:
    """A question about a short text.

    Attributes:
        sentences: sentences of the text.
        question: the question.
        answer: its answer, a part of one of the sentences.
        place: the sentence that holds the answer.
    """

    sentences: tuple[str, ...]
    question: str
    answer: str
    place: int


def reading(teller: Teller) -> Reading:
    """A text of events among few persons, and a question whose answer one sentence gives.

    Every person occurs as agent and as patient, and a second sentence has the words of the question
    too: another with that verb and person, or, for places and times, the same in exchanged roles.
    So neither words nor a place in the text point to the answer.
    """
    sampler = teller.sampler
    people = sampler.people(4)
    verbs = sampler.random.sample(sampler.verbs, 2)
    draw = sampler.random.random()
    asks_person = draw < 0.7
    partners = (1, 2, 3, 0) if asks_person else (1, 0, 3, 2)
    tells_place = [sampler.chance(0.5) for _ in people]
    events = []
    for step, partner in enumerate(partners):
        verb = verbs[0] if asks_person else verbs[step // 2]
        of_place = tells_place[step if asks_person else step // 2]
        adjunct = sampler.place() if of_place else sampler.time()
        events.append(Clause(verb, people[step], people[partner], adjuncts=(adjunct,)))
    sampler.random.shuffle(events)
    told = [replace(one, passive=sampler.chance(0.5)) for one in events]
    place = sampler.random.randrange(len(events))
    event = events[place]
    bare = replace(event, adjuncts=(), question=True)
    if draw < 0.35:
        question, answer = replace(bare, subject=_WHO), _named(event.subject)
    elif draw < 0.7:
        assert isinstance(event.object, Nominal)
        question, answer = replace(bare, object=_WHO), _named(event.object)
    else:
        adjunct = event.adjuncts[0]
        word = "where" if adjunct.kind == "place" else "when"
        asked = Adjunct(adjunct.kind, adverb=word)
        question, answer = replace(bare, adjuncts=(asked,)), _circumstance(adjunct)
    question = replace(question, passive=sampler.chance(0.5))
    sentences = tuple(teller.spell(one) for one in told)
    return Reading(sentences, teller.spell(question), answer, place)


def _named(nominal: Nominal) -> str:
    return f"{nominal.determiner} {nominal.head}".strip()


def _circumstance(adjunct: Adjunct) -> str:
    if adjunct.adverb:
        return adjunct.adverb
    assert adjunct.nominal is not None
    return f"{adjunct.preposition} {_named(adjunct.nominal)}"


def answer_start(found: Reading) -> tuple[str, int]:
    """The answer as it is spelled in the context, and where it starts, in code points."""
    start = sum(len(one) + 1 for one in found.sentences[: found.place])
    sentence = found.sentences[found.place]
    at = sentence.lower().find(found.answer.lower())
    if at < 0:
        raise ValueError(f"{found.answer!r} is not in {sentence!r}")
    return sentence[at : at + len(found.answer)], start + at
