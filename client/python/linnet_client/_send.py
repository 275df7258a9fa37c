"""One request until it is answered, written once for both clients: they send and wait in their own ways."""

from __future__ import annotations

import random
import re
import secrets
import threading
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Generator, Optional, Union
from urllib.parse import quote

import httpx

from ._answer import Answer, read_answer
from ._errors import ConnectionError, LinnetError, ProblemError, TimeoutError
from ._routes import gives


@dataclass(frozen=True)
class Retry:
    """A request that is about to be sent again."""

    error: LinnetError
    #: How many seconds the client waits first.
    wait: float
    #: 1 for the first time that it is sent again.
    attempt: int


@dataclass(frozen=True)
class Connection:
    """Where the server is, and how patient the client is with it. Times are in seconds."""

    url: str
    token: Optional[str]
    timeout: float
    retries: int
    longest_wait: float
    on_retry: Optional[Callable[[Retry], None]]

    def __post_init__(self) -> None:
        if not isinstance(self.url, str) or not re.match(r"https?://[^/?#@\s]+(/[^?#@\s]*)?$", self.url):
            raise LinnetError(
                f"{self.url!r} is not the address of a server. Give one such as https://go.example.org."
            )
        # It becomes a header, where nothing else can stand.
        if self.token is not None and not (isinstance(self.token, str) and re.match(r"[!-~]+$", self.token)):
            raise LinnetError("token must be an API token.")
        check_patience(timeout=self.timeout, longest_wait=self.longest_wait, retries=self.retries)
        if self.on_retry is not None and not callable(self.on_retry):
            raise LinnetError("on_retry must be a function.")


def check_patience(**numbers: Any) -> None:
    for name, value in numbers.items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        is_number = is_number and 0 <= value <= threading.TIMEOUT_MAX
        if name == "retries" and not (is_number and isinstance(value, int)):
            raise LinnetError("retries must be a whole number from 0.")
        if not is_number:
            raise LinnetError(f"{name} must be a number of seconds.")


#: What any call takes by name.
_of_call = ("timeout", "retries", "dry_run", "idempotency_key", "if_match", "if_none_match", "headers")


def check_call(options: Dict[str, Any]) -> None:
    for name in options:
        if name not in _of_call:
            raise LinnetError(f"A call has no option {name}. Those that there are: {', '.join(_of_call)}.")
    check_patience(**{name: options[name] for name in ("timeout", "retries") if name in options})


class Thing(Dict[str, Any]):
    """An object of the API, which remembers the ``ETag`` that it came with."""

    etag: Optional[str] = None
    #: Whether it was changed since it was read: then the ``ETag`` is newer than what it says.
    is_changed: bool = False


def etag_of(thing: Any) -> Optional[str]:
    """The ``ETag`` of what a client read, if the server gave it one."""
    return getattr(thing, "etag", None)


#: What is asked of the client that runs the exchange: to send a request, or to wait so many seconds.
Step = Union[httpx.Request, float]
Exchange = Generator[Step, Any, Any]


def exchange(
    connection: Connection, route: str, values: Dict[str, Any], query: Any, body: Any, options: Dict[str, Any]
) -> Exchange:
    """Yields requests and pauses, is sent responses or what went wrong, and returns the ``Answer``."""
    check_call(options)
    method, _, pattern = route.partition(" ")
    path = path_of(pattern, values)
    key = None if method == "GET" else options.get("idempotency_key") or secrets.token_hex(16)
    # Keys belong to an account, so without a token a repeated request could do something twice.
    is_repeatable = method == "GET" or connection.token is not None
    retries = options.get("retries", connection.retries)
    asked = dict(query or {}, **({"dry_run": "true"} if options.get("dry_run") else {}))
    attempt = 1
    while True:
        outcome = yield _request(connection, method, path, asked, body, options, key)
        try:
            return _answer_in(outcome, gives.get(route), connection.url)
        except LinnetError as failure:
            error = failure
        asked_for = _wait_of(outcome.headers.get("Retry-After")) if isinstance(outcome, httpx.Response) else 0
        wait = max(asked_for, min(0.25 * 2 ** (attempt - 1), 8.0) * random.uniform(0.5, 1))
        is_hopeless = not is_repeatable or not _passes(error) or attempt > retries
        if is_hopeless or wait > connection.longest_wait:
            raise error
        if connection.on_retry:
            connection.on_retry(Retry(error, wait, attempt))
        yield wait
        attempt += 1


def _request(
    connection: Connection,
    method: str,
    path: str,
    query: Dict[str, Any],
    body: Any,
    options: Dict[str, Any],
    key: Optional[str],
) -> httpx.Request:
    wanted = {
        "Authorization": connection.token and f"Bearer {connection.token}",
        "Idempotency-Key": key,
        "If-Match": options.get("if_match"),
        "If-None-Match": options.get("if_none_match"),
    }
    headers = {name: value for name, value in wanted.items() if value is not None}
    # What is packed may be without bounds when it is unpacked.
    headers["Accept-Encoding"] = "identity"
    content: Dict[str, Any] = {"content": body} if isinstance(body, bytes) else {"json": body}
    if isinstance(body, bytes):
        headers["Content-Type"] = "application/octet-stream"
    timeout = httpx.Timeout(options.get("timeout", connection.timeout))
    try:
        return httpx.Request(
            method,
            f"{connection.url.rstrip('/')}/api/v1{path}",
            params={name: value for name, value in query.items() if value is not None} or None,
            headers={**headers, **options.get("headers", {})},
            extensions={"timeout": timeout.as_dict()},
            **(content if body is not None else {}),
        )
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        raise LinnetError(f"This cannot be sent: {error}") from error


def _answer_in(outcome: Union[httpx.Response, Exception], gives: Optional[str], url: str) -> Answer:
    if isinstance(outcome, httpx.Response):
        return read_answer(outcome, gives, url)
    if isinstance(outcome, LinnetError):
        raise outcome
    if isinstance(outcome, httpx.TimeoutException):
        raise TimeoutError(f"{url} did not answer in time.") from outcome
    # What breaks on this side, such as a header with a line break, would break again.
    is_ours = isinstance(outcome, httpx.LocalProtocolError) or not isinstance(outcome, httpx.TransportError)
    kind = LinnetError if is_ours else ConnectionError
    raise kind(f"{url} does not answer: {outcome or type(outcome).__name__}") from outcome


def _passes(error: LinnetError) -> bool:
    """Whether the same request may succeed a little later."""
    if isinstance(error, ConnectionError):
        return True
    if isinstance(error, ProblemError) and error.code == "request_in_progress":
        return True
    return getattr(error, "status", 0) in (408, 429, 502, 503, 504)


def _wait_of(header: Optional[str]) -> float:
    """``Retry-After`` in seconds; some proxies send a date."""
    if header is None:
        return 0
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return 0


def path_of(pattern: str, values: Dict[str, Any]) -> str:
    """The path with its values, which are ids, or things that have them."""

    def place(match: "re.Match[str]") -> str:
        name = match.group(1)
        value = values.get(name)
        if isinstance(value, dict):
            value = value.get(name, value.get("id"))
        # Dots alone would lead to another path.
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise LinnetError(f"{value!r} is no {name} for {pattern}.")
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", place, pattern)


def conditions_of(method: str, pattern: str, values: Dict[str, Any]) -> tuple[Any, Dict[str, Any]]:
    """The thing that a path ends with, and what asks for the version of it that is known."""
    thing = list(values.values())[-1] if values and pattern.endswith("}") else None
    etag = etag_of(thing)
    if etag is None or (method == "GET" and getattr(thing, "is_changed", False)):
        return thing, {}
    return thing, {"if_none_match" if method == "GET" else "if_match": etag}


def data_of(method: str, answer: Answer, thing: Any) -> Any:
    """What a method returns: ``data`` of the answer, or the very same thing if it has not changed."""
    if answer.status == 304:
        return thing
    if not isinstance(answer.body, dict) or "data" not in answer.body:
        return answer.body
    data = answer.body["data"]
    if not isinstance(data, dict):
        return data
    known = Thing(data)
    known.etag = answer.headers.get("ETag")
    # Nobody else has changed it in between, so that it can be changed again by the same object.
    if method != "GET" and known.etag and isinstance(thing, Thing) and thing.etag:
        thing.is_changed = thing.is_changed or thing.etag != known.etag
        thing.etag = known.etag
    return known
