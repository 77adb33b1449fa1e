"""A result is whole or not there, whatever happens while it is written, and a damaged one is not taken for it."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest

from graphiht._files import temporary_suffix
from study import tables
from study.run import leftovers, scheduler
from study.run.errors import StudyError
from study.run.files import damage, read_arrays, read_json, record_of, write_arrays, write_json, write_text

CALLS = ("open", "fsync", "close", "replace")
# Ends the process without a word at its n-th call to the system, as a loss of power would.
CRASH = """
import os, sys
from study.run import files
left = int(sys.argv[2])
def counted(call):
    def ending(*arguments, **named):
        global left
        left -= 1
        if left < 0:
            os._exit(9)
        return call(*arguments, **named)
    return ending
for name in {calls}:
    setattr(os, name, counted(getattr(os, name)))
files.Path.write_text = counted(files.Path.write_text)
files.write_text(sys.argv[1], "new" * 1000)
os._exit(0)
"""


def test_a_crash_at_any_moment_leaves_the_old_file_or_the_new_one(tmp_path):
    """And what is left as the old one beside a checksum of the new one is noticed, so that it is made again."""
    path, ends = tmp_path / "result.csv", []
    for moment in range(30):
        write_text(path, "old")
        call = [sys.executable, "-c", CRASH.format(calls=CALLS), str(path), str(moment)]
        ends.append(subprocess.run(call, check=False).returncode)
        content = path.read_text()
        assert content in ("old", "new" * 1000)
        if content != "old":
            assert damage(path) is None
        if ends[-1] == 0:
            break
    # Two files written, a file and a folder flushed, a name given.
    assert ends.count(9) >= 8
    assert content == "new" * 1000


def test_bytes_are_on_the_disk_before_their_name_is(tmp_path, monkeypatch):
    """The file is flushed, then renamed, then the folder is flushed."""
    seen = []
    real = {"fsync": os.fsync, "replace": os.replace}

    def fsync(descriptor):
        seen.append(("fsync", os.readlink(f"/proc/self/fd/{descriptor}")))
        real["fsync"](descriptor)

    def replace(old, new):
        seen.append(("replace", str(new)))
        real["replace"](old, new)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    write_text(tmp_path / "a.csv", "1")
    assert [call for call, _ in seen] == ["fsync", "replace", "fsync"]
    assert seen[0][1].endswith(".part")
    assert [place for _, place in seen[1:]] == [str(tmp_path / "a.csv"), str(tmp_path)]


def kept_time(path, content):
    before = path.stat()
    path.write_bytes(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("kind", ["zeroed", "halved", "NULs", "altered", "replaced"])
@pytest.mark.parametrize("name", ["fold.json", "study.npz", "metrics.csv"])
def test_a_damaged_file_is_named_with_what_mends_it(tmp_path, monkeypatch, name, kind):
    monkeypatch.setenv(scheduler.AGAIN, "make study CONFIG=mine.yaml")
    path = tmp_path / name
    columns = dict.fromkeys(tables.columns("metrics"), "7")
    write = {
        "fold.json": lambda path, value: write_json(path, {"auc": value}),
        "study.npz": lambda path, value: write_arrays(path, {"X": np.full(100, value)}),
        "metrics.csv": lambda path, value: write_text(
            path, f"{','.join(columns)}\n{value}{',7' * (len(columns) - 1)}\n"
        ),
    }[name]
    read = {
        "fold.json": lambda: read_json(path),
        "study.npz": lambda: read_arrays(path, ("X",)),
        "metrics.csv": lambda: tables.read(tmp_path, "metrics"),
    }[name]
    write(path, 0.5)
    read()
    write(tmp_path / "other", 0.75)
    whole = path.read_bytes()
    kept_time(
        path,
        {
            "zeroed": b"",
            "halved": whole[: len(whole) // 2],
            "NULs": bytes(len(whole)),
            "altered": whole.replace(b"7", b"8") if b"7" in whole else whole[:-30] + b"!" + whole[-29:],
            "replaced": (tmp_path / "other").read_bytes(),
        }[kind],
    )
    with pytest.raises(StudyError) as error:
        read()
    assert str(error.value).startswith(f"{path}: expected the file as it was written")
    assert "`make study CONFIG=mine.yaml` makes it again" in str(error.value)


@pytest.mark.parametrize("content", [b"", b"\0" * 50, b'{"a": 1', b"PK\3\4 and no more", b"\xff\xfe"])
def test_without_a_checksum_a_damaged_file_is_still_one_sentence(tmp_path, content):
    for name, read in {"a.json": read_json, "a.npz": lambda path: read_arrays(path, ("X",))}.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(StudyError, match=r"expected a (complete \.npz|JSON) file"):
            read(tmp_path / name)


def test_the_checksum_is_one_that_other_programs_read(tmp_path):
    write_text(tmp_path / "a b.csv", "1\n")
    call = ["sha256sum", "-c", record_of(tmp_path / "a b.csv").name]
    assert subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=True).stdout == "a b.csv: OK\n"


def test_what_is_no_result_has_no_checksum(tmp_path):
    write_text(tmp_path / "study.yaml", "seed: 1\n", record=False)
    assert [path.name for path in tmp_path.iterdir()] == ["study.yaml"]


def test_leftovers_of_the_dead_are_removed_and_those_of_the_living_stay(tmp_path):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    host = os.uname().nodename.partition(".")[0]
    of_dead, of_living = tmp_path / f".a.csv.{host}.{dead.pid}-7.part", tmp_path / f".b.csv{temporary_suffix()}"
    folder = tmp_path / f".c.whl-x7.{host}.{dead.pid}-7.part"
    elsewhere, long_ago = tmp_path / ".d.csv.elsewhere.1-7.part", tmp_path / ".e.csv.elsewhere.1-7.part"
    # Its number is now that of another process: this one.
    of_namesake = tmp_path / f".f.csv.{host}.{os.getpid()}-1.part"
    continued, own = tmp_path / ".features.mat.part", tmp_path / "notes.part"
    for path in (of_dead, of_living, of_namesake, elsewhere, long_ago, continued, own):
        path.write_bytes(b"half")
    folder.mkdir()
    (folder / "half.whl").write_bytes(b"half")
    old = time.time() - 2 * leftovers.LONG_AGO
    os.utime(long_ago, (old, old))
    assert leftovers.remove([tmp_path]) == 4
    assert sorted(tmp_path.iterdir()) == sorted([of_living, elsewhere, continued, own])


ORPHAN = """
import os, sys, time
from study.run import command, files
def main(path):
    print("ready", flush=True)
    sys.stdin.readline()
    files.write_text(path, "of an orphan")
sys.argv[1:] = ["--path", sys.argv[1]]
command.command(main, path="")
"""


@pytest.mark.parametrize("alive", [True, False])
def test_a_job_writes_only_while_its_run_lives(tmp_path, alive):
    run = subprocess.Popen(["sleep", "60"])
    path = tmp_path / "result.csv"
    environment = {**os.environ, scheduler.VARIABLE: str(run.pid)}
    pipe = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", ORPHAN, str(path)], env=environment, **pipe) as job:
        try:
            assert job.stdout.readline() == "ready\n"
            if not alive:
                run.kill()
            # Not waited for when it was killed: what is not buried yet counts as dead, too.
            _, said = job.communicate("\n", timeout=20)
        finally:
            run.kill()
            run.wait()
    assert path.exists() == alive
    assert ("interrupted" in said) != alive
    assert "Traceback" not in said
    assert not list(tmp_path.glob(".*.part"))


def test_an_idle_orphan_ends_by_itself(tmp_path):
    run = subprocess.Popen(["sleep", "60"])
    environment = {**os.environ, scheduler.VARIABLE: str(run.pid)}
    program = "import time\nfrom study.run import command\ncommand.command(lambda: time.sleep(60))"
    began = time.monotonic()
    job = subprocess.Popen([sys.executable, "-c", program], env=environment, stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    run.kill()
    run.wait()
    assert job.wait(timeout=20) != 0
    assert time.monotonic() - began < 10


def test_a_full_disk_is_one_sentence(tmp_path):
    program = (
        "import errno\nfrom study.run import command\n"
        "def main():\n    raise OSError(errno.ENOSPC, 'No space left on device', 'a.csv')\n"
        "command.command(main)"
    )
    environment = {**os.environ, scheduler.AGAIN: "make study CONFIG=a.yaml"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "a.csv" in done.stderr
    assert "make study CONFIG=a.yaml" in done.stderr


def test_large_arrays_are_mapped_and_equal_to_those_that_are_read(tmp_path):
    rng = np.random.default_rng(0)
    arrays = {
        "X": rng.standard_normal((400, 500)),
        "turned": np.asfortranarray(rng.standard_normal((500, 400))),
        "a_longer_name": np.arange(200_000),
        "small": np.arange(3),
        "empty": np.empty((0, 5)),
        "text": np.array(["a", "bc"]),
    }
    write_arrays(tmp_path / "a.npz", arrays)
    found = read_arrays(tmp_path / "a.npz", tuple(arrays))
    with np.load(tmp_path / "a.npz", allow_pickle=False) as stored:
        for key, array in arrays.items():
            for other in (found[key], stored[key]):
                np.testing.assert_array_equal(other, array)
                assert other.dtype == array.dtype
                assert other.flags["F_CONTIGUOUS"] == array.flags["F_CONTIGUOUS"]
    assert {key for key in arrays if isinstance(found[key].base, np.memmap)} == {"X", "turned", "a_longer_name"}
    assert all(found[key].ctypes.data % 64 == 0 for key in ("X", "turned", "a_longer_name"))
    # Sums go through an array in an order that depends on how it lies in memory.
    assert found["X"].mean(axis=0).tobytes() == arrays["X"].mean(axis=0).tobytes()
    write_arrays(tmp_path / "b.npz", arrays)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    np.savez_compressed(tmp_path / "c.npz", **arrays)
    assert read_arrays(tmp_path / "c.npz", ("X",))["X"].tobytes() == arrays["X"].tobytes()


def test_json_keeps_every_bit(tmp_path):
    value = {"a": [0.1, 1 / 3, 1e-308, 1e308], "b": "ü$\n"}
    write_json(tmp_path / "a.json", value)
    assert read_json(tmp_path / "a.json") == value
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "b.json", json.loads("[NaN]"))
    assert not (tmp_path / "b.json").exists()
