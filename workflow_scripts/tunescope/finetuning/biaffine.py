"""The parser's head: biaffine scores of words that are the mean of their pieces.

merchant2020 feeds the encoder's states to a biaffine classifier like Dozat and Manning's (2017):
two perceptrons each for arcs and for labels and a bilinear form of the two, without a recurrent
layer. The root is represented by the state of [CLS].
"""

import torch
from torch import nn

#: Slope of the leaky ReLU for negative values (Dozat and Manning 2017, released code).
SLOPE = 0.1


class Biaffine(nn.Module):
    """Bilinear form of dependents and heads, with a bias for either side or both."""

    def __init__(self, size: int, outputs: int, *, head_bias: bool) -> None:
        """Make the form.

        Args:
            size: width of the vectors.
            outputs: numbers for each pair.
            head_bias: also score dependents by themselves; heads always are.
        """
        super().__init__()
        self.head_bias = head_bias
        self.weight = nn.Parameter(torch.zeros(outputs, size + 1, size + head_bias))

    def forward(self, dependents: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        """Scores [inputs, dependents, heads, outputs] of vectors [inputs, number, size]."""
        dependents = _with_one(dependents)
        if self.head_bias:
            heads = _with_one(heads)
        left = torch.einsum("bdi,oij->bdoj", dependents, self.weight)
        return torch.einsum("bdoj,bhj->bdho", left, heads)


class ParserHead(nn.Module):
    """Scores of every arc and of every label of it."""

    def __init__(self, hidden: int, labels: int, arc: int, label: int, dropout: float) -> None:
        """Make the head.

        Args:
            hidden: width of the encoder's states.
            labels: number of labels.
            arc: width of the vectors that score arcs.
            label: width of the vectors that score labels.
            dropout: dropout on these vectors.
        """
        super().__init__()
        self.arc_dependent = _perceptron(hidden, arc, dropout)
        self.arc_head = _perceptron(hidden, arc, dropout)
        self.label_dependent = _perceptron(hidden, label, dropout)
        self.label_head = _perceptron(hidden, label, dropout)
        self.arc = Biaffine(arc, 1, head_bias=False)
        self.label = Biaffine(label, labels, head_bias=True)

    def forward(
        self, states: torch.Tensor, pooled: torch.Tensor, mask: torch.Tensor, words: torch.Tensor
    ) -> torch.Tensor:
        """Score all arcs.

        Args:
            states: shape [inputs, length, hidden].
            pooled: not used.
            mask: not used: padding belongs to no word.
            words: word of each piece, NO_WORD for none, shape [inputs, length].

        Returns:
            Shape [inputs, words, words + 1, 1 + labels]: for each word and each head, 0 the root
            and h word h, the score of the arc and then those of its labels. The arc's score is the
            lowest number where the head is no word of the input.
        """
        vectors, present = mean_of_pieces(states, words)
        root = states[:, :1]
        heads = torch.cat([root, vectors], dim=1)
        arcs = self.arc(self.arc_dependent(vectors), self.arc_head(heads))
        labels = self.label(self.label_dependent(vectors), self.label_head(heads))
        possible = nn.functional.pad(present, (1, 0), value=True)[:, None, :, None]
        arcs = arcs.masked_fill(~possible, torch.finfo(arcs.dtype).min)
        return torch.cat([arcs, labels], dim=-1)


def mean_of_pieces(states: torch.Tensor, words: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Vectors of words as the mean of their pieces' states.

    Args:
        states: shape [inputs, length, hidden].
        words: word of each piece, NO_WORD for none, shape [inputs, length].

    Returns:
        Vectors, shape [inputs, words, hidden], 0 where an input has fewer words; and which words
        are there, shape [inputs, words].
    """
    numbers = torch.arange(int(words.max()) + 1, device=words.device)
    member = words[:, None, :] == numbers[None, :, None]
    counts = member.sum(dim=2, keepdim=True)
    # A product, since scattered sums would come out in another order from run to run.
    vectors = (member.to(states.dtype) @ states) / counts.clamp(min=1)
    return vectors, counts.squeeze(2) > 0


def _perceptron(inputs: int, outputs: int, dropout: float) -> nn.Module:
    return nn.Sequential(nn.Linear(inputs, outputs), nn.LeakyReLU(SLOPE), nn.Dropout(dropout))


def _with_one(vectors: torch.Tensor) -> torch.Tensor:
    return nn.functional.pad(vectors, (0, 1), value=1.0)
