import {
  choice,
  command,
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
import { dashboard } from './audit-log/dashboard.ts'
import { type OwnContext, type Row, type Tables, table } from './audit-log/entries.ts'
import { countOf, filtered, filterSchema, filters, kinds } from './audit-log/filters.ts'
import { linesOf } from './audit-log/lines.ts'
import { migrations } from './audit-log/migrations.ts'
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
const media = 'application/jsonl'

/** How many entries the doctor looks at, who is asked often. A job looks at all of them every night. */
const newest = 10_000
const whoWrote =
  'Find out who can write to the database, and compare an export with a copy from before. This stays until the entry is too old to be kept.'

export default definePlugin<Tables>()({
  feature: 'organization.auditLog',
  label: 'Audit log',
  about: 'Keep who changed what, and bring back what links were before.',
  settings,
  migrations,
  events: { kinds, handle: (event, context: OwnContext) => append(event, context) },
  jobs: {
    forgetOld: {
      label: 'Delete old entries of the audit log',
      every: '41 3 * * *',
      run: ({ now, ...context }: OwnContext<typeof settings>) =>
        forgetBefore(new Date(now().getTime() - context.settings.days * dayMs), context),
    },
    check: {
      label: 'Check the audit log',
      every: '11 4 * * *',
      async run(context: OwnContext) {
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
      async handle({ query }, context: OwnContext) {
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
      handle: ({ query }, context: OwnContext) =>
        download(media, 'audit-log.jsonl', linesOf(filtered(query, context), context)),
    }),
    'GET /links/:link/history': endpoint({
      summary: 'List who changed a link, newest first',
      group,
      scope: 'links:read',
      query: pageQuery,
      answer: listSchema(entrySchema.extend({ canBeUndone: z.boolean() })),
      async handle({ caller, query, params: { link = '' } }, context: OwnContext) {
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
      async handle({ caller, params: { id = '' } }, context: OwnContext) {
        const row = readPublicId(idKind, id)
        return row === undefined ? notFound : undo(row, caller, context)
      },
    }),
  },
  unstable: {
    dashboard,
    clientAddresses: 'addresses',
    async examine(context: OwnContext) {
      const { brokenAt } = await checkChain(context, newest)
      if (brokenAt === undefined) return []
      return [{ status: 'problem', says: brokenSentence(brokenAt), remedy: whoWrote }]
    },
    commands: {
      'check-audit-log': command({
        summary: 'Check that no entry of the audit log was changed or taken out.',
        async run({ print }, context: OwnContext) {
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
        async run({ print }, context: OwnContext) {
          for await (const line of linesOf(filtered({}, context), context)) {
            if (context.signal.aborted) return
            if (line !== '\n') await print(line.trimEnd())
          }
        },
      }),
    },
  },
})

function brokenSentence(id: number): string {
  return `Entry ${id} of the audit log is not what was written, or one before it is missing.`
}
