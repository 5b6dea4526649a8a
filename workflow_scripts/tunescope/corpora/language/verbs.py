"""Verbs: their forms, the frames they evoke, and what their participants are like.

Frames and their elements follow FrameNet in kind. Semantic roles are PropBank's; proto-role
properties are those of Dowty (1991) as asked by Reisinger et al. (2015).
"""

from dataclasses import dataclass

_ACTOR = ("instigation", "volition", "awareness", "sentient", "existed_before", "existed_after")
_MOVER = (*_ACTOR, "changed_location")
_AWARE = ("awareness", "sentient", "existed_before", "existed_after")
_TOUCHED = (*_AWARE, "makes_physical_contact", "change_of_state")
_THING = ("existed_before", "existed_after", "manipulated")
_MOVED = (*_THING, "changed_location")
_CHANGED = (*_THING, "change_of_state")
_OWNED = (*_THING, "change_of_possession")
_MADE = ("existed_after", "created", "change_of_state")
_EATEN = ("existed_before", "destroyed", "manipulated", "change_of_state")
_IDEA = ("existed_after",)

#: Every proto-role property that occurs, in a fixed order.
PROPERTIES = (
    "instigation",
    "volition",
    "awareness",
    "sentient",
    "existed_before",
    "existed_after",
    "changed_location",
    "change_of_state",
    "change_of_possession",
    "makes_physical_contact",
    "manipulated",
    "created",
    "destroyed",
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
    element: str, fillers: tuple[str, ...] = _P, properties: tuple[str, ...] = _ACTOR
) -> Role:
    return Role("ARG0", element, fillers, properties)


def _patient(element: str, fillers: tuple[str, ...], properties: tuple[str, ...]) -> Role:
    return Role("ARG1", element, fillers, properties)


_GOODS = ("text", "garment", "tool", "vehicle", "food")
_FRAMES = {
    "Cotheme": _Frame(_agent("Theme", _PA, _MOVER), _patient("Cotheme", _PA, _MOVER)),
    "Assistance": _Frame(_agent("Helper"), _patient("Benefited_party", _P, _AWARE)),
    "Judgment_communication": _Frame(_agent("Communicator"), _patient("Evaluee", _P, _AWARE)),
    "Protecting": _Frame(_agent("Protection", _PA), _patient("Asset", _PA, _AWARE)),
    "Perception_active": _Frame(
        _agent("Perceiver_agentive", _PA), _patient("Phenomenon", _PA, _AWARE)
    ),
    "Perception_experience": _Frame(
        _agent("Perceiver_passive", _PA, _AWARE), _patient("Phenomenon", (*_PA, *_GOODS), _AWARE)
    ),
    "Meet_with": _Frame(_agent("Party_1"), _patient("Party_2", _P, _AWARE)),
    "Cause_harm": _Frame(_agent("Agent", _PA), _patient("Victim", _PA, _TOUCHED)),
    "Education_teaching": _Frame(_agent("Teacher"), _patient("Student", _P, _AWARE)),
    "Leadership": _Frame(_agent("Leader", _P, _MOVER), _patient("Governed", _P, _MOVER)),
    "Deception": _Frame(_agent("Deceiver"), _patient("Victim", _P, _AWARE)),
    "Visiting": _Frame(
        _agent("Agent", _P, _MOVER), _patient("Entity", (*_P, "institution"), _AWARE)
    ),
    "Hospitality": _Frame(_agent("Host"), _patient("Guest", _P, _MOVER)),
    "Cure": _Frame(_agent("Healer"), _patient("Patient", _P, _TOUCHED)),
    "Experiencer_obj": _Frame(
        Role("ARG0", "Stimulus", _PA, ("instigation", "existed_before", "existed_after")),
        Role("ARG1", "Experiencer", _PA, (*_AWARE, "change_of_state")),
    ),
    "Experiencer_focus": _Frame(
        Role("ARG0", "Experiencer", _P, _AWARE),
        Role("ARG1", "Content", (*_PA, "work", "food"), ("existed_before", "existed_after")),
    ),
    "Commerce_buy": _Frame(
        _agent("Buyer"),
        _patient("Goods", _GOODS, _OWNED),
        source=Role("ARG2", "Seller", _P, _AWARE),
    ),
    "Commerce_sell": _Frame(
        _agent("Seller"), _patient("Goods", _GOODS, _OWNED), Role("ARG2", "Buyer", _P, _AWARE)
    ),
    "Giving": _Frame(
        _agent("Donor"), _patient("Theme", _GOODS, _OWNED), Role("ARG2", "Recipient", _P, _AWARE)
    ),
    "Receiving": _Frame(
        Role("ARG0", "Recipient", _P, _AWARE),
        _patient("Theme", _GOODS, _OWNED),
        source=Role("ARG2", "Donor", _P, _ACTOR),
    ),
    "Lending": _Frame(
        _agent("Lender"), _patient("Theme", _GOODS, _OWNED), Role("ARG2", "Borrower", _P, _AWARE)
    ),
    "Borrowing": _Frame(
        _agent("Borrower"),
        _patient("Theme", _GOODS, _OWNED),
        source=Role("ARG2", "Lender", _P, _AWARE),
    ),
    "Cooking_creation": _Frame(_agent("Cook"), _patient("Produced_food", ("food",), _MADE)),
    "Creating": _Frame(_agent("Creator"), _patient("Created_entity", ("text", "work"), _MADE)),
    "Building": _Frame(
        _agent("Agent"), _patient("Created_entity", ("vehicle", "institution"), _MADE)
    ),
    "Bringing": _Frame(
        _agent("Agent", _P, _MOVER), _patient("Theme", (*_GOODS, "container"), _MOVED)
    ),
    "Repairing": _Frame(
        _agent("Agent"), _patient("Patient", ("vehicle", "tool", "part"), _CHANGED)
    ),
    "Cause_to_fragment": _Frame(
        _agent("Agent"), _patient("Whole_patient", ("tool", "container", "part"), _CHANGED)
    ),
    "Closure": _Frame(
        _agent("Agent"), _patient("Containing_object", ("container", "institution"), _CHANGED)
    ),
    "Locating": _Frame(_agent("Perceiver"), _patient("Sought_entity", (*_PA, *_GOODS), _THING)),
    "Theft": _Frame(
        _agent("Perpetrator"),
        _patient("Goods", _GOODS, _OWNED),
        source=Role("ARG2", "Victim", _P, _AWARE),
    ),
    "Ingestion": _Frame(
        _agent("Ingestor", _PA), _patient("Ingestibles", ("food", "substance"), _EATEN)
    ),
    "Reading_perception": _Frame(_agent("Reader"), _patient("Text", ("text",), _THING)),
    "Self_motion": _Frame(_agent("Self_mover", _PA, _MOVER)),
    "Arriving": _Frame(Role("ARG1", "Theme", _PA, _MOVER)),
    "Departing": _Frame(Role("ARG0", "Theme", _PA, _MOVER)),
    "Sleep": _Frame(Role("ARG0", "Sleeper", _PA, ("sentient", "existed_before", "existed_after"))),
    "Make_noise": _Frame(Role("ARG0", "Sound_source", _P, _ACTOR)),
    "Waiting": _Frame(Role("ARG1", "Protagonist", _P, _AWARE)),
    "Working": _Frame(Role("ARG0", "Agent", _P, _ACTOR)),
    "Statement": _Frame(_agent("Speaker"), _patient("Message", ("clause",), _IDEA)),
    "Awareness": _Frame(
        Role("ARG0", "Cognizer", _P, _AWARE), _patient("Content", ("clause",), _IDEA)
    ),
    "Causation": _Frame(
        Role("ARG0", "Cause", ("topic", "event"), ("instigation", "existed_before")),
        _patient("Effect", ("event",), _MADE),
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
