"""Universal Decompositional Semantics: proto-role properties (SPR2) of predicate and argument."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

from tunescope.corpora.annotations import target
from tunescope.corpora.canonical import Accounting, Split, make_split
from tunescope.corpora.conllu import Sentence, parse_sentences
from tunescope.corpora.source import read_source, shorten
from tunescope.errors import InputError

#: Properties of SPR2; location, manner, purpose and time were asked of other arguments.
PROPERTIES = (
    "awareness",
    "change_of_location",
    "change_of_possession",
    "change_of_state",
    "change_of_state_continuous",
    "existed_after",
    "existed_before",
    "existed_during",
    "instigation",
    "partitive",
    "sentient",
    "volition",
    "was_for_benefit",
    "was_used",
)
#: A property is a label when its mean applicable answer, on 0 to 4, is at least this (4 on the
#: paper's 1 to 5), the rule of the edge-probing data.
THRESHOLD = 3.0
NOT_SPR2 = "pairs without an applicable answer on the properties of SPR2"

_EDGE = re.compile(r".*-semantics-pred-(\d+)%%.*-semantics-arg-(\d+)")


def read_uds(annotations: Path, sentences: Path) -> Split:
    """Read proto-roles and the sentences they are about.

    `span1` is the predicate, `span2` the head word of the argument; the list of labels may be empty
    and the target then says that no property holds.

    Args:
        annotations: JSON of the raw answers of UDS 1.0.
        sentences: CoNLL-U whose sentences name their graph in a comment, `# uds_graph_id = NAME`.

    Raises:
        InputError: no JSON of that form, a graph without a sentence, or a word out of range.
    """
    source = read_source(annotations)
    try:
        graphs = json.loads(source.text)["data"]
    except json.JSONDecodeError as error:
        raise InputError(
            source.at(error.lineno), f"no JSON: {error.msg}", "Get the file again; it was cut"
        ) from None
    except (KeyError, TypeError):
        raise InputError(annotations, "no key 'data'", "Name UDS 1.0's raw answers") from None
    treebank = read_source(sentences)
    counts: Counter[str] = Counter()
    named: dict[str, Sentence] = {}
    for sentence in parse_sentences(treebank, counts):
        if "uds_graph_id" in sentence.comments:
            named[sentence.comments["uds_graph_id"]] = sentence
    rows: list[dict[str, object]] = []
    for name, edges in graphs.items():
        if name not in named:
            raise InputError(
                sentences,
                f"no sentence of graph {name}",
                "Mark each sentence by a comment, # uds_graph_id = NAME",
            )
        where = f"{annotations}: {name}"
        targets = [_target(edge, answers, named[name], where) for edge, answers in edges.items()]
        kept = [one for one in targets if one is not None]
        if len(kept) < len(targets):
            counts[NOT_SPR2] += len(targets) - len(kept)
        row = {"row": len(rows), **named[name].columns, "id": name, "proto_roles": kept}
        rows.append(row)
    if not rows:
        raise InputError(annotations, "no graph", "Name UDS 1.0's raw answers")
    both = hashlib.sha256((source.sha256 + treebank.sha256).encode()).hexdigest()
    accounting = Accounting(str(annotations), both, len(rows), len(rows), {}, dict(counts))
    return make_split("treebank", rows, (), accounting)


def _target(
    edge: str, annotation: Mapping[str, Any], sentence: Sentence, where: str
) -> dict[str, object] | None:
    match = _EDGE.fullmatch(edge)
    words = sentence.columns["words"]
    if not match or not isinstance(words, list):
        raise InputError(where, f"{shorten(edge)} names no predicate and argument", "Correct it")
    predicate, argument = int(match[1]), int(match[2])
    for word in (predicate, argument):
        if not 1 <= word <= len(words):
            raise InputError(
                where,
                f"{shorten(edge)} names word {word} of {len(words)}",
                "Use the sentences of the treebank's version that was annotated (UD 1.2)",
            )
    try:
        answers = annotation["protoroles"]
        applicable = {
            name: [
                answers[name]["value"][who]
                for who, applies in answers[name]["confidence"].items()
                if applies == 1
            ]
            for name in PROPERTIES
            if name in answers
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(
            where, f"{shorten(edge)} lacks {error}", "Give value and confidence of every answer"
        ) from None
    if not any(applicable.values()):
        return None
    labels = [name for name, values in applicable.items() if values and fmean(values) >= THRESHOLD]
    return target((predicate - 1, predicate), (argument - 1, argument), labels)
