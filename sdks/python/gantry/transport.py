"""Sends requests, and repeats those that may be repeated."""

from __future__ import annotations

import http.client
import random
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Callable, Mapping

from .errors import ConnectionFailed, ProblemError, error_of

PASSING = {429, 502, 503, 504}
REPEATABLE = {"GET", "HEAD", "PUT", "DELETE"}


@dataclass
class Request:
    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None = None


@dataclass
class Response:
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes


@dataclass
class Retries:
    """`attempts` beyond the first; waits double from `first_wait`, and a longer `Retry-After` than `max_wait` ends them."""

    attempts: int = 3
    first_wait: float = 0.25
    max_wait: float = 30.0
    sleep: Callable[[float], None] = time.sleep


Send = Callable[[Request, float], Response]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    # A redirect would carry the key to another server.
    def redirect_request(self, *_: object) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def open_url(request: Request, timeout: float) -> http.client.HTTPResponse:
    raw = urllib.request.Request(request.url, data=request.body, method=request.method)
    for name, value in request.headers.items():
        raw.add_unredirected_header(name, value)
    return _opener.open(raw, timeout=timeout)  # type: ignore[no-any-return]


def send_once(request: Request, timeout: float) -> Response:
    try:
        with open_url(request, timeout) as response:
            return Response(response.status, lowered(response.headers), response.read())
    except urllib.error.HTTPError as error:
        with error:
            return Response(error.code, lowered(error.headers), error.read())


def lowered(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


class Lost(Exception):
    """The connection failed before the whole response arrived."""


def send_with_retries(send: Send, request: Request, timeout: float, retries: Retries) -> Response:
    wait = retries.first_wait
    was_lost = False
    for left in range(retries.attempts, -1, -1):
        try:
            response = send(request, timeout)
        except (OSError, http.client.HTTPException) as error:
            if left == 0 or not is_repeatable(request):
                raise ConnectionFailed(str(error)) from error
            was_lost = True
            retries.sleep(wait + random.uniform(0, wait))
            wait *= 2
            continue
        if was_lost and request.method == "DELETE" and response.status == 404:
            # The deletion was done, and its response was lost.
            return Response(204, response.headers, b"")
        if left == 0 or not is_passing(response) or not is_repeatable(request):
            return response
        asked = retry_after(response.headers)
        if asked > retries.max_wait:
            return response
        retries.sleep(max(asked, wait + random.uniform(0, wait)))
        wait *= 2
    raise AssertionError("unreachable")


def is_repeatable(request: Request) -> bool:
    """Whether the request cannot take effect twice. A version condition holds only the first time."""
    if "Idempotency-Key" in request.headers:
        return True
    return request.method in REPEATABLE and "If-Match" not in request.headers


def is_passing(response: Response) -> bool:
    if response.status in PASSING:
        return True
    if response.status != 409:
        return False
    # The previous attempt, whose response was lost, is still running.
    error = error_of(response.status, response.headers, response.body)
    return isinstance(error, ProblemError) and error.code == "idempotency_in_flight"


def retry_after(headers: Mapping[str, str]) -> float:
    """Seconds; the header holds a number or a date."""
    value = headers.get("retry-after", "")
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0
