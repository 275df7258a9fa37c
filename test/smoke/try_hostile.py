"""Asks servers that answer as no Linnet does: LINNET_HOSTILE has what the client has to raise, by address."""

import asyncio
import json
import os

from linnet_client import AsyncLinnet, Linnet, LinnetError
from linnet_client._client import AsyncPages, Pages

endings = json.loads(os.environ["LINNET_HOSTILE"])


def patience(ends):
    """What never comes whole is not waited for; all others come, however slow the machine."""
    return {"token": "lnt_1", "retries": 0, "timeout": 0.1 if ends == ["TimeoutError"] else 10}


def calls_of(linnet):
    yield "object", linnet.profile.get
    yield "page", linnet.links.list().page
    yield "list", linnet.admin.domains.list
    yield "nothing", lambda: linnet.links.delete("lnk_1")
    yield "request", lambda: linnet.request("GET /profile")


def check(at, error, ends) -> None:
    assert isinstance(error, LinnetError) and str(error), (at, error)
    assert type(error).__name__ in ends, (at, ends, repr(error))


async def awaited(at, url, ends) -> None:
    async with AsyncLinnet(url, **patience(ends)) as linnet:
        for name, call in calls_of(linnet):
            try:
                raise AssertionError((at, name, "It was taken.", await call()))
            except LinnetError as error:
                check((at, name, "awaited"), error, ends)


def circle():
    """Two pages, each of which leads to the other."""
    cursors = iter("abab")
    return lambda query: {"data": [], "meta": {"nextCursor": next(cursors)}}


async def awaited_circle() -> None:
    read = circle()

    async def answer(query):
        return read(query)

    async for _ in AsyncPages({}, answer):
        pass


for follow in (lambda: list(Pages({}, circle())), lambda: asyncio.run(awaited_circle())):
    try:
        raise AssertionError(("circle", "It was taken.", follow()))
    except LinnetError as error:
        check("circle", error, ["UnexpectedAnswerError"])

for at, (url, ends) in endings.items():
    with Linnet(url, **patience(ends)) as linnet:
        for name, call in calls_of(linnet):
            try:
                raise AssertionError((at, name, "It was taken.", call()))
            except LinnetError as error:
                check((at, name), error, ends)
    asyncio.run(awaited(at, url, ends))
print("All is as it should be.")
