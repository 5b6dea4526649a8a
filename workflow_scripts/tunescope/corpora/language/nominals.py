"""Noun phrases, prepositional phrases and the words in them."""

from collections.abc import Callable
from dataclasses import replace

from tunescope.corpora.language.lexicon import NAMES, NOUNS, NUMERALS, PRONOUNS
from tunescope.corpora.language.meaning import Clause, Nominal
from tunescope.corpora.language.order import CASE_PARTICLES
from tunescope.corpora.language.tree import HEAD, Child, Phrase, Relation, Word

_ENTITIES = {"person": "PERSON", "town": "GPE", "day": "DATE", "month": "DATE"}
_WH = {"who": "WP", "whom": "WP", "what": "WP", "that": "WDT"}
_ALONE = {"nobody": "PRON", "nothing": "PRON", "everyone": "PRON", "someone": "PRON"}


def determiner(form: str) -> Word:
    """An article, quantifier or numeral before a noun."""
    if form in NUMERALS:
        return Word(form, form, "NUM", "CD", "CARDINAL")
    return Word(form, "a" if form == "an" else form, "DET", "DT")


def adposition(form: str) -> Word:
    """A preposition."""
    return Word(form, form, "ADP", "IN")


def adjective(form: str) -> Word:
    """An adjective."""
    return Word(form, form, "ADJ", "JJ")


def adverb(form: str) -> Word:
    """An adverb; negations are particles in Universal Dependencies."""
    if form in ("not", "n't"):
        return Word(form, "not", "PART", "RB")
    return Word(form, form, "ADV", "WRB" if form in ("where", "when", "why", "how") else "RB")


def punctuation(form: str) -> Word:
    """A punctuation mark."""
    return Word(form, form, "PUNCT", "." if form in ".?!" else form)


class NominalGrammar:
    """Builds noun phrases; keeps the semantic relations it meets on the way.

    Args:
        case_marked: whether arguments carry particles of case.
        relative_clause: builds the relative clause of a nominal (`SBAR`).
    """

    def __init__(
        self, *, case_marked: bool, relative_clause: Callable[[Clause, Phrase], Phrase]
    ) -> None:
        self.case_marked = case_marked
        self.relations: list[Relation] = []
        self._relative_clause = relative_clause

    def argument(self, nominal: Nominal, relation: str) -> Phrase:
        """A noun phrase in a clause, with its particle of case where the language has them."""
        phrase = self.phrase(nominal, subject=relation.startswith("nsubj"))
        if self.case_marked and relation in CASE_PARTICLES:
            form = CASE_PARTICLES[relation]
            particle = Word(form, form, "PART", "RP")
            marked = Phrase(phrase.category, (Child(HEAD, phrase), Child("case", particle)))
            marked.referent, phrase.referent = phrase.referent, None
            return marked
        return phrase

    def prepositional(self, preposition: str, nominal: Nominal) -> Phrase:
        """A prepositional phrase, headed by its noun as in Universal Dependencies."""
        phrase = self.phrase(replace(nominal, head="whom") if nominal.head == "who" else nominal)
        category = "WHPP" if phrase.category == "WHNP" else "PP"
        return Phrase(category, (Child("case", adposition(preposition)), Child(HEAD, phrase)))

    def phrase(self, nominal: Nominal, *, subject: bool = False) -> Phrase:
        """A noun phrase without particle of case."""
        if nominal.second is not None:
            return self._coordinated(nominal, nominal.second, subject)
        phrase = self._simple(nominal, subject)
        if nominal.attribute is not None:
            preposition, other = nominal.attribute
            inner = Phrase("NP", phrase.children, entity=phrase.entity)
            attribute = self.prepositional(preposition, other)
            phrase = Phrase("NP", (Child(HEAD, inner), Child("nmod", attribute)))
            if nominal.relation:
                second = next(one.node for one in attribute.children if one.relation == HEAD)
                assert isinstance(second, Phrase)
                self.relations.append(Relation(inner, second, nominal.relation))
        if nominal.relative is not None:
            clause = self._relative_clause(nominal.relative, phrase)
            phrase = Phrase("NP", (Child(HEAD, phrase), Child("acl:relcl", clause)))
        phrase.referent = nominal.referent
        return phrase

    def _simple(self, nominal: Nominal, subject: bool) -> Phrase:
        if nominal.pronoun:
            return _pronoun(nominal, subject)
        if nominal.head in _WH:
            return _single("WHNP", Word(nominal.head, nominal.head, "PRON", _WH[nominal.head]))
        if nominal.head in _ALONE:
            return _single("NP", Word(nominal.head, nominal.head, "PRON", "NN"))
        if nominal.head in NAMES:
            phrase = _single("NP", Word(nominal.head, nominal.head, "PROPN", "NNP"))
            phrase.entity = _ENTITIES[NAMES[nominal.head].kind]
            return phrase
        return self._common(nominal)

    def _common(self, nominal: Nominal) -> Phrase:
        noun = NOUNS[nominal.head]
        form = noun.plural if nominal.plural else noun.lemma
        children: list[Child] = []
        if nominal.possessor is not None:
            children.append(Child("nmod:poss", self._possessor(nominal.possessor)))
        elif nominal.determiner:
            next_word = (*nominal.adjectives, nominal.name, form)
            first = next(word for word in next_word if word)
            vowel = nominal.determiner == "a" and first[0].lower() in "aeiou"
            word = determiner("an" if vowel else nominal.determiner)
            children.append(Child("nummod" if word.xpos == "CD" else "det", word))
        children += [Child("amod", adjective(one)) for one in nominal.adjectives]
        if nominal.name:
            name = Word(nominal.name, nominal.name, "PROPN", "NNP")
            head = Word(form.capitalize(), noun.lemma, "PROPN", "NNP")
            organisation = Phrase("NP", (Child("compound", name), Child(HEAD, head)), entity="ORG")
            if not children:
                return organisation
            return Phrase("NP", (*children, Child(HEAD, organisation)))
        word = Word(form, noun.lemma, "NOUN", "NNS" if nominal.plural else "NN")
        return Phrase("NP", (*children, Child(HEAD, word)))

    def _possessor(self, nominal: Nominal) -> Phrase:
        if nominal.pronoun:
            form = PRONOUNS[nominal.pronoun][2]
            phrase = _single("NP", Word(form, PRONOUNS[nominal.pronoun][0], "PRON", "PRP$"))
        else:
            owner = self.phrase(nominal)
            phrase = Phrase(
                "NP", (Child(HEAD, owner), Child("case", Word("'s", "'s", "PART", "POS")))
            )
            owner.referent = None
        phrase.referent = nominal.referent
        return phrase

    def _coordinated(self, nominal: Nominal, other: Nominal, subject: bool) -> Phrase:
        one = self._part(nominal, subject)
        two = Child("conj", self.phrase(other, subject=subject))
        both = Child("cc", Word("and", "and", "CCONJ", "CC"), governor=two)
        return Phrase("NP", (Child(HEAD, one), both, two))

    def _part(self, nominal: Nominal, subject: bool) -> Phrase:
        phrase = self._simple(nominal, subject)
        phrase.referent = nominal.referent
        return phrase


def _single(category: str, word: Word) -> Phrase:
    return Phrase(category, (Child(HEAD, word),))


def _pronoun(nominal: Nominal, subject: bool) -> Phrase:
    forms = PRONOUNS[nominal.pronoun]
    form = forms[3] if nominal.reflexive else forms[0 if subject else 1]
    return _single("NP", Word(form, forms[0], "PRON", "PRP"))
