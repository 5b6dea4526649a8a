"""Word order: how the parts of a clause stand in a line.

- subject-verb-object: English; questions put the wh-word and an auxiliary first.
- verb-final: subject, circumstances, recipient, object, then the verb with its auxiliaries;
  complement clauses follow it, as in German or Persian. Wh-words stay in place.
- free: subject, verb and every other part in random order, with particles of case (`ga`, `wo`,
  `ni`), so that position tells nothing about roles. The clause is flat: there is no VP.

Phrases stay together under every order, so all trees are projective.
"""

from dataclasses import dataclass
from random import Random

from tunescope.config.language import WordOrder
from tunescope.corpora.language.tree import HEAD, Child, Phrase, Word

#: Particles of case under free order, by dependency relation.
CASE_PARTICLES = {"nsubj": "ga", "nsubj:pass": "ga", "obj": "wo", "iobj": "ni"}


@dataclass(frozen=True, slots=True)
class Parts:
    """A clause before it is put in order.

    Attributes:
        subject: the subject; None where it is left out or stands before as a relative pronoun.
        before_verb: auxiliaries, negation and adverbs, in English order.
        verb: the verb, or the predicative of a copular clause; its relation is `HEAD`.
        complements: objects in English order.
        adjuncts: circumstances in English order.
        heavy: complement clauses.
        copular: whether the verb is a predicative.
    """

    subject: Child | None
    before_verb: tuple[Child, ...]
    verb: Child
    complements: tuple[Child, ...]
    adjuncts: tuple[Child, ...]
    heavy: tuple[Child, ...]
    copular: bool


def arrange(
    parts: Parts, order: WordOrder, random: Random, *, inverted: bool, wh: Child | None
) -> Phrase:
    """Put the parts of a clause in order.

    Args:
        parts: what to order.
        order: which order.
        random: draws the free order.
        inverted: whether it is a question that English marks by its auxiliary.
        wh: the child that is a wh-phrase, among the complements or adjuncts or the subject.
    """
    if order == "subject-verb-object":
        return _english(parts, inverted, wh)
    category = "SQ" if inverted or wh else "S"
    if order == "verb-final":
        cluster = (
            (parts.verb, *parts.before_verb) if parts.copular else (*parts.before_verb, parts.verb)
        )
        middle = (*parts.adjuncts, *reversed(parts.complements))
        phrase = Phrase("VP", (*middle, *cluster, *parts.heavy))
        if parts.subject is None:
            return phrase
        return Phrase(category, (parts.subject, Child(HEAD, phrase)))
    groups: list[tuple[Child, ...]] = [(one,) for one in (*parts.complements, *parts.adjuncts)]
    groups.append((*parts.before_verb, parts.verb))
    if parts.subject is not None:
        groups.append((parts.subject,))
    random.shuffle(groups)
    flat = tuple(child for group in groups for child in group)
    return Phrase(category, (*flat, *parts.heavy))


def _english(parts: Parts, inverted: bool, wh: Child | None) -> Phrase:
    rest = tuple(
        one for one in (*parts.complements, *parts.adjuncts, *parts.heavy) if one is not wh
    )
    auxiliaries = parts.before_verb
    moved: tuple[Child, ...] = ()
    if inverted and parts.subject is not None and parts.subject is not wh:
        moved, auxiliaries = auxiliaries[:1], auxiliaries[1:]
    phrase = _verb_phrase(parts, auxiliaries, rest)
    if parts.subject is None:
        return phrase
    if moved:
        clause = Phrase("SQ", (*moved, parts.subject, Child(HEAD, phrase)))
        return clause if wh is None else Phrase("SBARQ", (wh, Child(HEAD, clause)))
    category = "SBARQ" if wh is parts.subject else "S"
    return Phrase(category, (parts.subject, Child(HEAD, phrase)))


def _verb_phrase(parts: Parts, before: tuple[Child, ...], rest: tuple[Child, ...]) -> Phrase:
    """Nest verb phrases under auxiliaries, as the Penn Treebank does."""
    if parts.copular:
        return Phrase("VP", (*before, parts.verb, *rest))
    last = max((i + 1 for i, one in enumerate(before) if one.relation != "advmod"), default=0)
    # a negation right after the auxiliary stands in its phrase: [VP did not [VP chase ...]]
    while last and last < len(before) and isinstance(before[last].node, Word):
        last += 1
    inner = Phrase("VP", (*before[last:], parts.verb, *rest))
    return Phrase("VP", (*before[:last], Child(HEAD, inner))) if last else inner
