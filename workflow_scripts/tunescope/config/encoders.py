"""Settings of the encoders (`encoders:`)."""

import re
from typing import Self

from pydantic import Field, field_validator, model_validator

from tunescope.config.base import Settings

_SHA256 = re.compile(r"[0-9a-f]{64}")


class PretrainHere(Settings):
    """An encoder pre-trained on a generated language."""

    language: str
    """A name under `languages`."""
    seed: int = Field(ge=0)
    """Pre-training seed: initial weights, order of the text and masking."""


class EncoderSettings(Settings):
    """One encoder: exactly one of `hub`, `path`, `wheel`, `pretrain`."""

    hub: str | None = None
    """Repository id on the hub, such as `google-bert/bert-base-uncased`; needs `revision`."""
    revision: str | None = None
    """Commit of the hub repository; a branch or tag works too, but may be another one tomorrow."""
    path: str | None = None
    """Folder with config.json, tokenizer files and weights; relative paths start at `data_root`."""
    wheel: str | None = None
    """`name==version` of a package that carries the encoder; needs `sha256`."""
    sha256: str | None = None
    """SHA-256 of the weights' file (hub and path: checked where given)."""
    pretrain: PretrainHere | None = None
    """Pre-trained here by masked language modelling, with the settings of `pretraining`."""
    pretraining_seed: int | None = None
    """Pre-training seed to print in tables, for a family that differs by it (MultiBERTs)."""
    seeds: tuple[int, ...] = ()
    """Fine-tuning seeds of this encoder; those of `seeds` if empty."""
    seen_tasks: tuple[str, ...] = ()
    """Tasks whose text the encoder's pre-training has seen; their results carry a note."""

    @field_validator("sha256")
    @classmethod
    def _is_sha256(cls, value: str | None) -> str | None:
        if value is not None and not _SHA256.fullmatch(value):
            raise ValueError(f"{value!r} is no SHA-256 (64 hexadecimal digits in lower case)")
        return value

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        origins = [name for name in ("hub", "path", "wheel", "pretrain") if getattr(self, name)]
        if len(origins) != 1:
            raise ValueError(
                f"give exactly one of hub, path, wheel, pretrain; found {origins or 'none'}"
            )
        if self.hub and not self.revision:
            raise ValueError(f"hub: {self.hub} needs revision: the commit to use")
        if self.wheel and not self.sha256:
            raise ValueError(f"wheel: {self.wheel} needs sha256: the hash of its weights")
        if self.wheel and "==" not in self.wheel:
            raise ValueError(f"wheel: {self.wheel!r} must name a version, as in name==1.0")
        return self
