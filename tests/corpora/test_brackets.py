import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunescope.corpora.brackets import BracketError, labelled_spans, mentions


def test_spans_in_the_order_in_which_they_open() -> None:
    cells = ["(TOP(S(NP*)", "(VP*", "(NP*", "*)))", "*))".replace("))", ")")]
    assert labelled_spans(cells) == [
        ("TOP", (0, 5)),
        ("S", (0, 4)),
        ("NP", (0, 1)),
        ("VP", (1, 4)),
        ("NP", (2, 4)),
    ]
    assert labelled_spans(["(ARG0*)", "(V*)", "*"]) == [("ARG0", (0, 1)), ("V", (1, 2))]
    assert labelled_spans(["*", "(GPE)"]) == [("GPE", (1, 2))]


@st.composite
def nested(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Nested spans over ten words, outer ones first."""
    spans: list[tuple[int, int]] = []

    def inside(start: int, end: int, depth: int) -> None:
        while start < end and depth and draw(st.booleans()):
            left = draw(st.integers(start, end - 1))
            right = draw(st.integers(left + 1, end))
            spans.append((left, right))
            inside(left, right, depth - 1)
            start = right

    inside(0, 10, 4)
    return spans


@given(nested())
def test_reads_back_what_was_written(spans: list[tuple[int, int]]) -> None:
    cells = [
        "".join(f"(X{n}" for n, (start, _) in enumerate(spans) if start == word)
        + "*"
        + ")" * sum(end == word + 1 for _, end in spans)
        for word in range(10)
    ]
    assert labelled_spans(cells) == [(f"X{n}", span) for n, span in enumerate(spans)]


@pytest.mark.parametrize(
    ("cells", "word", "found"),
    [
        (["(NP*", "*"], 0, "the bracket of NP is not closed"),
        (["*", "*)"], 1, "closes a bracket that is not open"),
        (["*", "NP*"], 1, "is no cell of brackets"),
        (["*", ""], 1, "is no cell of brackets"),
    ],
)
def test_brackets_that_do_not_match(cells: list[str], word: int, found: str) -> None:
    with pytest.raises(BracketError, match=found) as caught:
        labelled_spans(cells)
    assert caught.value.word == word


def test_mentions_may_cross_and_nest() -> None:
    cells = ["(1|(2", "(3)", "1)", "2)", "-", "(2(2", "2)2)"]
    assert mentions(cells, "-") == [
        ((0, 3), "1"),
        ((0, 4), "2"),
        ((1, 2), "3"),
        ((5, 7), "2"),
        ((5, 7), "2"),
    ]
    assert mentions(["(1", "1)(2)", "_"], "_") == [((0, 2), "1"), ((1, 2), "2")]


@pytest.mark.parametrize(
    ("cells", "word", "found"),
    [
        (["(1", "-"], 0, "mention 1 is not closed"),
        (["-", "1)"], 1, "closes mention 1, which is not open"),
        (["-", "1"], 1, "is no cell of mentions"),
        (["-", "(1)x"], 1, "is no cell of mentions"),
    ],
)
def test_mentions_that_do_not_match(cells: list[str], word: int, found: str) -> None:
    with pytest.raises(BracketError, match=found) as caught:
        mentions(cells, "-")
    assert caught.value.word == word
