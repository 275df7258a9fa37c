"""Make the Python client from the OpenAPI document: make_wheel.py openapi.json VERSION FOLDER

Writes a type for each thing and body and a method for each operation, and packs them with the files of
``linnet_client/`` as a wheel. Prints its path. It needs nothing but Python.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
import textwrap
import zipfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional

Schema = Dict[str, Any]
Tree = Dict[str, Any]


class Types:
    """Types for schemas. Objects within others are named by where they are."""

    def __init__(self) -> None:
        self.written: Dict[str, str] = {}

    def of(self, schema: Schema, at: str) -> str:
        """The type of a schema; what it needs is called ``at``."""
        if "$ref" in schema:
            return name_in(schema["$ref"])
        if "properties" in schema:
            return self._object(schema, at)
        if "anyOf" in schema:
            # What has two spellings is described in both; a client needs one.
            schemas = [it for it in schema["anyOf"] if not is_twin(it, schema["anyOf"])]
            return union([self.of(it, f"{at}{number or ''}") for number, it in enumerate(schemas)])
        if "const" in schema or "enum" in schema:
            values = schema.get("enum", [schema.get("const")])
            return f"Literal[{', '.join(map(repr, values))}]"
        kind = schema.get("type")
        if isinstance(kind, list):
            return union([self.of({**schema, "type": it}, at) for it in kind])
        if kind == "array":
            return f"List[{self.of(schema.get('items', {}), f'{at}Item')}]"
        if kind == "object":
            more = schema.get("additionalProperties")
            return f"Dict[str, {self.of(more, f'{at}Value') if isinstance(more, dict) else 'Any'}]"
        plain = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
        return plain.get(str(kind), "Any")

    def _object(self, schema: Schema, at: str) -> str:
        if at in self.written:
            return at
        # Before its fields, of which one may have this very type.
        self.written[at] = ""
        properties = schema["properties"]
        types = {
            name: self.of(it, at + capital(name))
            for name, it in properties.items()
            if snake(name) == name or snake(name) not in properties
        }
        required = schema.get("required", [])
        needed = {it: types[it] for it in types if it in required}
        others = {it: types[it] for it in types if it not in required}
        if not others:
            self.written[at] = typed_dict(at, needed)
        elif not needed:
            self.written[at] = typed_dict(at, others, ", total=False")
        else:
            # In Python 3.9 all fields of a type may be missing, or none.
            parts = [typed_dict(f"_{at}", needed), typed_dict(f"_{at}More", others, ", total=False")]
            self.written[at] = "\n".join(parts) + f"\n\nclass {at}(_{at}, _{at}More):\n    pass\n"
        return at


def typed_dict(name: str, fields: Dict[str, str], more: str = "") -> str:
    lines = [f"    {field!r}: {type!r},\n" for field, type in fields.items()]
    return f"{name} = TypedDict({name!r}, {{\n{''.join(lines)}}}{more})\n"


def union(types: List[str]) -> str:
    some = list(dict.fromkeys(it for it in types if it != "None"))
    if not some:
        return "None"
    joined = some[0] if len(some) == 1 else f"Union[{', '.join(some)}]"
    return f"Optional[{joined}]" if "None" in types else joined


class Operation(NamedTuple):
    #: Its groups and its name, such as ``["links", "qr"]`` and ``get``.
    groups: List[str]
    name: str
    route: str
    places: List[str]
    #: What it takes after the values of its path: ``query``, ``body`` or nothing.
    takes: Optional[str]
    takes_type: str
    is_needed: bool
    #: What its answer has as ``data``, such as ``page``; or ``json``, ``file`` or ``nothing``.
    gives: str
    result: str
    about: str

    @property
    def is_paged(self) -> bool:
        return self.gives == "page"


def operations_of(document: Schema, types: Types) -> Iterator[Operation]:
    parameters = document["components"]["parameters"]
    ids = {it["operationId"] for methods in document["paths"].values() for it in methods.values()}
    for path, methods in document["paths"].items():
        for method, it in methods.items():
            status, answer = next(iter(it["responses"].items()))
            if status.startswith("3"):
                # It only leads a browser on.
                continue
            asked = [parameters[name_in(one["$ref"])] if "$ref" in one else one for one in it["parameters"]]
            groups, name = names_of(it["operationId"], ids)
            at = "".join(map(capital, [*groups, name]))
            content = answer.get("content", {})
            answered = content.get("application/json", {}).get("schema", {})
            yield Operation(
                groups,
                name,
                f"{method.upper()} {path[len('/api/v1'):]}",
                [one["name"] for one in asked if one["in"] == "path"],
                *input_of(it, [one for one in asked if one["in"] == "query"], at, types),
                given_by(content, answered, document["components"]["schemas"]),
                result_of(content, answered, at, types),
                f"{it['summary'].rstrip('.')}. {it['description']}",
            )


def names_of(id: str, ids: "set[str]") -> "tuple[List[str], str]":
    """``links.analytics.csv`` -> ``links``, ``analytics_csv``, since ``links.analytics`` is a method."""
    steps = id.split(".")
    shortest = next(end for end in range(1, len(steps) + 1) if ".".join(steps[:end]) in ids)
    name = snake("_".join(steps[shortest - 1 :]))
    return [snake(it) for it in steps[: shortest - 1]], re.sub("show", "get", name).replace("destroy", "delete")


def input_of(operation: Schema, query: List[Schema], at: str, types: Types) -> "tuple[Optional[str], str, bool]":
    body = operation.get("requestBody")
    if body:
        schema = body["content"].get("application/json", {}).get("schema")
        return "body", types.of(schema, f"{at}Body") if schema else "bytes", body["required"]
    fields = {it["name"]: it["schema"] for it in query if it["name"] != "dry_run"}
    if not fields:
        return None, "", False
    needed = [it["name"] for it in query if it["required"]]
    return "query", types.of({"properties": fields, "required": needed}, f"{at}Query"), bool(needed)


def result_of(content: Schema, answered: Schema, at: str, types: Types) -> str:
    if not content:
        return "None"
    if "application/json" not in content:
        return "httpx.Response"
    data = answered.get("properties", {}).get("data", answered)
    return types.of(data, f"{at}Answer")


def given_by(content: Schema, answered: Schema, schemas: Schema) -> str:
    if "application/json" not in content:
        return "file" if content else "nothing"
    properties = answered.get("properties", {})
    if "/PageMeta" in json.dumps(properties.get("meta", {})):
        return "page"
    data = properties.get("data", {})
    kind = (schemas[name_in(data["$ref"])] if "$ref" in data else data).get("type")
    return {"object": "object", "array": "list"}.get(str(kind), "json")


def tree_of(operations: List[Operation]) -> Tree:
    root: Tree = {}
    for operation in operations:
        at = root
        for group in operation.groups:
            at = at.setdefault(group, {})
        at[operation.name] = operation
    return root


def classes_of(tree: Tree, name: str, prefix: str) -> Iterator[str]:
    """The class of a group, after those of the groups within it. The whole tree is the client."""
    groups = {key: below for key, below in tree.items() if isinstance(below, dict)}
    for key, below in groups.items():
        yield from classes_of(below, name + capital(key), prefix)
    lines = [f"        self.{key} = {prefix}{name}{capital(key)}Methods(client)\n" for key in groups]
    methods = [method_of(it, prefix) for it in tree.values() if isinstance(it, Operation)]
    client = f"{prefix or 'Sync'}Client"
    if name == "":
        start = f"class {prefix}Linnet({client}):\n{ABOUT[prefix]}{START}"
    else:
        start = f"class {prefix}{name}Methods:\n    def __init__(self, client: {client}) -> None:\n        self._client = client\n"
    yield "".join([start, *lines, *methods])


def method_of(it: Operation, prefix: str) -> str:
    inputs = [f"{place}: Target" for place in it.places]
    if it.takes:
        inputs.append(f"{it.takes}: {it.takes_type if it.is_needed else f'Optional[{it.takes_type}] = None'}")
    item = re.sub(r"^List\[(.*)\]$", r"\1", it.result)
    result = f"{prefix}Pages[{item}]" if it.is_paged else f"Awaitable[{it.result}]" if prefix else it.result
    values = "".join(f"{place!r}: {place}, " for place in it.places)
    query, body = ("query" if it.takes == "query" else "None"), ("body" if it.takes == "body" else "None")
    sent = "query, options" if it.is_paged else f"{query}, {body}, options"
    call = f"self._client.{'_list' if it.is_paged else '_call'}({it.route!r}, {{{values.rstrip(', ')}}}, {sent})"
    about = textwrap.indent("\n".join(textwrap.wrap(f'"""{it.about}"""', 100)), " " * 8)
    parameters = ", ".join(["self", *inputs, "**options: Unpack[CallOptions]"])
    return f"\n    def {it.name}({parameters}) -> {result}:\n{about}\n        return {call}\n"


def sources_of(document: Schema) -> "tuple[str, str]":
    """The module with all types and methods, and that with what each request gives."""
    types = Types()
    for name, schema in document["components"]["schemas"].items():
        if types.of(schema, name) != name:
            types.written[name] = f"{name} = {types.of(schema, name)}\n"
    operations = list(operations_of(document, types))
    tree = tree_of(operations)
    classes = [text for prefix in ["", "Async"] for text in classes_of(tree, "", prefix)]
    # An alias names what stands after it only in quotes.
    written = [re.sub(r"^(\w+) = (?!TypedDict)(.*)$", r'\1: "TypeAlias" = "\2"', it) for it in types.written.values()]
    names = sorted([*types.written, "Linnet", "AsyncLinnet", "Target"])
    routes = "".join(f"    {it.route!r}: {it.gives!r},\n" for it in operations)
    api = "\n\n".join([HEAD, *written, *classes, f"__all__ = {json.dumps(names)}\n"])
    return api, f"{ROUTES}gives = {{\n{routes}}}\n"


START = """
    def __init__(self, url: str, **options: Unpack[ClientOptions]) -> None:
        super().__init__(url, **options)
        client = self
"""

ABOUT = {
    "": '''    """A client of one server.

    >>> linnet = Linnet("https://go.example.org", token="lnt_…")
    >>> link = linnet.links.create({"original_url": "https://example.com/"})
    """
''',
    "Async": '''    """The same, to be awaited: with asyncio.

    >>> linnet = AsyncLinnet("https://go.example.org", token="lnt_…")
    >>> link = await linnet.links.create({"original_url": "https://example.com/"})
    """
''',
}

ROUTES = '''"""What each request answers with. Written by make_wheel.py from the OpenAPI document of Linnet."""

'''

HEAD = '''"""The API of Linnet. Written by make_wheel.py from its OpenAPI document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Awaitable, Dict, List, Literal, Mapping, Optional, TypedDict, Union

import httpx

from ._client import AsyncClient, AsyncPages, Pages, SyncClient

if TYPE_CHECKING:
    from typing_extensions import TypeAlias, Unpack

    from ._client import CallOptions, ClientOptions

#: Something of the API: its id, or what was read of it; then just that version is meant.
Target = Union[str, Mapping[str, Any]]
'''


def write_wheel(document: Schema, version: str, folder: Path) -> Path:
    here = Path(__file__).parent
    files = {f"linnet_client/{it.name}": it.read_bytes() for it in sorted((here / "linnet_client").glob("*.py"))}
    api, routes = sources_of(document)
    files["linnet_client/_api.py"] = api.encode()
    files["linnet_client/_routes.py"] = routes.encode()
    files["linnet_client/py.typed"] = b""
    files["linnet_client/LICENSE"] = (here / "../../LICENSE").read_bytes()
    info = f"linnet_client-{version}.dist-info"
    files[f"{info}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: linnet\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = "".join(f"{name},{digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    path = folder / f"linnet_client-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            # With the same moment each time, so that the same sources make the same file.
            wheel.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return path


METADATA = """Metadata-Version: 2.1
Name: linnet-client
Version: {version}
Summary: Calls the API of Linnet, a link shortener that you run yourself.
License: MIT
Requires-Python: >=3.9
Requires-Dist: httpx>=0.27,<1
"""


def digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def name_in(ref: str) -> str:
    return ref.rsplit("/", 1)[1]


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z\d])[A-Z]", lambda it: f"_{it[0]}", name).lower()


def capital(name: str) -> str:
    return re.sub(r"(?:^|[^A-Za-z\d]+)(.)", lambda it: it[1].upper(), name)


def is_twin(schema: Schema, others: List[Schema]) -> bool:
    """Whether it requires the same as another, in the other case."""
    required = schema.get("required", [])
    in_snake = [snake(it) for it in required]
    return in_snake != required and any(other.get("required") == in_snake for other in others)


if __name__ == "__main__":
    source, version, folder = sys.argv[1:]
    print(write_wheel(json.loads(Path(source).read_text("utf-8")), version, Path(folder)))
