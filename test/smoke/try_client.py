"""Uses the Python client against a server: LINNET_URL, LINNET_TOKEN. Ends with an error if something is not as it should be."""

import asyncio
import os

from linnet_client import (
    AsyncLinnet,
    ConnectionError,
    Linnet,
    LinnetError,
    NotFoundError,
    StaleError,
    ValidationError,
    etag_of,
)

url, token = os.environ["LINNET_URL"], os.environ["LINNET_TOKEN"]
target = "https://example.com/"


def error_of(call):
    try:
        call()
    except LinnetError as error:
        return error
    raise AssertionError("It was not refused.")


def what_cannot_be_meant() -> None:
    for wrong, said in [
        ({"url": "x"}, "'x' is not the address of a server."),
        ({"url": "ftp://example.org"}, "'ftp://example.org' is not the address of a server."),
        ({"url": None}, "None is not the address of a server."),
        ({"token": "a b"}, "token must be an API token."),
        ({"retries": -1}, "retries must be a whole number from 0."),
        ({"timeout": "5"}, "timeout must be a number of seconds."),
        ({"retry": 1}, "The client has no option retry."),
    ]:
        assert str(error_of(lambda: Linnet(**{"url": url, **wrong}))).startswith(said), wrong
    with Linnet(url, token=token) as linnet:
        assert str(error_of(lambda: linnet.profile.get(dry=True))).startswith("A call has no option dry.")


def sent_back() -> None:
    """What was read can be sent back as it is, whatever it is."""
    with Linnet(url, token=token) as linnet:
        made = {
            "links": linnet.links.create({"original_url": target}),
            "tags": linnet.tags.create({"name": "Sent back"}),
            "campaigns": linnet.campaigns.create({"name": "Sent back"}),
            "domains": linnet.domains.create({"host": "sent-back.example.org"}),
            "accounts": linnet.accounts.create({"email": "sent-back@example.org"}),
            "api_tokens": linnet.api_tokens.create({"name": "Sent back", "scopes": ["links:read"]}),
            "webhooks": linnet.webhooks.create({"url": "https://example.com/", "events": ["link.*"]}),
        }
        for name, thing in made.items():
            of = getattr(linnet, name)
            read = of.get(thing["id"])
            assert of.update(read, read) == read, name
            wrong = error_of(lambda: of.update(read["id"], {**read, "id": "another"}))
            assert [(it["field"], it["code"]) for it in wrong.errors] == [("id", "read_only")], name


def in_threads() -> None:
    with Linnet(url, token=token) as linnet:
        link = linnet.links.create({"original_url": target})
        assert linnet.links.get(link) is link
        linnet.links.update(link, {"title": "One"})
        assert linnet.links.get(link)["title"] == "One"
        linnet.links.update(link, {"title": "Two"})
        Linnet(url, token=token).links.update(link["id"], {"title": "Three"})
        assert isinstance(error_of(lambda: linnet.links.update(link, {"title": "Four"})), StaleError)
        assert isinstance(error_of(lambda: linnet.links.delete(link)), StaleError)
        again = linnet.links.get(link)
        assert again["title"] == "Three" and etag_of(again) != etag_of(link)

        wrong = error_of(lambda: linnet.links.create({"original_url": "x", "short_code": " "}))
        assert isinstance(wrong, ValidationError)
        assert sorted(it["field"] for it in wrong.errors) == ["original_url", "short_code"]

        condition = {"type": "device", "operator": "is", "value": "mobile"}
        rules = [{"name": "Phones", "original_url": target, "conditions": [condition]}]
        routed = linnet.links.create({"original_url": target, "dynamic_routing": {"rules": rules}})
        assert linnet.links.update(routed, {"dynamic_routing": routed["dynamicRouting"]}) == routed

        many = [{"original_url": f"{target}{number}", "title": link["id"]} for number in range(5)]
        assert [it["status"] for it in linnet.links.bulk_create({"links": many})] == [201] * 5
        found = linnet.links.list({"search": link["id"], "per_page": 2})
        assert sorted(it["originalUrl"] for it in found if it["title"]) == [it["original_url"] for it in many]
        assert found.page()["meta"]["total"] == 5 and len(found.page()["data"]) == 2

        tried = linnet.links.create({"original_url": target, "short_code": "tried"}, dry_run=True)
        assert tried["shortCode"] == "tried"
        assert isinstance(error_of(lambda: linnet.links.lookup({"short_code": "tried"})), NotFoundError)
        assert linnet.links.qr.get(link, {"format": "svg"}).text.startswith("<svg")
        assert linnet.links.analytics_csv(link).headers["Content-Type"].startswith("text/csv")
        assert linnet.request("GET /links/{id}", path={"id": link["id"]})["data"]["id"] == link["id"]
        assert linnet.links.delete(link["id"]) is None
        newer = error_of(lambda: linnet.request("POST /of-a-newer-server", body={}))
        assert isinstance(newer, NotFoundError) and "The server may be older" in str(newer)
        untrusted = os.environ.get("LINNET_UNTRUSTED")
        if untrusted:
            refused = error_of(Linnet(untrusted, token=token, retries=0).profile.get)
            assert isinstance(refused, ConnectionError) and "self-signed certificate" in str(refused), refused
        nowhere = Linnet("http://127.0.0.1:9", token=token, retries=1)
        assert isinstance(error_of(nowhere.profile.get), ConnectionError)
        for wrong in [{"idempotency_key": "é"}, {"headers": {"a": "\n"}}]:
            assert type(error_of(lambda: linnet.links.create({"original_url": target}, **wrong))) is LinnetError
        assert type(error_of(lambda: linnet.links.create({"original_url": {1}}))) is LinnetError
        assert type(error_of(lambda: linnet.links.get(None))) is LinnetError


async def awaited() -> None:
    async with AsyncLinnet(url, token=token) as linnet:
        keys = [f"row-{number}-{os.getpid()}" for number in range(20)]
        made = [linnet.links.create({"original_url": target}, idempotency_key=key) for key in keys + keys]
        links = await asyncio.gather(*made)
        assert len({it["id"] for it in links}) == len(keys)
        tag = await linnet.tags.create({"name": f"Python {os.getpid()}"})
        await linnet.links.bulk_update({"ids": [it["id"] for it in links[:20]], "add_tag_ids": [tag["id"]]})
        found = [it async for it in linnet.links.list({"tag_ids": [tag["id"]], "per_page": 7})]
        assert {it["id"] for it in found} == {it["id"] for it in links}
        assert (await linnet.links.list({"tag_ids": [tag["id"]]}).page())["meta"]["total"] == 20


def through_trouble() -> None:
    """The proxy at LINNET_TROUBLE breaks connections, refuses and is slow."""
    heard = set()
    linnet = Linnet(
        os.environ["LINNET_TROUBLE"],
        token=token,
        timeout=0.5,
        retries=8,
        on_retry=lambda retry: heard.add(type(retry.error).__name__),
    )
    urls = [f"{target}trouble/{number}" for number in range(30)]
    for it in urls:
        linnet.links.create({"original_url": it})
    made = [it["originalUrl"] for it in linnet.links.list() if "/trouble/" in it["originalUrl"]]
    assert sorted(made) == sorted(urls), made
    assert {"ConnectionError", "RateLimitError", "TimeoutError", "UnexpectedAnswerError"} <= heard, heard


what_cannot_be_meant()
sent_back()
in_threads()
asyncio.run(awaited())
through_trouble()
print("All is as it should be.")
