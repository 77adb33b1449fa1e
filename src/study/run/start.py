"""A study from two or three files: a configuration is written, checked and run (`graphiht study`)."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import yaml

from study.config import DEFAULT as DEFAULT_CONFIG
from study.config import complete, load, load_schema, located, merged, read, runnable, runs
from study.data.registry import networks_of
from study.errors import StudyError
from study.io import write_text
from study.run.check import as_lines, check_run

SIZES = (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
HEAD = """\
# Written by `graphiht study`. Every key and its meaning: config/README.md of the repository. Paths count from here.
# To change something, edit this file and start again; more methods keep what is finished, more trials what took long.
"""


def is_edge_file(name: str) -> bool:
    """Return whether --network is a file of edges, and not the name of a network that is shipped."""
    shipped = [network for network in networks_of("own") if network != "own"]
    if name in shipped:
        return False
    if not Path(name).exists():
        raise StudyError(
            f"--network: {name} is neither a file nor a shipped network. Use a file of edges, or {', '.join(shipped)}."
        )
    return True


def build_config(arguments: dict, folder: Path) -> dict:
    """Return the configuration of a study in `folder`."""
    is_own = is_edge_file(arguments["network"])
    files = {"expression": arguments["expression"], "outcome": arguments["outcome"]}
    files |= {"edges": arguments["network"]} if is_own else {}
    own = {"name": arguments["name"]}
    own |= {key: os.path.relpath(os.path.abspath(path), folder) for key, path in files.items()}
    chosen = ("event", "event_values", "event_means", "time", "time_unit", "covariates", "transform", "missing")
    own |= {key: arguments[key] for key in (*chosen, "duplicates", "genes_in") if arguments[key] is not None}
    config = {"cohort": "own", "network": "own" if is_own else arguments["network"], "own": own}
    config |= {
        key: arguments[key] for key in ("methods", "seed", "trials", "min_confidence") if arguments[key] is not None
    }
    asked = {"horizon": arguments["horizon"]} | {"model": "cox" if arguments["survival"] else None}
    outcome = {key: value for key, value in asked.items() if value is not None}
    return config | ({"outcome": outcome} if outcome else {}) | {"results": "results", "reports": "report"}


def start(arguments: dict, repository: Path) -> int:
    """Write, check and run; return the exit status of the run."""
    folder = Path(os.path.abspath(arguments["out"]))
    file = folder / "study.yaml"
    config = build_config(arguments, folder)
    # The check of one size, which every network has, tells how many genes there are.
    first = complete(merged(read(repository / DEFAULT_CONFIG), config | {"sparsities": [1]}), load_schema(repository))
    os.chdir(repository)
    checked = check_run(*runs(located(first, [file], repository)))
    config["sparsities"] = [size for size in SIZES if size <= max(checked.summary["n_genes"] // 4, 2)] or [1]
    try:
        write_text(file, HEAD + yaml.safe_dump(config, sort_keys=False, allow_unicode=True))
    except OSError as error:
        raise StudyError(f"{file}: cannot be written ({error.strerror}). Give --out another folder.") from None
    config, left_out = runnable(load(file, repository))
    (run,) = runs(config)
    print(left_out, end="\n" * bool(left_out))
    print("\n".join(as_lines(run, checked, arguments["cores"])), flush=True)
    print(f"configuration: {file}", flush=True)
    command = [str(Path(sys.executable).with_name("snakemake")), "--cores", str(arguments["cores"])]
    # Its last words name the report, or the command that continues.
    environment = os.environ | {"GRAPHIHT_RESUME": shlex.join(sys.argv)}
    status = _exit_status(subprocess.Popen([*command, "--configfile", str(file)], cwd=repository, env=environment))
    if status:
        sys.exit(status)
    return 0


def _exit_status(process: subprocess.Popen) -> int:
    """Return the exit status; after Ctrl-C, which Snakemake gets too, wait until it has ended its jobs."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue
