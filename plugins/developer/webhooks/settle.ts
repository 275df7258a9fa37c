import { type OwnEvent, publicId } from '../../../core/plugin.ts'
import type { Attempt } from './attempt.ts'
import { holdTurns } from './hold-turns.ts'
import {
  failingMs,
  failuresToEnd,
  failuresToPause,
  isToCome,
  mostAttempts,
  pauseAfter,
} from './retries.ts'
import {
  type Delivery,
  deliveries,
  type OffBecause,
  type OwnContext,
  open,
  type Webhook,
  webhooks,
} from './tables.ts'

type Settling = Pick<OwnContext, 'db' | 'now' | 'log' | 'links' | 'unstable'>

/** Notes what came of an attempt: of the message, of the webhook, and which message is next. */
export async function settle(delivery: Delivery, came: Attempt, context: Settling): Promise<void> {
  const { db, now, log } = context
  const at = now().getTime()
  const { webhook_id: id } = delivery
  const ended = await db.transaction().execute(async tx => {
    const [webhook] = await holdTurns(tx, [id])
    // Who has lost its claim says nothing of the receiver any more.
    if (!webhook || !(await noteDelivery(tx, delivery, came, at))) return undefined
    await noteWebhook(tx, webhook, came, at)
    await nextOf(tx, delivery, at)
    if (came.problem === undefined && webhook.failures >= failuresToPause) await hasten(tx, id, at)
    const because = endOf(webhook, came, at)
    if (because) {
      await switchOff(tx, id, because, at)
      await context.unstable.tell('webhook', () => switchedOff(webhook, because), tx)
    }
    return because
  })
  if (ended) log.warn('A webhook was switched off', { webhook: id, because: ended })
}

async function noteWebhook(
  tx: Settling['db'],
  held: Webhook,
  { problem, status, retryAfterMs }: Attempt,
  at: number,
): Promise<void> {
  if (problem === undefined && held.failures === 0) return
  // What was being sent when the pause began says no more than what began it.
  if (problem !== undefined && isToCome(held.paused_until, at)) return
  const failures = problem === undefined ? 0 : held.failures + 1
  // Who asks for less means all that is sent, and else a receiver that fails is left alone for longer and longer.
  const asked = status === 429 || status === 503 ? retryAfterMs : undefined
  const pauseMs =
    failures >= failuresToPause ? pauseAfter(failures - failuresToPause + 1) : undefined
  const pausedMs = problem === undefined ? undefined : (asked ?? pauseMs)
  await tx
    .updateTable(webhooks)
    .set({
      failures,
      failing_since: failures === 0 ? null : (held.failing_since ?? at),
      paused_until: pausedMs === undefined ? null : at + pausedMs,
      problem: problem ?? null,
    })
    .where('id', '=', held.id)
    .execute()
}

/** False if another server has taken it over meanwhile. */
async function noteDelivery(
  tx: Settling['db'],
  { webhook_id, message_id, claimed_at, attempts }: Delivery,
  { problem, status, answer, tookMs, retryAfterMs }: Attempt,
  at: number,
): Promise<boolean> {
  const isOver = problem === undefined || attempts >= mostAttempts || status === 410
  const { numUpdatedRows } = await tx
    .updateTable(deliveries)
    .set({
      state: problem === undefined ? 'delivered' : isOver ? 'failed' : 'waiting',
      due_at: isOver ? at : at + (retryAfterMs ?? pauseAfter(attempts)),
      claimed_at: null,
      last_at: at,
      took_ms: tookMs,
      status,
      answer,
      problem: problem ?? null,
    })
    .where('webhook_id', '=', webhook_id)
    .where('message_id', '=', message_id)
    .where('claimed_at', '=', claimed_at)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Lets the next message about a thing be sent, if none of it is waiting any more. */
async function nextOf(
  tx: Settling['db'],
  { webhook_id, thing }: Pick<Delivery, 'webhook_id' | 'thing'>,
  at: number,
): Promise<void> {
  const about = tx
    .selectFrom(deliveries)
    .select('message_id')
    .where('webhook_id', '=', webhook_id)
    .where('thing', '=', thing)
  const isFirst = await about.where('state', '=', 'waiting').limit(1).executeTakeFirst()
  if (isFirst) return
  const next = await about
    .where('state', '=', 'behind')
    .orderBy('message_id')
    .limit(1)
    .executeTakeFirst()
  if (!next) return
  await tx
    .updateTable(deliveries)
    .set({ state: 'waiting', due_at: at })
    .where('webhook_id', '=', webhook_id)
    .where('message_id', '=', next.message_id)
    .execute()
}

/** A receiver that works again gets at once what waits because it failed. */
export async function hasten(tx: Settling['db'], id: number, at: number): Promise<void> {
  await tx
    .updateTable(deliveries)
    .set({ due_at: at })
    .where('webhook_id', '=', id)
    .where('state', '=', 'waiting')
    .where('claimed_at', 'is', null)
    .where('due_at', '>', at)
    .execute()
}

/** Why a webhook is to be switched off; undefined if it is not. */
function endOf(
  { failures, failing_since }: Webhook,
  { problem, status }: Attempt,
  at: number,
): OffBecause | undefined {
  if (problem === undefined) return undefined
  if (status === 410) return 'gone'
  const isLong = at - (failing_since ?? at) >= failingMs
  return isLong && failures + 1 >= failuresToEnd ? 'failing' : undefined
}

/** Switches a webhook off. What waits for it is missed. */
export async function switchOff(
  tx: Settling['db'],
  id: number,
  because: OffBecause,
  at: number,
): Promise<void> {
  await tx
    .updateTable(webhooks)
    .set({ is_on: 0, off_at: at, off_because: because, paused_until: null })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable(deliveries)
    .set({ state: 'missed', claimed_at: null })
    .where('webhook_id', '=', id)
    .where('state', 'in', [...open])
    .execute()
}

/** For plugins that hear of it, such as to tell the account. Its address may have secrets, and is not told. */
function switchedOff({ id, account_id, url }: Webhook, because: OffBecause): OwnEvent {
  const shown = { id: publicId('whk', id), host: new URL(url).host }
  return {
    what: 'updated',
    accountId: account_id,
    before: { ...shown, isOn: true, offBecause: null },
    after: { ...shown, isOn: false, offBecause: because },
  }
}
