"""Walks through lists of any length, page by page."""

from __future__ import annotations

from typing import Any, Callable, Iterator, ParamSpec

P = ParamSpec("P")


def each(list_operation: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Iterator[Any]:
    """Yields every entry: `for host in each(client.list_hosts): ...`. Pages are fetched when they are needed."""
    query: dict[str, Any] = {"limit": 100, **kwargs}
    while True:
        page = list_operation(*args, **query)  # type: ignore[arg-type]
        yield from page["data"]
        if page["next_cursor"] is None:
            return
        query["cursor"] = page["next_cursor"]
