import { hasMoreThan } from '../../lib/has-more-than.ts'
import { memoryShares } from '../../lib/memory/memory-shares.ts'

/** An answer in JSON is made, checked and written in one piece, in which no visitor is redirected. */
export const maxJsonBytes = 2 * 1024 * 1024

/** Why a value cannot be an answer in JSON. */
export function tooLargeForJson(value: unknown): string | undefined {
  return hasMoreThan(value, maxJsonBytes)
    ? `has itself in it, or more than ${maxJsonBytes} bytes`
    : undefined
}

/** Why an answer cannot be sent: while a client reads it, it is in memory as a whole. */
export function tooLarge(content: string | Uint8Array, most = memoryShares.answerBytes) {
  const bytes = Buffer.byteLength(content)
  return bytes <= most ? undefined : `has ${bytes} bytes, more than the ${most} that it may have`
}
