"""Sentences of every construction the grammar has, for the treebank and the plain text."""

from collections.abc import Callable
from dataclasses import replace

from tunescope.corpora.language.lexicon import (
    NOUNS,
    PERSON_SCALES,
    THING_SCALES,
    nouns_of,
)
from tunescope.corpora.language.meaning import GAP, Adjunct, AdjunctKind, Clause, Nominal
from tunescope.corpora.language.sampling import (
    CLAUSE_VERBS,
    INTRANSITIVE_VERBS,
    MOTION_VERBS,
    PERSON_VERBS,
    PERSONS,
    Sampler,
)
from tunescope.corpora.language.special_sentences import (
    TENSES,
    address_sentence,
    institution_sentence,
    opinion_sentence,
    quantified_sentence,
    reflexive_sentence,
)
from tunescope.corpora.language.verbs import verbs_between

_CONJUNCTIONS: tuple[tuple[AdjunctKind, str], ...] = (
    ("reason", "because"),
    ("occasion", "when"),
    ("occasion", "after"),
    ("occasion", "before"),
    ("concession", "although"),
)
_ATTRIBUTES = {
    "container": ("of", ("substance",), "Content-Container(e2,e1)"),
    "part": ("of", ("vehicle", "tool", "institution"), "Component-Whole(e1,e2)"),
    "group": ("of", ("animal", "person"), "Member-Collection(e2,e1)"),
    "text": ("about", ("topic",), "Message-Topic(e1,e2)"),
    "garment": ("from", ("place",), "Entity-Origin(e1,e2)"),
}


def random_clause(sampler: Sampler) -> Clause:
    """The meaning of one sentence, its construction drawn with fixed weights."""
    kinds = tuple(_CONSTRUCTIONS)
    weights = tuple(_CONSTRUCTIONS.values())
    build = sampler.random.choices(kinds, weights)[0]
    return build(sampler)


def _dressed(sampler: Sampler, clause: Clause) -> Clause:
    """A clause with a tense, perhaps negation, passive, adjectives and circumstances."""
    tense = sampler.pick(TENSES)
    negation = sampler.pick(("not", "never", "n't")) if sampler.chance(0.15) else ""
    if negation == "n't" and tense == "future":
        negation = "not"
    passive = isinstance(clause.object, Nominal) and clause.source is None and sampler.chance(0.3)
    subject = sampler.adjective(clause.subject) if sampler.chance(0.25) else clause.subject
    what = clause.object
    if isinstance(what, Nominal) and sampler.chance(0.25):
        what = sampler.adjective(what)
    adjuncts = list(clause.adjuncts)
    if sampler.chance(0.15):
        adjuncts.append(sampler.manner())
    if sampler.chance(0.3):
        adjuncts.append(sampler.place())
    elif sampler.chance(0.3):
        adjuncts.append(sampler.time())
    return replace(
        clause,
        subject=subject,
        object=what,
        tense=tense,
        negation=negation,
        passive=passive,
        agentless=passive and sampler.chance(0.25),
        adjuncts=tuple(adjuncts),
    )


def _event(sampler: Sampler) -> Clause:
    return _dressed(sampler, sampler.event())


def _animal_event(sampler: Sampler) -> Clause:
    animal = sampler.thing(("animal",))
    person = sampler.people(1)[0]
    verb = sampler.pick(verbs_between("animal", "person"))
    one, other = (animal, person) if sampler.chance(0.5) else (person, animal)
    return _dressed(sampler, Clause(verb, one, other))


def _transfer(sampler: Sampler) -> Clause:
    return _dressed(sampler, sampler.transfer())


def _receipt(sampler: Sampler) -> Clause:
    from_side = sampler.transfer()
    verb = {"give": "receive", "hand": "get", "sell": "buy", "lend": "borrow"}[from_side.verb]
    taker = from_side.recipient
    assert taker is not None
    clause = Clause(verb, taker, from_side.object, source=from_side.subject)
    return _dressed(sampler, clause)


def _action(sampler: Sampler) -> Clause:
    clause = sampler.action()
    what = clause.object
    assert isinstance(what, Nominal)
    if sampler.chance(0.3):
        what = _with_attribute(sampler, what)
    if sampler.chance(0.15):
        tool = sampler.instrument()
        return replace(clause, object=what, adjuncts=(tool,))
    if clause.verb in ("carry", "bring"):
        goal = sampler.direction("goal")
        return replace(clause, object=what, adjuncts=(goal,), tense=sampler.pick(TENSES))
    owner = clause.subject
    if sampler.chance(0.2) and owner.gender in ("m", "f") and what.attribute is None:
        pronoun = replace(owner, pronoun=owner.gender)
        return replace(clause, object=replace(what, possessor=pronoun))
    return _dressed(sampler, replace(clause, object=what))


def _with_attribute(sampler: Sampler, nominal: Nominal) -> Nominal:
    if nominal.kind not in _ATTRIBUTES:
        return nominal
    preposition, kinds, relation = _ATTRIBUTES[nominal.kind]
    head = sampler.pick(nouns_of(*kinds))
    if relation.startswith("Member"):
        other = Nominal(head, "", plural=True)
    else:
        other = Nominal(head, "" if NOUNS[head].kind == "substance" else "the")
    return replace(nominal, attribute=(preposition, other), relation=relation)


def _attribution(sampler: Sampler) -> Clause:
    kind = sampler.pick(tuple(_ATTRIBUTES))
    what = _with_attribute(
        sampler, Nominal(sampler.pick(nouns_of(kind)), sampler.pick(("a", "the")))
    )
    if sampler.chance(0.4):
        subject = replace(what, determiner="a")
        return Clause("be", subject, existential=True, adjuncts=(sampler.place(),))
    if sampler.chance(0.5):
        scale = sampler.pick(THING_SCALES)
        return Clause("be", what, predicative=sampler.pick(scale), degree=sampler.degree())
    return Clause("see", sampler.people(1)[0], what, negation=sampler.pick(("", "never")))


def _motion(sampler: Sampler) -> Clause:
    clause = Clause(sampler.pick(MOTION_VERBS), sampler.people(1)[0])
    kind = "origin" if clause.verb in ("leave", "depart") else "goal"
    adjuncts = [sampler.direction("origin" if kind == "origin" else "goal")]
    if clause.verb == "arrive":
        adjuncts = [sampler.place()]
    if sampler.chance(0.3):
        adjuncts.append(sampler.time())
    return replace(clause, adjuncts=tuple(adjuncts), tense=sampler.pick(TENSES))


def _intransitive(sampler: Sampler) -> Clause:
    return _dressed(sampler, Clause(sampler.pick(INTRANSITIVE_VERBS), sampler.people(1)[0]))


def _state(sampler: Sampler) -> Clause:
    adjective = sampler.pick(sampler.pick(PERSON_SCALES))
    negation = sampler.pick(("not", "never")) if sampler.chance(0.25) else ""
    subject = sampler.people(1)[0]
    return Clause(
        "be", subject, predicative=adjective, degree=sampler.degree(), negation=negation,
        tense=sampler.pick(TENSES),
    )  # fmt: skip


def _identity(sampler: Sampler) -> Clause:
    one = sampler.people(1, named=0.6)[0]
    what = Nominal(sampler.pick(PERSONS, but=(one.head,)), "a")
    if sampler.chance(0.4):
        what = sampler.adjective(what)
    if sampler.chance(0.4):
        event = sampler.event(named=0.0)
        gap = replace(event, subject=GAP) if sampler.chance(0.5) else replace(event, object=GAP)
        what = replace(what, relative=gap)
    return Clause("be", one, predicative=what, negation="not" if sampler.chance(0.15) else "")


def _relative(sampler: Sampler) -> Clause:
    one, two, three = sampler.people(3, named=0.1)
    inner = Clause(sampler.pick(PERSON_VERBS), GAP, two)
    if sampler.chance(0.5):
        inner = replace(inner, subject=two, object=GAP)
    subject = replace(one, relative=inner) if one.determiner else one
    if sampler.chance(0.4):
        return Clause(sampler.pick(INTRANSITIVE_VERBS), subject, tense=sampler.pick(TENSES))
    clause = Clause(sampler.pick(PERSON_VERBS), subject, three)
    return replace(clause, passive=sampler.chance(0.2))


def _pronoun_for(sampler: Sampler, one: Nominal, others: tuple[Nominal, ...]) -> Nominal:
    """A pronoun that can only mean `one`; the noun phrase again if there is none."""
    if one.gender not in ("m", "f"):
        return replace(one, referent=one.referent)
    if any(other.gender in (one.gender, "n") for other in others):
        return one
    return replace(one, pronoun=one.gender)


def _complement(sampler: Sampler) -> Clause:
    speaker, other = sampler.people(2, named=0.5)
    inner = Clause(sampler.pick(PERSON_VERBS), _pronoun_for(sampler, speaker, (other,)), other)
    if sampler.chance(0.3):
        inner = replace(inner, subject=inner.object, object=inner.subject)  # type: ignore[arg-type]
    negation = sampler.pick(("not", "never")) if sampler.chance(0.15) else ""
    return Clause(sampler.pick(CLAUSE_VERBS), speaker, inner, negation=negation)


def _occasion(sampler: Sampler) -> Clause:
    one, two = sampler.people(2, named=0.5)
    main = Clause(sampler.pick(PERSON_VERBS), one, two)
    first = _pronoun_for(sampler, one, (two,))
    second = _pronoun_for(sampler, two, (one,))
    if sampler.chance(0.5):
        inner = Clause(sampler.pick(INTRANSITIVE_VERBS), sampler.pick((first, second)))
    else:
        inner = Clause(sampler.pick(PERSON_VERBS), second, first)
    kind, word = sampler.pick(_CONJUNCTIONS)
    fronted = sampler.chance(0.25)
    if fronted:  # the first mention in the line is the noun, the second the pronoun
        inner = replace(inner, subject=_full(inner.subject))
        if isinstance(inner.object, Nominal):
            inner = replace(inner, object=_full(inner.object))
        main = replace(main, subject=first, object=second)
        if inner.object is None and inner.subject.head == two.head:
            main = replace(main, subject=one)
        elif inner.object is None:
            main = replace(main, object=two)
    return replace(main, adjuncts=(Adjunct(kind, word, clause=inner, fronted=fronted),))


def _full(nominal: Nominal) -> Nominal:
    return replace(nominal, pronoun="")


def _coordination(sampler: Sampler) -> Clause:
    one, two, three = sampler.people(3)
    first = Clause(sampler.pick(PERSON_VERBS), one, two)
    draw = sampler.random.random()
    if draw < 0.35:
        return replace(first, second=Clause(sampler.pick(INTRANSITIVE_VERBS), one))
    if draw < 0.6:
        other = Clause(sampler.pick(PERSON_VERBS), two, three)
        return replace(first, second=other, conjunction=sampler.pick(("and", "but")))
    both = replace(one, second=replace(two, second=None), referent=one.referent)
    if draw < 0.8:
        return Clause(sampler.pick(INTRANSITIVE_VERBS), both, tense=sampler.pick(TENSES))
    return Clause(sampler.pick(PERSON_VERBS), three, both)


def _causation(sampler: Sampler) -> Clause:
    cause = Nominal(sampler.pick(nouns_of("topic", "event")), "the")
    effect = sampler.pick(nouns_of("event"), but=(cause.head,))
    determiner = sampler.pick(("the", "a")) if effect not in ("panic", "smoke") else ""
    clause = Clause("cause", cause, Nominal(effect, determiner))
    return replace(clause, passive=sampler.chance(0.3), tense=sampler.pick(TENSES))


_CONSTRUCTIONS: dict[Callable[[Sampler], Clause], float] = {
    _event: 4,
    _animal_event: 1.5,
    _transfer: 2,
    _receipt: 1,
    _action: 3,
    _attribution: 1.5,
    _motion: 1.5,
    _intransitive: 1,
    _state: 2,
    _identity: 1,
    _relative: 2,
    _complement: 2,
    _occasion: 2,
    _coordination: 2,
    _causation: 0.7,
    reflexive_sentence: 0.5,
    quantified_sentence: 1.5,
    opinion_sentence: 1.5,
    address_sentence: 0.7,
    institution_sentence: 0.7,
}
