import {
  choice,
  command,
  type Dashboard,
  definePlugin,
  download,
  endpoint,
  listOf,
  listSchema,
  notFound,
  number,
  pageQuery,
  readPublicId,
  readSlice,
  refuse,
  sliceOf,
  z,
} from '../../core/plugin.ts'
import { append, checkChain, forgetBefore } from './audit-log/chain.ts'
import { type Own, type Row, type Tables, table } from './audit-log/entries.ts'
import { addressedSchema, entrySchema, idKind, show, showWithAddress } from './audit-log/show.ts'
import { canBeUndone, undo } from './audit-log/undo.ts'

const settings = {
  days: number({
    label: 'Days to keep',
    hint: 'Older entries are deleted every night.',
    min: 1,
    max: 3650,
    step: 1,
    default: 365,
  }),
  addresses: choice(['none', 'network', 'whole'], {
    label: 'IP addresses',
    hint: 'From where a change came, with each entry. This is personal data: a network, such as 203.0.113.0/24, says less.',
    labels: { none: 'Are not kept', network: 'Only their networks', whole: 'Are kept' },
    default: 'none',
  }),
}

const dayMs = 86_400_000
const group = 'Audit log'
const kindWords = {
  link: { label: 'Links' },
  tag: { label: 'Tags' },
  campaign: { label: 'Campaigns' },
  domain: { label: 'Domains' },
  account: { label: 'Accounts' },
  token: { label: 'API tokens' },
  session: { label: 'Sign-ins' },
  step: { label: 'Second steps' },
  identity: { label: 'Accounts at providers' },
  settings: { label: 'Settings' },
  plugins: { label: 'Plugins' },
  events: { label: 'Lost events' },
}
const kinds = Object.keys(kindWords) as (keyof typeof kindWords)[]

const filters = {
  kind: z
    .enum(kinds)
    .optional()
    .meta({ description: 'Only what happened to things of this kind.' }),
  thing: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'Only what happened to this one, by id.' }),
  account: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'Only what this account did, by id.' }),
  from: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'Not before this moment.' }),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: 'Before this moment.' }),
}
const filterSchema = z.strictObject(filters)
type Filters = z.output<typeof filterSchema>

const media = 'application/jsonl'

/** How many entries the doctor looks at, who is asked often. A job looks at all of them every night. */
const newest = 10_000
const whoWrote =
  'Find out who can write to the database, and compare an export with a copy from before. This stays until the entry is too old to be kept.'

/** How many entries are read at once: each may have all rules of a link. */
const together = 100

const columns = {
  at: { label: 'When', as: 'date' },
  who: { label: 'Who' },
  type: { label: 'Event' },
  what: { label: 'What' },
} as const
const columnsForAdmins = {
  at: columns.at,
  who: columns.who,
  address: { label: 'IP' },
  type: columns.type,
  what: columns.what,
} as const

const dashboard: Dashboard = {
  page: {
    label: 'Audit log',
    icon: 'key',
    lead: 'Who changed what, and when.',
    panels: [
      {
        title: 'Changes',
        from: 'GET /audit-log',
        table: {
          columns: columnsForAdmins,
          filters: { kind: { label: 'Kind', words: kindWords } },
        },
        buttons: [{ label: 'Download', call: 'GET /audit-log/file' }],
      },
    ],
  },
  linkPanel: {
    title: 'History',
    lead: 'Who changed this link. What a change replaced can come back.',
    from: 'GET /links/:link/history',
    table: {
      columns,
      buttons: [
        {
          label: 'Undo',
          call: 'POST /link-history/:id/undo',
          confirm: 'The link gets back what this change replaced.',
          when: { canBeUndone: true },
        },
      ],
    },
  },
}

export default definePlugin<Tables>()({
  feature: 'organization.auditLog',
  label: 'Audit log',
  about: 'Keep who changed what, and bring back what links were before.',
  settings,
  migrations: {
    '001-entries': async ({ schema }) => {
      await schema
        .createTable(table)
        .addColumn('id', 'bigint', it => it.primaryKey())
        .addColumn('event_id', 'text', it => it.notNull().unique())
        .addColumn('at', 'bigint', it => it.notNull())
        .addColumn('type', 'text', it => it.notNull())
        .addColumn('account_id', 'bigint')
        .addColumn('thing', 'text')
        .addColumn('actor_kind', 'text', it => it.notNull())
        .addColumn('actor_account', 'bigint')
        .addColumn('actor_by', 'text')
        .addColumn('actor_name', 'text')
        .addColumn('details', 'text', it => it.notNull())
        .addColumn('prev', 'text', it => it.notNull().unique())
        .addColumn('hash', 'text', it => it.notNull())
        .execute()
      await schema.createIndex(`${table}_thing`).on(table).columns(['thing', 'id']).execute()
      await schema.createIndex(`${table}_type`).on(table).columns(['type', 'id']).execute()
      await schema
        .createIndex(`${table}_actor`)
        .on(table)
        .columns(['actor_account', 'id'])
        .execute()
    },
    '002-addresses': async ({ schema }) => {
      await schema.alterTable(table).addColumn('actor_address', 'text').execute()
    },
  },
  events: { kinds, handle: (event, context: Own) => append(event, context) },
  jobs: {
    forgetOld: {
      label: 'Delete old entries of the audit log',
      every: '41 3 * * *',
      run: ({ now, ...context }: Own<typeof settings>) =>
        forgetBefore(new Date(now().getTime() - context.settings.days * dayMs), context),
    },
    check: {
      label: 'Check the audit log',
      every: '11 4 * * *',
      async run(context: Own) {
        const { brokenAt } = await checkChain(context)
        if (brokenAt !== undefined) throw new Error(brokenSentence(brokenAt))
      },
    },
  },
  endpoints: {
    'GET /audit-log': endpoint({
      summary: 'List who changed what, newest first',
      group,
      scope: 'admin',
      query: pageQuery.extend(filters),
      answer: listSchema(addressedSchema),
      async handle({ query }, context: Own) {
        const all = filtered(query, context)
        const order = { by: ['id'], descending: true }
        const { rows, next } = await readSlice(all.selectAll(), order, sliceOf(query))
        const total = await countOf(all)
        return listOf(
          await showWithAddress(rows as readonly Row[], context),
          total,
          query,
          '/api/v1/audit-log',
          next,
        )
      },
    }),
    'GET /audit-log/file': endpoint({
      summary: 'Download the entries that match, one in each line, as JSON',
      group,
      scope: 'admin',
      query: filterSchema,
      media: [media],
      handle: ({ query }, context: Own) =>
        download(media, 'audit-log.jsonl', linesOf(filtered(query, context), context)),
    }),
    'GET /links/:link/history': endpoint({
      summary: 'List who changed a link, newest first',
      group,
      scope: 'links:read',
      query: pageQuery,
      answer: listSchema(entrySchema.extend({ canBeUndone: z.boolean() })),
      async handle({ caller, query, params: { link = '' } }, context: Own) {
        const own = context.db
          .selectFrom(table)
          .where('thing', '=', link)
          .where('account_id', '=', caller.accountId)
        const order = { by: ['id'], descending: true }
        const { rows, next } = await readSlice(own.selectAll(), order, sliceOf(query))
        const total = await countOf(own)
        const isThere = (await context.links.findOwn(caller, link)) !== undefined
        if (total === 0 && !isThere) return undefined
        const entries = await show(rows as readonly Row[], context)
        const shown = entries.map(it => ({ ...it, canBeUndone: canBeUndone(it, isThere) }))
        return listOf(shown, total, query, `/api/v1/links/${link}/history`, next)
      },
    }),
    'POST /link-history/:id/undo': endpoint({
      summary: 'Give a link back what a change took from it, or bring a deleted link back',
      group,
      scope: 'links:write',
      answer: z.strictObject({
        data: z.strictObject({
          undone: z.array(z.string()),
          left: z
            .array(z.string())
            .meta({ description: 'What the log does not have, or is not there any more.' }),
        }),
      }),
      async handle({ caller, params: { id = '' } }, context: Own) {
        const row = readPublicId(idKind, id)
        return row === undefined ? notFound : undo(row, caller, context)
      },
    }),
  },
  unstable: {
    dashboard,
    clientAddresses: 'addresses',
    async examine(context: Own) {
      const { brokenAt } = await checkChain(context, newest)
      if (brokenAt === undefined) return []
      return [{ status: 'problem', says: brokenSentence(brokenAt), remedy: whoWrote }]
    },
    commands: {
      'check-audit-log': command({
        summary: 'Check that no entry of the audit log was changed or taken out.',
        async run({ print }, context: Own) {
          const { entries, brokenAt, last } = await checkChain(context)
          if (brokenAt !== undefined) {
            return refuse('audit_log_broken', brokenSentence(brokenAt), 409)
          }
          await print(
            `${entries} entries, each as it was written. The last one is ${last || 'none'}.`,
          )
        },
      }),
      'export-audit-log': command({
        summary: 'Write the whole audit log, one entry in each line, as JSON.',
        async run({ print }, context: Own) {
          for await (const line of linesOf(filtered({}, context), context)) {
            if (context.signal.aborted) return
            if (line !== '\n') await print(line.trimEnd())
          }
        },
      }),
    },
  },
})

/** From the oldest to the newest. */
async function* linesOf(all: ReturnType<typeof filtered>, context: Own): AsyncIterable<string> {
  for (let after = 0; ; ) {
    const some = all.selectAll().where('id', '>', after).orderBy('id').limit(together)
    const rows = await some.execute()
    for (const entry of await showWithAddress(rows, context)) yield `${JSON.stringify(entry)}\n`
    const last = rows.at(-1)
    if (!last) {
      // A file of no bytes is no answer to some clients.
      if (after === 0) yield '\n'
      return
    }
    after = Number(last.id)
  }
}

function filtered({ kind, thing, account, from, to }: Filters, { db }: Own) {
  let all = db.selectFrom(table)
  // Behind the dot comes the slash.
  if (kind) all = all.where('type', '>', `${kind}.`).where('type', '<', `${kind}/`)
  if (thing) all = all.where('thing', '=', thing)
  if (account) all = all.where('actor_account', '=', readPublicId('acc', account) ?? -1)
  if (from) all = all.where('at', '>=', Date.parse(from))
  if (to) all = all.where('at', '<', Date.parse(to))
  return all
}

async function countOf(all: ReturnType<typeof filtered>): Promise<number> {
  const { count } = await all
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function brokenSentence(id: number): string {
  return `Entry ${id} of the audit log is not what was written, or one before it is missing.`
}
