"""The two clients, which run what ``_send`` says."""

from __future__ import annotations

import asyncio
import contextvars
import queue
import threading
import time
from typing import Any, AsyncIterator, Callable, Dict, Generic, Iterator, Optional, Set, TypedDict, TypeVar

import httpx

from ._answer import Answer, Body
from ._errors import LinnetError, UnexpectedAnswerError
from ._send import Connection, Exchange, Retry, conditions_of, data_of, exchange

T = TypeVar("T")


class Page(Dict[str, Any]):
    """One page of a list: ``data``, ``meta`` and ``links``."""


class CallOptions(TypedDict, total=False):
    """What any method takes by name. Times are in seconds."""

    #: For each attempt, in place of that of the client.
    timeout: float
    #: How often the request is sent again, in place of that of the client.
    retries: int
    #: Try the request: the answer is as it would be, and nothing changes.
    dry_run: bool
    #: Names what the request does, so that it is done once, whoever sends it again within a day.
    idempotency_key: str
    #: An ``ETag``, for the version that may be changed.
    if_match: str
    #: An ``ETag``, for the version that is known.
    if_none_match: str
    headers: Dict[str, str]


class ClientOptions(TypedDict, total=False):
    """What a client takes by name. Times are in seconds."""

    token: Optional[str]
    #: How long one attempt may take until its answer is there.
    timeout: float
    #: How often a request is sent again if the connection breaks or the server is busy.
    retries: int
    #: A server that asks to wait longer than this is not waited for.
    longest_wait: float
    #: Hears of each request that is about to be sent again.
    on_retry: Callable[[Retry], None]
    #: An ``httpx.Client``, or ``httpx.AsyncClient``, of your own. The former is called from a thread for each request.
    http: Any


class _Start:
    def __init__(
        self,
        url: str,
        *,
        token: Optional[str] = None,
        timeout: float = 30.0,
        retries: int = 5,
        longest_wait: float = 60.0,
        on_retry: Optional[Callable[[Retry], None]] = None,
        **others: Any,
    ) -> None:
        for name in others:
            raise LinnetError(f"The client has no option {name}. Those that there are: {', '.join(_of_client)}.")
        address = url.rstrip("/") if isinstance(url, str) else url
        self._connection = Connection(address, token, timeout, retries, longest_wait, on_retry)


_of_client = ("token", "timeout", "retries", "longest_wait", "on_retry", "http")


class SyncClient(_Start):
    """Sends requests, and waits, in the thread that calls."""

    def __init__(self, url: str, *, http: Optional[httpx.Client] = None, **options: Any) -> None:
        super().__init__(url, **options)
        self._http = http or httpx.Client()

    def request(
        self, route: str, *, path: Any = None, query: Any = None, body: Any = None, **options: Any
    ) -> Any:
        """Send any request, also to what plugins add: ``request("GET /moods/{id}", path={"id": "mood_1"})``.

        Returns the whole body of the answer; what is no JSON comes as the ``httpx.Response``.
        """
        steps = exchange(self._connection, route, path or {}, query, body, options)
        return self._run(steps).body

    def close(self) -> None:
        """Close the connections. ``with Linnet(…) as linnet:`` does it by itself."""
        self._http.close()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _call(self, route: str, values: Dict[str, Any], query: Any, body: Any, options: Any) -> Any:
        method, _, pattern = route.partition(" ")
        thing, conditions = conditions_of(method, pattern, values)
        steps = exchange(self._connection, route, values, query, body, {**conditions, **options})
        return data_of(method, self._run(steps), thing)

    def _list(self, route: str, values: Dict[str, Any], query: Any, options: Any) -> "Pages[Any]":
        def read(query: Dict[str, Any]) -> Page:
            return Page(self.request(route, path=values, query=query, **options))

        return Pages(query or {}, read)

    def _run(self, steps: Exchange) -> Answer:
        outcome: Any = None
        try:
            while True:
                step = steps.send(outcome)
                if isinstance(step, httpx.Request):
                    outcome = self._send(step)
                else:
                    time.sleep(step)
                    outcome = None
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def _send(self, request: httpx.Request) -> Any:
        """The response, read, or what went wrong.

        In a thread of its own, since the timeouts of httpx are for each read: a server that sends a byte now and then
        would never be late.
        """
        timeout = request.extensions["timeout"]["read"]
        late = threading.Event()
        outcomes: "queue.SimpleQueue[Any]" = queue.SimpleQueue()
        run = contextvars.copy_context().run
        threading.Thread(target=lambda: outcomes.put(run(self._attempt, request, late)), daemon=True).start()
        try:
            return outcomes.get(timeout=timeout)
        except queue.Empty:
            late.set()
            return httpx.ReadTimeout("The answer was not whole in time.")

    def _attempt(self, request: httpx.Request, late: threading.Event) -> Any:
        try:
            response = self._http.send(request, stream=True, follow_redirects=False)
            try:
                body = Body(response)
                for chunk in response.iter_bytes() if body.is_wanted else []:
                    body.add(chunk)
                    if late.is_set() or not body.is_wanted:
                        break
                return body.whole()
            finally:
                response.close()
        except Exception as error:
            return error


class AsyncClient(_Start):
    """Sends requests, and waits, by asyncio."""

    def __init__(self, url: str, *, http: Optional[httpx.AsyncClient] = None, **options: Any) -> None:
        super().__init__(url, **options)
        self._http = http or httpx.AsyncClient()

    async def request(
        self, route: str, *, path: Any = None, query: Any = None, body: Any = None, **options: Any
    ) -> Any:
        """Send any request, also to what plugins add: ``request("GET /moods/{id}", path={"id": "mood_1"})``.

        Returns the whole body of the answer; what is no JSON comes as the ``httpx.Response``.
        """
        steps = exchange(self._connection, route, path or {}, query, body, options)
        return (await self._run(steps)).body

    async def close(self) -> None:
        """Close the connections. ``async with AsyncLinnet(…) as linnet:`` does it by itself."""
        await self._http.aclose()

    async def __aenter__(self) -> Any:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def _call(self, route: str, values: Dict[str, Any], query: Any, body: Any, options: Any) -> Any:
        method, _, pattern = route.partition(" ")
        thing, conditions = conditions_of(method, pattern, values)
        steps = exchange(self._connection, route, values, query, body, {**conditions, **options})
        return data_of(method, await self._run(steps), thing)

    def _list(self, route: str, values: Dict[str, Any], query: Any, options: Any) -> "AsyncPages[Any]":
        async def read(query: Dict[str, Any]) -> Page:
            return Page(await self.request(route, path=values, query=query, **options))

        return AsyncPages(query or {}, read)

    async def _run(self, steps: Exchange) -> Answer:
        outcome: Any = None
        try:
            while True:
                step = steps.send(outcome)
                if isinstance(step, httpx.Request):
                    timeout = step.extensions["timeout"]["read"]
                    try:
                        outcome = await asyncio.wait_for(self._attempt(step), timeout)
                    except asyncio.TimeoutError:
                        outcome = httpx.ReadTimeout("The answer was not whole in time.")
                else:
                    await asyncio.sleep(step)
                    outcome = None
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    async def _attempt(self, request: httpx.Request) -> Any:
        try:
            response = await self._http.send(request, stream=True, follow_redirects=False)
            try:
                body = Body(response)
                if body.is_wanted:
                    async for chunk in response.aiter_bytes():
                        body.add(chunk)
                        if not body.is_wanted:
                            break
                return body.whole()
            finally:
                await response.aclose()
        except Exception as error:
            return error


class Pages(Generic[T]):
    """A list that comes in pages: ``for`` reads all of it, page after page, as far as it is wanted."""

    def __init__(self, query: Dict[str, Any], read: Callable[[Dict[str, Any]], Page]) -> None:
        self._query = query
        self._read = read

    def page(self) -> Page:
        """One page, with its ``meta``."""
        return self._read(self._query)

    def pages(self) -> Iterator[Page]:
        """Page after page, of a hundred each unless the query says otherwise."""
        query = {"per_page": 100, **self._query}
        asked = {query.get("cursor")}
        while True:
            page = self._read(query)
            yield page
            cursor = _next(page, asked)
            if cursor is None:
                return
            query = {**query, "page": None, "cursor": cursor}

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page["data"]


class AsyncPages(Generic[T]):
    """A list that comes in pages: ``async for`` reads all of it, page after page, as far as it is wanted."""

    def __init__(self, query: Dict[str, Any], read: Callable[[Dict[str, Any]], Any]) -> None:
        self._query = query
        self._read = read

    async def page(self) -> Page:
        """One page, with its ``meta``."""
        page: Page = await self._read(self._query)
        return page

    async def pages(self) -> AsyncIterator[Page]:
        """Page after page, of a hundred each unless the query says otherwise."""
        query = {"per_page": 100, **self._query}
        asked = {query.get("cursor")}
        while True:
            page: Page = await self._read(query)
            yield page
            cursor = _next(page, asked)
            if cursor is None:
                return
            query = {**query, "page": None, "cursor": cursor}

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for thing in page["data"]:
                yield thing


def _next(page: Page, asked: Set[Optional[str]]) -> Optional[str]:
    """The cursor of the page after this one, which was not asked for before."""
    cursor: Optional[str] = page["meta"]["nextCursor"]
    if cursor is not None and cursor in asked:
        raise UnexpectedAnswerError("The pages of the list lead to no end.", 200)
    asked.add(cursor)
    return cursor
