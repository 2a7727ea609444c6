"""A way to the emulator on which requests are held up, altered or cut: for who is killed there, or overtaken."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import threading
from collections.abc import Callable
from typing import Self
from urllib.parse import urlsplit

POINTER = b"/current.json HTTP"


def puts_pointer(sent: bytes) -> bool:
    return sent.startswith(b"PUT /") and POINTER in sent


def never(sent: bytes) -> bool:
    return False


def as_sent(sent: bytes) -> bytes:
    return sent


class _Way(socketserver.BaseRequestHandler):
    server: Gate

    def handle(self) -> None:
        if self.server.shut:
            return
        self.server.ways.append(self.request)
        with socket.create_connection(self.server.behind) as behind:
            back = threading.Thread(target=_pump, args=(behind, self.request))
            back.start()
            while data := self._sent():
                if self.server.holds(data):
                    self.server.reached.set()
                    self.server.opened.wait()
                    if self.server.closing:
                        break
                if self.server.cuts(data):
                    break
                behind.sendall(self.server.alters(data))
            with contextlib.suppress(OSError):
                behind.shutdown(socket.SHUT_RDWR)
            back.join()

    def _sent(self) -> bytes:
        data: bytes = b""
        with contextlib.suppress(OSError):
            data = self.request.recv(65_536)
        return data


def _pump(source: socket.socket, to: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            to.sendall(data)


class Gate(socketserver.ThreadingTCPServer):
    """Hands on everything but the request that puts the pointer, or those that are `held`, until the gate is opened.

    A connection that sends what is `cut` is ended; what is `altered` arrives so.
    """

    daemon_threads = False

    def __init__(
        self,
        emulator: str,
        held: Callable[[bytes], bool] = puts_pointer,
        *,
        cut: Callable[[bytes], bool] = never,
        altered: Callable[[bytes], bytes] = as_sent,
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Way)
        to = urlsplit(emulator)
        self.behind = (to.hostname or "", to.port or 0)
        self.reached, self.opened = threading.Event(), threading.Event()
        self.holds, self.cuts, self.alters = held, cut, altered
        self.closing = self.shut = False
        self.ways: list[socket.socket] = []
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def close_connections(self) -> None:
        """As if the store went away: nothing answers any more."""
        self.shut = True
        for way in self.ways:
            with contextlib.suppress(OSError):
                way.shutdown(socket.SHUT_RDWR)

    def reopen_connections(self) -> None:
        """The store is back."""
        self.shut = False

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing = True
        self.opened.set()
        self.shutdown()
        self._thread.join()
        self.server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing: the client is killed, which is what this is for."""
