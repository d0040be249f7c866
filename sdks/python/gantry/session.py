"""The tokens of a signed-in user, renewed once for all calls that find them expired."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass
from typing import Any, Callable

from .errors import error_of
from .transport import Request, Send

RENEW_AHEAD = 30.0


@dataclass(frozen=True)
class Tokens:
    access_token: str
    refresh_token: str
    expires_at: float


class Session:
    """Holds the tokens; `on_change` receives new ones, so that a program can store them."""

    def __init__(self, base_url: str, send: Send, timeout: float) -> None:
        self._base_url = base_url
        self._send = send
        self._timeout = timeout
        self._lock = threading.Lock()
        self._tokens: Tokens | None = None
        self.on_change: Callable[[Tokens | None], None] | None = None

    @property
    def tokens(self) -> Tokens | None:
        return self._tokens

    def start(self, session: dict[str, Any] | Tokens) -> None:
        """Uses the session of a sign-in from now on, or that of a switch to another license, which keeps the refresh token."""
        with self._lock:
            if isinstance(session, Tokens):
                self._store(session)
                return
            refresh = session.get("refresh_token") or (self._tokens.refresh_token if self._tokens else None)
            if refresh is None:
                raise ValueError("a switch to another license continues a session; there is none")
            self._store(Tokens(session["access_token"], refresh, time.time() + session["expires_in"]))

    def end(self) -> None:
        with self._lock:
            self._store(None)

    def access_token(self) -> str | None:
        tokens = self._tokens
        if tokens is not None and tokens.expires_at - time.time() < RENEW_AHEAD:
            return self.renew(tokens.access_token)
        return tokens.access_token if tokens else None

    def renew(self, refused: str) -> str | None:
        """A newer token than the refused one, or None when the session has ended."""
        with self._lock:
            tokens = self._tokens
            if tokens is None or tokens.access_token != refused:
                return tokens.access_token if tokens else None  # another thread was first
            body = json.dumps({"refresh_token": tokens.refresh_token}).encode()
            headers = {"Content-Type": "application/json", "Accept": "application/json"}
            response = self._send(Request("POST", f"{self._base_url}/auth/refresh", headers, body), self._timeout)
            if response.status == 401:
                self._store(None)
                return None
            if response.status >= 400:
                raise error_of(response.status, response.headers, response.body)
            session = json.loads(response.body)
            self._store(Tokens(session["access_token"], session["refresh_token"], time.time() + session["expires_in"]))
            return str(session["access_token"])

    def _store(self, tokens: Tokens | None) -> None:
        self._tokens = tokens
        if self.on_change is not None:
            self.on_change(tokens)
