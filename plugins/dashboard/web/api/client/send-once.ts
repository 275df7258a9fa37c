import { isProblem, Problem } from './problem.ts'

/** A little longer than the API treats a request as running after its server has died, in milliseconds. */
const longestMs = 12_000
const pauseMs = 1_000

/**
 * Sends requests that must not create the same thing twice, each with its own `Idempotency-Key`. A request that
 * is sent again unchanged because its outcome is unknown keeps its key. While the API answers that it is still
 * running, it is repeated every second for up to twelve seconds.
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
      const made = await untilEnded(() => send(body, attempt.key))
      inDoubt = undefined
      return made
    } catch (error) {
      if (isRefused(error)) inDoubt = undefined
      throw error
    }
  }
}

async function untilEnded<Made>(send: () => Promise<Made>): Promise<Made> {
  for (let leftMs = longestMs; ; leftMs -= pauseMs) {
    try {
      return await send()
    } catch (error) {
      if (!isProblem(error, 'request_in_progress') || leftMs <= 0) throw error
    }
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
}

/** Whether an error means that nothing was created. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof Problem) || error.code === 'request_in_progress') return false
  return error.status >= 400 && error.status < 500
}

/** A unique text. `crypto.randomUUID` does not exist over plain http. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('')
}
