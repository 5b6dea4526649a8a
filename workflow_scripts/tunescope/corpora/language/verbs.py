"""Verbs: their forms, the frames they evoke, and what their participants are like.

Frames and their elements follow FrameNet in kind. Semantic roles are PropBank's; proto-role
properties are those of Dowty (1991) as asked by Reisinger et al. (2015).
"""

from dataclasses import dataclass

from tunescope.corpora.language.properties import (
    ACTOR,
    AWARE,
    CHANGED,
    EATEN,
    IDEA,
    MADE,
    MOVED,
    MOVER,
    OWNED,
    THING,
    TOUCHED,
)


@dataclass(frozen=True, slots=True)
class Role:
    """A participant of a verb.

    Attributes:
        label: PropBank's label.
        element: frame element.
        fillers: semantic classes of nouns that can fill it (`clause` for complement clauses).
        properties: proto-role properties that hold of it.
    """

    label: str
    element: str
    fillers: tuple[str, ...]
    properties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with one sense.

    Attributes:
        lemma: base form.
        past: past tense.
        participle: past participle.
        frame: the frame that it evokes.
        subject: participant of the active subject.
        object: participant of the direct object; None for intransitive verbs.
        recipient: participant of the indirect object; its preposition is `to`.
        source: participant named by `from`.
        synonym: another verb of the same meaning and frame; empty if there is none.
        converse: the verb that tells the same event from the other side (give, receive).
    """

    lemma: str
    past: str
    participle: str
    frame: str
    subject: Role
    object: Role | None = None
    recipient: Role | None = None
    source: Role | None = None
    synonym: str = ""
    converse: str = ""

    @property
    def third_singular(self) -> str:
        """Present tense of the third person singular."""
        sibilant = self.lemma.endswith(("s", "sh", "ch", "x"))
        if self.lemma.endswith("y") and self.lemma[-2] not in "aeiou":
            return f"{self.lemma[:-1]}ies"
        return f"{self.lemma}es" if sibilant else f"{self.lemma}s"


@dataclass(frozen=True, slots=True)
class _Frame:
    subject: Role
    object: Role | None = None
    recipient: Role | None = None
    source: Role | None = None


_P = ("person",)
_PA = ("person", "animal")


def _agent(
    element: str, fillers: tuple[str, ...] = _P, properties: tuple[str, ...] = ACTOR
) -> Role:
    return Role("ARG0", element, fillers, properties)


def _patient(element: str, fillers: tuple[str, ...], properties: tuple[str, ...]) -> Role:
    return Role("ARG1", element, fillers, properties)


_GOODS = ("text", "garment", "tool", "vehicle", "food")
_FRAMES = {
    "Cotheme": _Frame(_agent("Theme", _PA, MOVER), _patient("Cotheme", _PA, MOVER)),
    "Assistance": _Frame(_agent("Helper"), _patient("Benefited_party", _P, AWARE)),
    "Judgment_communication": _Frame(_agent("Communicator"), _patient("Evaluee", _P, AWARE)),
    "Protecting": _Frame(_agent("Protection", _PA), _patient("Asset", _PA, AWARE)),
    "Perception_active": _Frame(
        _agent("Perceiver_agentive", _PA), _patient("Phenomenon", _PA, AWARE)
    ),
    "Perception_experience": _Frame(
        _agent("Perceiver_passive", _PA, AWARE), _patient("Phenomenon", (*_PA, *_GOODS), AWARE)
    ),
    "Meet_with": _Frame(_agent("Party_1"), _patient("Party_2", _P, AWARE)),
    "Cause_harm": _Frame(_agent("Agent", _PA), _patient("Victim", _PA, TOUCHED)),
    "Education_teaching": _Frame(_agent("Teacher"), _patient("Student", _P, AWARE)),
    "Leadership": _Frame(_agent("Leader", _P, MOVER), _patient("Governed", _P, MOVER)),
    "Deception": _Frame(_agent("Deceiver"), _patient("Victim", _P, AWARE)),
    "Visiting": _Frame(_agent("Agent", _P, MOVER), _patient("Entity", (*_P, "institution"), AWARE)),
    "Hospitality": _Frame(_agent("Host"), _patient("Guest", _P, MOVER)),
    "Cure": _Frame(_agent("Healer"), _patient("Patient", _P, TOUCHED)),
    "Experiencer_obj": _Frame(
        Role("ARG0", "Stimulus", _PA, ("instigation", "existed_before", "existed_after")),
        Role("ARG1", "Experiencer", _PA, (*AWARE, "change_of_state")),
    ),
    "Experiencer_focus": _Frame(
        Role("ARG0", "Experiencer", _P, AWARE),
        Role("ARG1", "Content", (*_PA, "work", "food"), ("existed_before", "existed_after")),
    ),
    "Commerce_buy": _Frame(
        _agent("Buyer"),
        _patient("Goods", _GOODS, OWNED),
        source=Role("ARG2", "Seller", _P, AWARE),
    ),
    "Commerce_sell": _Frame(
        _agent("Seller"), _patient("Goods", _GOODS, OWNED), Role("ARG2", "Buyer", _P, AWARE)
    ),
    "Giving": _Frame(
        _agent("Donor"), _patient("Theme", _GOODS, OWNED), Role("ARG2", "Recipient", _P, AWARE)
    ),
    "Receiving": _Frame(
        Role("ARG0", "Recipient", _P, AWARE),
        _patient("Theme", _GOODS, OWNED),
        source=Role("ARG2", "Donor", _P, ACTOR),
    ),
    "Lending": _Frame(
        _agent("Lender"), _patient("Theme", _GOODS, OWNED), Role("ARG2", "Borrower", _P, AWARE)
    ),
    "Borrowing": _Frame(
        _agent("Borrower"),
        _patient("Theme", _GOODS, OWNED),
        source=Role("ARG2", "Lender", _P, AWARE),
    ),
    "Cooking_creation": _Frame(_agent("Cook"), _patient("Produced_food", ("food",), MADE)),
    "Creating": _Frame(_agent("Creator"), _patient("Created_entity", ("text", "work"), MADE)),
    "Building": _Frame(
        _agent("Agent"), _patient("Created_entity", ("vehicle", "institution"), MADE)
    ),
    "Bringing": _Frame(
        _agent("Agent", _P, MOVER), _patient("Theme", (*_GOODS, "container"), MOVED)
    ),
    "Repairing": _Frame(_agent("Agent"), _patient("Patient", ("vehicle", "tool", "part"), CHANGED)),
    "Cause_to_fragment": _Frame(
        _agent("Agent"), _patient("Whole_patient", ("tool", "container", "part"), CHANGED)
    ),
    "Closure": _Frame(
        _agent("Agent"), _patient("Containing_object", ("container", "institution"), CHANGED)
    ),
    "Locating": _Frame(_agent("Perceiver"), _patient("Sought_entity", (*_PA, *_GOODS), THING)),
    "Theft": _Frame(
        _agent("Perpetrator"),
        _patient("Goods", _GOODS, OWNED),
        source=Role("ARG2", "Victim", _P, AWARE),
    ),
    "Ingestion": _Frame(
        _agent("Ingestor", _PA), _patient("Ingestibles", ("food", "substance"), EATEN)
    ),
    "Reading_perception": _Frame(_agent("Reader"), _patient("Text", ("text",), THING)),
    "Self_motion": _Frame(_agent("Self_mover", _PA, MOVER)),
    "Arriving": _Frame(Role("ARG1", "Theme", _PA, MOVER)),
    "Departing": _Frame(Role("ARG0", "Theme", _PA, MOVER)),
    "Sleep": _Frame(Role("ARG0", "Sleeper", _PA, ("sentient", "existed_before", "existed_after"))),
    "Make_noise": _Frame(Role("ARG0", "Sound_source", _P, ACTOR)),
    "Waiting": _Frame(Role("ARG1", "Protagonist", _P, AWARE)),
    "Working": _Frame(Role("ARG0", "Agent", _P, ACTOR)),
    "Statement": _Frame(_agent("Speaker"), _patient("Message", ("clause",), IDEA)),
    "Awareness": _Frame(
        Role("ARG0", "Cognizer", _P, AWARE), _patient("Content", ("clause",), IDEA)
    ),
    "Causation": _Frame(
        Role("ARG0", "Cause", ("topic", "event"), ("instigation", "existed_before")),
        _patient("Effect", ("event",), MADE),
    ),
}

# frame: "base[,past[,participle]][/synonym...]"; regular forms are left out
_VERBS = {
    "Cotheme": "chase/pursue follow,followed/trail",
    "Assistance": "help/assist",
    "Judgment_communication": "praise/commend blame/condemn judge",
    "Protecting": "guard/protect",
    "Perception_active": "watch/observe",
    "Perception_experience": "see,saw,seen",
    "Meet_with": "meet,met/encounter",
    "Cause_harm": "hit,hit/strike,struck",
    "Education_teaching": "teach,taught/instruct",
    "Leadership": "lead,led/guide",
    "Deception": "trick/deceive",
    "Visiting": "visit",
    "Hospitality": "host invite",
    "Cure": "nurse/heal",
    "Experiencer_obj": "scare/frighten please/delight",
    "Experiencer_focus": "love/adore hate/detest like",
    "Commerce_buy": "buy,bought/purchase",
    "Commerce_sell": "sell,sold",
    "Giving": "give,gave,given/hand",
    "Receiving": "receive/get,got",
    "Lending": "lend,lent",
    "Borrowing": "borrow",
    "Cooking_creation": "bake cook",
    "Creating": "write,wrote,written draw,drew,drawn",
    "Building": "build,built/construct",
    "Bringing": "carry,carried/bring,brought",
    "Repairing": "repair/fix",
    "Cause_to_fragment": "break,broke,broken/smash",
    "Closure": "open close/shut,shut",
    "Locating": "find,found/discover",
    "Theft": "steal,stole,stolen",
    "Ingestion": "eat,ate,eaten/devour",
    "Reading_perception": "read,read",
    "Self_motion": "walk/stroll run,ran,run dance",
    "Arriving": "arrive",
    "Departing": "leave,left/depart",
    "Sleep": "sleep,slept/doze",
    "Make_noise": "laugh/giggle cry,cried/weep,wept",
    "Waiting": "wait",
    "Working": "work/labor",
    "Statement": "say,said/claim",
    "Awareness": "know,knew,known believe/think,thought",
    "Causation": "cause",
}
#: Verbs that tell one event from two sides: the first has a recipient, the second a source.
_CONVERSES = (("give", "receive"), ("hand", "get"), ("sell", "buy"), ("lend", "borrow"))


def _forms(entry: str) -> tuple[str, str, str]:
    base, *rest = entry.split(",")
    regular = f"{base}d" if base.endswith("e") else f"{base}ed"
    past = rest[0] if rest else regular
    return base, past, rest[1] if len(rest) > 1 else past


def _verbs() -> dict[str, Verb]:
    converse = {one: other for pair in _CONVERSES for one, other in (pair, pair[::-1])}
    verbs: dict[str, Verb] = {}
    for name, text in _VERBS.items():
        frame = _FRAMES[name]
        for entry in text.split():
            group = [_forms(one) for one in entry.split("/")]
            for place, (base, past, participle) in enumerate(group):
                verbs[base] = Verb(
                    base,
                    past,
                    participle,
                    name,
                    frame.subject,
                    frame.object,
                    frame.recipient,
                    frame.source,
                    synonym=group[place ^ 1][0] if len(group) == 2 else "",
                    converse=converse.get(base, ""),
                )
    return verbs


VERBS = _verbs()
"""Verbs by base form."""

#: What persons do to each other in tasks and discourses, each verb beside its synonym; the treebank
#: has all verbs.
COMMON_VERBS = (
    "chase", "pursue", "help", "assist", "praise", "commend", "guard", "protect",
    "watch", "observe", "meet", "encounter", "teach", "instruct", "trick", "deceive",
    "scare", "frighten", "love", "adore", "hate", "detest", "lead", "guide",
)  # fmt: skip

#: Roles of the copula, PropBank's be.01; it evokes no frame but `Attributes`, for its predicative.
COPULA_SUBJECT = Role("ARG1", "Entity", (), ("existed_before", "existed_after"))
COPULA_PREDICATIVE = Role("ARG2", "Attribute", (), ())


def verbs_between(subject: str, object_: str) -> tuple[str, ...]:
    """Transitive verbs whose subject and object can be of these classes, without recipient."""
    return tuple(
        lemma
        for lemma, verb in VERBS.items()
        if verb.object is not None
        and subject in verb.subject.fillers
        and object_ in verb.object.fillers
        and verb.recipient is None
    )


def verbs_of(*frames: str) -> tuple[str, ...]:
    """Verbs that evoke one of these frames."""
    return tuple(lemma for lemma, verb in VERBS.items() if verb.frame in frames)
