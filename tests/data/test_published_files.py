"""Fetching published files: verified, whole or not there, and one sentence about whatever a server does."""

import re
import socket
import socketserver
import subprocess
import threading
from contextlib import contextmanager, suppress

import pytest

from published_data import serving
from study.data import published_files
from study.data.published_files import PublishedFile, check_published, fetch, git_blob_id, read_files
from study.errors import StudyError

BODY = bytes(range(256)) * 800
FILE = PublishedFile("data/vant.mat", git_blob_id(BODY), len(BODY))
PAUSES = (0.0, 0.0, 0.0)
OK = b"HTTP/1.1 200 OK\r\n"
LENGTH = b"Content-Length: %d\r\n" % len(BODY)


@pytest.fixture
def server(tmp_path):
    (tmp_path / "served/data").mkdir(parents=True)
    (tmp_path / "served/data/vant.mat").write_bytes(BODY)
    with serving(tmp_path / "served") as running:
        yield running


@pytest.fixture
def target(tmp_path):
    return tmp_path / "here/vant.mat"


def refusal(base, target, file=FILE, pauses=PAUSES, seconds=60.0):
    """Return the sentence with which a fetch fails, leaving nothing."""
    with pytest.raises(StudyError) as error:
        fetch(base, file, target, pauses, seconds)
    assert not target.parent.exists() or list(target.parent.iterdir()) == []
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 600
    return str(error.value)


def assert_only(target):
    assert target.read_bytes() == BODY
    assert [path.name for path in target.parent.iterdir()] == [target.name]


@pytest.mark.parametrize("content", [b"", b"one\n", BODY])
def test_blob_id_is_the_one_git_gives(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    command = ["git", "hash-object", "--no-filters", tmp_path / "file"]
    assert git_blob_id(content) == subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("plan", [[], [503, 503], ["drop"], [429, "drop", 500]])
@pytest.mark.parametrize("size", [len(BODY), None])
def test_file_is_fetched_with_patience(server, target, plan, size):
    server.plan["vant.mat"] = list(plan)
    fetch(server.address, FILE._replace(size=size), target, PAUSES)
    assert_only(target)
    assert [action for _, action in server.seen] == [*plan, "well"]


@pytest.mark.parametrize(("plan", "said"), [([503] * 9, "503"), (["drop"] * 9, "IncompleteRead")])
def test_patience_ends(server, target, plan, said):
    server.plan["vant.mat"] = plan
    sentence = refusal(server.address, target)
    assert sentence.startswith(f"{target}: cannot download {server.address}/data/vant.mat (")
    assert said in sentence
    assert "Set `published: base_url` to a mirror or to a local folder" in sentence
    assert "default cohort nki, which needs none" in sentence
    assert len(server.seen) == 4


def test_404_is_not_tried_again(server, target):
    assert "HTTP Error 404" in refusal(server.address, target, FILE._replace(path="data/other.mat"))
    assert len(server.seen) == 1


def test_wrong_content_is_refused(server, target):
    sentence = refusal(server.address, target, FILE._replace(blob="0" * 40))
    assert f"{server.address}/data/vant.mat has git blob id {FILE.blob}, not {'0' * 40} (204,800 bytes)" in sentence


def test_larger_file_is_refused(server, target, monkeypatch):
    assert "more than 100 bytes" in refusal(server.address, target, FILE._replace(size=100))
    monkeypatch.setattr(published_files, "LARGEST", 1000)
    assert "more than 1,000 bytes" in refusal(server.address, target, FILE._replace(size=None))


def test_refused_connection(target):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        assert "Connection refused" in refusal(f"http://127.0.0.1:{closed.getsockname()[1]}", target)


# What a bad server sends, and whether it repeats the last part without end.
ANSWERS = {
    "silence": ([], True),
    "endless chunks": ([OK + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65536 + b"\r\n"], True),
    "endless headers": ([OK, b"X: y\r\n" * 100], True),
    "endless continue": ([b"HTTP/1.1 100 Continue\r\n\r\n"], True),
    "half a file": ([OK + LENGTH + b"\r\n" + BODY[:1000]], False),
    "another file": ([OK + LENGTH + b"\r\n" + b"x" * len(BODY)], False),
    "bad chunks": ([OK + b"Transfer-Encoding: chunked\r\n\r\n-1\r\nabc\r\n"], False),
    "terminal codes": ([b"HTTP/1.1 404 \x1b[2J\x1b]0;owned\x07Not\x00Found\r\n\r\n"], False),
    "a redirect to itself": ([b"HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n"], False),
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
                if is_endless and parts and parts[-1]:
                    while not stopped.is_set():
                        self.request.sendall(parts[-1])
                elif is_endless:
                    stopped.wait()

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
    with answering(*ANSWERS[name]) as address:
        sentence = refusal(address, target, FILE._replace(size=None), seconds=0.5)
    assert sentence.startswith(f"{target}: ")
    assert sentence.endswith("which needs none of these files.")
    assert "\x1b" not in capfd.readouterr().err


HOSTS = ("[::1", "", "127.0.0.1:x", "127.0.0.1:99999", "127.0.0.1:0", "a b", "\x1b[2J", "é.example")
ADDRESSES = [*(f"http://{host}" for host in HOSTS), "ftp://127.0.0.1", "x" * 100_000 + "://y"]


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: repr(address[:20]))
def test_bad_address_is_named(target, address):
    assert re.match(r"config: published: base_url: '.*' is no address\. Write one like", refusal(address, target))


@pytest.mark.parametrize("below", ["data", "."])
@pytest.mark.parametrize("form", ["path", "address"])
def test_local_folder(tmp_path, target, below, form):
    folder = tmp_path / "my copy"
    (folder / below).mkdir(parents=True)
    (folder / below / "vant.mat").write_bytes(BODY)
    fetch(str(folder) if form == "path" else folder.as_uri(), FILE, target)
    assert_only(target)


def test_local_folder_without_the_file_or_with_another(tmp_path, target):
    assert re.search(r"base_url: neither .*data/vant.mat nor .*vant.mat exists", refusal(str(tmp_path), target))
    (tmp_path / "vant.mat").write_bytes(BODY[1:])
    assert f"not {FILE.blob} (204,799 bytes)" in refusal(str(tmp_path), target)


def test_check_names_missing_and_changed_files(tmp_path):
    table, path = tmp_path / "files.csv", tmp_path / "vant.mat"
    table.write_text(f"path,git_blob_sha1,bytes\ndata/vant.mat,{FILE.blob},\n")
    with pytest.raises(StudyError, match=r"vant\.mat: the file is missing"):
        check_published([path], table)
    path.write_bytes(BODY)
    check_published([path], table)
    path.write_bytes(BODY[:10])
    with pytest.raises(StudyError, match=rf"vant\.mat: git blob id is .*, not {FILE.blob}: .* damaged or was changed"):
        check_published([path], table)
    with pytest.raises(StudyError, match=r"files\.csv: no row for other\.mat"):
        check_published([tmp_path / "other.mat"], table)


def test_table_has_an_id_for_every_file(repository):
    files = read_files(repository / "data/published_files.csv")
    assert len(files) == 24
    assert all(re.fullmatch("[0-9a-f]{40}", file.blob) for file in files.values())
    assert files["vant.mat"] == ("data/vant.mat", "beec82c943e9e74fd088490819944f7a897cdbb4", None)
    assert files["edge.txt"].size == 413_721
