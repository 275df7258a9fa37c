import { createHmac } from 'node:crypto'
import { digest } from '../../../accounts/digest.ts'
import {
  findMade,
  keepAnswer,
  noteMade,
  releaseKey,
  type TakenKey,
  takeKey,
  takeOver,
} from '../../../accounts/idempotency-keys.ts'
import { isRefusal, refuse } from '../../../plugin/outcomes.ts'
import type { Caller, Log } from '../../../plugin.ts'
import { type Database, inTransaction, inUnflushedTransaction } from '../../../storage/database.ts'
import { invalid, type Rejection } from '../../send/problem.ts'
import type { Attempt, Reply, Route } from '../route/route.ts'
import { asSent, openAnswer, renderAnswer, sealAnswer } from './kept-answer.ts'

/** A request that may be repeated: credential, body and query are checked. */
export interface KeyedRequest {
  /** `Idempotency-Key`, as sent. */
  readonly key: string
  readonly route: Route
  readonly caller: Pick<Caller, 'accountId' | 'scopes' | 'credential'>
  readonly params: Readonly<Record<string, string>>
  readonly search: string
  readonly ifMatch: string | undefined
  /** The body as the client wrote it. */
  readonly sent: unknown
  readonly requestId: string
}

/** Answer a request, or repeat the answer that the same request got before. */
export type AnswerOnce = (
  request: KeyedRequest,
  handle: (attempt: Attempt) => Promise<Reply | Rejection>,
) => Promise<Reply | Rejection>

/** After how long an attempt counts as dead, in milliseconds: as long as a handler may take. */
const attemptMs = 10_000

/** How many bytes of answers an account may keep within a day, on each server: small requests with large answers would fill the disk. */
const dailyBytes = 32 * 1024 * 1024
const dayMs = 86_400_000

/** Visible ASCII, and no space. */
const keyPattern = /^[\x21-\x7e]{1,255}$/

/**
 * Handles requests with an `Idempotency-Key`. A key is taken before anything is done, and the answer is kept
 * afterwards. In between, what was made is recorded in the transaction that made it (see `Attempt`), so that an
 * attempt that died can be taken over and still nothing is made twice.
 */
export function createIdempotency({
  db,
  now,
  log,
}: {
  readonly db: Database
  readonly now: () => Date
  readonly log: Log
}): AnswerOnce {
  const keptToday = new Map<number, number>()
  let today = 0

  function hasRoom(accountId: number, bytes: number): boolean {
    const day = Math.floor(now().getTime() / dayMs)
    if (day !== today) keptToday.clear()
    today = day
    const all = (keptToday.get(accountId) ?? 0) + bytes
    if (all > dailyBytes) return false
    keptToday.set(accountId, all)
    return true
  }

  return async (request, handle) => {
    const { key, route } = request
    if (!keyPattern.test(key)) return badKey
    const of = { accountId: request.caller.accountId, key: digest(key) }
    const asked = fingerprint(request)
    const startedAt = now().getTime()
    // A request that may do more than write must not begin before its key is durable.
    const transact = route.resumes ? inUnflushedTransaction : inTransaction
    const taken = await takeKey(db, of, asked, startedAt, transact)
    if (taken) {
      const answer = answerOf(taken, asked, request, startedAt)
      if (answer) return answer
      if (!(await takeOver(db, of, taken.startedAt, startedAt))) return underWay
    }

    const seal = (reply: Reply) => {
      const rendered = renderAnswer(route, reply)
      const sealed = rendered && sealAnswer(rendered, key)
      return sealed && hasRoom(of.accountId, sealed.length) ? sealed : notKept
    }
    let isKept = false
    const attempt: Attempt = {
      made: async (part = 0) => (taken ? findMade(db, of, part) : undefined),
      record: async (tx, made, part = 0) =>
        (await noteMade(tx, of, part, made)) ? undefined : underWay,
      async keep(tx, reply) {
        isKept = await keepAnswer(tx, of, startedAt, seal(reply))
        return isKept ? undefined : underWay
      },
    }
    const keep = async (answer: Reply | Rejection) => {
      // Its transaction was committed with the answer in it.
      if (isKept && !isRefusal(answer)) return
      const sealed = isRefusal(answer) ? undefined : seal(answer)
      // A refused request made nothing, so its key can be used again, for the same request or a corrected one.
      if (sealed === undefined || (sealed === notKept && isDoneAgain(route)))
        await releaseKey(db, of, startedAt)
      else await keepAnswer(db, of, startedAt, sealed)
    }
    try {
      const handled = await handle(attempt)
      const answer = isRefusal(handled) ? handled : asSent(handled)
      // Whatever happens to the key, the work is done and its answer stands.
      if (answer !== underWay) await keep(answer).catch(error => warn(request, error))
      return answer
    } catch (error) {
      await releaseKey(db, of, startedAt).catch(another => warn(request, another))
      throw error
    }
  }

  function warn({ route, requestId }: KeyedRequest, error: unknown): void {
    log.warn(`The outcome for an Idempotency-Key of ${route.name} could not be saved`, {
      requestId,
      error,
    })
  }
}

const badKey = invalid([
  {
    field: 'Idempotency-Key',
    code: 'invalid_format',
    message: 'Must have 1 to 255 visible ASCII characters, such as a UUID.',
  },
])
const reused = refuse(
  'idempotency_key_reused',
  'This Idempotency-Key was sent with a different request. Use a new key for each request.',
  409,
)
const underWay: Rejection = refuse(
  'request_in_progress',
  'A request with this Idempotency-Key is still running. Try again in a moment.',
  409,
  undefined,
  { retryAfterSeconds: 1 },
)
const unknown = refuse(
  'outcome_unknown',
  'A request with this Idempotency-Key was interrupted. Check whether it took effect before you send it again with a new key.',
  409,
)
const tooLarge = refuse(
  'outcome_unknown',
  'A request with this Idempotency-Key was done, but its answer was too large to be kept, or there was no room for it today. Check what it did before you send it again with a new key.',
  409,
)

/** Stands for an answer that was given, and is not kept. */
const notKept = Buffer.alloc(0)

/** Whether nothing is done twice if a request is done again, because it notes all that it makes, or only reads. */
function isDoneAgain({ resumes, scope }: Route): boolean {
  return resumes === true || scope.endsWith(':read')
}

/** The answer to a request whose key is taken; undefined if the request may be done again. */
function answerOf(
  taken: TakenKey,
  asked: string,
  { route, key }: KeyedRequest,
  at: number,
): Reply | Rejection | undefined {
  if (taken.request !== asked) return reused
  if (taken.answer) return taken.answer.length > 0 ? replay(taken.answer, key) : tooLarge
  // In either direction, in case the clock was set back.
  if (Math.abs(at - taken.startedAt) < attemptMs) return underWay
  return route.resumes ? undefined : unknown
}

function replay(sealed: Buffer, key: string): Reply {
  const { status, headers, body } = openAnswer(sealed, key)
  return {
    status,
    headers: { ...headers, 'Idempotent-Replayed': 'true' },
    ...(body.length > 0 && { body }),
  }
}

/**
 * Requests are the same if their address, body, scopes and kind of credential are: a session is asked for the password
 * where a token is not. A body may hold a password that somebody chose.
 * The digest is keyed by the `Idempotency-Key`, which is never stored, so nobody who reads the database can
 * guess the password from the digest.
 */
function fingerprint(request: KeyedRequest): string {
  const { key, route, params, search, ifMatch, sent, caller } = request
  const { method, path } = route
  const scopes = [...caller.scopes].sort()
  const version = ifMatch === undefined ? [] : [ifMatch]
  const asked = [method, path, params, search, sent, scopes, caller.credential, ...version]
  return createHmac('sha256', key).update(JSON.stringify(asked)).digest('hex')
}
