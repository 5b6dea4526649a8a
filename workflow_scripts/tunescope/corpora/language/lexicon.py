"""Nouns, names, adjectives, adverbs and closed-class words.

Many words are ambiguous on purpose, as in English: `guard`, `cook`, `judge`, `nurse`, `guide` and
`host` are persons and verbs; `saw` is a tool and the past of `see`; `park`, `book`, `hand`, `play`,
`walk` and `dance` are nouns and verbs; `bank` is a place and an institution; `Mark`, `Will`,
`Bill`, `Rose`, `Hope`, `Drew` and `Dawn` are names and other words; `May` and `March` are months, a
modal and a verb; `Bath`, `Reading`, `Nice` and `Mobile` are towns.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Noun:
    """A common noun.

    Attributes:
        lemma: singular.
        plural: plural; the singular again for mass nouns.
        kind: semantic class: person, animal, vehicle, food, tool, garment, place, institution,
            work, text, topic, event, part, container, group, substance, category.
        gender: m or f where the noun says it, n for persons of either; empty for the rest.
        synonym: another noun of the same meaning, if the language has one.
    """

    lemma: str
    plural: str
    kind: str
    gender: str = ""
    synonym: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """A proper noun: of a person (gender m, f), a town, a day or a month."""

    form: str
    kind: str
    gender: str = ""


_IRREGULAR_PLURALS = {
    "goose": "geese",
    "wolf": "wolves",
    "thief": "thieves",
    "knife": "knives",
    "witness": "witnesses",
    "judge": "judges",
    "match": "matches",
    "speech": "speeches",
    "church": "churches",
    "box": "boxes",
    "bus": "buses",
    "fox": "foxes",
    "story": "stories",
    "country": "countries",
    "lady": "ladies",
    "party": "parties",
}
_MASS = frozenset({"bread", "soup", "tea", "milk", "wine", "smoke", "music", "acting", "panic"})

# kind: "noun noun/synonym noun:gender"
_NOUNS = {
    "person": (
        "guard:n cook:n judge:n nurse:n guide:n host:n doctor/physician:n teacher/tutor:n "
        "thief/robber:n lawyer/attorney:n farmer:n baker:n artist:n singer:n pilot:n "
        "king:m queen:f boy/lad:m girl:f monk:m nun:f"
    ),
    "animal": "dog/hound cat horse fox wolf goose",
    "vehicle": "car truck bus boat/ship",
    "food": "bread soup cake pie",
    "tool": "hammer knife saw axe/hatchet",
    "garment": "coat/jacket hat shirt glove",
    "category": "animal vehicle food tool garment",
    "place": "garden market park harbor/port forest/wood village",
    "institution": "school bank church station",
    "work": "film/movie play novel concert show song",
    "aspect": "plot acting music cast ending script",
    "text": "letter book report story/tale",
    "topic": "war election storm treaty",
    "event": "fire flood panic smoke delay",
    "part": "handle wheel door roof",
    "container": "cup box bottle bag/sack",
    "substance": "tea milk wine",
    "group": "team flock crew",
}


def _nouns() -> dict[str, Noun]:
    nouns: dict[str, Noun] = {}
    for kind, text in _NOUNS.items():
        for entry in text.split():
            words, _, gender = entry.partition(":")
            lemma, _, synonym = words.partition("/")
            for one, other in ((lemma, synonym), (synonym, lemma)):
                if one:
                    plural = one if one in _MASS else _IRREGULAR_PLURALS.get(one, f"{one}s")
                    nouns[one] = Noun(one, plural, kind, gender, other)
    return nouns


NOUNS = _nouns()
"""Common nouns by lemma."""

#: Persons that tasks and discourses speak of, names apart; the treebank has all.
COMMON_PERSONS = (
    "guard", "cook", "judge", "nurse", "guide", "host", "king", "queen", "monk", "nun",
)  # fmt: skip

NAMES = {
    form: Name(form, kind, gender)
    for kind, gender, forms in (
        ("person", "m", "Mark Will Bill Frank Drew Jack Peter Simon"),
        ("person", "f", "Rose Hope Grace Dawn Ivy Mary Helen Clara"),
        ("town", "", "Bath Reading Nice Mobile Paris Oslo"),
        ("day", "", "Monday Tuesday Friday Sunday"),
        ("month", "", "March May June October"),
    )
    for form in forms.split()
}
"""Proper nouns by form."""


def nouns_of(*kinds: str) -> tuple[str, ...]:
    """Lemmas of these semantic classes, synonyms included, in a fixed order."""
    return tuple(lemma for lemma, noun in NOUNS.items() if noun.kind in kinds)


def names_of(kind: str, gender: str = "") -> tuple[str, ...]:
    """Names of a kind, of one gender if given."""
    return tuple(
        form
        for form, name in NAMES.items()
        if name.kind == kind and (not gender or name.gender == gender)
    )


#: Properties of persons: positive pole, its synonym, negative pole, its synonym.
PERSON_SCALES = (
    ("rich", "wealthy", "poor", "needy"),
    ("happy", "glad", "sad", "gloomy"),
    ("strong", "sturdy", "weak", "feeble"),
    ("calm", "peaceful", "angry", "furious"),
    ("brave", "bold", "timid", "shy"),
    ("healthy", "fit", "sick", "ill"),
)
#: Properties of things.
THING_SCALES = (
    ("big", "large", "small", "tiny"),
    ("new", "recent", "old", "ancient"),
    ("clean", "spotless", "dirty", "filthy"),
    ("heavy", "weighty", "light", "slight"),
)
#: Adjectives that restrict a noun without a scale of antonyms.
PLAIN_ADJECTIVES = ("red", "green", "local", "foreign", "famous", "young", "tall", "quiet")
#: Judgements of works, for sentiment.
PRAISE = tuple(
    str.split(
        "wonderful brilliant charming moving clever delightful superb fresh graceful gripping "
        "honest lively"
    )
)
BLAME = tuple(
    str.split(
        "dull awful clumsy boring stupid dreadful tedious stale crude hollow lifeless shallow"
    )
)
MANNER = ("quickly", "slowly", "quietly", "gladly", "secretly", "often")
DEGREE = ("very", "quite", "really", "rather")
TIME_ADVERBS = ("yesterday", "today", "again")
NUMERALS = ("two", "three", "four", "five")
#: Words that negate; all carry it by themselves.
NEGATIONS = ("not", "never", "no", "nobody", "nothing", "neither", "nor", "n't")

#: Pronouns by gender: subject, object, possessive, reflexive.
PRONOUNS = {
    "m": ("he", "him", "his", "himself"),
    "f": ("she", "her", "her", "herself"),
    "": ("it", "it", "its", "itself"),
    "pl": ("they", "them", "their", "themselves"),
    "first": ("I", "me", "my", "myself"),
    "second": ("you", "you", "your", "yourself"),
}


def hypernym(lemma: str) -> str:
    """The category noun above a noun, such as `animal` above `dog`; empty if there is none."""
    kind = NOUNS[lemma].kind
    return kind if kind in NOUNS and NOUNS[kind].kind == "category" else ""


def scale_of(adjective: str) -> tuple[str, str, str, str] | None:
    """The scale that an adjective belongs to, if any."""
    for scale in (*PERSON_SCALES, *THING_SCALES):
        if adjective in scale:
            return scale
    return None


def adjective_synonym(adjective: str) -> str:
    """The other adjective of the same pole; the adjective itself if it has none."""
    scale = scale_of(adjective)
    return adjective if scale is None else scale[scale.index(adjective) ^ 1]


def antonyms(adjective: str) -> tuple[str, ...]:
    """The adjectives of the opposite pole."""
    scale = scale_of(adjective)
    if scale is None:
        return ()
    return scale[2:] if scale.index(adjective) < 2 else scale[:2]
