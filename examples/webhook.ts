import { createHmac } from 'node:crypto'
import {
  type AddressedLink,
  address,
  type Context,
  definePlugin,
  endpoint,
  listOf,
  listSchema,
  optional,
  pageQuery,
  readSlice,
  secret,
  sliceOf,
  z,
} from 'linnet/plugin'

const table = 'custom_webhook_messages'

interface Tables {
  readonly [table]: Message
}

/** A message that is waiting to be sent, or that failed too often. */
interface Message {
  readonly id: string
  readonly body: string
  readonly attempts: number
  /** Milliseconds since 1970 UTC. Null: it is not tried again. */
  readonly next_at: number | null
  readonly problem: string | null
}

const settings = {
  url: optional(address({ label: 'Address', hint: 'Nothing is sent without one.' })),
  key: secret({
    label: 'Signing secret',
    env: 'WEBHOOK_SECRET',
    schema: z.string().regex(/^whsec_[\w+/=]{32,}$/, 'give whsec_ and 24 bytes or more in base64.'),
  }),
}

type Own = Context<typeof settings, unknown, Tables>

/** How long to wait after each attempt, in minutes: 28 hours in all. */
const waits = [1, 5, 30, 120, 300, 600, 600]

export default definePlugin<Tables>()({
  feature: 'custom.webhook',
  about: 'Tell another program of links that are made, changed or deleted.',
  settings,
  migrations: {
    '001-messages': async ({ schema }) => {
      await schema
        .createTable(table)
        .addColumn('id', 'text', it => it.primaryKey())
        .addColumn('body', 'text', it => it.notNull())
        .addColumn('attempts', 'integer', it => it.notNull())
        .addColumn('next_at', 'bigint')
        .addColumn('problem', 'text')
        .execute()
      await schema.createIndex(`${table}_due`).on(table).column('next_at').execute()
    },
  },
  on: {
    created: (link, context) => keep('link.created', link, context),
    updated: (link, context) => keep('link.updated', link, context),
    deleted: (link, context) => keep('link.deleted', link, context),
  },
  jobs: { send: { every: '* * * * *', run: sendAll } },
  endpoints: {
    'GET /admin/webhook/messages': endpoint({
      summary: 'List what was not taken yet, oldest first',
      scope: 'admin',
      query: pageQuery,
      answer: listSchema(
        z.strictObject({ id: z.string(), attempts: z.int(), problem: z.string().nullable() }),
      ),
      async handle({ query }, { db }: Own) {
        const messages = db.selectFrom(table).select(['id', 'attempts', 'problem'])
        const { rows, next } = await readSlice(messages, { by: ['id'] }, sliceOf(query))
        const { count } = await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        return listOf(
          rows.map(({ id, attempts, problem }) => ({ id, attempts, problem })),
          Number(count),
          query,
          '/api/v1/admin/webhook/messages',
          next,
        )
      },
    }),
  },
})

let count = 0

/** Stores a message for the job to send, so that nobody waits for the other program, which may be down for a day. */
async function keep(type: string, link: AddressedLink, { settings, db, links, now }: Own) {
  if (!settings.url) return
  const at = now()
  const data = { id: link.id, shortUrl: links.shortUrl(link), originalUrl: link.originalUrl }
  count += 1
  await db
    .insertInto(table)
    .values({
      // Sorted by time. The process id and the count make ids of the same millisecond unique.
      id: `msg_${at.getTime()}_${process.pid}_${count}`,
      body: JSON.stringify({ type, timestamp: at.toISOString(), data }),
      attempts: 0,
      next_at: at.getTime(),
      problem: null,
    })
    .execute()
}

async function sendAll(context: Own): Promise<void> {
  const { db, now, signal } = context
  const due = await db
    .selectFrom(table)
    .selectAll()
    .where('next_at', '<=', now().getTime())
    .orderBy('id')
    .limit(100)
    .execute()
  for (const message of due) {
    if (signal.aborted) return
    const problem = await send(message, context)
    if (problem === undefined) await db.deleteFrom(table).where('id', '=', message.id).execute()
    else await postpone(message, problem, context)
  }
}

/** Sends a message as https://www.standardwebhooks.com describes. Resolves to the reason if it was not accepted. */
async function send({ id, body }: Message, { settings, fetch, now }: Own) {
  const { url, key } = settings
  if (!url || !key) return 'There is no address or no signing secret.'
  const timestamp = `${Math.floor(now().getTime() / 1_000)}`
  const signature = createHmac('sha256', Buffer.from(key.replace('whsec_', ''), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  try {
    const { status } = await fetch(url, { method: 'POST', headers, body, toOwnNetwork: true })
    return status < 300 ? undefined : `It answered ${status}.`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function postpone({ id, attempts }: Message, problem: string, { db, now, log }: Own) {
  const minutes = waits[attempts]
  if (minutes === undefined) log.error('A message is given up', { message: id, problem })
  await db
    .updateTable(table)
    .set({
      attempts: attempts + 1,
      next_at: minutes === undefined ? null : now().getTime() + minutes * 60_000,
      problem,
    })
    .where('id', '=', id)
    .execute()
}
