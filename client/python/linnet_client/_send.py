"""One request until it is answered, written once for both clients: they send and wait in their own ways."""

from __future__ import annotations

import random
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Generator, Optional, Union
from urllib.parse import quote

import httpx

from ._errors import (
    ConnectionError,
    LinnetError,
    ProblemError,
    TimeoutError,
    UnexpectedAnswerError,
    error_of,
)


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
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
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


def etag_of(thing: Any) -> Optional[str]:
    """The ``ETag`` of what a client read, if the server gave it one."""
    return getattr(thing, "etag", None)


#: What is asked of the client that runs the exchange: to send a request, or to wait so many seconds.
Step = Union[httpx.Request, float]
Exchange = Generator[Step, Any, Any]


def exchange(
    connection: Connection, method: str, path: str, query: Any, body: Any, options: Dict[str, Any]
) -> Exchange:
    """Yields requests and pauses, is sent responses or errors of httpx, and returns the last response."""
    check_call(options)
    key = None if method == "GET" else options.get("idempotency_key") or secrets.token_hex(16)
    # Keys belong to an account, so without a token a repeated request could do something twice.
    is_repeatable = method == "GET" or connection.token is not None
    retries = options.get("retries", connection.retries)
    asked = dict(query or {}, **({"dry_run": "true"} if options.get("dry_run") else {}))
    attempt = 1
    while True:
        outcome = yield _request(connection, method, path, asked, body, options, key)
        if isinstance(outcome, httpx.Response) and _is_success(outcome):
            return outcome
        error, asked_for = _failure(outcome, connection.url)
        wait = max(asked_for, min(0.25 * 2 ** (attempt - 1), 8.0) * random.uniform(0.5, 1))
        is_hopeless = not is_repeatable or not _passes(error) or attempt > retries
        if is_hopeless or wait > connection.longest_wait:
            raise error from (outcome if isinstance(outcome, Exception) else None)
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
    content: Dict[str, Any] = {"content": body} if isinstance(body, bytes) else {"json": body}
    if isinstance(body, bytes):
        headers["Content-Type"] = "application/octet-stream"
    timeout = httpx.Timeout(options.get("timeout", connection.timeout))
    return httpx.Request(
        method,
        f"{connection.url.rstrip('/')}/api/v1{path}",
        params={name: value for name, value in query.items() if value is not None} or None,
        headers={**headers, **options.get("headers", {})},
        extensions={"timeout": timeout.as_dict()},
        **(content if body is not None else {}),
    )


def _is_success(response: httpx.Response) -> bool:
    # Every answer of the API has an id. Anything else that says 200 has done nothing of what was asked.
    is_good = response.is_success or response.status_code == 304
    return is_good and "X-Request-Id" in response.headers


def _failure(outcome: Union[httpx.Response, Exception], url: str) -> tuple[LinnetError, float]:
    if isinstance(outcome, httpx.TimeoutException):
        return TimeoutError(f"{url} did not answer in time."), 0
    if isinstance(outcome, Exception):
        return ConnectionError(f"{url} does not answer: {outcome or type(outcome).__name__}"), 0
    wait = _wait_of(outcome.headers.get("Retry-After"))
    problem = _json_of(outcome)
    if isinstance(problem, dict) and "code" in problem and "errors" in problem:
        return error_of(problem), wait
    to = outcome.headers.get("Location")
    sentence = (
        f"{url} leads on to {to}: use that address."
        if to
        else f"{url} answered {outcome.status_code}, but not as Linnet does. Is this its address?"
    )
    return UnexpectedAnswerError(sentence, outcome.status_code), wait


def _json_of(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None


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
    except (TypeError, ValueError):
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
            raise TypeError(f"{value!r} is no {name} for {pattern}.")
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", place, pattern)


def conditions_of(method: str, pattern: str, values: Dict[str, Any]) -> tuple[Any, Dict[str, Any]]:
    """The thing that a path ends with, and what asks for the version of it that is known."""
    thing = list(values.values())[-1] if values and pattern.endswith("}") else None
    etag = etag_of(thing)
    if etag is None:
        return thing, {}
    return thing, {"if_none_match" if method == "GET" else "if_match": etag}


def body_of(response: httpx.Response, url: str) -> Any:
    """The value of JSON, whose objects remember their version; any other answer as it is."""
    if response.status_code == 204:
        return None
    if not re.match(r"application/json\b", response.headers.get("Content-Type", "")):
        return response
    body = _json_of(response)
    if body is None:
        sentence = f"{url} answered {response.status_code}, but not as Linnet does. Is this its address?"
        raise UnexpectedAnswerError(sentence, response.status_code)
    return body


def data_of(method: str, response: httpx.Response, thing: Any, url: str) -> Any:
    """What a method returns: ``data`` of the answer, or the very same thing if it has not changed."""
    if response.status_code == 304:
        return thing
    body = body_of(response, url)
    if not isinstance(body, dict) or "data" not in body:
        return body
    data = body["data"]
    if not isinstance(data, dict):
        return data
    known = Thing(data)
    known.etag = response.headers.get("ETag")
    # Nobody else has changed it in between, so that it can be changed again by the same object.
    if method != "GET" and known.etag and isinstance(thing, Thing) and thing.etag:
        thing.etag = known.etag
    return known
