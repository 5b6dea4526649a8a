import json
from pathlib import Path
from typing import Any

import pytest

from tunescope.corpora.annotations import target
from tunescope.corpora.uds import NOT_SPR2, read_uds
from tunescope.errors import InputError

SENTENCES = """# uds_graph_id = g-1
1\tCats\tcat\tNOUN\tNNS\t_\t2\tnsubj\t_\t_
2\tsleep\tsleep\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


def answers(**values: list[tuple[int, int]]) -> dict[str, Any]:
    """Property to (answer, applicable) of each annotator."""
    return {
        "protoroles": {
            name: {
                "value": {f"a{n}": value for n, (value, _) in enumerate(given)},
                "confidence": {f"a{n}": applies for n, (_, applies) in enumerate(given)},
            }
            for name, given in values.items()
        }
    }


def write(folder: Path, edges: dict[str, Any], graph: str = "g-1") -> tuple[Path, Path]:
    (folder / "x.json").write_text(json.dumps({"metadata": {}, "data": {graph: edges}}))
    (folder / "x.conllu").write_text(SENTENCES)
    return folder / "x.json", folder / "x.conllu"


def edge(predicate: int, argument: int) -> str:
    return f"g-1-semantics-pred-{predicate}%%g-1-semantics-arg-{argument}"


def test_mean_applicable_answers_make_labels(tmp_path: Path) -> None:
    edges = {
        edge(2, 1): answers(
            sentient=[(4, 1), (2, 1)],  # mean 3: holds
            awareness=[(4, 1), (1, 1)],  # mean 2.5: does not
            volition=[(4, 0), (0, 1)],  # only the second applies
            was_used=[(4, 0), (4, 0)],  # nothing applies
            manner=[(4, 1)],  # no property of SPR2
        ),
        edge(2, 3): answers(location=[(4, 1)]),
        edge(2, 2): answers(partitive=[(0, 1)]),
    }
    split = read_uds(*write(tmp_path, edges))
    [row] = split.table.to_pylist()
    assert row["proto_roles"] == [
        target((1, 2), (0, 1), ["sentient"]),
        target((1, 2), (1, 2), []),
    ]
    assert row["words"] == ["Cats", "sleep", "."]
    assert row["heads"] == [2, 0, 2]
    assert row["text"] == "Cats sleep."
    assert split.accounting.notes[NOT_SPR2] == 1


def test_pairs_out_of_range_and_graphs_without_sentence_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="names word 4 of 3"):
        read_uds(*write(tmp_path, {edge(2, 4): answers(sentient=[(4, 1)])}))
    with pytest.raises(InputError, match="no sentence of graph g-2"):
        read_uds(*write(tmp_path, {}, graph="g-2"))
    with pytest.raises(InputError, match="names no predicate and argument"):
        read_uds(*write(tmp_path, {"g-1": answers(sentient=[(4, 1)])}))
    with pytest.raises(InputError, match="lacks 'confidence'"):
        read_uds(*write(tmp_path, {edge(2, 1): {"protoroles": {"sentient": {"value": {}}}}}))


def test_other_json_is_refused(tmp_path: Path) -> None:
    annotations, sentences = write(tmp_path, {})
    annotations.write_text('{"graphs": {}}')
    with pytest.raises(InputError, match="no key 'data'"):
        read_uds(annotations, sentences)
    annotations.write_text('{\n"data": ')
    with pytest.raises(InputError, match=r"x\.json:2: no JSON"):
        read_uds(annotations, sentences)
