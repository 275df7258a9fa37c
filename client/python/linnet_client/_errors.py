"""What the client raises."""

from __future__ import annotations

from typing import Any, Dict, List

__all__ = [
    "ConflictError",
    "ConnectionError",
    "ForbiddenError",
    "LinnetError",
    "NotFoundError",
    "ProblemError",
    "RateLimitError",
    "ServerError",
    "StaleError",
    "TimeoutError",
    "UnauthenticatedError",
    "UnexpectedAnswerError",
    "ValidationError",
]


class LinnetError(Exception):
    """Whatever the client raises."""


class ConnectionError(LinnetError):
    """No answer arrived. ``__cause__`` says why."""


class TimeoutError(ConnectionError):
    """No answer arrived in time."""


class UnexpectedAnswerError(LinnetError):
    """Something answered that does not speak as Linnet does: another server, a proxy, or a redirect elsewhere."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class ProblemError(LinnetError):
    """Linnet refused the request (RFC 9457). Each status that people handle has a class of its own."""

    def __init__(self, problem: Dict[str, Any]) -> None:
        wrong = [f"{error['field']}: {error['message']}" for error in problem["errors"]]
        super().__init__(" ".join([problem["detail"], *wrong]))
        self.status: int = problem["status"]
        #: Stable, such as ``short_code_taken``.
        self.code: str = problem["code"]
        #: All wrong fields at once, each with ``field``, ``code`` and ``message``.
        self.errors: List[Dict[str, str]] = problem["errors"]
        #: Finds the request in the log of the server.
        self.request_id: str = problem["requestId"]
        #: All that the answer says, also what only this code has, such as ``limit``.
        self.problem = problem


class UnauthenticatedError(ProblemError):
    """401: the token is missing, unknown, expired or revoked."""


class ForbiddenError(ProblemError):
    """403: the scope of the token, the plan or a switch of the instance does not allow it."""


class NotFoundError(ProblemError):
    """404: it does not exist, or is not yours."""


class ConflictError(ProblemError):
    """409: it conflicts with what is there, such as a short code that is taken."""


class StaleError(ProblemError):
    """412: somebody changed it since you read it."""


class ValidationError(ProblemError):
    """422: ``errors`` has every wrong field."""


class RateLimitError(ProblemError):
    """429: too many requests, and waiting did not help."""


class ServerError(ProblemError):
    """5xx: the server cannot answer at the moment, or has a bug."""


_classes = {
    401: UnauthenticatedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    412: StaleError,
    422: ValidationError,
    429: RateLimitError,
}


def error_of(problem: Dict[str, Any]) -> ProblemError:
    """The refusal as the error of its class."""
    usual = ServerError if problem["status"] >= 500 else ProblemError
    return _classes.get(problem["status"], usual)(problem)
