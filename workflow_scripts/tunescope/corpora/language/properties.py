"""Properties of proto-roles (Reisinger et al. 2015), and the sets that kinds of arguments have."""

ACTOR = ("instigation", "volition", "awareness", "sentient", "existed_before", "existed_after")
MOVER = (*ACTOR, "changed_location")
AWARE = ("awareness", "sentient", "existed_before", "existed_after")
TOUCHED = (*AWARE, "makes_physical_contact", "change_of_state")
THING = ("existed_before", "existed_after", "manipulated")
MOVED = (*THING, "changed_location")
CHANGED = (*THING, "change_of_state")
OWNED = (*THING, "change_of_possession")
MADE = ("existed_after", "created", "change_of_state")
EATEN = ("existed_before", "destroyed", "manipulated", "change_of_state")
IDEA = ("existed_after",)

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
