import {
  type Caller,
  type Context,
  type Dashboard,
  endpoint,
  type Fields,
  isRefusal,
  type Migration,
  newRowId,
  notFound,
  publicId,
  readPublicId,
  refuse,
  text,
  tokenName,
  z,
} from '../../../core/plugin.ts'
import type { Remembered } from './timed-signature.ts'

/** API tokens that YOURLS calls signatures, kept so that they can be shown again, and signed with the time. */
interface SignaturesTable {
  id: number
  account_id: number
  /** Public id of the API token. */
  token_id: string
  name: string
  /** The API token, hidden. */
  secret: string
  created_at: number
}

const table = 'developer_yourls_signatures'

export interface Tables {
  developer_yourls_signatures: SignaturesTable
}

type OwnContext = Context<Fields, unknown, Tables>

/** What a client of YOURLS does. */
const scopes = ['links:write', 'analytics:read']

const maxEach = 20
/** A request with a time is compared with all of the instance, in a few milliseconds. */
const maxAll = 500

const makeTable: Migration = async ({ schema }) => {
  await schema
    .createTable(table)
    .addColumn('id', 'bigint', c => c.primaryKey())
    .addColumn('account_id', 'bigint', c =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('token_id', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('secret', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
}

export const migrations = { '001-signatures': makeTable }

/** Keeps all signatures in memory until one of the servers makes or ends one. */
export function rememberSignatures(
  context: Pick<OwnContext, 'db' | 'news' | 'unstable'>,
): Remembered {
  let known: Promise<readonly string[]> | undefined
  const forget = () => {
    known = undefined
  }
  context.news.on(forget)
  return {
    forget,
    all() {
      known ??= readAll(context)
      const reading = known
      reading.catch(forget)
      return reading
    },
  }
}

async function readAll({
  db,
  unstable: { secrets },
}: Pick<OwnContext, 'db' | 'unstable'>): Promise<readonly string[]> {
  const rows = await db.selectFrom(table).select('secret').execute()
  return rows.flatMap(({ secret }) => secrets.reveal(String(secret)) ?? [])
}

const shown = z.strictObject({ id: z.string(), name: z.string(), createdAt: z.iso.datetime() })
const group = 'YOURLS clients'

/** They show secrets that allow things, so they need a session, or a token that allows everything. */
const scope = '*'

export const signatureEndpoints = {
  'GET /yourls-signatures': endpoint({
    summary: 'List your signatures for clients of YOURLS, newest first',
    group,
    scope,
    answer: z.strictObject({ data: z.array(shown) }),
    async handle({ caller }, { db, unstable: { tokens } }: OwnContext) {
      const rows = await ownRows(db, caller.accountId).orderBy('created_at', 'desc').execute()
      const found = await Promise.all(rows.map(row => tokens.find(caller, row.token_id)))
      return { data: rows.filter((_, index) => found[index]).map(show) }
    },
  }),
  'POST /yourls-signatures': endpoint({
    summary: 'Make a signature for clients of YOURLS',
    group,
    scope,
    body: z.strictObject({ name: tokenName }),
    answer: z.strictObject({ data: shown.extend({ signature: z.string() }) }),
    status: 201,
    inTransaction: true,
    async handle({ caller, body: { name } }, context: OwnContext) {
      const { db, now, unstable } = context
      await dropRevoked(caller, context)
      const refused = await refuseTooMany(caller, context)
      if (refused) return refused
      const draft = { name: `YOURLS: ${name}`.slice(0, 100), scopes }
      const made = await unstable.tokens.create(caller, {
        ...draft,
        expiresAt: caller.expiresAt ?? null,
      })
      if (isRefusal(made)) return made
      const row = await db
        .insertInto(table)
        .values({
          id: newRowId(),
          account_id: caller.accountId,
          token_id: made.id,
          name,
          secret: unstable.secrets.hide(made.token),
          created_at: now().getTime(),
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await forgetAll(context)
      return { data: { ...show(row), signature: made.token } }
    },
  }),
  'POST /yourls-signatures/:id/reveal': endpoint({
    summary: 'Show a signature for clients of YOURLS',
    group,
    scope,
    answer: z.strictObject({ data: shown.extend({ signature: z.string() }) }),
    async handle(
      { caller, params: { id = '' } },
      { db, unstable: { secrets, tokens } }: OwnContext,
    ) {
      const row = await findRow(db, caller.accountId, id)
      const signature = row && secrets.reveal(row.secret)
      if (!row || signature === undefined) return notFound
      return (await tokens.find(caller, row.token_id))
        ? { data: { ...show(row), signature } }
        : notFound
    },
  }),
  'DELETE /yourls-signatures/:id': endpoint({
    summary: 'Revoke a signature for clients of YOURLS',
    group,
    scope,
    answer: z.strictObject({}),
    status: 204,
    inTransaction: true,
    async handle({ caller, params: { id = '' } }, context: OwnContext) {
      const { db, unstable } = context
      const row = await findRow(db, caller.accountId, id)
      if (!row) return notFound
      const revoked = await unstable.tokens.revoke(caller, row.token_id)
      if (isRefusal(revoked)) return revoked
      await db.deleteFrom(table).where('id', '=', row.id).execute()
      await forgetAll(context)
      return undefined
    },
  }),
}

/** A section of the settings of each person. */
export const dashboard = {
  settings: [
    {
      title: 'Signatures for clients of YOURLS',
      lead: 'A signature is an API token that can be shown again, and with which programs can sign the time. Any other API token works as a signature, too.',
      from: 'GET /yourls-signatures',
      table: {
        columns: { name: { label: 'Name' }, createdAt: { label: 'Created', as: 'date' } },
        buttons: [
          {
            label: 'Show',
            call: 'POST /yourls-signatures/:id/reveal',
            show: { signature: { label: 'Signature' } },
          },
          {
            label: 'Revoke',
            call: 'DELETE /yourls-signatures/:id',
            confirm: 'Programs that have it can do nothing any more.',
          },
        ],
      },
      form: {
        call: 'POST /yourls-signatures',
        fields: { name: text({ label: 'Name', max: 100 }) },
        submit: 'Make a signature',
        show: { signature: { label: 'Signature' } },
      },
    },
  ],
} satisfies Dashboard

function ownRows(db: OwnContext['db'], accountId: number) {
  return db.selectFrom(table).selectAll().where('account_id', '=', accountId)
}

function findRow(db: OwnContext['db'], accountId: number, id: string) {
  return ownRows(db, accountId)
    .where('id', '=', readPublicId('ysg', id) ?? 0)
    .executeTakeFirst()
}

async function refuseTooMany({ accountId }: Caller, { db }: Pick<OwnContext, 'db'>) {
  const all = await db.selectFrom(table).select('account_id').execute()
  const own = all.filter(it => Number(it.account_id) === accountId)
  if (own.length >= maxEach) return tooMany
  return all.length >= maxAll ? full : undefined
}

/** Who revokes the token of a signature among the API tokens ends the signature. */
async function dropRevoked(
  caller: Caller,
  { db, unstable: { tokens } }: Pick<OwnContext, 'db' | 'unstable'>,
) {
  for (const { id, token_id } of await ownRows(db, caller.accountId).execute()) {
    if (!(await tokens.find(caller, token_id))) {
      await db.deleteFrom(table).where('id', '=', id).execute()
    }
  }
}

const tooMany = refuse(
  'limit_reached',
  `You can have ${maxEach} signatures. Revoke one first.`,
  403,
  undefined,
  { limit: maxEach },
)

const full = refuse(
  'limit_reached',
  `All accounts together have ${maxAll} signatures, which is the most. Use an API token as the signature.`,
  403,
  undefined,
  { limit: maxAll },
)

async function forgetAll({ state, news }: Pick<OwnContext, 'state' | 'news'>) {
  ;(state as Remembered).forget()
  await news.tell()
}

function show({ id, name, created_at }: SignaturesTable) {
  return {
    id: publicId('ysg', Number(id)),
    name,
    createdAt: new Date(Number(created_at)).toISOString(),
  }
}
