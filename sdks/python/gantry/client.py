"""The client: every operation of the contract as a method, with keys, retries and typed errors."""

from __future__ import annotations

import json
import re
import secrets
from typing import Any, Iterator, Mapping
from urllib.parse import quote, urlencode

from .errors import error_of
from .events import Event, stream
from .generated.operations import CONTRACT_VERSION, Operations
from .session import Session
from .transport import Request, Response, Retries, Send, send_once, send_with_retries

VERSION = "0.1.0"


class Client(Operations):
    """Pass `api_key`, of a license or of a hosting company, or sign in with `sign_in` and hand the session to `session.start`; `license_key` is for the plugins of game servers. Safe to share among threads."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        license_key: str | None = None,
        timeout: float = 60.0,
        retries: Retries | None = None,
        send: Send = send_once,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._license_key = license_key
        self._timeout = timeout
        self._retries = retries or Retries()
        self._send = send
        self.session = Session(self.base_url, send, timeout)

    def _call(
        self,
        operation: str,
        method: str,
        path: str,
        *,
        path_values: Mapping[str, Any] | None = None,
        query_values: Mapping[str, Any] | None = None,
        header_values: Mapping[str, Any] | None = None,
        body: Any = None,
        content_type: str = "application/json",
        public: bool = False,
        idempotent: bool = False,
    ) -> Any:
        url = self.base_url + filled(path, path_values or {}) + encoded(query_values or {})
        headers = {"Accept": "application/json, */*;q=0.1", "User-Agent": f"gantry-python/{VERSION} ({CONTRACT_VERSION})"}
        headers.update({name: str(value) for name, value in (header_values or {}).items() if value is not None})
        if idempotent:
            # One key for all attempts of this call.
            headers.setdefault("Idempotency-Key", secrets.token_hex(16))
        data = None
        if body is not None:
            data, headers["Content-Type"] = serialized(body, content_type)
        response = self._authorized(Request(method, url, headers, data), public)
        if response.status >= 300:
            raise error_of(response.status, response.headers, response.body)
        if not response.body:
            return None
        kind = response.headers.get("content-type", "").partition(";")[0].strip()
        return json.loads(response.body) if re.search(r"[/+]json$", kind) else response.body

    def _authorized(self, request: Request, public: bool) -> Response:
        if public:
            return self._attempts(request)
        if self._license_key is not None:
            request.headers["X-License-Key"] = self._license_key
        if self._api_key is not None:
            request.headers["Authorization"] = f"Bearer {self._api_key}"
            return self._attempts(request)
        token = self.session.access_token()
        if token is None:
            return self._attempts(request)
        request.headers["Authorization"] = f"Bearer {token}"
        response = self._attempts(request)
        if response.status != 401:
            return response
        renewed = self.session.renew(token)
        if renewed is None or renewed == token:
            return response
        request.headers["Authorization"] = f"Bearer {renewed}"
        return self._attempts(request)

    def _credentials(self) -> dict[str, str]:
        if self._api_key is not None:
            return {"Authorization": f"Bearer {self._api_key}"}
        token = self.session.access_token()
        return {} if token is None else {"Authorization": f"Bearer {token}"}

    def _renewed(self) -> bool:
        tokens = self.session.tokens
        return tokens is not None and self.session.renew(tokens.access_token) not in (None, tokens.access_token)

    def _attempts(self, request: Request) -> Response:
        return send_with_retries(self._send, request, self._timeout, self._retries)

    def events(self, cursor: str | None = None, **filters: Any) -> Iterator[Event]:
        """Yields events as they happen, from `cursor` on; reconnects by itself, and misses none."""
        return stream(self, cursor, filters)


def filled(path: str, values: Mapping[str, Any]) -> str:
    def segment(match: re.Match[str]) -> str:
        value = str(values[match[1]])
        if value in ("", ".", ".."):
            raise ValueError(f"{match[1]} must not be {value!r}: it would name another path")
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", segment, path)


def encoded(query: Mapping[str, Any]) -> str:
    """Lists in queries are separated by commas."""
    given = {
        name: ",".join(map(text, value)) if isinstance(value, (list, tuple)) else text(value)
        for name, value in query.items()
        if value is not None and value not in ([], ())
    }
    return f"?{urlencode(given)}" if given else ""


def text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def serialized(body: Any, content_type: str) -> tuple[bytes, str]:
    if content_type == "multipart/form-data":
        return form(body)
    if isinstance(body, (bytes, bytearray)):
        return bytes(body), content_type
    return json.dumps(body).encode(), content_type


def form(fields: Mapping[str, Any]) -> tuple[bytes, str]:
    """Fields are texts, or files as `(file name, bytes)`."""
    boundary = secrets.token_hex(16)
    parts = bytearray()
    for name, value in fields.items():
        parts += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'.encode()
        if isinstance(value, tuple):
            file_name, content = value
            safe_name = file_name.replace('"', "%22").replace("\r", "").replace("\n", "")
            parts += f'; filename="{safe_name}"\r\nContent-Type: application/octet-stream\r\n\r\n'.encode() + content
        else:
            parts += f"\r\n\r\n{text(value)}".encode()
        parts += b"\r\n"
    return bytes(parts) + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"
