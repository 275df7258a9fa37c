import {
  type AddressedLink,
  type Context,
  definePlugin,
  FetchFailed,
  isRefusal,
  toggle,
} from 'linnet/plugin'

const table = 'custom_dead_links'

/** A link whose address failed, as its row tells. Times are in milliseconds since 1970 UTC. */
interface Tables {
  custom_dead_links: {
    readonly link_id: number
    readonly url: string
    readonly failures: number
    readonly since: number
    readonly dead: number
  }
}

const settings = {
  mend: toggle({
    label: 'Follow addresses that moved for good',
    hint: 'A link whose address answers 301 or 308 leads to the new one from then on.',
    default: false,
  }),
}

type OwnContext = Context<typeof settings, unknown, Tables>

/** An address is dead only if it failed so often, over so long: servers are away for a day. */
const failuresToDie = 3
const hoursToDie = 72
const hourMs = 3_600_000

/** How many hosts are asked at the same time, each of them one address after another. */
const hostsAtOnce = 8

export default definePlugin<Tables>()({
  feature: 'custom.deadLinks',
  label: 'Dead links',
  group: 'Links',
  about: 'Look every day whether the addresses of links still answer, and mark links whose do not.',
  settings,
  migrations: {
    '001-failures': async ({ schema }) => {
      await schema
        .createTable(table)
        .addColumn('link_id', 'bigint', c =>
          c.primaryKey().references('links.id').onDelete('cascade'),
        )
        .addColumn('url', 'text', c => c.notNull())
        .addColumn('failures', 'integer', c => c.notNull())
        .addColumn('since', 'bigint', c => c.notNull())
        .addColumn('dead', 'integer', c => c.notNull())
        .execute()
    },
  },
  statuses: {
    dead: {
      label: 'Dead',
      rank: 400,
      links: ({ db }) => db.selectFrom(table).select('link_id').where('dead', '=', 1),
    },
  },
  on: {
    async updated(link, { db }) {
      if (link.changed.includes('originalUrl')) await forget(link, { db })
    },
  },
  jobs: {
    look: {
      label: 'Look for dead links',
      every: '23 4 * * *',
      async run(context) {
        const { links, store, signal } = context
        const before = await store.get('looked')
        // A night may be too short for all, and then the next goes on.
        for await (const page of links.all(typeof before === 'string' ? before : undefined)) {
          await lookAtAll(page, context)
          if (signal.aborted) return
          await store.set('looked', page.at(-1)?.id ?? '')
        }
        await store.delete('looked')
      },
    },
  },
  unstable: { tells: ['deadLink'], dashboard: { statuses: { dead: { tone: 'bad' } } } },
})

/** No host is asked twice at the same time, and one that says that it is asked too often is left alone. */
async function lookAtAll(page: readonly AddressedLink[], context: OwnContext): Promise<void> {
  const byHost = new Map<string, AddressedLink[]>()
  for (const link of page) {
    const { host } = new URL(link.originalUrl)
    byHost.set(host, [...(byHost.get(host) ?? []), link])
  }
  const waiting = [...byHost.values()]
  const lane = async () => {
    for (let host = waiting.pop(); host; host = waiting.pop()) {
      for (const link of host) {
        if (context.signal.aborted) return
        const found = await look(link.originalUrl, context)
        if (found === 'too often') break
        await note(link, found, context)
      }
    }
  }
  await Promise.all(Array.from({ length: hostsAtOnce }, lane))
}

type Found = 'alive' | 'dead' | 'unknown' | { readonly movedTo: string }

async function look(url: string, { fetch }: OwnContext): Promise<Found | 'too often'> {
  const headers = { 'user-agent': 'Linnet (looks for dead links)' }
  // Nothing is followed: where a redirect ends may be a page that says that there is nothing.
  const ask = (method: 'GET' | 'HEAD') =>
    fetch(url, { method, headers, redirect: 'manual', timeoutMs: 10_000, maxBytes: 1 })
  try {
    const head = await ask('HEAD')
    // Some servers do not know HEAD, and say anything.
    const { status, headers } = head.status < 400 || head.status === 429 ? head : await ask('GET')
    if (status === 429) return 'too often'
    if (status === 401 || status === 403) return 'unknown'
    if (status >= 400) return 'dead'
    const to = headers.get('location')
    const hasMoved = (status === 301 || status === 308) && to !== null && URL.canParse(to, url)
    return hasMoved ? { movedTo: new URL(to, url).href } : 'alive'
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error
    // What this server must not ask may answer to those who follow the link.
    return error.isForbidden ? 'unknown' : 'dead'
  }
}

async function note(link: AddressedLink, found: Found, context: OwnContext): Promise<void> {
  if (found === 'unknown' || context.signal.aborted) return
  const { links, settings, log } = context
  if (found === 'dead') return noteFailure(link, context)
  const before = await forget(link, context)
  if (before?.dead === 1) await tell('deleted', link, context)
  if (found === 'alive' || !settings.mend) return
  const change = { originalUrl: found.movedTo }
  const changed = await links.update(link.accountId, link.id, change)
  if (isRefusal(changed)) log.info('A link was not mended', { link: link.id, why: changed.code })
}

async function noteFailure(link: AddressedLink, context: OwnContext): Promise<void> {
  const { db, links, now } = context
  const at = now().getTime()
  // It may have been changed or deleted while its address was asked.
  const { originalUrl } = (await links.find(link.id)) ?? {}
  if (originalUrl !== link.originalUrl) return
  const row = await db
    .selectFrom(table)
    .selectAll()
    .where('link_id', '=', link.rowId)
    .executeTakeFirst()
  const before = row?.url === link.originalUrl ? row : { failures: 0, since: at, dead: 0 }
  const failures = before.failures + 1
  const isDead = failures >= failuresToDie && at - before.since >= hoursToDie * hourMs
  const state = { url: link.originalUrl, failures, since: before.since, dead: isDead ? 1 : 0 }
  await db
    .insertInto(table)
    .values({ link_id: link.rowId, ...state })
    .onConflict(conflict => conflict.column('link_id').doUpdateSet(state))
    .execute()
  if (isDead && before.dead === 0) await tell('created', link, context)
}

function forget({ rowId }: { readonly rowId: number }, { db }: Pick<OwnContext, 'db'>) {
  return db.deleteFrom(table).where('link_id', '=', rowId).returning('dead').executeTakeFirst()
}

/** Tells webhooks and whoever else hears of `deadLink`. */
async function tell(what: 'created' | 'deleted', link: AddressedLink, { unstable }: OwnContext) {
  const { id, accountId, originalUrl } = link
  const shown = { id, originalUrl }
  const states =
    what === 'created' ? { before: null, after: shown } : { before: shown, after: null }
  await unstable.tell('deadLink', () => ({ what, accountId, ...states }))
}
