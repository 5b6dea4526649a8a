"""Natural language inference: MNLI's three labels and RTE's two."""

from collections.abc import Callable
from dataclasses import replace

from tunescope.corpora.language.lexicon import PERSON_SCALES, hypernym, nouns_of
from tunescope.corpora.language.meaning import Clause, Nominal
from tunescope.corpora.language.sampling import INTRANSITIVE_VERBS, Sampler
from tunescope.corpora.language.telling import Example, Teller, square

MNLI_LABELS = ("entailment", "neutral", "contradiction")
RTE_LABELS = ("entailment", "not_entailment")
_Four = tuple[Clause, Clause, Clause, Clause]


def mnli_block(teller: Teller) -> list[Example]:
    """Twelve pairs of four premises and four hypotheses.

    Two statements that do not bear on each other, and their denials, stand as premises and, told
    in another way, as hypotheses. A statement entails itself, contradicts its denial and is neutral
    to the other statement and its denial; of the neutral pairs those are kept that leave every
    premise and hypothesis with each label once.
    """
    premises, hypotheses = (_states if teller.sampler.chance(0.4) else _events)(teller)
    first = [teller.spell(one) for one in premises]
    second = [teller.spell(one) for one in hypotheses]
    neutral = teller.sampler.pick(((2, 3, 0, 1), (3, 2, 1, 0)))
    examples = []
    for i, premise in enumerate(first):
        for j, label in ((i, "entailment"), (neutral[i], "neutral"), (i ^ 1, "contradiction")):
            examples.append(Example(premise, second[j], label))
    return examples


def _states(teller: Teller) -> tuple[_Four, _Four]:
    """Poles of two scales of one person: rich and poor, happy and sad."""
    sampler = teller.sampler
    person = sampler.people(1)[0]
    scales = sampler.random.sample(PERSON_SCALES, 2)
    premises, hypotheses = [], []
    for scale in scales:
        for pole in (0, 2):
            plain = Clause("be", person, predicative=sampler.pick(scale[pole : pole + 2]))
            premises.append(replace(plain, degree=sampler.degree()))
            if sampler.chance(0.3):
                opposite = sampler.pick(scale[2 - pole : 4 - pole])
                hypotheses.append(Clause("be", person, predicative=opposite, negation="not"))
            else:
                hypotheses.append(teller.retold(plain))
    return _four(premises), _four(hypotheses)


def _events(teller: Teller) -> tuple[_Four, _Four]:
    """An event and one that differs in roles, a person or the verb, each affirmed and denied."""
    event = teller.sampler.event()
    other = teller.contrast(event, teller.contrast_kind())
    premises, hypotheses = [], []
    for one in (event, other):
        for negation in ("", teller.sampler.pick(("not", "never"))):
            told = teller.retold(replace(one, negation=negation))
            again = teller.retold(replace(one, negation=negation))
            premises.append(told)
            hypotheses.append(again)
    return _four(premises), _four(hypotheses)


def _four(clauses: list[Clause]) -> _Four:
    one, two, three, four = clauses
    return one, two, three, four


def rte_block(teller: Teller) -> list[Example]:
    """Four pairs: two longer texts, and a hypothesis that follows from each alone."""
    draw = teller.sampler.random.choices(tuple(_RTE), tuple(_RTE.values()))[0]
    (first, second), (one, other) = draw(teller)
    texts = [teller.spell(first), teller.spell(second)]
    hypotheses = [teller.spell(one), teller.spell(other)]
    return square(texts, hypotheses, *RTE_LABELS)


_Two = tuple[Clause, Clause]


def _embedded(sampler: Sampler, clause: Clause) -> Clause:
    """The clause with a place, a time or a further verb, none of which the hypothesis repeats."""
    draw = sampler.random.random()
    if draw < 0.4:
        return replace(clause, adjuncts=(sampler.place(),))
    if draw < 0.7:
        return replace(clause, adjuncts=(sampler.time(),))
    if clause.passive:
        return replace(clause, adjuncts=(sampler.manner(),))
    further = Clause(sampler.pick(INTRANSITIVE_VERBS), clause.subject)
    return replace(clause, second=further)


def _event_entailment(teller: Teller) -> tuple[_Two, _Two]:
    event = teller.sampler.event()
    other = teller.contrast(event, teller.contrast_kind())
    texts = [_embedded(teller.sampler, teller.retold(one)) for one in (event, other)]
    return (texts[0], texts[1]), (teller.retold(event), teller.retold(other))


def _transfer_entailment(teller: Teller) -> tuple[_Two, _Two]:
    sampler = teller.sampler
    transfer = sampler.transfer()
    assert transfer.recipient is not None
    if sampler.chance(0.3):
        other = replace(transfer, subject=transfer.recipient, recipient=transfer.subject)
    else:
        giver, receiver = sampler.people(2, but=(transfer.subject, transfer.recipient))
        other = replace(transfer, subject=giver, recipient=receiver)
    texts = [replace(teller.retold(one), adjuncts=(sampler.time(),)) for one in (transfer, other)]
    return (texts[0], texts[1]), (teller.retold(transfer), teller.retold(other))


def _category_entailment(teller: Teller) -> tuple[_Two, _Two]:
    sampler = teller.sampler
    person = sampler.people(1)[0]
    verb = sampler.pick(("see", "find", "discover"))
    kinds = sampler.random.sample(("animal", "vehicle", "tool", "garment"), 2)
    texts, hypotheses = [], []
    for kind in kinds:
        noun = sampler.pick(nouns_of(kind))
        text = Clause(verb, person, Nominal(noun, "a"), passive=sampler.chance(0.3))
        texts.append(_embedded(sampler, text))
        general = replace(text, object=Nominal(hypernym(noun), "a"))
        hypotheses.append(replace(general, passive=sampler.chance(0.3)))
    return (texts[0], texts[1]), (hypotheses[0], hypotheses[1])


_RTE: dict[Callable[[Teller], tuple[_Two, _Two]], float] = {
    _event_entailment: 5,
    _transfer_entailment: 2,
    _category_entailment: 3,
}
