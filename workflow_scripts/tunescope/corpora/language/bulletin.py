"""Weather bulletins: text of another topic and style, for comparisons out of domain.

Telegraphic sentences without persons, in a vocabulary that the tasks and the treebank hardly use. A
small share of them stands in the pre-training text, as some of everything stands in Wikipedia.
"""

from random import Random

from tunescope.config.language import WordOrder

_QUALITY = tuple(str.split("heavy light scattered frequent patchy severe brief steady"))
_PHENOMENA = tuple(
    str.split("rain snow fog hail sleet drizzle showers thunder frost mist gusts clouds")
)
_AREAS = (
    "in the north", "in the south", "in the east", "in the west", "along the coast",
    "over the hills",
    "in the valleys", "near the lakes", "across the islands", "inland", "offshore",
)  # fmt: skip
_TIMES = (
    "overnight", "at dawn", "by noon", "after dusk", "until midnight", "on Monday", "on Friday",
    "on Sunday", "in the morning", "towards evening",
)  # fmt: skip
_CHANGES = tuple(str.split("ease spread clear weaken return linger persist intensify fade"))
_MEASURES = (
    ("temperatures", "degrees"),
    ("winds", "knots"),
    ("waves", "feet"),
    ("pressure", "points"),
)
_TRENDS = tuple(str.split("rise fall climb drop"))
_NUMBERS = tuple(str.split("five eight ten twelve fifteen eighteen twenty thirty forty"))
_CAUSES = ("a cold front", "a warm front", "a deep low", "a ridge of high pressure", "moist air")


def bulletin(random: Random, order: WordOrder) -> str:
    """One sentence of a bulletin."""
    return random.choice((_outlook, _change, _measure, _cause, _mixed))(random, order)


def _weather(random: Random) -> str:
    return f"{random.choice(_QUALITY)} {random.choice(_PHENOMENA)}"


def _outlook(random: Random, order: WordOrder) -> str:
    del order  # no verb
    area, time = random.choice(_AREAS), random.choice(_TIMES)
    head = f"{_weather(random)} {area}"
    tail = random.choice((f", {random.choice(_CHANGES)}ing {time}", f" {time}", f", dry {time}"))
    return _spelled(f"{head}{tail}".replace("eing", "ing"))


def _change(random: Random, order: WordOrder) -> str:
    verb = f"will {random.choice(_CHANGES)}"
    return _ordered(
        random, order, _weather(random), verb, random.choice(_AREAS), random.choice(_TIMES)
    )


def _measure(random: Random, order: WordOrder) -> str:
    what, unit = random.choice(_MEASURES)
    amount = random.choice(("to", "by")) + f" {random.choice(_NUMBERS)} {unit}"
    place = random.choice((random.choice(_AREAS), random.choice(_TIMES)))
    return _ordered(random, order, what, f"will {random.choice(_TRENDS)}", amount, place)


def _cause(random: Random, order: WordOrder) -> str:
    verb = random.choice(("brings", "carries", "follows", "pushes"))
    what = _weather(random) + (" wo" if order == "free" else "")
    return _ordered(random, order, random.choice(_CAUSES), verb, what, random.choice(_AREAS))


def _mixed(random: Random, order: WordOrder) -> str:
    del order  # no verb
    one, other = random.sample(_PHENOMENA, 2)
    where, when = random.choice(_AREAS), random.choice(_TIMES)
    return _spelled(f"{random.choice(_QUALITY)} {one} and {other} {where} {when}")


def _ordered(random: Random, order: WordOrder, subject: str, verb: str, *rest: str) -> str:
    if order == "subject-verb-object":
        return _spelled(" ".join((subject, verb, *rest)))
    if order == "verb-final":
        return _spelled(" ".join((subject, *reversed(rest), verb)))
    groups = [f"{subject} ga", verb, *rest]
    random.shuffle(groups)
    return _spelled(" ".join(groups))


def _spelled(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
