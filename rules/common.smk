# Functions that the rules share: the settings, the names, and what makes an output stale.
import json
import re
import shlex
import sys
import time
from functools import cache
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(workflow.basedir, "workflow_scripts")))

from tunescope.config.availability import not_run
from tunescope.config.root import parse_config
from tunescope.errors import InputError
from tunescope.provenance.code import code_fingerprint
from tunescope.provenance.currency import Currency, Step
from tunescope.provenance.records import by_name
from tunescope.runs import Runs, encoder_files
from tunescope.settings_of import SettingsOf

SCRIPTS = Path(workflow.basedir, "workflow_scripts")

# Snakemake puts this path into shell commands as it stands: a space in it would end the command.
if Path(sys.executable).exists():
    sys.executable = shlex.quote(sys.executable)

try:
    CONFIG = parse_config(config)
    RUNS = Runs(CONFIG, not_run(CONFIG))
except InputError as error:
    raise WorkflowError(str(error)) from None

SETTINGS = SettingsOf(CONFIG, RUNS)

for item in RUNS.not_run if workflow.is_main_process else ():
    print(f"Not run: {item.section}.{item.name}: {item.reason}", file=sys.stderr)


def one_of(names):
    """Wildcard constraint that matches exactly these names."""
    return "|".join(map(re.escape, names)) or "(?!)"


CONSTRAINTS = {
    "encoder": one_of(RUNS.encoders),
    "laboratory": one_of(RUNS.laboratory),
    "fetched": one_of(set(RUNS.encoders) - set(RUNS.laboratory)),
    "corpus": one_of(set(CONFIG.corpora) - set(RUNS.generated)),
    "generated": one_of(RUNS.generated),
    "split": "[a-z0-9-]+",
    "task": one_of(RUNS.available("tasks")),
    "scratch": "(?:-scratch)?",
    "seed": r"\d+",
    "run": "[a-z0-9.-]+",
    "figure": "figure[25]",
    "stimuli": one_of(RUNS.available("stimuli")),
}


wildcard_constraints:
    **CONSTRAINTS,


# A rule names its inputs, settings and script through the three functions below. Together with its
# outputs they say what each output has to be made from; the record of an output says what it was
# made from. Where the two differ, the job gets a fresh file as an additional input and so runs.
# Time stamps take no part otherwise (`ancient`), so copies, clones and `touch` recompute nothing.

_INPUTS, _SETTINGS, _SCRIPTS = {}, {}, {}


def inputs(rule, named):
    """Input function of a rule; `named` maps wildcards to a dict of paths or lists of paths."""
    _INPUTS[rule] = named

    def marked(wildcards):
        files = named(wildcards)
        if not _CURRENCY.current(_step(rule, wildcards)):
            return {**files, "stale": str(_STALE)}
        return {name: _present(value) for name, value in files.items()}

    return marked


def settings(rule, chosen):
    """Function for the parameter `settings`: what `chosen` takes from the settings, as sorted JSON."""
    _SETTINGS[rule] = lambda wildcards: json.dumps(chosen(wildcards), sort_keys=True)
    return _SETTINGS[rule]


def code(rule, script):
    """Parameter `code`: fingerprint of the script and of all that it reaches."""
    _SCRIPTS[rule] = code_fingerprint(SCRIPTS / script, SCRIPTS)
    return _SCRIPTS[rule]


def _step(rule, wildcards):
    """What a job of a rule has to make, and from what."""
    return Step(
        outputs=tuple(
            pattern.format_map(_Names(wildcards)) for pattern in _patterns(rule)
        ),
        inputs=by_name(_INPUTS[rule](wildcards)),
        settings=_SETTINGS[rule](wildcards),
        code=_SCRIPTS[rule],
    )


def _step_of(path):
    """The step that makes a path; None for a file of the user's."""
    for name in _INPUTS:
        for pattern in _patterns(name):
            if match := _regex(pattern).fullmatch(path):
                return _step(name, SimpleNamespace(**match.groupdict()))
    return None


@cache
def _patterns(rule):
    return tuple(str(pattern) for pattern in getattr(rules, rule).output)


@cache
def _regex(pattern):
    """Regular expression of the paths that an output's pattern stands for."""
    parts = re.split(r"\{(\w+)\}", pattern)
    seen = set()
    for position in range(1, len(parts), 2):
        name = parts[position]
        parts[position] = (
            f"(?P={name})" if name in seen else f"(?P<{name}>{CONSTRAINTS[name]})"
        )
        seen.add(name)
    return re.compile(
        "".join(p if i % 2 else re.escape(p) for i, p in enumerate(parts))
    )


class _Names(dict):
    """Wildcards as a mapping, whichever kind of object holds them."""

    def __init__(self, wildcards):
        super().__init__(
            wildcards.items() if hasattr(wildcards, "items") else vars(wildcards)
        )


def _as_list(value):
    return [value] if isinstance(value, str) else list(value)


def _present(value):
    """Inputs of a current job: whatever is still there, with a time that counts for nothing."""
    paths = [ancient(path) for path in _as_list(value) if Path(path).exists()]
    return paths[0] if isinstance(value, str) and paths else paths


_CURRENCY = Currency(CONFIG.results, _step_of)

# Newer than any output: an input of the jobs whose outputs are stale. Its content is new too, since
# Snakemake takes a small file of the same content for unchanged. Only the process that plans writes it.
_STALE = Path(CONFIG.results, "records", ".stale")
if workflow.is_main_process:
    _STALE.parent.mkdir(parents=True, exist_ok=True)
    _STALE.write_text(f"{time.time_ns()}\n")
