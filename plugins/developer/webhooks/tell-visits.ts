import { createHash } from 'node:crypto'
import type { Json } from '../../../core/plugin.ts'
import { visitsCounted } from './chosen-events.ts'
import { type OwnContext, webhooks } from './tables.ts'
import { tellWebhooks } from './tell-webhooks.ts'

const hourMs = 3_600_000

/** How many links one message tells of at most: a link has some 150 bytes. */
const linksEach = 100

/** How many hours are told of later, if the server was off. */
const mostHours = 24

/** Where the hour is kept until which all was told. */
const key = 'visitsToldUntil'

/** Tells of the visits of each hour that has ended, by link: how many, and nothing of who came. */
export async function tellVisits(context: OwnContext): Promise<void> {
  const { db, now, store } = context
  const end = Math.floor(now().getTime() / hourMs) * hourMs
  const told = Number((await store.get(key)) ?? end - hourMs)
  const all = await db
    .selectFrom(webhooks)
    .select(['account_id', 'covers', 'events'])
    .where('is_on', '=', 1)
    .execute()
  const hearing = all.filter(({ events }) => JSON.parse(events).includes(visitsCounted))
  const hears = hearing.some(({ covers }) => covers === 'instance')
    ? () => true
    : (id: number) => hearing.some(({ account_id }) => account_id === id)
  for (let hour = Math.max(told, end - mostHours * hourMs); hour < end; hour += hourMs) {
    if (hearing.length > 0) await tellHour(hour, hears, context)
    await store.set(key, hour + hourMs)
  }
  if (told > end) await store.set(key, end)
}

async function tellHour(hour: number, hears: (id: number) => boolean, context: OwnContext) {
  const { links, now, unstable } = context
  const rest = new Map<number, { part: number; links: Json[] }>()
  const tell = (accountId: number, { part, links }: { part: number; links: Json[] }) =>
    tellWebhooks(
      {
        id: idOf(hour, accountId, part),
        type: visitsCounted,
        at: now().toISOString(),
        accountId,
        actor: { kind: 'system' },
        before: null,
        after: {
          from: new Date(hour).toISOString(),
          to: new Date(hour + hourMs).toISOString(),
          links,
        },
      },
      context,
    )
  for await (const page of unstable.links.visitsIn(new Date(hour))) {
    for (const { link, visits } of page) {
      if (!hears(link.accountId)) continue
      const own = rest.get(link.accountId) ?? { part: 0, links: [] }
      own.links.push({ id: link.id, shortUrl: links.shortUrl(link), visits })
      rest.set(link.accountId, own)
      if (own.links.length < linksEach) continue
      await tell(link.accountId, own)
      rest.set(link.accountId, { part: own.part + 1, links: [] })
    }
  }
  for (const [accountId, own] of rest) if (own.links.length > 0) await tell(accountId, own)
}

/** The same whenever the same part of an hour is told, so that nothing is told twice after a kill. */
function idOf(hour: number, accountId: number, part: number): string {
  const digest = createHash('sha256').update(`${hour} ${accountId} ${part}`).digest('hex')
  return `evt_${digest.slice(0, 32)}`
}
