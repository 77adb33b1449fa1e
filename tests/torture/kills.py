"""Runs killed at random moments, again and again until the study is finished all the same."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from sandbox import copy_of, result_bits
from study.run.files import record_of
from torture import tiny
from torture.frame import Family, Trial, Verdict, survived, wrong

# Some runs are killed before their first job, the others in the seconds after it.
EARLY, AMONG_JOBS = 0.15, 1.5
# A study is killed so often, then left to its end.
LENGTH = 12
# Every so many studies are run to their report, the others to the tables of their folds.
WHOLE = 4
# How long a run may take to end when it is asked to.
PATIENCE = 240


def _worker(process: subprocess.Popen, rng: random.Random) -> None:
    """Kill one process of a job, or, when there is none, the scheduler; a run that goes on is ended a little later."""
    others = sorted(set(tiny.members(process.pid)) - {process.pid})
    os.kill(rng.choice(others) if others else process.pid, signal.SIGKILL)
    try:
        process.wait(timeout=rng.uniform(0.5, 4))
    except subprocess.TimeoutExpired:
        process.terminate()


def _twice(process: subprocess.Popen, rng: random.Random) -> None:
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(rng.uniform(0.05, 1))
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)


KINDS: dict[str, Callable[[subprocess.Popen, random.Random], None]] = {
    "SIGKILL to the scheduler": lambda process, rng: process.kill(),
    "SIGKILL to the group": lambda process, rng: os.killpg(process.pid, signal.SIGKILL),
    "SIGKILL to a worker": _worker,
    "SIGTERM": lambda process, rng: process.terminate(),
    "SIGINT": lambda process, rng: os.killpg(process.pid, signal.SIGINT),
    "SIGINT twice": _twice,
}


class Chain:
    """Studies one after the other, each run and killed until it is finished; then it must be as if never killed."""

    def __init__(self, place: Path, rng: random.Random) -> None:
        self.rng = rng
        self.place, self.study = place, place / "study"
        self.sessions: list[int] = []
        self.n_studies = 0
        self._anew()

    def _anew(self) -> None:
        shutil.rmtree(self.study, ignore_errors=True)
        copy_of(tiny.shared(self.place), self.study)
        self.sessions.clear()
        self.n_studies += 1
        self.targets = tiny.QUICK if self.n_studies % WHOLE else ()
        self.reference = result_bits(tiny.shared(self.place, self.targets))

    def kill(self, kind: str, early: bool, moment: float) -> Verdict:
        """Kill a run some time after its start or its first job; one that ends before that is judged instead."""
        try:
            verdict = self._kill(kind, early, moment)
        except Exception:
            self._anew()
            raise
        if verdict.outcome == "wrong":
            # What went wrong once is counted once.
            self._anew()
        return verdict

    def _kill(self, kind: str, early: bool, moment: float) -> Verdict:
        if len(self.sessions) >= LENGTH and (verdict := self.finish()).outcome == "wrong":
            return verdict
        for _ in range(20):
            with tiny.started(self.study, *self.targets) as process:
                self.sessions.append(process.pid)
                try:
                    while not early and process.poll() is None and "Execute " not in self._said():
                        time.sleep(0.02)
                    process.wait(timeout=moment)
                except subprocess.TimeoutExpired:
                    verdict = self._killed(kind, process)
                    if process.returncode != 0 or verdict.outcome == "wrong":
                        return verdict
            if process.returncode:
                return wrong(f"the run failed by itself: {self._said()[-1500:]}")
            verdict = self.finish()
            if verdict.outcome == "wrong":
                return verdict
        return wrong("every run ended before it could be killed")

    def _killed(self, kind: str, process: subprocess.Popen) -> Verdict:
        try:
            KINDS[kind](process, self.rng)
            status = process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return wrong(f"it has not ended after {PATIENCE} s: {self._said()[-1500:]}")
        return self._after(kind, status)

    def _said(self) -> str:
        return (self.study / "said.txt").read_text(errors="replace")

    def _after(self, kind: str, status: int) -> Verdict:
        """Judge what a killed run has left: all that would be taken for a result is one."""
        taken = tiny.taken_for_results(self.study)
        other = sorted(name for name, digest in taken.items() if self.reference.get(name) != digest)
        # What was there when the hash was taken may have been replaced by the right one since.
        other = [name for name in other if self.reference.get(name) != result_bits(self.study).get(name)]
        if other:
            return wrong(f"{other[0]} would be taken for a result")
        bare = [name for name in taken if not record_of(self.study / tiny.RUN / name).is_file()]
        if bare:
            return wrong(f"{bare[0]} has no checksum")
        said = self._said()
        # A signal may meet a run that has just done all its steps, on the way out: nothing is left to go on with.
        under_way = status != 0 and "Execute " in said and "(100%) done" not in said
        if kind in ("SIGINT", "SIGTERM") and under_way and "to go on: make study" not in said:
            return wrong(f"it does not say how to go on: {said[-1500:]}")
        return survived()

    def finish(self) -> Verdict:
        """Let the study end, compare it with the one that was left alone, and start another.

        Every other one ends in jobs of single folds on one core: that must not matter, either.
        """
        other = ("--config", "jobs=fold") if self.n_studies % 2 else ()
        status, said = tiny.run(self.study, *self.targets, *other, cores=1 if other else 2)
        if status:
            return wrong(f"the study cannot be finished: {said[-1500:]}")
        different = tiny.differing(self.study, self.reference)
        if different:
            return wrong(f"{len(different)} files differ at the end: {different[0]}")
        orphans = {session: tiny.members(session) for session in self.sessions}
        lasting = {session: found for session, found in orphans.items() if found}
        if lasting:
            return wrong(f"processes outlive their run: {lasting}")
        self._anew()
        return survived()


def trials(place: Path, n: int, rng: random.Random) -> Iterator[Trial]:
    """Give each kind its turn; the study that was killed last is finished, too."""
    chain = Chain(place, rng)
    try:
        for i in range(n):
            kind = list(KINDS)[i % len(KINDS)]
            early, moment = rng.random() < EARLY, rng.expovariate(1 / AMONG_JOBS)
            yield Trial(
                f"{kind} {moment:.2f} s after the {'start' if early else 'first job'}",
                partial(chain.kill, kind, early, moment),
            )
    finally:
        if chain.sessions:
            last = chain.finish()
            assert last.outcome != "wrong", last.why


FAMILY = Family(
    name="kills",
    tried="a run killed at a random moment: SIGKILL to scheduler, group or worker; SIGTERM; SIGINT, once and twice",
    survives="nothing half-made is taken for a result; started again, it ends byte-identical, without leftovers",
    short=3,
    full=500,
    trials=trials,
)
