import { hasMoreThan } from '../../lib/has-more-than.ts'
import { memoryShares } from '../../lib/memory/memory-shares.ts'

/** Why a value cannot be an answer in JSON: it would have more bytes than there is memory for. */
export function tooLargeForJson(value: unknown): string | undefined {
  const most = memoryShares.answerBytes
  return hasMoreThan(value, most)
    ? `has itself in it, or more than the ${most} bytes that there is memory for`
    : undefined
}

/** Why an answer cannot be sent: while a client reads it, it is in memory as a whole. */
export function tooLarge(content: string | Uint8Array): string | undefined {
  const bytes = Buffer.byteLength(content)
  const most = memoryShares.answerBytes
  return bytes <= most
    ? undefined
    : `has ${bytes} bytes, more than the ${most} that there is memory for`
}
