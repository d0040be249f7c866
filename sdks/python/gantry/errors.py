"""Errors of calls."""

from __future__ import annotations

import json
from typing import Any, Mapping


class GantryError(Exception):
    """Every error that a call raises."""


class ConnectionFailed(GantryError):
    """No response: the network failed, or the time ran out, after all retries."""


class HttpError(GantryError):
    """A response that is neither a success nor a problem, for example of a proxy."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        super().__init__(f"{status}")
        self.status = status
        self.headers = headers
        self.body = body


class ProblemError(HttpError):
    """The platform refused the request. Decide on `code`; `detail` is for people."""

    def __init__(self, problem: dict[str, Any], status: int, headers: Mapping[str, str], body: bytes) -> None:
        super().__init__(status, headers, body)
        self.args = (f"{problem.get('code')}: {problem.get('detail')}",)
        self.problem = problem

    @property
    def code(self) -> str:
        return str(self.problem.get("code", ""))

    @property
    def detail(self) -> str:
        return str(self.problem.get("detail", ""))

    @property
    def request_id(self) -> str:
        return str(self.problem.get("request_id", ""))

    @property
    def errors(self) -> list[dict[str, str]]:
        """The fields that are wrong, as `pointer` and `detail`."""
        return list(self.problem.get("errors") or [])


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> HttpError:
    if headers.get("content-type", "").startswith("application/problem+json"):
        try:
            problem = json.loads(body)
        except ValueError:
            problem = None  # a response that was cut on its way
        if isinstance(problem, dict):
            return ProblemError(problem, status, headers, body)
    return HttpError(status, headers, body)
