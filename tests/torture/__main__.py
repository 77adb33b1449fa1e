"""Run trials under fire, print how many ended how, and keep the figures for docs/reliability.md.

`make torture` runs them all; `ONLY="kills disks"` some families, `N=50` so many of each, `SEED=2` other draws,
`MINUTES=30` no longer than that each.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from pathlib import Path

from study.run import docs
from study.run.files import read_json, write_json
from study.run.manifest import commit, processor
from torture import frame
from torture.families import FAMILIES

REPOSITORY = Path(__file__).parents[2]
# So many wrong trials are kept, each in so many characters.
MOST, LONGEST = 20, 2000


def say(text: str) -> None:
    """Print a line of progress."""
    print(time.strftime("%H:%M:%S"), text, flush=True)


def main() -> None:
    """Exit with 1 if one trial went wrong."""
    parser = argparse.ArgumentParser(prog="make torture", description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], choices=[[], *FAMILIES], help="families, by default all")
    parser.add_argument("--n", type=int, default=0, help="trials of each, by default as many as each family has")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=math.inf, help="of each family, by default without end")
    parser.add_argument("--short", action="store_true", help="as in continuous integration")
    parser.add_argument("--record", action="store_true", help="keep the figures and write them into the documentation")
    arguments = parser.parse_args()
    wrongs = 0
    with tempfile.TemporaryDirectory(prefix="torture-") as folder:
        for name in arguments.only or FAMILIES:
            family = FAMILIES[name]
            if family.cannot():
                print(f"{name}: left out: {family.cannot()}")
                continue
            n = arguments.n or (family.short if arguments.short else family.full)
            figures = frame.run(family, Path(folder) / name, n, arguments.seed, say, arguments.minutes * 60)
            wrongs += figures.counts[frame.WRONG]
            if arguments.record:
                record(name, figures, arguments.seed)
    if wrongs:
        sys.exit(f"error: {wrongs} trials went wrong; they are named above.")


def record(name: str, figures: frame.Figures, seed: int) -> None:
    """Keep the figures of a family; those of the others stay."""
    path = REPOSITORY / docs.TORTURE
    kept = read_json(path) if path.is_file() else {}
    family = FAMILIES[name]
    kept[name] = {
        "tried": family.tried,
        "survives": family.survives,
        "figures": {"tried": figures.tried} | {outcome: figures.counts[outcome] for outcome in frame.OUTCOMES},
        # To be studied: what was done, and what came of it.
        "wrongs": [why[:LONGEST] for why in figures.wrongs[:MOST]],
        "seconds": round(figures.seconds),
        "seed": seed,
        "date": time.strftime("%Y-%m-%d"),
        "commit": (commit(REPOSITORY) or "")[:12],
        "processor": processor(),
    }
    write_json(path, {key: kept[key] for key in FAMILIES if key in kept}, record=False)
    docs.write(REPOSITORY, ["docs/reliability.md"])


if __name__ == "__main__":
    main()
