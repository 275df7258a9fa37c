import { z } from 'zod'
import type { Json } from './fields.ts'
import { type Refusal, refuse } from './outcomes.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * The answer of the API. The body of an error is a problem document, such as `{ code, detail, errors }`.
 *
 * @example
 * const { data } = z.object({ data: z.object({ shortUrl: z.string() }) }).parse(called.body)
 */
export interface Called {
  readonly status: number
  /** Undefined if there is none, or if it is not JSON. */
  readonly body: Json | undefined
  /** The version of the thing that is shown, if it has versions: each change makes another one. */
  readonly version?: string | undefined
}

const problem = z.object({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})

/**
 * What the API refused, as a refusal of the plugin: with the first field that is wrong, if one is.
 *
 * @example
 * const called = await call('POST', '/links', { originalUrl })
 * if (called.status >= 400) return refusalOf(called)
 */
export function refusalOf({ status, body }: Called): Refusal {
  const { code, detail, errors = [] } = problem.parse(body)
  const [wrong] = errors
  return refuse(code, wrong?.message ?? detail, status, wrong?.field)
}

/** A JSON Schema, draft 2020-12. */
type Schema = Readonly<Record<string, unknown>>

/**
 * An operation of the API that language models may be offered, with what it takes as the description of the API has it.
 * Names are in snake_case.
 *
 * @example
 * const tools = await context.unstable.tools()
 * const readers = tools.filter(({ method }) => method === 'GET')
 */
export interface ApiTool {
  /** The name of the operation, such as `links.create`. */
  readonly name: string
  /** What it does, in a few words. */
  readonly summary: string
  /** What it does and when to use it, for language models. */
  readonly about: string
  readonly method: Method
  /** Below `/api/v1`, with its parameters as in `/links/:id`. */
  readonly path: string
  /** The scope that a token needs. */
  readonly scope: string
  /** The object of its query; undefined if it has none. */
  readonly query: Schema | undefined
  /** The object of its body; undefined if it has none. */
  readonly body: Schema | undefined
  /** What `#/$defs/…` in `query` and `body` refers to, by name. */
  readonly definitions: Readonly<Record<string, Schema>>
  /** Whether it may be tried with `dry_run`. */
  readonly tries: boolean
}
