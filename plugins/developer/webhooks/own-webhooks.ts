import { setImmediate as turn } from 'node:timers/promises'
import {
  address,
  type Caller,
  type Context,
  collection,
  type EndpointCall,
  line,
  newRowId,
  publicId,
  type Refusal,
  refuse,
  z,
} from '../../../core/plugin.ts'
import { eventsSchema, unknownEvent } from './chosen-events.ts'
import { makeSecret, secretSchema } from './secrets.ts'
import { hasten, switchOff } from './settle.ts'
import { deliveries, type OwnContext, type Webhook, webhooks } from './tables.ts'
import { hearForWebhooks } from './tell-webhooks.ts'

/** The maximum for each account, whatever the plan. */
const maxEach = 50

/** For how long messages are signed with the secret that was replaced, too. */
const oldSecretMs = 86_400_000

const name = line(100)
  .nullable()
  .meta({ description: 'What it is for.', examples: ['CRM'] })
const covers = z.enum(['account', 'instance']).meta({
  description:
    'Whose events it hears of: those of the account, or of the whole instance, which only admins may choose.',
})
const active = z
  .boolean()
  .meta({ description: 'False: nothing is sent, and what happens is missed.' })
const url = address({ label: 'Address' }).schema

export const newWebhook = z.strictObject({
  url,
  name: name.optional(),
  events: eventsSchema.default(['*']),
  covers: covers.default('account'),
  secret: secretSchema.optional(),
})
const changes = z.strictObject({
  url: url.optional(),
  name: name.optional(),
  events: eventsSchema.optional(),
  active: active.optional(),
})

const webhookSchema = z
  .strictObject({
    id: z.string().meta({ examples: ['whk_Gv8J65Sx'] }),
    name,
    url: z.string().meta({ examples: ['https://example.com/linnet'] }),
    events: z.array(z.string()),
    covers,
    active,
    state: z.enum(['working', 'failing', 'off']).meta({
      description: '`failing`: the last attempt failed. Further ones are made.',
    }),
    offBecause: z.enum(['asked', 'failing', 'gone']).nullable().meta({
      description:
        'Why it is off: somebody switched it off, it took nothing for five days, or it answered 410.',
    }),
    failingSince: z.iso.datetime().nullable(),
    problem: z.string().nullable().meta({ description: 'Why the last attempt failed.' }),
    oldSecretUntil: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Until when messages are signed with the replaced secret, too.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' })

export const withSecret = z.strictObject({
  data: webhookSchema
    .extend({
      secret: z
        .string()
        .nullable()
        .meta({
          description:
            'What receivers verify messages with, shown only in this answer. Null if this was only tried.',
          examples: ['whsec_…'],
        }),
    })
    .meta({ id: 'WebhookWithSecret' }),
})

export const ownWebhooks = collection({
  path: '/webhooks',
  table: webhooks,
  idKind: 'whk',
  scopes: { read: 'webhooks:read', write: 'webhooks:write' },
  summaries: {
    list: 'List your webhooks, oldest first',
    create: 'Create a webhook',
    show: 'Show a webhook',
    change: 'Change a webhook, or switch it on or off',
    delete: 'Delete a webhook, and all that is kept of its messages',
  },
  inTransaction: true,
  dated: true,
  body: newWebhook,
  changes,
  async change(given, before: Webhook, context) {
    const own = context as unknown as OwnContext
    const { events } = given as Changes
    const [owner] = await own.unstable.accounts.find([before.account_id])
    const refused = refuseWebhook(given as Changes, own, owner?.isAdmin ?? false)
    if (refused) return refused
    await hearForWebhooks(own, events ?? JSON.parse(before.events))
    return changeColumns(given as Changes, before, own)
  },
  async remove({ id }: Webhook, context) {
    const own = context as unknown as OwnContext
    await deleteDeliveries(id, own)
    await own.db.deleteFrom(webhooks).where('id', '=', id).execute()
    await hearForWebhooks(own)
    return undefined
  },
  order: { by: ['created_at', 'id'] },
  item: webhookSchema,
  show: (rows: readonly Webhook[], { now }) => rows.map(row => shown(row, now())),
  version: ({ state, failingSince, problem, ...webhook }) => webhook,
})

type Changes = z.output<typeof changes>

/** Deletes what is kept of messages to a webhook, some at a time: there may be a hundred thousand, and redirects wait meanwhile. */
async function deleteDeliveries(id: number, { db }: Pick<OwnContext, 'db'>): Promise<void> {
  for (let left = true; left; ) {
    const some = await db
      .selectFrom(deliveries)
      .select('message_id')
      .where('webhook_id', '=', id)
      .orderBy('message_id')
      .limit(deletedAtOnce)
      .execute()
    const upTo = some.at(-1)?.message_id ?? 0
    await db
      .deleteFrom(deliveries)
      .where('webhook_id', '=', id)
      .where('message_id', '<=', upTo)
      .execute()
    left = some.length === deletedAtOnce
    if (left) await turn()
  }
}

const deletedAtOnce = 500

/** What changing a webhook sets, once what waits for it has been dealt with. */
async function changeColumns(
  { url, name, events, active }: Changes,
  { id, is_on, url: before }: Webhook,
  { db, now }: OwnContext,
) {
  const begins = active === true && is_on === 0
  const ends = active === false && is_on === 1
  const at = now().getTime()
  if (ends) await switchOff(db, id, 'asked', at)
  // Whoever corrects the address, or says that it works again, need not wait for the end of a pause.
  const isTriedNow = active === true || (url !== undefined && url !== before)
  if (isTriedNow) await hasten(db, id, at)
  return {
    ...{ url, name },
    events: events && JSON.stringify(events),
    ...(ends && { is_on: 0, off_at: at, off_because: 'asked' }),
    ...(begins && { is_on: 1, off_at: null, off_because: null }),
    ...(isTriedNow && unfailed),
  }
}

const unfailed = { failures: 0, failing_since: null, paused_until: null, problem: null }

/** Why there may be no such webhook. */
function refuseWebhook(
  { url, events }: Pick<Changes, 'url' | 'events'>,
  { links, unstable }: Pick<OwnContext, 'links' | 'unstable'>,
  isAdmin: boolean,
): Refusal | undefined {
  if (url !== undefined) {
    const { username, password } = new URL(url)
    if (username || password) return withPassword
    if (links.leadsBack(url)) return toItself
    const why = unstable.whyNoFetch(url, { toOwnNetwork: isAdmin })
    if (why) return refuse('validation_failed', `Nothing can be sent there: ${why}.`, 422, 'url')
  }
  return events && unknownEvent(events, unstable.kinds())
}

const withPassword = refuse(
  'validation_failed',
  'Must not have a user name or password: the signature proves who sends.',
  422,
  'url',
)
const toItself = refuse(
  'validation_failed',
  'Must not lead to this instance, which would tell itself of what it does.',
  422,
  'url',
)
const notAdmin = refuse(
  'insufficient_scope',
  'Only admins may have a webhook that covers the instance.',
  403,
  'covers',
  { requiredScope: 'admin' },
)
const tooMany = refuse(
  'limit_reached',
  `You can have ${maxEach} webhooks. Delete one first.`,
  403,
  undefined,
  { limit: maxEach, used: maxEach },
)

function isAdmin({ isAdmin, scopes }: Caller): boolean {
  return isAdmin && scopes.some(scope => scope === '*' || scope === 'admin')
}

/** Adds a webhook, with a secret that the answer shows this once. */
export async function createWebhook(
  { caller, body: given, isDry }: Call<z.output<typeof newWebhook>>,
  context: OwnContext,
) {
  const { db, now, unstable } = context
  if (given.covers === 'instance' && !isAdmin(caller)) return notAdmin
  const refused = refuseWebhook(given, context, caller.isAdmin)
  if (refused) return refused
  if ((await ownWebhooks.count(caller.accountId, asAny(context))) >= maxEach) return tooMany
  const secret = given.secret ?? makeSecret()
  const at = now().getTime()
  const row = await db
    .insertInto(webhooks)
    .values({
      id: newRowId(),
      account_id: caller.accountId,
      name: given.name ?? null,
      url: given.url,
      events: JSON.stringify(given.events),
      covers: given.covers,
      secret: unstable.secrets.hide(secret),
      created_at: at,
      updated_at: at,
    } as never)
    .returningAll()
    .executeTakeFirstOrThrow()
  await hearForWebhooks(context)
  return { data: { ...shown(row, now()), secret: isDry ? null : secret } }
}

/** The webhook of an account with this public id. */
export function findWebhook(
  caller: Pick<Caller, 'accountId'>,
  id: string,
  context: Pick<OwnContext, 'db'>,
): Promise<Webhook | undefined> {
  return ownWebhooks.find(caller, id, asAny(context))
}

/** Collections know no tables. */
const asAny = (context: Pick<OwnContext, 'db'>) => context as unknown as Pick<Context, 'db'>

/** Replaces the secret. Messages are signed with both for a day, so that receivers can change theirs meanwhile. */
export async function rotateSecret(
  { caller, params: { id = '' }, body, isDry }: Call<{ readonly secret?: string | undefined }>,
  context: OwnContext,
) {
  const { db, now, unstable } = context
  const before = await findWebhook(caller, id, context)
  if (!before) return undefined
  const secret = body.secret ?? makeSecret()
  const at = now().getTime()
  const row = await db
    .updateTable(webhooks)
    .set({
      secret: unstable.secrets.hide(secret),
      old_secret: before.secret,
      old_secret_until: at + oldSecretMs,
      updated_at: at,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { data: { ...shown(row, now()), secret: isDry ? null : secret } }
}

type Call<Body> = Omit<EndpointCall<Body>, 'query'>

function shown(row: Webhook, now: Date): z.input<typeof webhookSchema> {
  const isOn = row.is_on === 1
  const oldUntil = row.old_secret_until ?? 0
  return {
    id: publicId('whk', row.id),
    name: row.name,
    url: row.url,
    events: JSON.parse(row.events),
    covers: row.covers,
    active: isOn,
    state: isOn ? (row.failures > 0 ? 'failing' : 'working') : 'off',
    offBecause: row.off_because,
    failingSince: momentOf(row.failing_since),
    problem: row.problem,
    oldSecretUntil: oldUntil > now.getTime() ? momentOf(oldUntil) : null,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}

/** A time in milliseconds, as the API shows it. */
export function momentOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
