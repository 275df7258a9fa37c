import { FetchFailed } from '../../../core/plugin.ts'
import { readRetryAfter } from './retries.ts'
import { signedHeaders } from './secrets.ts'
import type { Message, OwnContext, Webhook } from './tables.ts'

/** What came of sending a message. */
export interface Attempt {
  /** Why it failed; undefined if it was taken. */
  readonly problem: string | undefined
  readonly status: number | null
  readonly answer: string | null
  readonly tookMs: number
  readonly retryAfterMs?: number | undefined
}

/** How long a receiver may take. */
const timeoutMs = 15_000

/** How much of its answer is kept. */
const maxAnswer = 500

/** Sends a message once. Only webhooks of admins reach networks that the operator opened for plugins. */
export async function attempt(
  webhook: Webhook,
  { event_id, body }: Pick<Message, 'event_id' | 'body'>,
  isAdmin: boolean,
  { fetch, now, signal, unstable }: Pick<OwnContext, 'fetch' | 'now' | 'signal' | 'unstable'>,
  patienceMs = timeoutMs,
): Promise<Attempt> {
  const secrets = secretsOf(webhook, now(), unstable)
  const since = performance.now()
  const tookMs = () => Math.round(performance.now() - since)
  if (secrets.length === 0) {
    const problem =
      'Its secret cannot be read: the database is that of another instance. Rotate it.'
    return { problem, status: null, answer: null, tookMs: 0 }
  }
  try {
    const {
      status,
      headers,
      body: bytes,
    } = await fetch(webhook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Linnet-Webhooks',
        ...signedHeaders(event_id, now(), body, secrets),
      },
      body,
      timeoutMs: patienceMs,
      maxBytes: 2_048,
      signal,
      toOwnNetwork: isAdmin,
    })
    return {
      problem: problemOf(status),
      status,
      answer: readable(bytes),
      tookMs: tookMs(),
      retryAfterMs: readRetryAfter(headers.get('retry-after'), now()),
    }
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error
    return { problem: error.message, status: null, answer: null, tookMs: tookMs() }
  }
}

function problemOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  const why =
    status >= 300 && status < 400 ? ' Redirects are not followed: give the last address.' : ''
  return `The receiver answered ${status}.${why}`
}

function secretsOf(
  { secret, old_secret, old_secret_until }: Webhook,
  now: Date,
  { secrets }: Pick<OwnContext['unstable'], 'secrets'>,
): readonly string[] {
  const old = (old_secret_until ?? 0) > now.getTime() ? old_secret : null
  return [secret, old].flatMap(it => (it === null ? [] : (secrets.reveal(it) ?? [])))
}

/** The beginning of an answer, as text that any database takes. */
function readable(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes).replaceAll('\0', '\uFFFD').slice(0, maxAnswer)
  return text.isWellFormed() ? text : text.toWellFormed()
}
