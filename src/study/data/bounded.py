"""The answer of a web server, bounded in time: whatever it sends, or does not send, reading ends."""

from __future__ import annotations

import http.client
import io
import socket
import time
import urllib.parse
import urllib.request
from dataclasses import dataclass

from study.errors import StudyError

# Seconds without a byte, and until the answer begins.
TIMEOUT = 30.0


@dataclass
class Clock:
    """When reading must have ended, in seconds of the monotonic clock; what begins later is refused."""

    until: float

    def left(self) -> float:
        """Return the seconds left; raise TimeoutError when there are none."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError("it took too long")
        return left


class _Timed(io.RawIOBase):
    """The bytes of a socket until a clock says that it is enough, also when they come one at a time."""

    def __init__(self, sock: socket.socket, clock: Clock):
        self._sock, self._raw, self._clock = sock, sock.makefile("rb", buffering=0), clock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int | None:
        self._sock.settimeout(min(self._clock.left(), TIMEOUT))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def opened(address: str, headers: dict[str, str], clock: Clock) -> http.client.HTTPResponse:
    """Return the answer to a request, over http and https alone, also where a server sends us elsewhere.

    It goes by the proxies of the environment. The answer must begin within TIMEOUT seconds; reading from it raises
    TimeoutError when the clock has run out. Raises urllib's HTTPError and URLError, OSError and HTTPException.
    """
    beginning = Clock(min(clock.until, time.monotonic() + TIMEOUT))

    class Response(http.client.HTTPResponse):
        def __init__(self, sock: socket.socket, *arguments, **options):
            super().__init__(sock, *arguments, **options)
            self.fp.close()
            self.fp = io.BufferedReader(_Timed(sock, beginning))

    class Plain(urllib.request.HTTPHandler):
        def http_open(self, request):
            return self.do_open(_connection(http.client.HTTPConnection, Response), request)

    class Secure(urllib.request.HTTPSHandler):
        def https_open(self, request):
            return self.do_open(_connection(http.client.HTTPSConnection, Response), request)

    director = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        Plain(),
        Secure(),
        urllib.request.HTTPRedirectHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.UnknownHandler(),
    ):
        director.add_handler(handler)
    response = director.open(urllib.request.Request(address, headers=headers), timeout=min(clock.left(), TIMEOUT))
    beginning.until = clock.until
    return response


def _connection(kind: type[http.client.HTTPConnection], response: type[http.client.HTTPResponse]):
    return type(kind.__name__, (kind,), {"response_class": response})


def check_address(address: str) -> None:
    """Raise StudyError unless an address can be asked."""
    try:
        parts = urllib.parse.urlsplit(address)
        is_good = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_good = False
    if not is_good or not address.isascii() or not address.isprintable() or " " in address:
        raise StudyError(
            "config: published: base_url: expected an address like https://example.org/files, found "
            f"{cleaned(address)}."
        )


def cleaned(text: object, longest: int = 100) -> str:
    """Return what a server said as part of a sentence: one line, nothing that a terminal obeys, not too long."""
    words = "".join(c if c.isprintable() else " " for c in str(text)[: 4 * longest]).split()
    said = " ".join(words)
    return said if len(said) <= longest else f"{said[:longest]}..."
