import type { Refusal } from '../../../plugin/outcomes.ts'
import type { Tx } from '../../../storage/database.ts'
import type { Reply } from './reply.ts'

/**
 * One attempt at a request with an `Idempotency-Key`. It keeps a handler from creating anything twice, even if
 * the process dies right after the commit. For a request without a key it does nothing.
 */
export interface Attempt {
  /** The id of what an earlier attempt created for this part; a request that creates one thing has part 0. */
  made(part?: number): Promise<string | undefined>
  /** Record an id in the transaction that creates the thing; refused if another attempt was faster. */
  record(tx: Tx, made: string, part?: number): Promise<Refusal | undefined>
  /** Keep the whole answer in the transaction that creates the thing; refused in the same case. */
  keep(tx: Tx, reply: Reply): Promise<Refusal | undefined>
}

/** For requests without a key. */
export const attemptWithoutKey: Attempt = {
  made: async () => undefined,
  record: async () => undefined,
  keep: async () => undefined,
}
