"""What a run does before its first job: it refuses to replace results, locks its folder and clears it of leftovers."""

import fcntl
import logging
import os
import shlex
from pathlib import Path
from typing import IO

from study.config import FOLDERS, Run, resume_command
from study.errors import StudyError
from study.io import read_json, say, write_json

LOCK, SETTINGS = ".running", "settings.json"
# Keys that fits do not depend on: more methods or trials keep what is finished.
NON_FIT_KEYS = ("cohort", "network", "published", "trials", "jobs", "methods", "controls", "permuted", "planted")
NON_FIT_KEYS += ("random_sets", "simulations", *FOLDERS, "configfiles", "own")
OWN_FIT_KEYS = ("genes_in", "transform", "missing", "duplicates", "event", "time")
OWN_FIT_KEYS += ("event_values", "covariates")
# Messages of Snakemake: that a run was interrupted, that a job was ended so, and what every run says.
INTERRUPTED = ("Terminating processes on user request", "Will exit after finishing currently running jobs")
ENDED = ("died with <Signals.SIGINT", "exit status 130.")
ROUTINE = ("Assuming", "Building DAG", "Using shell", "Conda env", "Select jobs", "Execute", "Complete log", "Elapsed")
_held: list[IO[str]] = []


def lock(folder: str | Path, command: str) -> None:
    """Lock a folder until this process ends; raise StudyError if another run has it.

    The kernel keeps the lock and drops it when the process ends, however it ends, so a killed run leaves nothing to
    unlock. Snakemake's own lock stays behind after a kill.
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    stream = open(Path(folder) / LOCK, "a+", encoding="utf-8")  # noqa: SIM115
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.seek(0)
        raise StudyError(
            f"Another run ({stream.read(200).strip()}) is already writing to {folder}. Wait for its end, or end it, "
            f"then: {command}"
        ) from None
    except OSError as error:
        say(f"{folder}: the file system has no locks ({error.strerror}). Start no second run in this folder.")
    stream.truncate(0)
    stream.write(f"process {os.getpid()} on {os.uname().nodename}")
    stream.flush()
    _held.append(stream)


def fit_identity(config: dict) -> dict:
    """Return the settings that the fits of a run depend on."""
    own = {f"own: {key}": config["own"].get(key) for key in OWN_FIT_KEYS} if config["cohort"] == "own" else {}
    return {key: value for key, value in config.items() if key not in NON_FIT_KEYS} | own


def check_finished(run: Run) -> None:
    """Raise StudyError if a run would replace fits of other settings, or leave finished fits out of its tables."""
    folder, config = Path(run.folder), run.config
    finished = list(folder.glob("fits/*/trial-*/fold-*.json"))
    settings = folder / SETTINGS
    if not finished:
        return
    then = read_json(settings) if settings.is_file() else {}
    now = fit_identity(config)
    changed = [f"{key} {then[key]} (now {now.get(key, 'removed')})" for key in then if then[key] != now.get(key)]
    apart = resume_command(config, "snakemake", "--config", "results=results/other", "reports=reports/other")
    if changed:
        raise StudyError(
            f"config: {folder} holds fits of other settings, which this run would replace: {'; '.join(changed)}. To "
            f"keep both: {apart}. To replace them: rm -r {shlex.quote(str(folder))}"
        )
    trials = {f"trial-{number:02d}" for number in range(1, config["trials"] + 1)}
    lost = sorted({part for path in finished for part in path.parts[-3:-1]} - {*config["methods"], *trials})
    if lost:
        raise StudyError(
            f"config: methods, trials: {folder}/fits holds results of {', '.join(lost)}, which the configuration "
            f"leaves out, so the tables would lose them. To drop one for good, delete its folder. To keep both: {apart}"
        )


def one_line_per_step(logger: logging.Logger) -> None:
    """Let Snakemake print how many steps are done, warnings and errors; its log file keeps the rest.

    After an interrupt it prints nothing more, because it would dump the commands that it ended.
    """
    is_over = False

    def is_shown(record: logging.LogRecord) -> bool:
        nonlocal is_over
        text = record.getMessage()
        # What a signal ended may be reported before Snakemake gets the signal.
        if is_over or any(part in text for part in ENDED):
            return False
        is_over = text.startswith(INTERRUPTED)
        is_news = getattr(record, "event", None) in (None, "progress") and not text.startswith(ROUTINE)
        return is_news or record.levelno > logging.INFO

    for handler in logger.handlers:
        if not isinstance(handler, logging.FileHandler):
            handler.addFilter(is_shown)


def begin(run: Run, command: str) -> None:
    """Lock the folder of a run, remove half-written files of a killed one, and write the settings of its fits."""
    lock(run.folder, command)
    for part in Path(run.folder).rglob(".*.part"):
        part.unlink(missing_ok=True)
    write_json(f"{run.folder}/{SETTINGS}", fit_identity(run.config))
