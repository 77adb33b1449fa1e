"""Fetching published files: verified, whole or not there, and one sentence about whatever a server does."""

import re
import signal
import socketserver
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from published_data import serving
from study.data import published_files
from study.data.published_files import check_published, fetch, git_blob_id, read_blobs
from study.errors import StudyError

BODY = bytes(range(256)) * 800
BLOB = git_blob_id(BODY)
OK = b"HTTP/1.1 200 OK\r\n"
LENGTH = b"Content-Length: %d\r\n" % len(BODY)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(published_files, "PAUSES", (0, 0, 0))


@pytest.fixture
def server(tmp_path):
    (tmp_path / "served/data").mkdir(parents=True)
    (tmp_path / "served/data/vant.mat").write_bytes(BODY)
    with serving(tmp_path / "served") as running:
        yield running


@pytest.fixture
def target(tmp_path):
    return tmp_path / "here/vant.mat"


def refusal(base, target, blob=BLOB):
    """Return the sentence with which a fetch fails, leaving nothing."""
    with pytest.raises(StudyError) as error:
        fetch(base, blob, target)
    assert list(target.parent.iterdir()) == []
    sentence = str(error.value)
    assert sentence.isprintable()
    assert len(sentence) < 800
    assert sentence.startswith(f"{target}: cannot download ")
    assert "Set `published: base_url` to a mirror or to a local folder" in sentence
    assert sentence.endswith("or use the default cohort nki and network scnet, which need none of these files.")
    return sentence


def assert_only(target):
    assert target.read_bytes() == BODY
    assert [path.name for path in target.parent.iterdir()] == [target.name]


@pytest.mark.parametrize("content", [b"", b"one\n", BODY])
def test_blob_id_is_the_one_git_gives(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    command = ["git", "hash-object", "--no-filters", tmp_path / "file"]
    assert git_blob_id(content) == subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("plan", [[], [503, 503], ["drop"], [429, "drop", "other file"]])
def test_file_is_fetched_with_patience(server, target, plan):
    server.plan["vant.mat"] = list(plan)
    fetch(server.address, BLOB, target)
    assert_only(target)
    assert [action for _, action in server.seen] == [*plan, "well"]


@pytest.mark.parametrize(
    ("plan", "blob", "said", "attempts"),
    [
        ([503] * 9, BLOB, "HTTP Error 503", 4),
        (["drop"] * 9, BLOB, f"its git blob id is .*, not {BLOB}", 4),
        ([], "0" * 40, f"its git blob id is {BLOB}, not {'0' * 40}", 4),
        ([404], BLOB, "HTTP Error 404", 1),
    ],
)
def test_patience_ends(server, target, plan, blob, said, attempts):
    server.plan["vant.mat"] = plan
    assert re.search(f"{server.address}/data/vant.mat .{said}", refusal(server.address, target, blob))
    assert len(server.seen) == attempts


# What a bad server sends, and whether it repeats the last part without end.
ANSWERS = {
    "silence": ([], True),
    "endless chunks": ([OK + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65536 + b"\r\n"], True),
    "endless headers": ([OK, b"X: y\r\n" * 100], True),
    "endless continue": ([b"HTTP/1.1 100 Continue\r\n\r\n"], True),
    "another file": ([OK + LENGTH + b"\r\n" + b"x" * len(BODY)], False),
    "bad chunks": ([OK + b"Transfer-Encoding: chunked\r\n\r\n-1\r\nabc\r\n"], False),
    "terminal codes": ([b"HTTP/1.1 404 \x1b[2J\x1b]0;owned\x07Not\x00Found\r\n\r\n"], False),
    "a redirect to a local file": ([b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n"], False),
}


@contextmanager
def answering(parts, is_endless):
    """Yield the address of a server that sends these parts to everybody."""
    stopped = threading.Event()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            with suppress(OSError):
                while self.rfile.readline(65536).strip():
                    pass
                for part in parts:
                    self.request.sendall(part)
                while is_endless and not stopped.wait(0 if parts else 60):
                    self.request.sendall(parts[-1])

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads, block_on_close = True, False

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            stopped.set()
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("name", ANSWERS)
def test_bad_server_yields_one_sentence(target, capfd, monkeypatch, name):
    monkeypatch.setattr(published_files, "LARGEST", 1_000_000)
    monkeypatch.setattr(published_files, "LONGEST", 1)
    with answering(*ANSWERS[name]) as address:
        refusal(address, target)
    assert "\x1b" not in capfd.readouterr().err


HOSTS = ("[::1", "", "127.0.0.1:x", "127.0.0.1:99999", "127.0.0.1:0", "a b", "\x1b[2J", "é.invalid")


@pytest.mark.parametrize("address", [*(f"http://{host}" for host in HOSTS), "x" * 100_000 + "://y"], ids=repr)
def test_bad_address_yields_one_sentence(target, address):
    refusal(address, target)


def test_local_folder(tmp_path, target):
    folder = tmp_path / "my copy"
    (folder / "data").mkdir(parents=True)
    assert "No such file" in refusal(str(folder), target)
    (folder / "data/vant.mat").write_bytes(BODY)
    for base in (str(folder), folder.as_uri()):
        fetch(base, BLOB, target)
        assert_only(target)


def test_what_a_killed_download_left_is_removed_and_what_another_writes_is_not(tmp_path, target):
    code = "import sys, time; from study.io import downloading\n"
    code += "with downloading(sys.argv[1]) as part: part.write_text('half'); print('ready', flush=True); time.sleep(60)"
    other = target.with_name("other.mat")
    process = subprocess.Popen([sys.executable, "-c", code, other], stdout=subprocess.PIPE)
    process.stdout.readline()
    (half,) = target.parent.iterdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "data/vant.mat").write_bytes(BODY)
    waiting = threading.Thread(target=lambda: (time.sleep(0.5), half.exists() and process.send_signal(signal.SIGKILL)))
    waiting.start()
    fetch(str(tmp_path), BLOB, target)
    waiting.join()
    assert process.wait() == -signal.SIGKILL, "another download was not waited for"
    assert_only(target)


def test_changed_file_is_named(tmp_path):
    table, path = tmp_path / "files.csv", tmp_path / "vant.mat"
    table.write_text(f"path,git_blob_sha1\ndata/vant.mat,{BLOB}\n")
    path.write_bytes(BODY)
    check_published(path, table)
    path.write_bytes(BODY[:10])
    with pytest.raises(StudyError, match=rf"vant\.mat: git blob id is .*, not {BLOB}: .* damaged or was changed"):
        check_published(path, table)


def test_table_has_an_id_for_every_file(repository):
    blobs = read_blobs(repository / "data/published_files.csv")
    assert len(blobs) == 24
    assert all(re.fullmatch("[0-9a-f]{40}", blob) for blob in blobs.values())
    assert blobs["vant.mat"] == "beec82c943e9e74fd088490819944f7a897cdbb4"
