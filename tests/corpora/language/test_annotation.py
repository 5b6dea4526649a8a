"""Annotations of the treebank, under every word order."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunescope.config.language import WordOrder
from tunescope.corpora.language.annotation import treebank_row
from tunescope.corpora.language.grammar import Grammar
from tunescope.corpora.language.lexicon import PRONOUNS
from tunescope.corpora.language.meaning import GAP, Adjunct, Clause, Nominal
from tunescope.corpora.language.properties import PROPERTIES
from tunescope.corpora.language.sampling import Sampler
from tunescope.corpora.language.sentences import random_clause

ORDERS: tuple[WordOrder, ...] = ("subject-verb-object", "verb-final", "free")
CHASE = Clause("chase", Nominal("guard", adjectives=("old",)), Nominal("cook"))


def row_of(
    clause: Clause, order: WordOrder = "subject-verb-object", seed: int = 0
) -> dict[str, Any]:
    return treebank_row(Grammar(order, Random(seed)).sentence(clause), row=0, name="x")


def random_row(seed: int, order: WordOrder) -> dict[str, Any]:
    random = Random(seed)
    sentence = Grammar(order, random).sentence(random_clause(Sampler(random)))
    return treebank_row(sentence, row=0, name="x")


def covered(row: dict[str, Any], span: dict[str, int]) -> str:
    return " ".join(row["words"][span["start"] : span["end"]])


def roles(row: dict[str, Any]) -> dict[tuple[str, str], str]:
    return {
        (covered(row, one["span1"]), one["labels"][0]): covered(row, one["span2"])
        for one in row["semantic_roles"]
    }


def yield_of(heads: list[int], word: int) -> list[int]:
    found = [word]
    for place in found:
        found += [other for other, head in enumerate(heads) if head == place + 1]
    return sorted(found)


@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_every_tree_is_rooted_projective_and_agrees_with_its_brackets(
    order: WordOrder, seed: int
) -> None:
    row = random_row(seed, order)
    words, heads = row["words"], row["heads"]
    assert heads.count(0) == 1
    assert row["deprels"][heads.index(0)] == "root"
    assert row["deprels"].count("root") == 1
    for place in range(len(words)):
        dependents = yield_of(heads, place)  # would not end on a cycle away from the root
        assert dependents == list(range(dependents[0], dependents[-1] + 1))
    assert len(yield_of(heads, heads.index(0))) == len(words)
    spans = [(one["span1"]["start"], one["span1"]["end"]) for one in row["constituents"]]
    assert spans[0] == (0, len(words))
    for start, end in spans:
        assert 0 <= start < end <= len(words)
        for other, stop in spans:  # brackets nest
            assert (
                end <= other
                or stop <= start
                or (start <= other and stop <= end)
                or (other <= start and end <= stop)
            )
        # a constituent hangs on the rest by one arc
        leaving = [p for p in range(start, end) if not start < heads[p] <= end]
        assert len(leaving) == 1


@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_every_span_lies_within_its_sentence(order: WordOrder, seed: int) -> None:
    row = random_row(seed, order)
    size = len(row["words"])
    assert size == len(row["upos"]) == len(row["xpos"]) == len(row["deprels"])
    targets = [
        one
        for name in ("entities", "semantic_roles", "proto_roles", "coreference", "relations")
        for one in row[name]
    ]
    for one in targets:
        for span in (one["span1"], one["span2"]):
            assert span is None or 0 <= span["start"] < span["end"] <= size
    for one in (*row["semantic_roles"], *row["relations"], *row["coreference"]):
        assert one["span1"] != one["span2"]
        assert len(one["labels"]) == 1
    for one in row["proto_roles"]:
        assert set(one["labels"]) <= set(PROPERTIES)
        assert one["span1"]["end"] - one["span1"]["start"] == 1
        assert one["span2"]["end"] - one["span2"]["start"] == 1
    for frame in row["frames"]:
        assert frame["target"]["end"] == frame["target"]["start"] + 1
        for element in frame["elements"]:
            assert 0 <= element["span"]["start"] < element["span"]["end"] <= size


@pytest.mark.parametrize("order", ORDERS)
def test_the_text_spells_the_words(order: WordOrder) -> None:
    for seed in range(200):
        row = random_row(seed, order)
        assert row["text"].replace(" ", "") == "".join(row["words"])
        assert row["text"][0].isupper()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("passive", [False, True])
def test_roles_are_the_same_in_every_order_and_voice(order: WordOrder, passive: bool) -> None:
    clause = Clause("chase", CHASE.subject, CHASE.object, passive=passive, negation="never")
    for seed in range(5):
        found = {
            label: span.lower().replace(" ga", "").replace(" wo", "").replace("by ", "")
            for (_, label), span in roles(row_of(clause, order, seed)).items()
        }
        assert found == {"ARG0": "the old guard", "ARG1": "the cook", "ARGM-NEG": "never"}


def test_word_orders_place_the_verb() -> None:
    assert row_of(CHASE)["text"] == "The old guard chased the cook."
    assert row_of(CHASE, "verb-final")["text"] == "The old guard the cook chased."
    free = {row_of(CHASE, "free", seed)["text"] for seed in range(100)}
    assert len(free) == 6
    assert all("guard ga" in text and "cook wo" in text for text in free)


def test_a_question_fronts_its_word_in_english_alone() -> None:
    where = Clause(
        "chase", CHASE.subject, CHASE.object,
        adjuncts=(Adjunct("place", adverb="where"),), question=True,
    )  # fmt: skip
    assert row_of(where)["text"] == "Where did the old guard chase the cook?"
    assert row_of(where, "verb-final")["text"] == "The old guard where the cook did chase?"
    asked = Clause("chase", Nominal("who", ""), CHASE.object, passive=True, question=True)
    assert row_of(asked)["text"] == "By whom was the cook chased?"


def test_a_relative_clause_fills_its_gap() -> None:
    inner = Clause("chase", Nominal("cook"), GAP)
    row = row_of(Clause("sleep", Nominal("guard", relative=inner)))
    assert row["text"] == "The guard who the cook chased slept."
    assert roles(row)["chased", "ARG1"] == "The guard"
    assert roles(row)["chased", "R-ARG1"] == "who"
    assert roles(row)["slept", "ARG0"] == "The guard who the cook chased"
    assert row["deprels"][row["words"].index("chased")] == "acl:relcl"
    assert row["deprels"][row["words"].index("who")] == "obj"


def test_pronouns_corefer_with_what_they_stand_for() -> None:
    mark = Nominal("Mark", "", referent=1)
    nun = Nominal("nun", referent=2)
    inner = Clause("help", Nominal("Mark", pronoun="m", referent=1), nun)
    row = row_of(Clause("say", mark, inner))
    assert row["text"] == "Mark said that he helped the nun."
    pairs = {
        (covered(row, one["span1"]), covered(row, one["span2"])): one["labels"][0]
        for one in row["coreference"]
    }
    assert pairs == {("Mark", "he"): "1", ("Mark", "the nun"): "0", ("he", "the nun"): "0"}


def test_ambiguous_words_are_tagged_by_their_use() -> None:
    row = row_of(
        Clause("guard", Nominal("guard"), Nominal("Will", ""), tense="future", negation="not")
    )
    assert row["text"] == "The guard will not guard Will."
    assert row["upos"] == ["DET", "NOUN", "AUX", "PART", "VERB", "PROPN", "PUNCT"]
    assert row["xpos"] == ["DT", "NN", "MD", "RB", "VB", "NNP", "."]


def test_relations_are_directed_from_the_first_nominal() -> None:
    tea = Nominal(
        "cup", "a", attribute=("of", Nominal("tea", "")), relation="Content-Container(e2,e1)"
    )
    row = row_of(Clause("see", Nominal("guard"), tea))
    assert [(covered(row, one["span1"]), covered(row, one["span2"]), one["labels"]) for one in
            row["relations"]] == [("cup", "tea", ["Content-Container(e2,e1)"])]  # fmt: skip
    baked = Clause("bake", Nominal("baker"), Nominal("cake", "a"))
    assert row_of(baked)["relations"][0]["labels"] == ["Product-Producer(e2,e1)"]
    passive = Clause("bake", Nominal("baker"), Nominal("cake", "a"), passive=True)
    assert row_of(passive)["relations"][0]["labels"] == ["Product-Producer(e1,e2)"]


def test_entities_depend_on_context() -> None:
    bank = Nominal("bank", "", name="Grace")
    row = row_of(
        Clause(
            "visit",
            Nominal("Grace", ""),
            bank,
            adjuncts=(Adjunct("time", "in", Nominal("May", "")),),
        )
    )
    assert row["text"] == "Grace visited Grace Bank in May."
    assert [(covered(row, one["span1"]), one["labels"][0]) for one in row["entities"]] == [
        ("Grace", "PERSON"),
        ("Grace Bank", "ORG"),
        ("May", "DATE"),
    ]


def test_frames_name_core_elements() -> None:
    give = Clause(
        "give", Nominal("Rose", ""), Nominal("book", "a"), recipient=Nominal("Mark", ""),
        dative=False, adjuncts=(Adjunct("place", "in", Nominal("garden")),),
    )  # fmt: skip
    row = row_of(give)
    frame = row["frames"][0]
    assert (frame["frame"], covered(row, frame["target"])) == ("Giving", "gave")
    assert {(one["name"], covered(row, one["span"]), one["core"]) for one in frame["elements"]} == {
        ("Donor", "Rose", True),
        ("Recipient", "Mark", True),
        ("Theme", "a book", True),
        ("Place", "in the garden", False),
    }


def test_the_treebank_shows_what_attention_is_asked_about() -> None:
    """Subjects, objects, negation, pronouns and passives, in hundreds of sentences."""
    relations: set[str] = set()
    words: set[str] = set()
    for seed in range(1500):
        row = random_row(seed, "subject-verb-object")
        relations.update(row["deprels"])
        words.update(word.lower() for word in row["words"])
    assert {
        "nsubj", "nsubj:pass", "obj", "iobj", "obl", "obl:agent", "aux", "aux:pass", "cop", "ccomp",
        "advcl", "acl:relcl", "amod", "nmod", "nmod:poss", "conj", "cc", "expl", "case", "det",
        "nummod", "compound", "mark", "advmod", "punct", "root",
    } <= relations  # fmt: skip
    assert {"not", "never", "no", "nobody", "n't"} <= words
    assert {PRONOUNS["m"][0], PRONOUNS["f"][1], PRONOUNS["m"][2]} <= words
