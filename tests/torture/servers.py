"""The fetcher of the published files against servers that misbehave; see `corpus.servers`."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

from corpus.servers import BODY, MODES, misbehaving
from study.data.fetch import fetch, part_of
from study.run.errors import StudyError
from torture.frame import Family, Trial, Verdict, refused, survived, wrong

BLOB = hashlib.sha1(b"blob %d\0" % len(BODY) + BODY).hexdigest()
# Bounds that one can wait for; those of a study are in study.data.bounded and study.data.fetch.
MOST = 1_000_000
HURRIED = {"bounded.TIMEOUT": 0.3, "fetch.WINDOW": 0.3, "fetch.SLOWEST": 1000.0, "fetch.LARGEST": MOST}
SECONDS = 3.0


def judge(name: str, size: int | None, target: Path) -> Verdict:
    """Return what becomes of a file of this size, if it is known, that a server of this mode is asked for."""
    began = time.monotonic()
    with ExitStack() as stack:
        for place, value in HURRIED.items():
            stack.enter_context(mock.patch(f"study.data.{place}", value))
        server = stack.enter_context(misbehaving(MODES[name]))
        try:
            fetch(server.address, "data/vant.mat", BLOB, size, target, (0.0, 0.0), SECONDS)
            verdict = survived()
        except StudyError as error:
            verdict = refused(str(error))
    left = part_of(target).stat().st_size if part_of(target).exists() else 0
    faults = {
        f"{verdict.outcome} instead of {MODES[name].end}": verdict.outcome != MODES[name].end,
        "another file": target.exists() and target.read_bytes() != BODY,
        "no file": verdict.outcome == "survived" and not target.exists(),
        f"{left:,} bytes are left": left > MOST,
        "it took too long": time.monotonic() - began > SECONDS + 2,
        f"asked {len(server.asked)} times": len(server.asked) > 20,
        f"said {verdict.why[:300]!r}": not verdict.why.isprintable() or len(verdict.why) > 1000,
    }
    return next((wrong(fault) for fault, is_so in faults.items() if is_so), verdict)


def trials(place: Path, n: int, rng: random.Random) -> Iterator[Trial]:
    """Every mode with a file whose size is known, then with one whose size is not."""
    every = [(name, size) for size in (len(BODY), None) for name in MODES]
    for number, (name, size) in enumerate(every if n >= len(every) else rng.sample(every, n)):
        target = place / str(number) / "vant.mat"
        words = f"{name}, size {'known' if size else 'not known'}"
        yield Trial(words, lambda name=name, size=size, target=target: judge(name, size, target))


FAMILY = Family(
    name="servers",
    tried="a published file fetched from a server that never ends, drips, lies, or sends us elsewhere",
    survives="the right file, or one sentence, within bounds of time, bytes and attempts",
    short=3,
    full=2 * len(MODES),
    trials=trials,
)
