import type { z } from 'zod'
import type { Refusal } from '../outcomes.ts'
import type { Context } from './context.ts'
import type { Later } from './later.ts'
import type { Caller } from './tokens.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** A route under `/api/v1`; it goes into OpenAPI from the same schemas that check it. */
export interface Endpoint<
  B extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
> {
  readonly summary: string
  /** The scope a token needs, as `links:write`. */
  readonly scope: string
  readonly body?: B
  readonly query?: Q
  readonly answer: A
  /** Status of a success, 200 unless said. 204 sends no body. */
  readonly status?: number
  /** Budget 10 s. Undefined answers 404. */
  handle(
    call: {
      readonly caller: Caller
      readonly params: Readonly<Record<string, string>>
      readonly body: z.output<B>
      readonly query: z.output<Q>
    },
    context: Context,
  ): Later<z.input<A> | Refusal | undefined>
}

/** Check an endpoint's types where it is written. */
export function endpoint<B extends z.ZodType, Q extends z.ZodType, A extends z.ZodType>(
  it: Endpoint<B, Q, A>,
): Endpoint {
  return it as unknown as Endpoint
}
