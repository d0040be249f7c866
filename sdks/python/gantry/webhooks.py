"""Checks that a webhook came from the platform."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Mapping

TOLERANCE = 300


class InvalidSignature(Exception):
    """The request is not from the platform, or is a recording."""


def verify_webhook(
    headers: Mapping[str, str], body: bytes, secret: str, *, now: float | None = None, tolerance: int = TOLERANCE
) -> dict[str, Any]:
    """Returns the event, or raises InvalidSignature. `body` is the raw body, as it arrived."""
    if not secret.removeprefix("whsec_").rstrip("="):
        raise InvalidSignature("the secret is empty")
    given = {name.lower(): value for name, value in headers.items()}
    is_standard = "webhook-signature" in given
    is_authentic = _standard(given, body, secret) if is_standard else _service(given, body, secret)
    # Only the timestamp that the signature covers counts.
    sent = given.get("webhook-timestamp" if is_standard else "x-service-timestamp", "")
    if not sent.isascii() or not sent.isdigit():
        raise InvalidSignature("the timestamp is missing")
    if abs((time.time() if now is None else now) - int(sent)) > tolerance:
        raise InvalidSignature("the timestamp is too old or in the future")
    if not is_authentic:
        raise InvalidSignature("the signature does not fit")
    event: dict[str, Any] = json.loads(body)
    return event


def _standard(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    """Standard Webhooks: `webhook-signature: v1,BASE64 v1,BASE64`."""
    try:
        key = base64.b64decode(_padded(secret.removeprefix("whsec_").replace("-", "+").replace("_", "/")))
    except (binascii.Error, ValueError):
        return False
    signed = b".".join([headers.get("webhook-id", "").encode(), headers.get("webhook-timestamp", "").encode(), body])
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = [part.removeprefix("v1,").encode() for part in headers["webhook-signature"].split() if part.startswith("v1,")]
    return any([hmac.compare_digest(expected, each) for each in given])


def _service(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    """The platform's own header: `X-Service-Signature: v1=HEX,v1=HEX`."""
    signed = f"{headers.get('x-service-delivery', '')}.{headers.get('x-service-timestamp', '')}.".encode() + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest().encode()
    given = [part.strip().removeprefix("v1=").encode() for part in headers.get("x-service-signature", "").split(",")]
    return any([hmac.compare_digest(expected, each) for each in given])


def _padded(text: str) -> str:
    return text + "=" * (-len(text) % 4)
