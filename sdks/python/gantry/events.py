"""The event stream: Server-Sent Events that continue where they were cut."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping

from .errors import GantryError, error_of
from .transport import PASSING, Request, lowered, open_url, retry_after

if TYPE_CHECKING:
    from .client import Client

PATH = "/api/events/stream"
# The platform writes at least every 15 seconds.
SILENCE = 45.0
MAX_WAIT = 30.0


@dataclass(frozen=True)
class Event:
    type: str
    id: str
    """The cursor to continue from after this event."""
    cursor: str
    data: dict[str, Any]


class EventCursorExpired(GantryError):
    """The cursor is too old, or from before a restore: read the lists again, and start from their cursor."""


@dataclass
class Message:
    event: str
    data: str
    last_id: str | None
    retry: float | None


def parse(lines: Iterable[bytes]) -> Iterator[Message]:
    """Messages of a stream; those without data are yielded too, because they may carry an id."""
    name, data, last_id, retry = "message", [], None, None  # type: ignore[var-annotated]
    for raw in lines:
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if line == "":
            if data or last_id is not None or retry is not None:
                yield Message(name, "\n".join(data), last_id, retry)
            name, data, last_id, retry = "message", [], None, None
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif field == "id" and "\0" not in value:
            last_id = value
        elif field == "retry" and value.isdigit():
            retry = int(value) / 1000


def stream(client: Client, cursor: str | None, filters: Mapping[str, Any]) -> Iterator[Event]:
    from .client import encoded

    wait = 1.0
    has_renewed = False
    while True:
        connected = False
        try:
            headers = {"Accept": "text/event-stream", **client._credentials()}
            query = dict(filters)
            if cursor is not None:
                headers["Last-Event-ID"] = cursor
            request = Request("GET", client.base_url + PATH + encoded(query), headers)
            with open_url(request, SILENCE) as response:
                for message in parse(response):
                    connected = True
                    has_renewed = False
                    if message.retry is not None:
                        wait = message.retry
                    if message.last_id:
                        cursor = message.last_id
                    if message.event == "reconnect":
                        break
                    if message.data == "" or message.event == "ready":
                        continue
                    value = json.loads(message.data)
                    yield Event(message.event, str(value.get("id", "")), cursor or "", value)
        except urllib.error.HTTPError as error:
            with error:
                headers_of = lowered(error.headers)
                problem = error_of(error.code, headers_of, error.read())
            if error.code == 410:
                raise EventCursorExpired(str(problem)) from error
            if error.code == 401 and not has_renewed and client._renewed():
                has_renewed = True
                continue
            if error.code not in PASSING:
                raise problem from None
            wait = max(wait, retry_after(headers_of))
        except (OSError, http.client.HTTPException):
            pass  # the connection was lost: continue after the last event
        if connected:
            wait = min(wait, 2.0)  # a stream that worked is resumed at once
        time.sleep(random.uniform(wait / 2, wait))
        wait = min(wait * 2, MAX_WAIT)
