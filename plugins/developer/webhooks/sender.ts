import { type Attempt, attempt } from './attempt.ts'
import { failuresToPause, isDue, isToCome } from './retries.ts'
import { settle } from './settle.ts'
import {
  type Delivery,
  deliveries,
  messages,
  type OwnContext,
  type Wakes,
  webhooks,
} from './tables.ts'
import { accountsOf } from './tell-webhooks.ts'

/** Sends what waits, of all webhooks side by side. */
export interface Sender extends Wakes {
  /** Whether anything is being sent. */
  isBusy(): boolean
  /** Sends nothing more; what is being sent is given up, and sent again later. */
  close(): Promise<void>
}

/** How often to look for what is due: other servers write, too, and pauses end. */
const lookMs = 1_000

/** How many messages of one webhook are sent at the same time, each about another thing. */
const atOnce = 4

/** How many are sent at the same time to receivers that answer quickly, and to others: these hold up only each other. */
const mostQuick = 48
const mostSlow = 16
const slowMs = 2_000

/** How many messages of one account, so that its new webhooks, of which nothing is known yet, leave room to others. */
const mostOfAccount = 12

/** After so many messages, other webhooks get their turn. */
const inOneTurn = 200

/** Whoever sends a message and has not noted for so long what came of it is gone, and it is sent again. */
const claimMs = 30_000

/** The messages of one webhook that are being sent. */
interface Lane {
  readonly done: Promise<void>
  /** Says that more is due. */
  nudge(): void
}

type Sending = Pick<OwnContext, 'db' | 'now' | 'log' | 'fetch' | 'signal' | 'unstable' | 'links'>

export function createSender(context: Sending): Sender {
  const { log, signal, unstable } = context
  const lanes = new Map<number, Lane>()
  const slow = new Set<number>()
  const under = { quick: 0, slow: 0 }
  /** How many messages of an account are being sent. */
  const ofAccounts = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isAsked = false
  let lastId = 0
  let isTroubled = false

  const room = ({ id, accountId }: Due) => {
    const ofKind = slow.has(id) ? mostSlow - under.slow : mostQuick - under.quick
    return Math.min(ofKind, mostOfAccount - (ofAccounts.get(accountId) ?? 0))
  }
  /** Takes room for so many messages; the function that is returned gives some of it back. */
  const take = ({ id, accountId }: Due, count: number) => {
    const kind = slow.has(id) ? 'slow' : 'quick'
    const change = (by: number) => {
      under[kind] += by
      const now = (ofAccounts.get(accountId) ?? 0) + by
      if (now > 0) ofAccounts.set(accountId, now)
      else ofAccounts.delete(accountId)
    }
    change(count)
    return (some: number) => change(-some)
  }

  function wake(): void {
    if (signal.aborted) return
    timer ??= setInterval(lookAgain, lookMs).unref()
    lookAgain()
  }

  function lookAgain(): void {
    isAsked = true
    if (looking || signal.aborted) return
    looking = look().finally(() => {
      looking = undefined
      if (isAsked) lookAgain()
    })
  }

  async function look(): Promise<void> {
    isAsked = false
    try {
      if (!unstable.isOn()) return
      const due = await webhooksWithDue(context)
      // Who was served last comes last.
      for (const it of [
        ...due.filter(it => it.id > lastId),
        ...due.filter(it => it.id <= lastId),
      ]) {
        const lane = lanes.get(it.id)
        lane?.nudge()
        if (lane || room(it) <= 0) continue
        lastId = it.id
        begin(it)
      }
      isTroubled = false
    } catch (error) {
      trouble(error)
    }
  }

  function begin(due: Due): void {
    let nudge = () => undefined
    const nudged = () =>
      new Promise<undefined>(resolve => {
        nudge = () => void resolve(undefined)
      })
    const done = serve(due, nudged).finally(() => {
      lanes.delete(due.id)
      lookAgain()
    })
    lanes.set(due.id, { done, nudge: () => nudge() })
  }

  /** The log and health tell of the database itself. */
  function trouble(error: unknown): void {
    if (signal.aborted || isTroubled) return
    isTroubled = true
    log.warn('Webhooks cannot be sent now', { error })
  }

  /**
   * Sends messages of one webhook until nothing of it is due, or others should have their turn. `nudged` resolves when more is
   * due, which need not wait for what is being sent.
   */
  async function serve(due: Due, nudged: () => Promise<undefined>): Promise<void> {
    const { id } = due
    const sending = new Set<Promise<void>>()
    try {
      for (let sent = 0; sent < inOneTurn && !signal.aborted; ) {
        const more = nudged()
        const free = Math.min(atOnce - sending.size, room(due))
        const { claimed, giveBack } = await claimInTurn(due, Math.max(0, free))
        for (const { delivery, message, webhook, isAdmin } of claimed) {
          sent += 1
          const one = attempt(webhook, message, isAdmin, context)
            .then(async came => {
              if (came.tookMs > slowMs) slow.add(id)
              else slow.delete(id)
              await note(delivery, came)
            })
            .catch(trouble)
            .finally(() => {
              giveBack(1)
              sending.delete(one)
            })
          sending.add(one)
        }
        if (sending.size === 0) return
        await Promise.race([more, ...sending])
      }
    } catch (error) {
      trouble(error)
    } finally {
      await Promise.all(sending)
    }
  }

  /** Claims as many messages at most, for which there is room, and keeps the room that they take. */
  async function claimInTurn(due: Due, most: number) {
    const giveBack = take(due, most)
    let count = 0
    try {
      const claimed = most > 0 ? await claim(due.id, most, context) : []
      count = claimed.length
      return { claimed, giveBack }
    } finally {
      giveBack(most - count)
    }
  }

  async function note(delivery: Delivery, came: Attempt): Promise<void> {
    // Whoever is told to stop says nothing about the receiver.
    if (signal.aborted && came.problem !== undefined) await giveUp(delivery, context)
    else await settle(delivery, came, context)
  }

  return {
    wake,
    isBusy: () => looking !== undefined || lanes.size > 0,
    async close() {
      clearInterval(timer)
      await looking
      await Promise.all([...lanes.values()].map(it => it.done))
    },
  }
}

/** A webhook of which something can be sent now. */
interface Due {
  readonly id: number
  readonly accountId: number
}

/** The webhooks of which something can be sent now. Those of suspended accounts wait until they are released. */
async function webhooksWithDue({
  db,
  now,
  unstable,
}: Pick<Sending, 'db' | 'now' | 'unstable'>): Promise<readonly Due[]> {
  const at = now().getTime()
  const rows = await db
    .selectFrom(`${webhooks} as w`)
    .select(['w.id', 'w.account_id'])
    .where('w.is_on', '=', 1)
    .where(({ eb, or }) => or([eb('w.paused_until', 'is', null), isDue('w.paused_until', at)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom(`${deliveries} as d`)
          .select('d.message_id')
          .whereRef('d.webhook_id', '=', 'w.id')
          .where('d.state', '=', 'waiting')
          .where(isDue('d.due_at', at)),
      ),
    )
    .orderBy('w.id')
    .execute()
  const accounts = await accountsOf(
    rows.map(row => row.account_id),
    unstable,
  )
  return rows
    .filter(row => !accounts.get(row.account_id)?.isSuspended)
    .map(row => ({ id: row.id, accountId: row.account_id }))
}

/** Takes some messages that are due for this server alone, oldest first. */
async function claim(webhookId: number, most: number, { db, now, unstable }: Sending) {
  const at = now().getTime()
  const webhook = await db
    .selectFrom(webhooks)
    .selectAll()
    .where('id', '=', webhookId)
    .where('is_on', '=', 1)
    .executeTakeFirst()
  if (!webhook || isToCome(webhook.paused_until, at)) return []
  const account = (await accountsOf([webhook.account_id], unstable)).get(webhook.account_id)
  const isTrial = webhook.failures >= failuresToPause
  const next = db
    .selectFrom(deliveries)
    .select('message_id')
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .where(isDue('due_at', at))
    .orderBy('due_at')
    .orderBy('message_id')
    .limit(isTrial ? 1 : most)
  const claimed = await db
    .updateTable(deliveries)
    .set(({ eb }) => ({
      claimed_at: at,
      due_at: at + claimMs,
      attempts: eb('attempts', '+', 1),
    }))
    .where('webhook_id', '=', webhookId)
    .where('message_id', 'in', next)
    .where('state', '=', 'waiting')
    .where(isDue('due_at', at))
    .returningAll()
    .execute()
  if (claimed.length === 0) return []
  const ids = claimed.map(it => it.message_id)
  const rows = await db
    .selectFrom(messages)
    .select(['id', 'event_id', 'body'])
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  return claimed.flatMap(delivery => {
    const message = byId.get(delivery.message_id)
    return message ? { delivery, message, webhook, isAdmin: account?.isAdmin === true } : []
  })
}

/** What was claimed and not sent is due at once. */
async function giveUp(
  { webhook_id, message_id, attempts, claimed_at }: Delivery,
  { db, now }: Pick<Sending, 'db' | 'now'>,
): Promise<void> {
  await db
    .updateTable(deliveries)
    .set({ claimed_at: null, due_at: now().getTime(), attempts: attempts - 1 })
    .where('webhook_id', '=', webhook_id)
    .where('message_id', '=', message_id)
    .where('claimed_at', '=', claimed_at)
    .execute()
}
