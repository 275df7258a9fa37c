import type { Refusal } from '../../../plugin/outcomes.ts'
import type { Tx } from '../../../storage/database.ts'
import type { Reply } from './reply.ts'

/**
 * How a handler takes care that a request with an `Idempotency-Key` makes nothing twice, also when the
 * process died right after the commit. For a request without one nothing of it does anything.
 */
export interface Once {
  /** The id of what an attempt before made of this part; a request that makes one thing has part 0. */
  made(part?: number): Promise<string | undefined>
  /** Record an id in the transaction that makes the thing; refused when another attempt was faster. */
  record(tx: Tx, made: string, part?: number): Promise<Refusal | undefined>
  /** Keep the whole answer in the transaction that makes the thing; refused in the same case. */
  keep(tx: Tx, reply: Reply): Promise<Refusal | undefined>
}

/** For requests that do not ask for it. */
export const unkeyed: Once = {
  made: async () => undefined,
  record: async () => undefined,
  keep: async () => undefined,
}
