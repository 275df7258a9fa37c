"""The client of the API of Linnet: ``Linnet``, and ``AsyncLinnet`` for asyncio."""

from ._api import *  # noqa: F403
from ._client import AsyncPages, CallOptions, Page, Pages
from ._errors import *  # noqa: F403
from ._send import Retry, Thing, etag_of
