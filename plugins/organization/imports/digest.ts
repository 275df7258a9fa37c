import { createHash } from 'node:crypto'

/** 32 letters and digits, the same for the same texts. */
export function digestOf(...texts: readonly (string | null | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32)
}
