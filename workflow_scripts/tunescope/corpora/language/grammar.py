"""From meanings to sentences: clauses with their words, trees and predicates."""

from collections.abc import Sequence
from random import Random

from tunescope.config.language import WordOrder
from tunescope.corpora.language.lexicon import NAMES, NOUNS
from tunescope.corpora.language.meaning import GAP, Adjunct, Clause, Nominal
from tunescope.corpora.language.nominals import (
    NominalGrammar,
    adjective,
    adverb,
    punctuation,
)
from tunescope.corpora.language.order import Parts, arrange
from tunescope.corpora.language.roles import Roles
from tunescope.corpora.language.tree import (
    HEAD,
    Child,
    Node,
    Phrase,
    Predicate,
    Sentence,
    Word,
    head_word,
)
from tunescope.corpora.language.verbs import VERBS

_ASKING = frozenset({"who", "whom", "what", "where", "when", "why"})
_CLAUSE_RELATIONS = {"reason": "advcl", "occasion": "advcl", "concession": "advcl"}


class Grammar:
    """Tells meanings in sentences of one word order.

    Args:
        order: word order.
        random: draws the order of parts where it is free.
    """

    def __init__(self, order: WordOrder, random: Random) -> None:
        self._order: WordOrder = order
        self._random = random
        self._nominals = NominalGrammar(
            case_marked=order == "free", relative_clause=self._relative_clause
        )
        self._predicates: list[Predicate] = []

    def sentence(self, clause: Clause, *, opening: Sequence[str] = ()) -> Sentence:
        """A whole sentence with its full stop or question mark.

        Args:
            clause: what it says.
            opening: words of discourse that open it ("yes", "in short"), set off by a comma.
        """
        self._predicates, self._nominals.relations = [], []
        phrase = self._clauses(clause)
        fronted = next((one for one in clause.adjuncts if one.fronted), None)
        before: list[Child] = []
        if opening:
            words = [Child("discourse", Word(one, one, "INTJ", "UH")) for one in opening]
            before += [*words, Child("punct", punctuation(","))]
        if fronted is not None:
            before += [self._adjunct(fronted), Child("punct", punctuation(","))]
        mark = punctuation("?" if clause.question else ".")
        root = Phrase(phrase.category, (*before, *phrase.children, Child("punct", mark)))
        return Sentence(root, self._predicates, self._nominals.relations)

    def _clauses(self, clause: Clause) -> Phrase:
        phrase = self._clause(clause)
        if clause.second is None:
            return phrase
        conjunction = Word(clause.conjunction, clause.conjunction, "CCONJ", "CC")
        if clause.second.subject == clause.subject:
            shared = next(
                (one.node for one in phrase.children if one.relation.startswith("nsubj")), None
            )
            other = Child("conj", self._clause(clause.second, shared_subject=shared))
            both = Child("cc", conjunction, governor=other)
            inner = next(one for one in phrase.children if one.relation == HEAD)
            if isinstance(inner.node, Phrase):
                joined = Phrase("VP", (Child(HEAD, inner.node), both, other))
                children = tuple(
                    Child(HEAD, joined) if one is inner else one for one in phrase.children
                )
                return Phrase(phrase.category, children)
            return Phrase("S", (Child(HEAD, phrase), both, other))
        other = Child("conj", self._clause(clause.second))
        return Phrase("S", (Child(HEAD, phrase), Child("cc", conjunction, governor=other), other))

    def _relative_clause(self, clause: Clause, antecedent: Phrase) -> Phrase:
        return self._clause(clause, antecedent=antecedent)

    def _clause(
        self,
        clause: Clause,
        *,
        antecedent: Phrase | None = None,
        shared_subject: Node | None = None,
    ) -> Phrase:
        """Build a clause, its predicate and the predicates inside it.

        Args:
            clause: what it says.
            antecedent: the noun phrase it modifies, for relative clauses.
            shared_subject: subject of the clause it is joined to; it then has none of its own.
        """
        roles = Roles(clause)
        complements: list[Child] = []
        heavy: list[Child] = []
        relative: Child | None = None
        wh: Child | None = None
        subject: Child | None = None
        for part in roles.participants():
            if part.nominal is GAP:
                if antecedent is None:
                    raise ValueError(f"{clause.verb}: a gap outside a relative clause")
                gap = Nominal("who" if _is_person(antecedent) else "that", "")
                relative = Child(part.relation, self._nominals.argument(gap, part.relation))
                roles.add(part, antecedent)
                roles.add_relative(part, relative.node)
                continue
            if part.relation.startswith("nsubj") and shared_subject is not None:
                roles.add(part, shared_subject)
                continue
            child = self._participant(part.nominal, part.relation, part.preposition)
            roles.add(part, child.node)
            if isinstance(part.nominal, Nominal) and part.nominal.head in _ASKING:
                wh = child
            if part.relation.startswith("nsubj"):
                subject = child
            elif isinstance(part.nominal, Clause):
                heavy.append(child)
            else:
                complements.append(child)
        adjuncts: list[Child] = []
        for adjunct in clause.adjuncts:
            if adjunct.fronted:
                continue
            child = self._adjunct(adjunct)
            roles.add_adjunct(adjunct, child.node)
            if adjunct.adverb in _ASKING:
                wh = child
            (heavy if adjunct.clause is not None else adjuncts).append(child)
        inverted = clause.question and (wh is None or wh is not subject)
        verb, before = self._verb(clause, roles, inverted)
        if clause.existential and subject is not None:
            complements.insert(0, subject)
            subject = Child(
                "expl", Phrase("NP", (Child(HEAD, Word("there", "there", "PRON", "EX")),))
            )
        parts = Parts(
            subject,
            tuple(before),
            verb,
            tuple(complements),
            tuple(adjuncts),
            tuple(heavy),
            clause.predicative is not None,
        )
        phrase = arrange(parts, self._order, self._random, inverted=inverted, wh=wh)
        target = roles.target or head_word(verb.node)
        self._predicates.append(Predicate(target, roles.frame, tuple(roles.arguments)))
        self._nominals.relations += roles.relations()
        if antecedent is None:
            return phrase
        if relative is None:
            raise ValueError(f"{clause.verb}: a relative clause without a gap")
        return Phrase("SBAR", (relative, Child(HEAD, phrase)))

    def _participant(self, what: Nominal | Clause, relation: str, preposition: str) -> Child:
        if isinstance(what, Clause):
            that = Child("mark", Word("that", "that", "SCONJ", "IN"))
            return Child(relation, Phrase("SBAR", (that, Child(HEAD, self._clauses(what)))))
        if preposition:
            return Child(relation, self._nominals.prepositional(preposition, what))
        return Child(relation, self._nominals.argument(what, relation))

    def _adjunct(self, adjunct: Adjunct) -> Child:
        if adjunct.adverb:
            word = adverb(adjunct.adverb)
            category = "WHADVP" if word.xpos == "WRB" else "ADVP"
            return Child("advmod", Phrase(category, (Child(HEAD, word),)))
        if adjunct.clause is not None:
            mark = Child("mark", Word(adjunct.preposition, adjunct.preposition, "SCONJ", "IN"))
            clause = Child(HEAD, self._clause(adjunct.clause))
            return Child(_CLAUSE_RELATIONS[adjunct.kind], Phrase("SBAR", (mark, clause)))
        if adjunct.nominal is None:
            raise ValueError(f"{adjunct.kind}: neither adverb, clause nor nominal")
        return Child("obl", self._nominals.prepositional(adjunct.preposition, adjunct.nominal))

    def _verb(self, clause: Clause, roles: "Roles", inverted: bool) -> tuple[Child, list[Child]]:
        """The verb or predicative, and what stands before it."""
        plural = roles.surface_subject_is_plural
        if clause.predicative is not None:
            return self._copular(clause, roles, plural)
        before: list[Child] = []
        if clause.existential:
            form = _be(clause.tense, plural)
            if clause.tense == "future":
                before.append(self._modal(roles))
            self._negate(clause, roles, before)
            return Child(HEAD, Word(form, "be", "VERB", _be_tag(clause.tense, plural))), before
        verb = VERBS[clause.verb]
        if clause.passive:
            if clause.tense == "future":
                before.append(self._modal(roles))
            form = _be(clause.tense, plural)
            auxiliary = Word(form, "be", "AUX", _be_tag(clause.tense, plural))
            if clause.tense == "future":
                self._negate(clause, roles, before)
                before.append(Child("aux:pass", auxiliary))
            else:
                before.append(Child("aux:pass", auxiliary))
                self._negate(clause, roles, before)
            return Child(HEAD, Word(verb.participle, verb.lemma, "VERB", "VBN")), before
        if clause.tense == "future":
            before.append(self._modal(roles))
            self._negate(clause, roles, before)
            return Child(HEAD, Word(verb.lemma, verb.lemma, "VERB", "VB")), before
        if clause.negation in ("not", "n't") or inverted:
            form, tag = ("did", "VBD") if clause.tense == "past" else ("do", "VBP")
            if clause.tense == "present" and not plural:
                form, tag = "does", "VBZ"
            before.append(Child("aux", Word(form, "do", "AUX", tag)))
            self._negate(clause, roles, before)
            return Child(HEAD, Word(verb.lemma, verb.lemma, "VERB", "VB")), before
        self._negate(clause, roles, before)
        if clause.tense == "past":
            return Child(HEAD, Word(verb.past, verb.lemma, "VERB", "VBD")), before
        if plural:
            return Child(HEAD, Word(verb.lemma, verb.lemma, "VERB", "VBP")), before
        return Child(HEAD, Word(verb.third_singular, verb.lemma, "VERB", "VBZ")), before

    def _copular(self, clause: Clause, roles: "Roles", plural: bool) -> tuple[Child, list[Child]]:
        before: list[Child] = []
        if clause.tense == "future":
            before.append(self._modal(roles))
            self._negate(clause, roles, before)
        copula = Word(_be(clause.tense, plural), "be", "AUX", _be_tag(clause.tense, plural))
        before.append(Child("cop", copula))
        roles.target = copula
        if clause.tense != "future":
            self._negate(clause, roles, before)
        if isinstance(clause.predicative, Nominal):
            node = self._nominals.phrase(clause.predicative)
        else:
            word = Child(HEAD, adjective(str(clause.predicative)))
            degree = (Child("advmod", adverb(clause.degree)),) if clause.degree else ()
            node = Phrase("ADJP", (*degree, word))
        roles.add_predicative(node)
        return Child(HEAD, node), before

    def _modal(self, roles: "Roles") -> Child:
        word = Word("will", "will", "AUX", "MD")
        roles.add_word(word, "ARGM-MOD")
        return Child("aux", word)

    def _negate(self, clause: Clause, roles: "Roles", before: list[Child]) -> None:
        if not clause.negation:
            return
        word = adverb(clause.negation)
        roles.add_word(word, "ARGM-NEG")
        node: Node = word if word.upos == "PART" else Phrase("ADVP", (Child(HEAD, word),))
        before.append(Child("advmod", node))


def _is_person(antecedent: Phrase) -> bool:
    """Whether a relative clause after this noun phrase begins with `who`."""
    lemma = head_word(antecedent).lemma
    return lemma in NAMES or (lemma in NOUNS and NOUNS[lemma].kind == "person")


def _be(tense: str, plural: bool) -> str:
    if tense == "future":
        return "be"
    if tense == "past":
        return "were" if plural else "was"
    return "are" if plural else "is"


def _be_tag(tense: str, plural: bool) -> str:
    if tense == "future":
        return "VB"
    if tense == "past":
        return "VBD"
    return "VBP" if plural else "VBZ"
