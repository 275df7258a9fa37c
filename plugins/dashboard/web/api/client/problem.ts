import { problemSaid, said } from './said.ts'

/** An answer of the API that is not a success: RFC 9457, with all invalid fields at once. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  /** Stable code for programs, such as `short_code_taken`; `unreachable` if there was no answer. */
  readonly code: string
  /** What is wrong with each field, by its name in the request, such as `rules[2].value`. */
  readonly fields: Readonly<Record<string, string>>
  /** Finds the request in the log. */
  readonly requestId: string | undefined
  /** What else its code says, such as the question of a second step. */
  readonly more: Readonly<Record<string, unknown>>

  constructor({ status, code, detail, requestId, errors = [], ...more }: ProblemBody) {
    super(detail)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.more = more
    this.fields = Object.fromEntries(errors.map(({ field, message }) => [field, message]))
  }
}

interface ProblemBody {
  readonly status: number
  readonly code: string
  /** One sentence for people. */
  readonly detail: string
  readonly requestId?: string
  readonly errors?: readonly { readonly field: string; readonly message: string }[]
}

/** The problem in an answer. A proxy between us and the API may have answered in its place. */
export async function problemIn(response: Response): Promise<Problem> {
  const isOurs = response.headers.get('Content-Type')?.startsWith('application/problem+json')
  if (isOurs) return new Problem(inLanguage((await response.json()) as ProblemBody))
  const { status, statusText } = response
  return new Problem({ status, code: 'unexpected', detail: statusText || String(status) })
}

function inLanguage({ errors = [], ...problem }: ProblemBody): ProblemBody {
  return {
    ...problem,
    detail: problemSaid(problem.code, problem.detail),
    errors: errors.map(({ field, message }) => ({ field, message: said(message) })),
  }
}

/** Whether the request was cancelled because nobody waits for its answer any more. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** Whether an error is a problem with this code or status. */
export function isProblem(error: unknown, what: string | number): error is Problem {
  return error instanceof Problem && (error.code === what || error.status === what)
}
