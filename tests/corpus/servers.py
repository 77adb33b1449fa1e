"""Web servers that misbehave: what each does with a request, and what must become of the file.

`refused` is one sentence within the bounds; `survived` is the right file in spite of all.
"""

import socketserver
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

BODY = bytes(range(256)) * 800
HALF = len(BODY) // 2
OK = b"HTTP/1.1 200 OK\r\n"
LENGTH = b"Content-Length: %d\r\n" % len(BODY)


@dataclass
class Asked:
    """A request: its number from 1 on, the first byte it asks for, and how to answer."""

    number: int
    start: int
    send: Callable[[bytes], None]
    stopped: threading.Event

    def forever(self, data: bytes, pause: float = 0.0) -> None:
        """Send the same until the other side, or the test, has had enough."""
        while not self.stopped.is_set():
            self.send(data)
            if pause:
                time.sleep(pause)

    def well(self) -> None:
        """Answer as a good server does."""
        rest = BODY[self.start :]
        head = b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes %d-%d/%d\r\n" if self.start else OK
        self.send(head % (self.start, len(BODY) - 1, len(BODY)) if self.start else head)
        self.send(b"Content-Length: %d\r\n\r\n" % len(rest) + rest)


@dataclass(frozen=True)
class Mode:
    """What a server does, and how the transfer must end."""

    answer: Callable[[Asked], object]
    end: str = "refused"


def _redirect(to: str) -> Mode:
    return Mode(lambda asked: asked.send(b"HTTP/1.1 302 Found\r\nLocation: %b\r\n\r\n" % to.encode()))


def _plain(text: bytes, end: str = "refused") -> Mode:
    return Mode(lambda asked: asked.send(text), end)


def _first(text: bytes) -> Mode:
    """A server that is bad once."""
    return Mode(lambda asked: asked.send(text) if asked.number == 1 else asked.well(), "survived")


def _one_more(asked: Asked) -> None:
    head = b"HTTP/1.1 206 Partial\r\nContent-Range: bytes %d-%d/%d\r\n" % (asked.start, len(BODY) - 1, len(BODY))
    asked.send((head if asked.start else OK) + b"Content-Length: %d\r\n\r\n" % (len(BODY) - asked.start))
    asked.send(BODY[asked.start : asked.start + 1])


def _other_bytes(asked: Asked) -> None:
    """The rest of another file, under a range that fits."""
    if asked.start:
        head = b"HTTP/1.1 206 Partial\r\nContent-Range: bytes %d-%d/%d\r\n" % (asked.start, len(BODY) - 1, len(BODY))
        asked.send(head + b"Content-Length: %d\r\n\r\n" % (len(BODY) - asked.start) + b"x" * (len(BODY) - asked.start))
    elif asked.number == 1:
        asked.send(OK + LENGTH + b"\r\n" + BODY[:HALF])
    else:
        asked.well()


MODES = {
    "silent": Mode(lambda asked: asked.stopped.wait()),
    "closes at once": _plain(b""),
    "endless body": Mode(lambda asked: (asked.send(OK + b"\r\n"), asked.forever(b"x" * 65536))),
    "endless chunks": Mode(
        lambda asked: (
            asked.send(OK + b"Transfer-Encoding: chunked\r\n\r\n"),
            asked.forever(b"10000\r\n" + b"x" * 65536 + b"\r\n"),
        )
    ),
    "a byte at a time": Mode(lambda asked: (asked.send(OK + LENGTH + b"\r\n"), asked.forever(b"x", 0.02))),
    "a byte at a time without a length": Mode(lambda asked: (asked.send(OK + b"\r\n"), asked.forever(b"x", 0.02))),
    "a status line without end": Mode(lambda asked: asked.forever(b"H", 0.02)),
    "a header without end": Mode(lambda asked: (asked.send(OK + b"X: "), asked.forever(b"x", 0.02))),
    "a long header": Mode(lambda asked: (asked.send(OK + b"X: "), asked.forever(b"x" * 65536))),
    "headers without end": Mode(lambda asked: (asked.send(OK), asked.forever(b"X: y\r\n"))),
    "continue without end": Mode(lambda asked: asked.forever(b"HTTP/1.1 100 Continue\r\n\r\n")),
    "one byte per connection": Mode(_one_more),
    "not HTTP": _plain(b"SSH-2.0-OpenSSH_9.2\r\n"),
    "terminal codes for a reason": _plain(b"HTTP/1.1 404 \x1b[2J\x1b]0;owned\x07Not\x00Found\r\n\r\n"),
    "a long reason": _plain(b"HTTP/1.1 404 " + b"no " * 20_000 + b"\r\n\r\n"),
    "a status that is none": _plain(b"HTTP/1.1 abc OK\r\n\r\n"),
    "a status of four digits": _plain(b"HTTP/1.1 2000 OK\r\n\r\n"),
    "a length that is none": Mode(lambda asked: asked.send(OK + b"Content-Length: many\r\n\r\n" + BODY), "survived"),
    "a length below nothing": Mode(lambda asked: asked.send(OK + b"Content-Length: -5\r\n\r\n" + BODY), "survived"),
    "a length beyond bounds": _plain(OK + b"Content-Length: 99999999999999999999\r\n\r\n" + b"x" * 1000),
    "a large length": _plain(OK + b"Content-Length: 999999999999\r\n\r\n" + b"x" * 1000),
    "more than the length": Mode(lambda asked: asked.send(OK + LENGTH + b"\r\n" + BODY + b"more"), "survived"),
    "two lengths": _plain(OK + b"Content-Length: 5\r\n" + LENGTH + b"\r\n" + BODY),
    "less than the length": _plain(OK + LENGTH + b"\r\n" + BODY[:10]),
    "chunks that are none": _plain(OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n"),
    "a chunk below nothing": _plain(OK + b"Transfer-Encoding: chunked\r\n\r\n-1\r\nabc\r\n"),
    "416 first": _plain(b"HTTP/1.1 416 No\r\nContent-Range: bytes */0\r\n\r\n"),
    "416 once": _first(b"HTTP/1.1 416 No\r\n\r\n"),
    "206 unasked": _plain(b"HTTP/1.1 206 Partial\r\nContent-Range: bytes 7-9/10\r\nContent-Length: 3\r\n\r\nabc"),
    "206 without a range": _plain(b"HTTP/1.1 206 Partial\r\nContent-Length: 3\r\n\r\nabc"),
    "204": _plain(b"HTTP/1.1 204 No Content\r\n\r\n"),
    "an empty body": _plain(OK + b"Content-Length: 0\r\n\r\n"),
    "another file": _plain(OK + LENGTH + b"\r\n" + b"x" * len(BODY)),
    "another file behind half of ours": Mode(_other_bytes, "survived"),
    "gzip": _plain(OK + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\0"),
    "redirects without end": Mode(
        lambda asked: asked.send(b"HTTP/1.1 302 Found\r\nLocation: /%d\r\n\r\n" % asked.number)
    ),
    "redirect to ftp": _redirect("ftp://127.0.0.1:9/data/vant.mat"),
    "redirect to a file": _redirect("file:///etc/passwd"),
    "redirect to data": _redirect("data:text/plain,x"),
    "redirect to nonsense": _redirect("http://[::1"),
    "redirect to a bad port": _redirect("http://127.0.0.1:x/"),
    "redirect to nowhere": _plain(b"HTTP/1.1 302 Found\r\n\r\n"),
    "redirect to terminal codes": _redirect("gopher://\x1b[2J"),
    "401": _plain(b"HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=x\r\n\r\n"),
    "503 once": _first(b"HTTP/1.1 503 Busy\r\nRetry-After: 86400\r\n\r\n"),
    "503 always": _plain(b"HTTP/1.1 503 Busy\r\nRetry-After: 86400\r\n\r\n"),
    "half once": _first(OK + LENGTH + b"\r\n" + BODY[:HALF]),
}
# Addresses that lead nowhere.
ADDRESSES = (
    "http://[::1",
    "http://",
    "http:///x",
    "http://127.0.0.1:x",
    "http://127.0.0.1:99999",
    "http://127.0.0.1:0",
    "http://a b",
    "http://a\nb",
    "http://\x1b[2J",
    "http://é.example",
    "ftp://127.0.0.1",
    "javascript://x",
    "x" * 100_000 + "://y",
)


@dataclass
class Served:
    """A server under way: its address, and how often it was asked."""

    address: str
    asked: list[int] = field(default_factory=list)


@contextmanager
def misbehaving(mode: Mode):
    """Yield a server on the loopback interface that does what a mode says."""
    stopped, served = threading.Event(), Served("")

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            start = 0
            while (line := self.rfile.readline(65536).strip()) and not stopped.is_set():
                if line.lower().startswith(b"range: bytes="):
                    start = int(line.partition(b"=")[2].rstrip(b"-"))
            served.asked.append(start)
            with suppress(OSError):
                mode.answer(Asked(len(served.asked), start, self.connection.sendall, stopped))

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads, block_on_close = True, False

    with Server(("127.0.0.1", 0), Handler) as server:
        served.address = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield served
        finally:
            stopped.set()
            server.shutdown()
            thread.join()
