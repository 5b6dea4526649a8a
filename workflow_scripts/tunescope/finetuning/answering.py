"""Question answering on passages (SQuAD v1.1): a head that marks the answer's first and last piece.

Devlin et al. (2019, section 4.2): the score of a span is that of its start plus that of its end; a
window without the answer points to [CLS].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from transformers import PreTrainedTokenizerFast

from tunescope.corpora.canonical import Split
from tunescope.encoders.load import Encoder
from tunescope.errors import InputError
from tunescope.finetuning.answers import Answers
from tunescope.finetuning.forward import head_scores
from tunescope.finetuning.protocol import Examples
from tunescope.finetuning.windows import Windows, make_windows, pieces_of_answer


class SpanHead(nn.Module):
    """One linear layer on each piece's state: scores of being the answer's start and its end."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.linear = nn.Linear(hidden, 2)

    def forward(
        self, states: torch.Tensor, pooled: torch.Tensor, mask: torch.Tensor
    ) -> torch.Tensor:
        """Scores, shape [inputs, length, 2]; the lowest number where padded."""
        scores: torch.Tensor = self.linear(states)
        return scores.masked_fill(mask[:, :, None] == 0, torch.finfo(scores.dtype).min)


@dataclass(frozen=True)
class AnsweringTask:
    """Questions whose answer is a span of a passage.

    Attributes:
        stride: pieces between the starts of two windows of a long passage.
        max_query: longest question in pieces.
        max_answer: longest predicted answer in pieces.
    """

    stride: int
    max_query: int
    max_answer: int

    @property
    def kind(self) -> str:
        """Kind of corpus."""
        return "question_answering"

    def examples(
        self, split: Split, tokenizer: PreTrainedTokenizerFast, *, max_length: int
    ) -> Examples:
        """Turn questions into windows with the first and last piece of the answer.

        The answer is a question's first one with an offset. A window that holds it in part only
        counts as one without it, and points to [CLS], position 0.

        Raises:
            InputError: no corpus of questions, an answer that does not stand at its offset or
                touches no piece, no answer with an offset, or what `make_windows` refuses.
        """
        windows = self._windows(split, tokenizer, max_length)
        source = split.accounting.source
        rows = split.table["row"].to_numpy()
        gold = []
        for place, (passage, answers) in enumerate(
            zip(split.table["context"].to_pylist(), split.table["answers"].to_pylist(), strict=True)
        ):
            where = f"{source}, row {rows[place]}"
            start, end = _first_span(passage, answers, where)
            touched = pieces_of_answer(windows.spans[place], start, end)
            if touched is None:
                raise InputError(
                    where,
                    f"answer {passage[start:end]!r} has no word piece",
                    "Give an answer that has words",
                )
            gold.append(touched)
        bounds = np.array(gold, dtype=np.int64)[windows.questions] - windows.firsts[:, None]
        inside = (bounds[:, 0] >= 0) & (bounds[:, 1] < windows.counts)
        targets = np.where(inside[:, None], bounds + windows.places[:, None], 0)
        return Examples(
            windows.inputs,
            {"start": targets[:, 0], "end": targets[:, 1]},
            rows[windows.questions],
        )

    def head(self, hidden: int, dropout: float) -> SpanHead:
        """Make the head; Devlin et al. put no dropout before it."""
        del dropout
        return SpanHead(hidden)

    def loss(self, scores: torch.Tensor, targets: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """Mean of the cross-entropies of start and end."""
        scores = scores.float()
        losses = [
            nn.functional.cross_entropy(scores[:, :, place], targets[name])
            for place, name in enumerate(("start", "end"))
        ]
        return (losses[0] + losses[1]) / 2

    def describe(self) -> dict[str, Any]:
        """Kind and limits."""
        return {
            "kind": self.kind,
            "stride": self.stride,
            "max_query": self.max_query,
            "max_answer": self.max_answer,
        }

    def predict(
        self,
        encoder: Encoder,
        heads: Sequence[nn.Module],
        split: Split,
        *,
        max_length: int,
        batch_size: int,
    ) -> Answers:
        """Answer a split's questions with one or several heads on the same encoder.

        The answer is the best span of all windows, the earliest of equals; [CLS] is none, since
        each question has an answer in its passage. The text is the passage's own, from the first
        piece's first code point to the last piece's last.

        Raises:
            InputError: no corpus of questions, or what `make_windows` refuses.
        """
        windows = self._windows(split, encoder.tokenizer, max_length)
        shape = (len(heads), len(windows.questions))
        spans = np.zeros((*shape, 2), dtype=np.int64)
        best = np.zeros(shape)
        for indices, head, scores in head_scores(
            encoder.model, heads, windows.inputs, batch_size=batch_size
        ):
            for window, values in zip(indices, scores, strict=True):
                start = windows.places[window]
                part = values[start : start + windows.counts[window]]
                first, last, score = best_span(part[:, 0], part[:, 1], longest=self.max_answer)
                spans[head, window] = np.array([first, last]) + windows.firsts[window]
                best[head, window] = score
        return self._answers(split, windows, spans, best)

    def _answers(
        self,
        split: Split,
        windows: Windows,
        spans: npt.NDArray[np.int64],
        best: npt.NDArray[np.float64],
    ) -> Answers:
        passages = split.table["context"].to_pylist()
        bounds = np.searchsorted(windows.questions, np.arange(len(passages) + 1))
        starts = np.zeros((len(best), len(passages)), dtype=np.int64)
        scores = np.zeros((len(best), len(passages)), dtype=np.float32)
        texts = []
        for head in range(len(best)):
            found = []
            for place, passage in enumerate(passages):
                window = bounds[place] + int(best[head, bounds[place] : bounds[place + 1]].argmax())
                first, last = spans[head, window]
                start, end = windows.spans[place][first, 0], windows.spans[place][last, 1]
                found.append(passage[start:end])
                starts[head, place], scores[head, place] = start, best[head, window]
            texts.append(tuple(found))
        return Answers(
            rows=split.table["row"].to_numpy(),
            ids=tuple(split.table["id"].to_pylist()),
            golds=tuple(
                tuple(answer["text"] for answer in answers)
                for answers in split.table["answers"].to_pylist()
            ),
            texts=tuple(texts),
            starts=starts,
            scores=scores,
            origin={
                "inputs_sha256": windows.inputs.sha256(),
                "truncated": windows.cut_questions,
                "windows": len(windows.questions),
                "passages_in_several_windows": windows.long_passages,
            },
        )

    def _windows(
        self, split: Split, tokenizer: PreTrainedTokenizerFast, max_length: int
    ) -> Windows:
        if split.kind != self.kind or split.table.num_rows == 0:
            raise InputError(
                split.accounting.source,
                f"{split.table.num_rows} rows of kind {split.kind}",
                f"This task needs a corpus of kind {self.kind} with at least one row",
            )
        return make_windows(
            split, tokenizer, max_length=max_length, stride=self.stride, max_query=self.max_query
        )


def best_span(
    starts: npt.NDArray[np.floating[Any]], ends: npt.NDArray[np.floating[Any]], *, longest: int
) -> tuple[int, int, float]:
    """The span with the highest sum of start and end score, the earliest of equals.

    Args:
        starts: score of each piece as the first, shape [pieces].
        ends: score of each piece as the last, shape [pieces].
        longest: pieces of the longest span allowed.

    Returns:
        First and last piece, and the score.
    """
    longest = min(longest, len(starts))
    padded = np.concatenate([ends.astype(np.float64), np.full(longest - 1, -np.inf)])
    reach = np.lib.stride_tricks.sliding_window_view(padded, longest)
    lasts = reach.argmax(axis=1)
    scores = starts.astype(np.float64) + reach[np.arange(len(starts)), lasts]
    first = int(scores.argmax())
    return first, first + int(lasts[first]), float(scores[first])


def _first_span(
    passage: str, answers: Sequence[Mapping[str, Any]] | None, where: str
) -> tuple[int, int]:
    """Start and end of the first answer with an offset, in code points of the passage."""
    for answer in answers or ():
        start, text = answer["start"], answer["text"]
        if start is None:
            continue
        if not text or start < 0 or passage[start : start + len(text)] != text:
            raise InputError(
                where,
                f"answer {text!r} does not stand at code point {start} of its passage",
                "Count offsets in Unicode code points of the passage as it is",
            )
        return start, start + len(text)
    raise InputError(
        where, "no answer with an offset", "Train on questions that say where their answer stands"
    )
