"""Tells what was asked for from a refusal, and from what no Linnet answers."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple, Optional

import httpx

from ._errors import UnexpectedAnswerError, error_of

MIB = 2**20
#: A whole page of the largest links has a few megabytes.
MOST_JSON_BYTES = 64 * MIB
#: A file is in memory as a whole.
MOST_FILE_BYTES = 1024 * MIB

#: What is no JSON.
_nothing = object()


class Answer(NamedTuple):
    status: int
    headers: httpx.Headers
    #: The value of JSON, nothing, or any other answer as it is.
    body: Any


class Body:
    """Takes the bytes of an answer, as far as somebody needs them."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._bytes = bytearray()
        self._most = MOST_JSON_BYTES if _is_json(response) else MOST_FILE_BYTES
        #: Nobody asked for packed answers, and nobody reads the page of a proxy.
        is_packed = response.headers.get("Content-Encoding", "identity").lower() != "identity"
        self.is_wanted = not is_packed and (response.is_success or _is_json(response))

    def add(self, chunk: bytes) -> None:
        self._bytes += chunk
        self.is_wanted = len(self._bytes) <= self._most

    def whole(self) -> httpx.Response:
        """The answer with what was taken; raises what is too large."""
        status = self._response.status_code
        if len(self._bytes) > self._most:
            sentence = f"{self._response.url} answered with more than {self._most // MIB} MiB."
            raise UnexpectedAnswerError(sentence, status)
        left_out = (b"content-encoding", b"content-length", b"transfer-encoding")
        headers = [it for it in self._response.headers.raw if it[0].lower() not in left_out]
        return httpx.Response(status, headers=headers, content=bytes(self._bytes), request=self._response.request)


def read_answer(response: httpx.Response, gives: Optional[str], url: str) -> Answer:
    """What the operation gives; raises anything else. ``gives`` is not known of plugins."""
    status, headers = response.status_code, response.headers
    body: Any = _json_of(response) if _is_json(response) else _nothing
    is_same = status == 304 and "If-None-Match" in response.request.headers
    is_file = body is _nothing and gives in (None, "nothing" if status == 204 else "file")
    # Every answer of the API has an id. Anything else that says 200 has done nothing of what was asked.
    if "X-Request-Id" in headers:
        if is_same or (response.is_success and is_file):
            return Answer(status, headers, None if status == 204 else response)
        if response.is_success and _fits(body, gives):
            return Answer(status, headers, body)
    if status >= 400 and _is_problem(body):
        raise error_of({**body, "status": status})
    to = headers.get("Location") if response.is_redirect else None
    raise UnexpectedAnswerError(
        f"{url} leads on to {to}: use that address."
        if to
        else f"{url} answered {status}, but not as Linnet does. Is this its address?",
        status,
    )


def _is_json(response: httpx.Response) -> bool:
    kind = response.headers.get("Content-Type", "")
    return re.match(r"application/(problem\+)?json *(;|$)", kind, re.IGNORECASE) is not None


def _json_of(response: httpx.Response) -> Any:
    try:
        return json.loads(response.content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return _nothing


def _fits(body: Any, gives: Optional[str]) -> bool:
    if gives in (None, "json"):
        return body is not _nothing
    data = body.get("data") if isinstance(body, dict) else None
    if gives == "object":
        return isinstance(data, dict)
    if gives == "list":
        return isinstance(data, list)
    return gives == "page" and isinstance(data, list) and _is_meta(body.get("meta"))


def _is_meta(meta: Any) -> bool:
    return isinstance(meta, dict) and isinstance(meta.get("nextCursor", 0), (str, type(None)))


def _is_problem(body: Any) -> bool:
    return (
        _has_texts(body, "code", "detail", "requestId")
        and isinstance(body.get("errors"), list)
        and all(_has_texts(it, "field", "code", "message") for it in body["errors"])
    )


def _has_texts(body: Any, *names: str) -> bool:
    return isinstance(body, dict) and all(isinstance(body.get(name), str) for name in names)
