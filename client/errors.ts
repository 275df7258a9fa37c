/** What the client throws. Only an `AbortSignal` of your own ends a call with its own reason. */
export class LinnetError extends Error {
  override readonly name: string = 'LinnetError'
}

/** No answer arrived. `cause` says why. */
export class ConnectionError extends LinnetError {
  override readonly name: string = 'ConnectionError'
}

/** No answer arrived in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

/** Something answered that does not speak as Linnet does: another server, a proxy, or a redirect to another address. */
export class UnexpectedAnswerError extends LinnetError {
  override readonly name = 'UnexpectedAnswerError'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** One wrong field of a request. */
export interface WrongField {
  /** As in the request, such as `rules[2].value`. */
  readonly field: string
  readonly code: string
  /** One sentence for people. */
  readonly message: string
}

/** The body of a refusal, RFC 9457. */
export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly requestId: string
  readonly errors: readonly WrongField[]
  /** Some codes say more, such as `limit`. */
  readonly [more: string]: unknown
}

/** Linnet refused the request. Each status that people handle has a class of its own. */
export class ProblemError extends LinnetError {
  override readonly name: string = 'ProblemError'
  readonly status: number
  /** Stable, such as `short_code_taken`. */
  readonly code: string
  /** All wrong fields at once; empty if no field is to blame. */
  readonly errors: readonly WrongField[]
  /** Finds the request in the log of the server. */
  readonly requestId: string
  /** All that the answer says, also what only this code has, such as `limit`. */
  readonly problem: ProblemBody

  constructor(problem: ProblemBody) {
    super(sentenceOf(problem))
    this.status = problem.status
    this.code = problem.code
    this.errors = problem.errors
    this.requestId = problem.requestId
    this.problem = problem
  }
}

/** 401: the token is missing, unknown, expired or revoked. */
export class UnauthenticatedError extends ProblemError {
  override readonly name = 'UnauthenticatedError'
}

/** 403: the scope of the token, the plan or a switch of the instance does not allow it. */
export class ForbiddenError extends ProblemError {
  override readonly name = 'ForbiddenError'
}

/** 404: it does not exist, or is not yours. */
export class NotFoundError extends ProblemError {
  override readonly name = 'NotFoundError'
}

/** 409: it conflicts with what is there, such as a short code that is taken. */
export class ConflictError extends ProblemError {
  override readonly name = 'ConflictError'
}

/** 412: somebody changed it since you read it. */
export class StaleError extends ProblemError {
  override readonly name = 'StaleError'
}

/** 422: `errors` has every wrong field. */
export class ValidationError extends ProblemError {
  override readonly name = 'ValidationError'
}

/** 429: too many requests, and waiting did not help. */
export class RateLimitError extends ProblemError {
  override readonly name = 'RateLimitError'
}

/** 5xx: the server cannot answer at the moment, or has a bug. */
export class ServerError extends ProblemError {
  override readonly name = 'ServerError'
}

const classes: Readonly<Record<number, new (problem: ProblemBody) => ProblemError>> = {
  401: UnauthenticatedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: StaleError,
  422: ValidationError,
  429: RateLimitError,
}

/** A refusal as the error of its class. */
export function errorOf(problem: ProblemBody): ProblemError {
  const { [problem.status]: Known = problem.status >= 500 ? ServerError : ProblemError } = classes
  return new Known(problem)
}

function sentenceOf({ detail, errors }: ProblemBody): string {
  return [detail, ...errors.map(({ field, message }) => `${field}: ${message}`)].join(' ')
}
