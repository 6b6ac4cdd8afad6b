"""A real HTTP server that speaks as much of Ollama's protocol as the parser uses."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = str | bytes | Callable[[BaseHTTPRequestHandler], None]
DIGEST = "d" * 64


class OllamaServer:
    """Answers each chat with the next of its replies, and keeps what it was asked."""

    def __init__(self, replies: Sequence[Reply], models: Sequence[str]) -> None:
        self.replies = list(replies)
        self.models = list(models)
        self.chats: list[dict[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                if self.path != "/api/tags":
                    self._send(404, {"error": "not found"})
                    return
                listed = [{"model": name, "name": name, "digest": DIGEST} for name in outer.models]
                self._send(200, {"models": listed})

            def do_POST(self) -> None:
                size = int(self.headers["Content-Length"])
                body = json.loads(self.rfile.read(size))
                if self.path != "/api/chat" or body["model"] not in outer.models:
                    self._send(404, {"error": f"model '{body.get('model')}' not found"})
                    return
                outer.chats.append(body)
                reply = outer.replies.pop(0) if len(outer.replies) > 1 else outer.replies[0]
                if callable(reply):
                    reply(self)
                elif isinstance(reply, bytes):
                    self._raw(200, reply)
                else:
                    self._raw(200, chat_lines(reply))

            def _send(self, status: int, document: Any) -> None:
                self._raw(status, json.dumps(document).encode())

            def _raw(self, status: int, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.host = f"http://127.0.0.1:{self._server.server_port}"

    def start(self) -> None:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def chat_lines(content: str) -> bytes:
    """Return the answer as the server streams it: pieces, one JSON object a line."""
    pieces = [content[i : i + 40] for i in range(0, len(content), 40)] or [""]
    lines = [
        {"model": "m", "message": {"role": "assistant", "content": piece}, "done": False}
        for piece in pieces
    ]
    lines.append({"model": "m", "message": {"role": "assistant", "content": ""}, "done": True})
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def silence(seconds: float) -> Reply:
    """Return a reply that says nothing for a while."""

    def wait(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        time.sleep(seconds)

    return wait


def failure(status: int, message: str) -> Reply:
    """Return an HTTP error."""

    def fail(handler: BaseHTTPRequestHandler) -> None:
        body = json.dumps({"error": message}).encode()
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return fail


@contextmanager
def ollama_server(
    *replies: Reply, models: Sequence[str] = ("gemma4:31b",)
) -> Iterator[OllamaServer]:
    server = OllamaServer(replies or ("{}",), models)
    server.start()
    try:
        yield server
    finally:
        server.stop()
