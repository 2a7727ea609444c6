"""A way to the emulator on which the pointer is held up: for a publisher that is killed there, or overtaken."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import threading
from typing import Self
from urllib.parse import urlsplit

POINTER = b"/current.json HTTP"


class _Way(socketserver.BaseRequestHandler):
    server: Gate

    def handle(self) -> None:
        with socket.create_connection(self.server.behind) as behind:
            back = threading.Thread(target=_pump, args=(behind, self.request))
            back.start()
            while data := self.request.recv(65_536):
                if data.startswith(b"PUT /") and POINTER in data:
                    self.server.reached.set()
                    self.server.opened.wait()
                    if self.server.closing:
                        break
                behind.sendall(data)
            with contextlib.suppress(OSError):
                behind.shutdown(socket.SHUT_RDWR)
            back.join()


def _pump(source: socket.socket, to: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            to.sendall(data)


class Gate(socketserver.ThreadingTCPServer):
    """Hands on everything but the request that puts the pointer; that one waits until the gate is opened."""

    daemon_threads = False

    def __init__(self, emulator: str) -> None:
        super().__init__(("127.0.0.1", 0), _Way)
        to = urlsplit(emulator)
        self.behind = (to.hostname or "", to.port or 0)
        self.reached, self.opened = threading.Event(), threading.Event()
        self.closing = False
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

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
