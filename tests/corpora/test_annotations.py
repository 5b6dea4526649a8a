import pytest

from tunescope.corpora.annotations import bare_label, mention_pairs, target, unescape


def test_every_pair_of_mentions_is_a_target() -> None:
    found = mention_pairs([((4, 5), "b"), ((0, 2), "a"), ((3, 4), "a")])
    assert found == [
        target((0, 2), (3, 4), ["1"]),
        target((0, 2), (4, 5), ["0"]),
        target((3, 4), (4, 5), ["0"]),
    ]
    assert mention_pairs([((0, 1), "a")]) == []


@pytest.mark.parametrize(
    ("label", "bare"),
    [
        ("NP-SBJ", "NP"),
        ("PP-LOC-PRD", "PP"),
        ("NP=2", "NP"),
        ("S", "S"),
        ("-NONE-", "-NONE-"),
    ],
)
def test_function_tags_are_cut(label: str, bare: str) -> None:
    assert bare_label(label) == bare


def test_brackets_are_written_again() -> None:
    assert [unescape(word) for word in ("-LRB-", "-RCB-", "word")] == ["(", "}", "word"]
