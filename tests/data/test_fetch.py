"""Fetching over http: every way it can go wrong, on a server of our own."""

import hashlib
import os
import re
import socket
import subprocess
import time

import pytest

from corpus.servers import ADDRESSES, MODES, misbehaving
from published_data import serving
from study.data.fetch import fetch, part_of, progress_line
from study.data.published_files import check_blob_id, git_blob_id, read_files
from study.errors import StudyError
from torture.servers import judge

BODY = bytes(range(256)) * 800  # 205 kB: several chunks, no two alike at the same place
BLOB = hashlib.sha1(b"blob %d\0" % len(BODY) + BODY).hexdigest()
SIZE = len(BODY)
PAUSES = (0.0, 0.0, 0.0)


@pytest.fixture
def server(tmp_path):
    (tmp_path / "served/data").mkdir(parents=True)
    (tmp_path / "served/data/vant.mat").write_bytes(BODY)
    with serving(tmp_path / "served") as running:
        yield running


@pytest.fixture
def target(tmp_path):
    return tmp_path / "here/vant.mat"


def get(server, target, blob=BLOB, pauses=PAUSES, size=SIZE):
    fetch(server.address, "data/vant.mat", blob, size, target, pauses)


def asked(server):
    return [wanted for _, wanted, _ in server.seen]


def only(target):
    """The file is there, right, and alone."""
    assert target.read_bytes() == BODY
    assert [path.name for path in target.parent.iterdir()] == [target.name]


def test_blob_id_is_the_one_git_gives(tmp_path):
    for content in (b"", b"one\n", BODY):
        (tmp_path / "file").write_bytes(content)
        done = subprocess.run(
            ["git", "hash-object", "--no-filters", tmp_path / "file"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert git_blob_id(tmp_path / "file") == done.stdout.strip()


def test_right_checksum(server, target, capfd):
    get(server, target)
    only(target)
    assert asked(server) == [None]
    assert "vant.mat: 0.2 of 0.2 MB, 100%, 0 s left" in capfd.readouterr().err


def test_wrong_checksum_leaves_nothing(server, target):
    message = f"expected the file at {server.address}/data/vant.mat to have git blob id {'0' * 40}, found {BLOB}"
    with pytest.raises(StudyError, match=re.escape(message)):
        get(server, target, blob="0" * 40)
    assert list(target.parent.iterdir()) == []
    assert asked(server) == [None]


def test_connection_dropped_half_way_is_resumed(server, target):
    server.plan["vant.mat"] = ["drop"]
    get(server, target)
    only(target)
    assert asked(server) == [None, f"bytes={len(BODY) // 2}-"]


def test_next_run_resumes_what_a_stopped_one_left(server, target):
    """Also with pauses used up, what has arrived is kept under a name of its own."""
    server.plan["vant.mat"] = ["drop"]
    with pytest.raises(StudyError, match=rf"expected {len(BODY):,} bytes, {len(BODY) // 2:,} have arrived"):
        get(server, target, pauses=())
    assert not target.exists()
    assert part_of(target).read_bytes() == BODY[: len(BODY) // 2]
    get(server, target)
    only(target)
    assert asked(server) == [None, f"bytes={len(BODY) // 2}-"]


def test_drops_that_get_further_do_not_use_up_the_attempts(server, target):
    server.plan["vant.mat"] = ["drop"] * 8
    get(server, target)
    only(target)
    assert len(server.seen) == 9


def test_truncated_body_of_a_server_without_ranges_ends_with_an_error(server, target):
    """Every answer starts anew and ends half-way: no attempt gets further, so it must stop."""
    server.plan["vant.mat"] = ["ignore range and drop"] * 50
    with pytest.raises(StudyError, match="4 times, without success: the connection ended early: expected 204,800"):
        get(server, target)
    assert not target.exists()


def test_server_that_ignores_ranges_starts_anew(server, target):
    server.plan["vant.mat"] = ["drop", "ignore range"]
    get(server, target)
    only(target)


def test_wrong_range_is_not_appended(server, target):
    server.plan["vant.mat"] = ["drop", "wrong range"]
    get(server, target)
    only(target)
    assert asked(server)[-1] is None


@pytest.mark.parametrize("left", [b"another file's bytes", BODY + b"more", BODY[:-1] + b"?", BODY])
def test_what_lies_there_from_before_cannot_spoil_the_file(server, target, left):
    target.parent.mkdir()
    part_of(target).write_bytes(left)
    get(server, target)
    only(target)


def test_404_is_not_tried_again(server, target):
    server.plan["vant.mat"] = [404]
    with pytest.raises(StudyError, match=r"tried http://.*/data/vant.mat once, without success: .* 404 Not Found"):
        get(server, target)
    assert len(server.seen) == 1
    assert list(target.parent.iterdir()) == []


def test_503_twice_then_success(server, target, capfd):
    server.plan["vant.mat"] = [503, 503]
    get(server, target)
    only(target)
    assert len(server.seen) == 3
    said = capfd.readouterr().err
    assert said.count("the server answered 503 Service Unavailable; trying again in 0 s") == 2


def test_pauses_grow_and_are_kept(server, target, monkeypatch):
    slept = []
    monkeypatch.setattr("study.data.fetch.time.sleep", slept.append)
    server.plan["vant.mat"] = [503] * 9
    with pytest.raises(StudyError, match="4 times"):
        fetch(server.address, "data/vant.mat", BLOB, len(BODY), target)
    assert slept == [1.0, 2.0, 4.0]


def test_without_network_the_user_learns_what_was_tried_and_what_to_do(target):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(StudyError) as caught:
            fetch(address, "data/vant.mat", BLOB, len(BODY), target, PAUSES)
    said = str(caught.value)
    assert said.startswith(f"{target}: tried {address}/data/vant.mat 4 times, without success: no connection (")
    assert "Connection refused" in said
    assert "use the cohort nki (the default configuration), which needs no internet" in said
    assert list(target.parent.iterdir()) == []


def test_silent_server_times_out(target, monkeypatch):
    monkeypatch.setattr("study.data.bounded.TIMEOUT", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(StudyError, match=r"2 times, without success: .*timed out"):
            fetch(address, "data/vant.mat", BLOB, len(BODY), target, (0.0,))


@pytest.mark.parametrize("below", ["data", "."])
@pytest.mark.parametrize("form", ["{}", "file://{}"])
def test_local_folder(tmp_path, target, below, form):
    folder = tmp_path / "my copy"
    (folder / below).mkdir(parents=True)
    (folder / below / "vant.mat").write_bytes(BODY)
    fetch(form.format(folder) if "file" not in form else folder.as_uri(), "data/vant.mat", BLOB, len(BODY), target)
    only(target)


def test_local_folder_without_the_file_or_with_another(tmp_path, target):
    with pytest.raises(StudyError, match=r"expected .*data/vant.mat or .*vant.mat .* found neither"):
        fetch(str(tmp_path), "data/vant.mat", BLOB, len(BODY), target)
    (tmp_path / "vant.mat").write_bytes(BODY[1:])
    with pytest.raises(StudyError, match=f"expected git blob id {BLOB}, found "):
        fetch(str(tmp_path), "data/vant.mat", BLOB, len(BODY), target)
    assert list(target.parent.iterdir()) == []


def test_unknown_kind_of_address(target):
    with pytest.raises(StudyError, match="base_url: expected an address that starts with http"):
        fetch("ftp://example.org", "data/vant.mat", BLOB, len(BODY), target)


def test_progress_says_the_share_and_the_time_left():
    # 2 of 10 MB were here before; 3 MB took 6 s, so the other 5 take 10
    assert progress_line("a", 5_000_000, 10_000_000, 3_000_000, 6.0) == "a: 5.0 of 10.0 MB, 50%, 10 s left"
    assert progress_line("a", 5_000_000, None, 5_000_000, 6.0) == "a: 5.0 MB"


def test_check_names_file_and_ids(tmp_path):
    with pytest.raises(StudyError, match=r"x\.txt: expected a file with git blob id"):
        check_blob_id(tmp_path / "x.txt", BLOB)
    (tmp_path / "x.txt").write_bytes(BODY)
    check_blob_id(tmp_path / "x.txt", BLOB)
    os.truncate(tmp_path / "x.txt", 10)
    with pytest.raises(StudyError, match=rf"x\.txt: expected git blob id {BLOB}, found .* \(10 bytes\)"):
        check_blob_id(tmp_path / "x.txt", BLOB)


def test_table_has_an_id_for_every_file(repository, tmp_path):
    files = read_files(repository / "data/published_files.csv")
    assert len(files) == 24
    assert files["vant.mat"] == ("data/vant.mat", "beec82c943e9e74fd088490819944f7a897cdbb4", None)
    assert files["edge.txt"].size == 413_721
    (tmp_path / "files.csv").write_text("path,git_blob_sha1,bytes\ndata/vant.mat,,\n")
    with pytest.raises(StudyError, match=r"expected a git blob id .* for data/vant\.mat, found none"):
        read_files(tmp_path / "files.csv")


@pytest.fixture
def hurried(monkeypatch):
    """Bounds that a test can wait for."""
    monkeypatch.setattr("study.data.bounded.TIMEOUT", 0.3)
    monkeypatch.setattr("study.data.fetch.WINDOW", 0.3)
    monkeypatch.setattr("study.data.fetch.SLOWEST", 1000.0)
    monkeypatch.setattr("study.data.fetch.LARGEST", 1_000_000)


@pytest.mark.parametrize("size", [SIZE, None], ids=["size known", "size not known"])
@pytest.mark.parametrize("name", MODES)
def test_whatever_a_server_does_the_end_is_near_and_said(target, capfd, name, size):
    verdict = judge(name, size, target)
    assert verdict.outcome == MODES[name].end, verdict.why
    if verdict.outcome == "refused":
        assert verdict.why.startswith(f"{target}: ")
        assert verdict.why.endswith("which needs no internet for this.")
    assert "\x1b" not in capfd.readouterr().err


@pytest.mark.parametrize("address", ADDRESSES, ids=[repr(address[:20]) for address in ADDRESSES])
def test_addresses_that_are_none_are_said(target, address):
    with pytest.raises(StudyError, match=r"^config: published: base_url: expected an address") as refusal:
        fetch(address, "data/vant.mat", BLOB, len(BODY), target)
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 400


def test_a_file_larger_than_expected_is_not_fetched(server, target):
    with pytest.raises(StudyError, match=r"once, .*: expected a file of 100 bytes, the server offers 204,800\."):
        get(server, target, size=100)
    assert list(target.parent.iterdir()) == []


def test_all_of_it_has_a_limit_of_time(hurried, target):
    """A server that is slow, but not too slow for the window, is left when its time is up."""
    began = time.monotonic()
    with (
        misbehaving(MODES["one byte per connection"]) as server,
        pytest.raises(StudyError, match=r"\d+ bytes have arrived; the next run continues from there"),
    ):
        fetch(server.address, "data/vant.mat", BLOB, None, target, (0.3, 0.3), 1.0)
    assert time.monotonic() - began < 2
    assert 2 <= len(server.asked) <= 4
