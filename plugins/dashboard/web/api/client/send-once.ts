import { isProblem, Problem } from './problem.ts'

/** How long the API may take a request for running that died with its server, in milliseconds, and a little more. */
const longestMs = 12_000
const pauseMs = 1_000

/**
 * Sends things that must not be created twice, each with an `Idempotency-Key` of its own. A request that is sent again
 * unchanged, because its outcome is unknown, keeps its key. While the API says that it is still running, it is
 * repeated each second, for up to twelve seconds.
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

/** Whether an answer says that nothing was created. */
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
