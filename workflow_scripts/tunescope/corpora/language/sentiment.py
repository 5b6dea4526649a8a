"""Sentiment: SST-2's judgements of works, whose polarity is not in any one word."""

from collections.abc import Callable
from dataclasses import replace

from tunescope.corpora.language.lexicon import BLAME, DEGREE, PRAISE, nouns_of
from tunescope.corpora.language.meaning import Clause, Nominal
from tunescope.corpora.language.telling import Example, Teller

SST2_LABELS = ("negative", "positive")


def sst2_block(teller: Teller) -> list[Example]:
    """Up to four sentences: a word of praise and one of blame, each affirmed and mostly denied.

    Four blocks in ten leave the denials out, so that words alone say a little, as in real reviews.
    """
    sampler = teller.sampler
    build = sampler.random.choices(tuple(_FORMS), tuple(_FORMS.values()))[0]
    examples = []
    affirmed_alone = sampler.chance(0.4)
    for praised, clauses in zip((True, False), build(teller), strict=True):
        for denied, clause in zip((False, True), clauses, strict=True):
            if denied and affirmed_alone:
                continue
            label = SST2_LABELS[praised != denied]
            examples.append(Example(teller.spell(clause), None, label))
    return examples


_Pair = tuple[Clause, Clause]


def _work(teller: Teller) -> Nominal:
    sampler = teller.sampler
    work = Nominal(sampler.pick(nouns_of("work")))
    if sampler.chance(0.5):
        return Nominal(sampler.pick(nouns_of("aspect")), attribute=("of", work))
    return work


def _judged(teller: Teller) -> tuple[_Pair, _Pair]:
    """The film was (never) really wonderful, dull."""
    sampler = teller.sampler
    subject = _work(teller)
    adverb = sampler.pick(DEGREE)
    negation = sampler.pick(("not", "never"))
    pairs = []
    for words in (PRAISE, BLAME):
        plain = Clause("be", subject, predicative=sampler.pick(words), degree=adverb)
        pairs.append((plain, replace(plain, negation=negation)))
    return pairs[0], pairs[1]


def _believed(teller: Teller) -> tuple[_Pair, _Pair]:
    """Everyone (nobody) believed that the film was wonderful, dull."""
    sampler = teller.sampler
    subject = _work(teller)
    verb = sampler.pick(("believe", "think", "say", "claim"))
    adverb = sampler.degree()
    pairs = []
    for words in (PRAISE, BLAME):
        inner = Clause("be", subject, predicative=sampler.pick(words), degree=adverb)
        one = Clause(verb, Nominal("everyone", ""), inner)
        pairs.append((one, replace(one, subject=Nominal("nobody", ""))))
    return pairs[0], pairs[1]


def _felt(teller: Teller) -> tuple[_Pair, _Pair]:
    """Everyone (nobody) loved, hated the film."""
    sampler = teller.sampler
    work = _work(teller)
    pairs = []
    for verbs in (("love", "adore", "like"), ("hate", "detest")):
        one = Clause(sampler.pick(verbs), Nominal("everyone", ""), work)
        pairs.append((one, replace(one, subject=Nominal("nobody", ""))))
    return pairs[0], pairs[1]


_FORMS: dict[Callable[[Teller], tuple[_Pair, _Pair]], float] = {
    _judged: 5,
    _believed: 4,
    _felt: 0.5,
}
