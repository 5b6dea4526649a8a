import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tunescope.corpora.squad import FOUND_BY_TEXT, NO_OFFSET, NO_SPAN, read_squad
from tunescope.errors import InputError

CONTEXT = "  Ana\u0301 saw  \U0001f426 birds\nand more birds. "


def document(context: str, spans: list[tuple[str, int | None]], **changes: Any) -> dict[str, Any]:
    question = {
        "id": "q1",
        "question": " What? ",
        "answers": [{"text": text, "answer_start": start} for text, start in spans],
        **changes,
    }
    paragraph = {"context": context, "qas": [question]}
    return {"data": [{"title": "T", "paragraphs": [paragraph]}], "version": "1.1"}


def write(folder: Path, content: object) -> Path:
    path = folder / "squad.json"
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


def refusal(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        read_squad(path)
    assert caught.value.remedy
    return caught.value


def test_texts_stay_and_offsets_count_code_points(tmp_path: Path) -> None:
    start = CONTEXT.index("birds")
    split = read_squad(write(tmp_path, document(CONTEXT, [("birds", start), ("\U0001f426", 12)])))
    assert split.table.to_pylist() == [
        {
            "row": 0,
            "id": "q1",
            "title": "T",
            "question": " What? ",
            "context": CONTEXT,
            "answers": [{"text": "birds", "start": start}, {"text": "\U0001f426", "start": 12}],
        }
    ]
    assert split.kind == "question_answering"


CHARACTERS = st.characters(exclude_categories=["Cs"])


@given(st.text(CHARACTERS, min_size=1, max_size=40), st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_span_of_any_context_is_accepted_at_its_offset(
    tmp_path: Path, context: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(context) - 1))
    end = data.draw(st.integers(start + 1, len(context)))
    answer = context[start:end]
    if not context.strip():
        return
    split = read_squad(write(tmp_path, document(context, [(answer, start)])))
    assert split.table["answers"].to_pylist() == [[{"text": answer, "start": start}]]
    assert split.table["context"].to_pylist() == [context]


@pytest.mark.parametrize("shift", [-1, 1, 400, -400])
def test_an_answer_elsewhere_is_refused(tmp_path: Path, shift: int) -> None:
    start = CONTEXT.index("and")
    path = write(tmp_path, document(CONTEXT, [("and", start + shift)]))
    error = refusal(path)
    assert error.where == f"{path}: data[0].paragraphs[0].qas[0]"
    assert f"question q1: answer 'and' is not at offset {start + shift}" in error.found
    assert f"it stands at {start}" in error.found
    if shift == 1:
        assert "the context has 'nd '" in error.found


def test_a_byte_offset_is_refused(tmp_path: Path) -> None:
    in_bytes = CONTEXT.encode().index(b"birds")
    assert (
        "is not at offset"
        in refusal(write(tmp_path, document(CONTEXT, [("birds", in_bytes)]))).found
    )


def test_an_answer_without_offset_is_placed_where_it_stands_once(tmp_path: Path) -> None:
    answers: list[tuple[str, int | None]] = [("saw", None), ("birds", None)]
    split = read_squad(write(tmp_path, document(CONTEXT, answers)))
    assert split.table["answers"].to_pylist() == [
        [{"text": "saw", "start": CONTEXT.index("saw")}, {"text": "birds", "start": None}]
    ]
    assert split.accounting.notes == {FOUND_BY_TEXT: 1, NO_OFFSET: 1}


def test_training_drops_questions_without_any_offset(tmp_path: Path) -> None:
    content = document(CONTEXT, [("birds", None)])
    second = {"id": "q2", "question": "?", "answers": [{"text": "saw", "answer_start": None}]}
    content["data"][0]["paragraphs"][0]["qas"].append(second)
    split = read_squad(write(tmp_path, content), need_offsets=True)
    assert split.table["id"].to_pylist() == ["q2"]
    assert split.table["row"].to_pylist() == [1]
    assert split.accounting.dropped == {NO_SPAN: 1}


def test_an_answer_that_is_nowhere_is_refused(tmp_path: Path) -> None:
    error = refusal(write(tmp_path, document(CONTEXT, [("cats", None)])))
    assert "question q1: answer 'cats' is not in its context" in error.found


def test_an_id_used_twice_is_refused(tmp_path: Path) -> None:
    content = document(CONTEXT, [("saw", None)])
    content["data"].append(content["data"][0])
    error = refusal(write(tmp_path, content))
    assert "data[1]" in error.where
    assert "'q1' was used before, at" in error.found


def test_questions_without_answers_are_refused(tmp_path: Path) -> None:
    assert "a question without answers" in refusal(write(tmp_path, document(CONTEXT, []))).found


@pytest.mark.parametrize(
    ("content", "where", "found"),
    [
        ({"version": "1.1"}, "", "no key 'data' (found: version)"),
        ([1], "", "no key 'data' (found: list)"),
        ({"data": {"a": 1}}, "", "data is a dict, not a list"),
        ({"data": [{"title": "T"}]}, "data[0]", "no key 'paragraphs'"),
        ({"data": [{"paragraphs": []}]}, "data[0]", "no key 'title'"),
        ({"data": []}, "", "no usable question of 0"),
        (document(CONTEXT, [("saw", None)], id=7), "qas[0]", "id is 7, not a text"),
        (
            document(CONTEXT, [("saw", None)], answers=[{"text": "saw"}]),
            "answers[0]",
            "answer_start",
        ),
        (document(CONTEXT, [("", 0)]), "answers[0]", "text is '', not a text"),
        (
            document(CONTEXT, [], answers=[{"text": "saw", "answer_start": "4"}]),
            "answers[0]",
            "answer_start is '4', not a whole number",
        ),
    ],
)
def test_other_layouts_are_refused(tmp_path: Path, content: object, where: str, found: str) -> None:
    error = refusal(write(tmp_path, content))
    assert where in error.where
    assert found in error.found


def test_cut_json_is_refused_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, document(CONTEXT, [("saw", None)]))
    path.write_bytes(b"\n" + path.read_bytes()[:-30])
    error = refusal(path)
    assert error.where == f"{path}:2"
    assert "no JSON" in error.found
