"""Inputs for next-sentence prediction: the second part may be another input's."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunescope.encoders.inputs import Inputs

#: Target of inputs of one part, which cross-entropy leaves out.
NO_TARGET = -100


@dataclass(frozen=True)
class Paired:
    """Inputs of which some have a second part that does not follow their first.

    Attributes:
        inputs: the inputs, in the order asked for.
        follows: 1 where the second part is the input's own, 0 where it is another's, `NO_TARGET`
            where there is none; shape [inputs].
    """

    inputs: Inputs
    follows: npt.NDArray[np.int64]


def exchange_second_parts(
    inputs: Inputs,
    indices: npt.NDArray[np.int64],
    *,
    share: float,
    max_length: int,
    generator: np.random.Generator,
) -> Paired:
    """Give some inputs of a batch the second part of another one (Devlin et al. 2019, section 3.1).

    The other input is drawn from the same batch; where the two would be too long together, or the
    draw falls on the input itself, its own part stays.

    Args:
        inputs: all inputs.
        indices: the batch, shape [batch].
        share: chance that a second part is exchanged.
        max_length: longest input in pieces.
        generator: of all draws.
    """
    starts, stops = inputs.offsets[indices], inputs.offsets[indices + 1]
    breaks = np.array(
        [start + np.count_nonzero(inputs.segments[start:stop] == 0)
         for start, stop in zip(starts, stops, strict=True)]
    )  # fmt: skip
    two_parts = np.flatnonzero(breaks < stops)
    owner = np.arange(len(indices))
    if len(two_parts):
        drawn = generator.choice(two_parts, len(two_parts))
        exchanged = generator.random(len(two_parts)) < share
        lengths = (breaks - starts)[two_parts] + (stops - breaks)[drawn]
        fits = exchanged & (lengths <= max_length)
        owner[two_parts[fits]] = drawn[fits]
    follows = np.full(len(indices), NO_TARGET)
    follows[two_parts] = owner[two_parts] == two_parts
    spans = [
        part
        for own, other in enumerate(owner)
        for part in ((starts[own], breaks[own]), (breaks[other], stops[other]))
    ]
    places = np.concatenate([np.arange(start, stop) for start, stop in spans])
    lengths = np.array([stop - start for start, stop in spans]).reshape(-1, 2).sum(axis=1)
    mixed = Inputs(
        pieces=inputs.pieces[places],
        segments=inputs.segments[places],
        offsets=np.concatenate([[0], np.cumsum(lengths)]),
        truncated=0,
        padding=inputs.padding,
    )
    return Paired(mixed, follows)
