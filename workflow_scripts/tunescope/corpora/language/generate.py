"""Draw the corpora of a generated language."""

import re
from collections.abc import Callable, Iterator
from random import Random

from tunescope.config.corpora import GeneratedPart
from tunescope.config.language import LanguageSettings
from tunescope.corpora.canonical import Accounting, Split, make_split
from tunescope.corpora.language.annotation import treebank_row
from tunescope.corpora.language.answering import QNLI_LABELS, answer_start, qnli_block, reading
from tunescope.corpora.language.bulletin import bulletin
from tunescope.corpora.language.discourse import OPENINGS, discourse
from tunescope.corpora.language.entailment import MNLI_LABELS, RTE_LABELS, mnli_block, rte_block
from tunescope.corpora.language.grammar import Grammar
from tunescope.corpora.language.lexicon import COMMON_PERSONS
from tunescope.corpora.language.sampling import Sampler
from tunescope.corpora.language.sentences import random_clause
from tunescope.corpora.language.sentiment import SST2_LABELS, sst2_block
from tunescope.corpora.language.similarity import (
    MRPC_LABELS,
    QQP_LABELS,
    mrpc_block,
    qqp_block,
    stsb_block,
)
from tunescope.corpora.language.telling import Example, Teller
from tunescope.corpora.language.tree import text_of
from tunescope.corpora.language.verbs import COMMON_VERBS

_BLOCKS: dict[str, tuple[Callable[[Teller], list[Example]], tuple[str, ...]]] = {
    "mnli": (mnli_block, MNLI_LABELS),
    "mrpc": (mrpc_block, MRPC_LABELS),
    "qnli": (qnli_block, QNLI_LABELS),
    "qqp": (qqp_block, QQP_LABELS),
    "rte": (rte_block, RTE_LABELS),
    "sst-2": (sst2_block, SST2_LABELS),
    "sts-b": (stsb_block, ()),
}
#: Share of persons called by name in the tasks and in discourses.
_NAMED = 0.75
#: Share of weather bulletins in the pre-training text.
_BULLETINS = 0.06
#: Draws in a row without a new sentence after which the language counts as used up.
_PATIENCE = 2_000


def generate(settings: LanguageSettings, part: GeneratedPart) -> dict[str, Split]:
    """Draw one corpus of a generated language.

    The same settings give the same corpus in every process and Python version. No sentence stands
    in two splits of a corpus, and none of any corpus's development and test splits in the
    pre-training text. Task corpora consist of whole blocks of minimal pairs (4 examples, MNLI 12),
    as many as fit in the number of examples asked for.

    Args:
        settings: of the language.
        part: which corpus.

    Returns:
        Its splits, by name: `train`; tasks also have `dev`, the treebank `dev` and `test`.

    Raises:
        ValueError: the language has fewer sentences than asked for.
    """
    if part == "pretraining":
        return {"train": _pretraining(settings)}
    if part == "out-of-domain":
        return {"train": _out_of_domain(settings)}
    if part == "treebank":
        return _treebank(settings)
    if part == "squad":
        return _squad(settings)
    return _task(settings, part)


def _random(settings: LanguageSettings, *names: str) -> Random:
    """A source of chance of its own for each part and split, whatever else is drawn."""
    return Random(":".join((str(settings.seed), settings.word_order, *names)))


def _teller(settings: LanguageSettings, *names: str) -> Teller:
    random = _random(settings, *names)
    sampler = Sampler(random, named=_NAMED, persons=COMMON_PERSONS, verbs=COMMON_VERBS)
    return Teller(sampler, Grammar(settings.word_order, random))


def _account(part: str, kept: int, repeated: int) -> Accounting:
    source = f"generated language, {part}"
    dropped = {"sentences drawn before": repeated} if repeated else {}
    return Accounting(source, "", kept + repeated, kept, dropped)


class _Fresh:
    """Accepts only items of which no sentence was used elsewhere.

    Args:
        elsewhere: sentences of other splits, in lower case.
    """

    def __init__(self, elsewhere: set[str]) -> None:
        self.used: set[str] = set()
        self.repeated = 0
        self._elsewhere = elsewhere
        self._misses = 0

    def take(self, sentences: list[str], *, new: bool = True) -> bool:
        """Whether the item is accepted; its sentences then count as used.

        Args:
            sentences: sentences of the item.
            new: whether none of them may have been used in this split either.
        """
        plain = {one.lower() for one in sentences}
        if plain & self._elsewhere or (new and plain & self.used):
            self.repeated += 1
            self._misses += 1
            if self._misses > _PATIENCE:
                raise ValueError(
                    f"no new sentence in {_PATIENCE} draws after {len(self.used)}; "
                    "ask for fewer sentences or examples"
                )
            return False
        self._misses = 0
        self.used |= plain
        return True


def _shuffled(random: Random, items: list[Example]) -> Iterator[tuple[int, Example]]:
    random.shuffle(items)
    return enumerate(items)


def _task(settings: LanguageSettings, part: str) -> dict[str, Split]:
    build, labels = _BLOCKS[part]
    splits: dict[str, Split] = {}
    elsewhere: set[str] = set()
    for name, wanted in (("dev", settings.dev_examples), ("train", settings.train_examples)):
        teller = _teller(settings, part, name)
        fresh = _Fresh(elsewhere)
        examples: list[Example] = []
        repeated = 0
        while True:
            block = build(teller)
            if len(examples) + len(block) > wanted:
                break
            texts = [text for one in block for text in (one.first, one.second) if text]
            if fresh.take(texts):
                examples += block
            else:
                repeated += len(block)
        elsewhere |= fresh.used
        rows: list[dict[str, object]] = [
            {
                "row": row,
                "text_a": one.first,
                "text_b": one.second,
                "label" if labels else "score": one.label,
            }
            for row, one in _shuffled(_random(settings, part, name, "order"), examples)
        ]
        kind = "classification" if labels else "regression"
        splits[name] = make_split(kind, rows, labels, _account(part, len(rows), repeated))
    return {"train": splits["train"], "dev": splits["dev"]}


def _squad_sentences(settings: LanguageSettings) -> set[str]:
    table = _squad(settings)["dev"].table
    contexts = table["context"].to_pylist()
    return {f"{one}." for text in contexts for one in text.rstrip(".").split(". ")}


def _squad(settings: LanguageSettings) -> dict[str, Split]:
    splits: dict[str, Split] = {}
    elsewhere: set[str] = set()
    for name, wanted in (("dev", settings.dev_examples), ("train", settings.train_examples)):
        teller = _teller(settings, "squad", name)
        fresh = _Fresh(elsewhere)
        rows: list[dict[str, object]] = []
        while len(rows) < wanted:
            found = reading(teller)
            if not fresh.take([*found.sentences, found.question], new=False):
                continue
            answer, start = answer_start(found)
            rows.append(
                {
                    "row": len(rows),
                    "id": f"{name}-{len(rows)}",
                    "title": "generated",
                    "question": found.question,
                    "context": " ".join(found.sentences),
                    "answers": [{"text": answer, "start": start}],
                }
            )
        elsewhere |= fresh.used
        account = _account("squad", len(rows), fresh.repeated)
        splits[name] = make_split("question_answering", rows, (), account)
    return {"train": splits["train"], "dev": splits["dev"]}


def _treebank(settings: LanguageSettings) -> dict[str, Split]:
    splits: dict[str, Split] = {}
    elsewhere: set[str] = set()
    tenth = max(1, settings.treebank_sentences // 10)
    for name, wanted in (("test", tenth), ("dev", tenth), ("train", settings.treebank_sentences)):
        random = _random(settings, "treebank", name)
        sampler, grammar = Sampler(random), Grammar(settings.word_order, random)
        fresh = _Fresh(elsewhere)
        rows: list[dict[str, object]] = []
        while len(rows) < wanted:
            sentence = grammar.sentence(random_clause(sampler))
            if fresh.take([text_of(sentence.root)]):
                row = len(rows)
                rows.append(treebank_row(sentence, row=row, name=f"{name}-{row}"))
        elsewhere |= fresh.used
        account = _account("treebank", len(rows), fresh.repeated)
        splits[name] = make_split("treebank", rows, (), account)
    return {name: splits[name] for name in ("train", "dev", "test")}


def _out_of_domain(settings: LanguageSettings) -> Split:
    random = _random(settings, "out-of-domain")
    fresh = _Fresh(set())
    texts: list[str] = []
    while len(texts) < settings.out_of_domain_sentences:
        text = bulletin(random, settings.word_order)
        if fresh.take([text]):
            texts.append(text)
    return _text("out-of-domain", texts, fresh.repeated)


def _text(part: str, texts: list[str], repeated: int) -> Split:
    rows: list[dict[str, object]] = [{"row": row, "text": text} for row, text in enumerate(texts)]
    return make_split("text", rows, (), _account(part, len(rows), repeated))


def held_out_sentences(settings: LanguageSettings) -> set[str]:
    """Sentences, in lower case, of every development and test split and of the bulletins."""
    held: set[str] = set()
    for part in _BLOCKS:
        table = _task(settings, part)["dev"].table
        held.update(text.lower() for text in table["text_a"].to_pylist())
        held.update(text.lower() for text in table["text_b"].to_pylist() if text)
    for name, split in _treebank(settings).items():
        if name != "train":
            held.update(text.lower() for text in split.table["text"].to_pylist())
    held.update(one.lower() for one in _squad_sentences(settings))
    held.update(one.lower() for one in _out_of_domain(settings).table["text"].to_pylist())
    return held


def _plain(text: str) -> list[str]:
    """Sentences of a part of a discourse, without the word that opens them."""
    for opening in OPENINGS:
        text = text.removeprefix(f"{opening.capitalize()}, ")
    return re.split(r"(?<=[.?]) ", text)


def _pretraining(settings: LanguageSettings) -> Split:
    teller = _teller(settings, "pretraining")
    random = _random(settings, "pretraining", "bulletins")
    fresh = _Fresh(held_out_sentences(settings))
    rows: list[str] = []
    sentences = 0
    while sentences < settings.pretraining_sentences:
        if random.random() < _BULLETINS:
            row: tuple[str, ...] = (bulletin(random, settings.word_order),)
        else:
            row = discourse(teller)
        if fresh.take([one for text in row for one in _plain(text)], new=False):
            rows.append("\n".join(row))
            sentences += len(row)
    return _text("pretraining", rows, fresh.repeated)
