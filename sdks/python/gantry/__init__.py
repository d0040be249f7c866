"""Python SDK of the Gantry platform API."""

from .client import Client
from .errors import ConnectionFailed, GantryError, HttpError, ProblemError
from .events import Event, EventCursorExpired
from .pages import each
from .session import Session, Tokens
from .transport import Retries
from .webhooks import InvalidSignature, verify_webhook

__all__ = [
    "Client",
    "ConnectionFailed",
    "Event",
    "EventCursorExpired",
    "GantryError",
    "HttpError",
    "InvalidSignature",
    "ProblemError",
    "Retries",
    "Session",
    "Tokens",
    "each",
    "verify_webhook",
]
