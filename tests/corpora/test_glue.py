import math
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tunescope.corpora.canonical import Split
from tunescope.corpora.glue import (
    BROKEN_LINE,
    EMPTY_TEXT,
    MAX_BROKEN_LINES,
    NO_GOLD_LABEL,
    ODD_QUOTES,
    check_score,
    read_glue,
)
from tunescope.errors import InputError

# Headers as the official files have them.
HEADERS = {
    "glue-mnli": "index promptID pairID genre sentence1_binary_parse sentence2_binary_parse "
    "sentence1_parse sentence2_parse sentence1 sentence2 label1 gold_label",
    "glue-qnli": "index question sentence label",
    "glue-qqp": "id qid1 qid2 question1 question2 is_duplicate",
    "glue-rte": "index sentence1 sentence2 label",
    "glue-sst-2": "sentence label",
    "glue-sts-b": "index genre filename year old_index source1 source2 sentence1 sentence2 score",
    "glue-snli": "index captionID pairID sentence1_binary_parse sentence2_binary_parse "
    "sentence1_parse sentence2_parse sentence1 sentence2 label1 gold_label",
}
TEXT_COLUMNS = {
    "glue-mnli": ("sentence1", "sentence2", "gold_label"),
    "glue-qnli": ("question", "sentence", "label"),
    "glue-qqp": ("question1", "question2", "is_duplicate"),
    "glue-rte": ("sentence1", "sentence2", "label"),
    "glue-sst-2": ("sentence", None, "label"),
    "glue-sts-b": ("sentence1", "sentence2", "score"),
    "glue-snli": ("sentence1", "sentence2", "gold_label"),
    "glue-mrpc": ("#1 String", "#2 String", "Quality"),
}
MRPC_HEADER = ["Quality", "#1 ID", "#2 ID", "#1 String", "#2 String"]


def header(layout: str) -> list[str]:
    return MRPC_HEADER if layout == "glue-mrpc" else HEADERS[layout].split(" ")


def line(layout: str, text_a: str, text_b: str, target: str) -> str:
    a, b, label = TEXT_COLUMNS[layout]
    values = {a: text_a, b: text_b, label: target}
    return "\t".join(values.get(name, "-") for name in header(layout))


def write(folder: Path, layout: str, lines: list[str], *, end: str = "\n") -> Path:
    path = folder / f"{layout}.tsv"
    text = end.join(["\t".join(header(layout)), *lines, ""])
    path.write_text(text, encoding="utf-8", newline="")
    return path


def records(split: Split) -> list[dict[str, object]]:
    return split.table.to_pylist()


@pytest.mark.parametrize(
    ("layout", "targets", "labels"),
    [
        ("glue-mnli", "neutral contradiction", "entailment neutral contradiction"),
        ("glue-snli", "contradiction neutral", "entailment neutral contradiction"),
        ("glue-qnli", "not_entailment entailment", "entailment not_entailment"),
        ("glue-rte", "not_entailment entailment", "entailment not_entailment"),
        ("glue-mrpc", "1 0", "not_equivalent equivalent"),
        ("glue-qqp", "1 0", "not_duplicate duplicate"),
        ("glue-sst-2", "1 0", "negative positive"),
    ],
)
def test_labels_are_taken_by_name_in_the_hubs_order(
    tmp_path: Path, layout: str, targets: str, labels: str
) -> None:
    given_targets = targets.split()
    lines = [line(layout, f"one {t}", f"two {t}", t) for t in given_targets]
    split = read_glue(write(tmp_path, layout, lines), layout=layout)
    names = tuple(labels.split())
    assert split.labels == names
    expected = [names[int(t)] if t.isdigit() else t for t in given_targets]
    assert [record["label"] for record in records(split)] == expected
    assert [record["text_a"] for record in records(split)] == [f"one {t}" for t in given_targets]
    second = [None, None] if layout == "glue-sst-2" else [f"two {t}" for t in given_targets]
    assert [record["text_b"] for record in records(split)] == second
    assert (split.accounting.read, split.accounting.kept) == (2, 2)
    assert split.kind == "classification"


def test_columns_are_found_by_name_wherever_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "dev.tsv"
    path.write_text("label\textra\tsentence2\tsentence1\nentailment\tx\tb\ta\n", encoding="utf-8")
    assert records(read_glue(path, layout="glue-rte")) == [
        {"row": 0, "text_a": "a", "text_b": "b", "label": "entailment"}
    ]


def test_scores_become_numbers(tmp_path: Path) -> None:
    lines = [line("glue-sts-b", "a", "b", score) for score in ("0.000", "3.800", "5.0")]
    split = read_glue(write(tmp_path, "glue-sts-b", lines), layout="glue-sts-b")
    assert split.kind == "regression"
    assert split.labels == ()
    assert [record["score"] for record in records(split)] == [0.0, 3.8, 5.0]


TEXTS = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]), min_size=1)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=8))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_every_row_comes_back_exactly(tmp_path: Path, pairs: list[tuple[str, str]]) -> None:
    lines = [line("glue-mrpc", a, b, "1") for a, b in pairs]
    split = read_glue(write(tmp_path, "glue-mrpc", lines), layout="glue-mrpc")
    assert [(r["text_a"], r["text_b"]) for r in records(split)] == pairs
    assert split.accounting.read == len(pairs)


def test_an_unbalanced_quote_swallows_no_row(tmp_path: Path) -> None:
    lines = [
        line("glue-mrpc", '" He said so', "He said so", "1"),
        line("glue-mrpc", "plain", 'and "quoted"', "0"),
        line("glue-mrpc", "last", 'the end "', "0"),
    ]
    split = read_glue(write(tmp_path, "glue-mrpc", lines), layout="glue-mrpc")
    assert [r["text_a"] for r in records(split)] == ['" He said so', "plain", "last"]
    assert records(split)[2]["text_b"] == 'the end "'
    assert split.accounting.notes[ODD_QUOTES] == 2


def test_byte_order_mark_and_windows_line_ends_do_not_hide_a_column(tmp_path: Path) -> None:
    path = write(tmp_path, "glue-mrpc", [line("glue-mrpc", "a", "b ", "1")], end="\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    split = read_glue(path, layout="glue-mrpc")
    assert records(split) == [{"row": 0, "text_a": "a", "text_b": "b ", "label": "equivalent"}]
    assert split.accounting.notes["lines that ended in CR LF"] == 2
    assert split.accounting.notes["byte order mark at the start of the file"] == 1


def test_trailing_blanks_of_a_sentence_stay(tmp_path: Path) -> None:
    split = read_glue(
        write(tmp_path, "glue-sst-2", ["a fine film \t1", " \t0"]), layout="glue-sst-2"
    )
    assert [r["text_a"] for r in records(split)] == ["a fine film ", " "]
    assert split.accounting.notes[EMPTY_TEXT] == 1


def test_blank_lines_at_the_end_are_no_rows(tmp_path: Path) -> None:
    split = read_glue(write(tmp_path, "glue-sst-2", ["a\t1", "", ""]), layout="glue-sst-2")
    assert split.accounting.read == 1
    assert split.accounting.notes["blank lines at the end of the file"] == 2


def test_pairs_without_a_gold_label_are_dropped_and_counted(tmp_path: Path) -> None:
    for layout in ("glue-snli", "glue-mnli"):
        lines = [line(layout, "a", "b", "-"), line(layout, "c", "d", "neutral")]
        split = read_glue(write(tmp_path, layout, lines), layout=layout)
        assert [r["row"] for r in records(split)] == [1]
        assert split.accounting.dropped == {NO_GOLD_LABEL: 1}
        assert (split.accounting.read, split.accounting.kept) == (2, 1)


def test_snli_rows_of_five_annotators_end_in_the_gold_label(tmp_path: Path) -> None:
    short = line("glue-snli", "a", "b", "neutral")
    # label1 in the header's column, then label2 to label5, then gold.
    long = (
        short.removesuffix("\tneutral") + "\tneutral\tneutral\tcontradiction\tneutral\tentailment"
    )
    split = read_glue(write(tmp_path, "glue-snli", [short, long]), layout="glue-snli")
    assert [r["label"] for r in records(split)] == ["neutral", "entailment"]
    with pytest.raises(InputError, match="13 fields, but the header has 11"):
        read_glue(write(tmp_path, "glue-snli", [short + "\ta\tb"]), layout="glue-snli")


def refusal(path: Path, layout: str) -> InputError:
    with pytest.raises(InputError) as caught:
        read_glue(path, layout=layout)
    assert caught.value.remedy
    return caught.value


def test_a_cut_line_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "glue-rte", [line("glue-rte", "a", "b", "entailment"), "1\tonly this"])
    error = refusal(path, "glue-rte")
    assert error.where == f"{path}:3"
    assert "2 fields, but the header has 4" in error.found


def test_a_blank_line_between_rows_is_refused(tmp_path: Path) -> None:
    error = refusal(write(tmp_path, "glue-sst-2", ["a\t1", "", "b\t0"]), "glue-sst-2")
    assert error.where.endswith(":3")


def test_broken_lines_of_qqp_are_dropped_and_counted(tmp_path: Path) -> None:
    whole = line("glue-qqp", "a", "b", "0")
    path = write(tmp_path, "glue-qqp", [whole, "5\t6\t7\tWhy?", "\tWho?\t0", whole])
    split = read_glue(path, layout="glue-qqp")
    assert [r["row"] for r in records(split)] == [0, 3]
    assert split.accounting.dropped == {BROKEN_LINE: 2}


def test_a_damaged_qqp_file_is_still_refused(tmp_path: Path) -> None:
    whole = line("glue-qqp", "a", "b", "0")
    many = write(tmp_path, "glue-qqp", [whole, *["1\t2"] * (MAX_BROKEN_LINES + 1)])
    assert refusal(many, "glue-qqp").where == f"{many}:{MAX_BROKEN_LINES + 3}"
    cut = write(tmp_path, "glue-qqp", [whole, "1\t2"])
    cut.write_bytes(cut.read_bytes().rstrip(b"\n"))
    assert refusal(cut, "glue-qqp").where == f"{cut}:3"


def test_a_stray_tab_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "glue-rte", [line("glue-rte", "a\tb", "c", "entailment")])
    error = refusal(path, "glue-rte")
    assert error.where == f"{path}:2"
    assert "5 fields, but the header has 4" in error.found


def test_a_label_outside_the_set_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "glue-qnli", [line("glue-qnli", "a", "b", "Entailment")])
    error = refusal(path, "glue-qnli")
    assert error.where == f"{path}:2"
    assert "label 'Entailment' is not one of entailment, not_entailment" in error.found


def test_withheld_labels_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "glue-sst-2", ["a\t1", "b\t-1"])
    error = refusal(path, "glue-sst-2")
    assert error.where == f"{path}:3"
    assert "withheld" in error.found


def test_a_test_file_without_labels_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "test.tsv"
    path.write_text("index\t#1 ID\t#2 ID\t#1 String\t#2 String\n0\t1\t2\ta\tb\n", encoding="utf-8")
    error = refusal(path, "glue-mrpc")
    assert error.where == f"{path}:1"
    assert "no column 'Quality': the file has no labels" in error.found


def test_columns_of_another_task_are_refused_with_a_hint(tmp_path: Path) -> None:
    path = write(tmp_path, "glue-qnli", [line("glue-qnli", "a", "b", "entailment")])
    error = refusal(path, "glue-rte")
    assert "no column 'sentence1', 'sentence2'" in error.found
    assert "these columns fit glue-qnli" in error.remedy


def test_a_column_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "dev.tsv"
    path.write_text("sentence\tlabel\tlabel\na\t1\t0\n", encoding="utf-8")
    assert "column 'label' stands twice" in refusal(path, "glue-sst-2").found


def test_snli_must_end_in_the_gold_label(tmp_path: Path) -> None:
    path = tmp_path / "dev.tsv"
    path.write_text("gold_label\tsentence1\tsentence2\nneutral\ta\tb\n", encoding="utf-8")
    assert "the last column is 'sentence2'" in refusal(path, "glue-snli").found


@pytest.mark.parametrize("score", ["nan", "NaN", "inf", "-0.1", "5.001", "", "four", "-"])
def test_scores_that_are_no_scores_are_refused(tmp_path: Path, score: str) -> None:
    path = write(tmp_path, "glue-sts-b", [line("glue-sts-b", "a", "b", score)])
    error = refusal(path, "glue-sts-b")
    assert error.where == f"{path}:2"
    assert "is no number from 0 to 5" in error.found


def test_a_header_alone_is_refused(tmp_path: Path) -> None:
    assert "no labelled row" in refusal(write(tmp_path, "glue-rte", []), "glue-rte").found


def test_numbers_are_checked_too() -> None:
    assert check_score(2.5, "here") == 2.5
    with pytest.raises(InputError, match="here: score 'nan'"):
        check_score(math.nan, "here")
