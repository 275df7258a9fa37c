import { Problem } from './problem.ts'

/**
 * Send things that must not be made twice, each with an `Idempotency-Key` of its own. What is sent again
 * unchanged, because nobody knows what became of it, has the key that it had.
 */
export function sendOnce<Body, Made>(
  send: (body: Body, idempotencyKey: string) => Promise<Made>,
): (body: Body) => Promise<Made> {
  let inDoubt: { readonly text: string; readonly key: string } | undefined
  return async body => {
    const text = JSON.stringify(body)
    const attempt = inDoubt?.text === text ? inDoubt : { text, key: newKey() }
    inDoubt = attempt
    try {
      const made = await send(body, attempt.key)
      inDoubt = undefined
      return made
    } catch (error) {
      if (isRefused(error)) inDoubt = undefined
      throw error
    }
  }
}

/** Whether an answer says that nothing was made. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof Problem) || error.code === 'request_in_progress') return false
  return error.status >= 400 && error.status < 500
}

/** A text that nothing else has. `crypto.randomUUID` is not there over plain http. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('')
}
