import type { z } from 'zod'
import { abandon, isThenable } from '../async/thenable.ts'

/** A schema that somebody else made has thrown, and whoever made it was told. */
export class BlamedSchema extends Error {
  override readonly name = 'BlamedSchema'
}

/**
 * Has `blame` called whenever a schema throws that somebody else made, and a `BlamedSchema` thrown instead. The schema itself is
 * changed, so it must be one that nobody else has. It cannot be told afterwards: what threw once may not throw again.
 */
export function blameFor<S extends z.ZodType>(schema: S, blame: (error: unknown) => void): S {
  const { run } = schema._zod
  schema._zod.run = (payload, context) => {
    try {
      const result = run(payload, context)
      if (!isThenable(result) || context.async) return result
      abandon(result)
      throw new Error('it is asynchronous')
    } catch (error) {
      if (!(error instanceof BlamedSchema)) blame(error)
      throw new BlamedSchema('A schema has thrown.')
    }
  }
  return schema
}
