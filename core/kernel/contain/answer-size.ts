import { hasMoreThan } from '../../lib/has-more-than.ts'
import { memoryShares } from '../../lib/memory/memory-shares.ts'

/** An answer in JSON is made, checked and written in one piece, in which no visitor is redirected: it takes time by its bytes. */
export const maxJsonBytes = 2 * 1024 * 1024
/** And by its values: a schema takes as long for a number as for a long text. */
const maxJsonValues = 100_000

/** Why a value cannot be an answer in JSON. */
export function tooLargeForJson(value: unknown): string | undefined {
  if (hasMoreThan(value, maxJsonBytes, maxJsonValues)) {
    return `has itself in it, or more than ${maxJsonBytes} bytes or ${maxJsonValues} values`
  }
  return undefined
}

/** Why an answer cannot be sent: while a client reads it, it is in memory as a whole. */
export function tooLarge(content: string | Uint8Array, most = memoryShares.answerBytes) {
  const bytes = Buffer.byteLength(content)
  return bytes <= most ? undefined : `has ${bytes} bytes, more than the ${most} that it may have`
}
