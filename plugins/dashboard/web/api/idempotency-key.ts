/** A text that nothing else has, for `Idempotency-Key`. `crypto.randomUUID` is not there over plain http. */
export function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('')
}
