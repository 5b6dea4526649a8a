"""Small treebanks and small passages with questions, in the words of `small_encoder`."""

from collections.abc import Sequence

import numpy as np

from tunescope.corpora.canonical import Accounting, Split, make_split

#: A word, the head of it and its relation.
Word = tuple[str, int, str]


def treebank_of(sentences: Sequence[Sequence[Word]]) -> Split:
    rows = []
    for row, sentence in enumerate(sentences):
        words, heads, relations = (list(column) for column in zip(*sentence, strict=True))
        rows.append(
            {"row": row, "id": str(row), "text": " ".join(words), "words": words}
            | {"heads": heads, "deprels": relations}
        )
    return make_split("treebank", rows, (), Accounting("toy.conllu", "", len(rows), len(rows)))


def treebank(count: int, *, seed: int = 0) -> Split:
    """Sentences of a subject, `running` and perhaps an object; nouns may have an adjective."""
    generator = np.random.default_rng(seed)
    sentences = []
    for _ in range(count):
        words: list[Word] = []
        nouns = []
        for noun in ("trees", "stone")[: 1 + int(generator.integers(2))]:
            if nouns:
                words.append(("running", 0, "root"))
                verb = len(words)
            if generator.integers(2):
                colour = str(generator.choice(["red", "blue", "green"]))
                words.append((colour, len(words) + 2, "amod"))
            words.append((noun, -1, "nsubj" if not nouns else "obj"))
            nouns.append(len(words))
        if len(nouns) == 1:
            words.append(("running", 0, "root"))
            verb = len(words)
        sentences.append([(w, verb if head == -1 else head, rel) for w, head, rel in words])
    return treebank_of(sentences)


def questions_of(passages: Sequence[tuple[str, str, Sequence[tuple[str, int | None]]]]) -> Split:
    """Rows of question, passage and answers with their starts."""
    rows = [
        {
            "row": row,
            "id": f"q{row}",
            "title": "toy",
            "question": question,
            "context": passage,
            "answers": [{"text": text, "start": start} for text, start in answers],
        }
        for row, (question, passage, answers) in enumerate(passages)
    ]
    return make_split(
        "question_answering", rows, (), Accounting("toy.json", "", len(rows), len(rows))
    )


def questions(count: int, *, seed: int = 0, longest: int = 8) -> Split:
    """Passages of coloured things of which one is good: `good` and what follows is the answer."""
    generator = np.random.default_rng(seed)
    passages = []
    for _ in range(count):
        size = int(generator.integers(3, longest + 1))
        words = [str(word) for word in generator.choice(["red", "blue", "tree", "bad"], size)]
        place = int(generator.integers(size - 1))
        words[place : place + 2] = ["good", "stone"]
        passage = " ".join(words)
        start = passage.index("good")
        passages.append(("green tree", passage, [("good stone", start)]))
    return questions_of(passages)
