import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import {
  type Caller,
  type Context,
  download,
  endpoint,
  isRefusal,
  listOf,
  listSchema,
  pageQuery,
  type Refusal,
  readPublicId,
  readSlice,
  refuse,
  sliceOf,
  z,
} from '../../../core/plugin.ts'
import { optionsSchema } from './runs/options.ts'
import {
  countReported,
  csvOfRows,
  deleteReport,
  reportRows,
  rowSchema,
  showRow,
} from './runs/report-rows.ts'
import {
  addRun,
  changeRun,
  endOfRun,
  fileOf,
  findOwnRun,
  hide,
  outcomes,
  type Run,
  readRun,
  reopenRun,
  runsTable,
} from './runs/run.ts'
import type { Runner } from './runs/runner.ts'
import { type Given, hasSecrets, missingWithoutFile, readSettings } from './runs/settings-of.ts'
import { runSchema, showRun } from './runs/show-run.ts'
import { showSource, sourceSchema } from './show-source.ts'
import type { Source } from './source.ts'

/** What endpoints need of the plugin. */
export interface State {
  readonly runner: Runner
}
type OwnContext = Context<{ readonly maxFileMiB: never }, State>

const answer = z.strictObject({ data: runSchema })
const settingsSchema = z.record(z.string().max(100), z.unknown()).meta({
  description: 'What the source asks for: `GET /imports/sources` lists it.',
  examples: [{}],
})

const another = refuse(
  'import_running',
  'Another import of yours has not ended. Wait for it, or stop it.',
  409,
)
const waitsForNoFile = refuse(
  'import_ended',
  'This import waits for no file: it runs, or has ended.',
  409,
)
const runsAlready = refuse(
  'import_running',
  'This import runs already, or waits for its file.',
  409,
)
const nothingLeft = refuse(
  'import_ended',
  'This import is done: there is nothing to go on with.',
  409,
)
const fileIsElsewhere =
  'Its file is not on this server. If another one has it, that goes on within a minute; else send it again.'
const notForAll = refuse(
  'insufficient_scope',
  'Only an admin may give links to other accounts.',
  403,
  'options.byOwner',
)
const notForKeys = refuse(
  'insufficient_scope',
  'Keys come only with a session or a token with the scope "*".',
  403,
  'options.keys',
)

/** The endpoints of imports from these sources. */
export function importEndpoints(sources: readonly Source[]) {
  const unknownSource = refuse(
    'validation_failed',
    `There is no such source. There are: ${sources.map(({ name }) => name).join(', ')}.`,
    422,
    'source',
  )
  const sourceOf = (run: Run) => sources.find(({ name }) => name === run.source)
  return {
    'GET /imports/sources': endpoint({
      summary: 'List the programs from which links can come',
      scope: 'links:write',
      answer: z.strictObject({ data: z.array(sourceSchema) }),
      handle: () => ({ data: sources.map(showSource) }),
    }),

    'POST /imports': endpoint({
      summary: 'Begin an import of links from another program',
      scope: 'links:write',
      body: z.strictObject({
        source: z
          .string()
          .max(30)
          .meta({ examples: ['csv'] }),
        settings: settingsSchema.default({}),
        options: optionsSchema.prefault({}),
        dryRun: z
          .boolean()
          .default(false)
          .meta({ description: 'True: it only says what would come.' }),
        withFile: z.boolean().optional().meta({
          description: 'Whether a file is sent; by default, if the source needs one.',
        }),
        fileName: z.string().min(1).max(255).optional(),
      }),
      status: 202,
      answer,
      async handle({ caller, body }, context) {
        const source = sources.find(({ name }) => name === body.source)
        if (!source) return unknownSource
        const given = readSettings(source.settings, body.settings)
        if (isRefusal(given)) return given
        const { options, dryRun: isDry, fileName } = body
        const refused = refuseOptions(caller, options) ?? refuseFile(source, body.withFile)
        if (refused) return refused
        const waits = source.file !== undefined && (body.withFile ?? !source.file.orSettings)
        const missing = waits ? refuseReading(source) : refuseMissing(source, given)
        if (missing) return missing
        const run = await addRun(context, {
          ...{ accountId: caller.accountId, source: source.name, given, options, isDry },
          state: waits ? 'waiting' : 'running',
          ...(fileName !== undefined && { fileName }),
        })
        if (!run) return another
        if (!waits) void (context as unknown as OwnContext).state.runner.pickUp()
        return { data: showRun(run) }
      },
    }),

    'PUT /imports/:id/file': endpoint({
      summary: 'Send the file of an import, which begins with it',
      scope: 'links:write',
      answer,
      unstable: {
        file: {
          async accept({ caller, params: { id = '' } }, context) {
            const run = await find(context, caller, id)
            if (!run) return undefined
            if (run.state !== 'waiting') return waitsForNoFile
            const { maxFileMiB } = context.settings as { readonly maxFileMiB: number }
            return refuseReading(sourceOf(run)) ?? maxFileMiB * 1024 * 1024
          },
        },
      },
      async handle({ caller, params: { id = '' }, file: sent }, context) {
        const { db, unstable } = context
        const run = await find(context, caller, id)
        if (!run || !sent) return undefined
        if (sent.bytes === 0) return refuse('validation_failed', 'The file is empty.', 422, 'file')
        if (run.state !== 'waiting') return waitsForNoFile
        await rename(sent.path, unstable.files.pathOf(fileOf(run.id)))
        const began = await changeRun(db, run.id, ['waiting'], {
          ...{ state: 'running', sentence: null },
          file_bytes: sent.bytes,
        })
        if (!began) return waitsForNoFile
        void (context as unknown as OwnContext).state.runner.pickUp()
        return shown(context, run)
      },
    }),

    'GET /imports': endpoint({
      summary: 'List your imports, newest first',
      scope: 'links:read',
      query: pageQuery,
      answer: listSchema(runSchema),
      async handle({ caller, query }, { db }) {
        const own = db.selectFrom(runsTable).where('account_id', '=', caller.accountId)
        const order = { by: ['created_at', 'id'], descending: true }
        const { rows, next } = await readSlice(own.selectAll(), order, sliceOf(query))
        const { total } = await own
          .select(({ fn }) => fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        const data = rows.map(row => showRun(readRun(row)))
        return listOf(data, Number(total), query, '/api/v1/imports', next)
      },
    }),

    'GET /imports/:id': endpoint({
      summary: 'Show an import and how far it is',
      scope: 'links:read',
      answer,
      async handle({ caller, params: { id = '' } }, context) {
        const run = await find(context, caller, id)
        return run && { data: showRun(run) }
      },
    }),

    'GET /imports/:id/rows': endpoint({
      summary: 'List what did not come as it was, in its order',
      scope: 'links:read',
      query: pageQuery.extend({
        outcome: z.enum(outcomes).optional().meta({
          description: '`kept`: it was here already. `note`: it is about no link.',
        }),
      }),
      answer: listSchema(rowSchema),
      async handle({ caller, params: { id = '' }, query }, context) {
        const run = await find(context, caller, id)
        if (!run) return undefined
        const { outcome } = query
        const total = countReported(run, outcome && [outcome])
        const { rows, next } = await readSlice(
          reportRows(context.db, run, outcome).selectAll(),
          { by: ['number'] },
          sliceOf(query),
          total,
        )
        const path = `/api/v1/imports/${id}/rows`
        return listOf(rows.map(showRow), total, query, path, next)
      },
    }),

    'GET /imports/:id/report': endpoint({
      summary: 'Download the same as CSV',
      scope: 'links:read',
      media: ['text/csv'],
      async handle({ caller, params: { id = '' } }, context) {
        const run = await find(context, caller, id)
        if (!run) return undefined
        const content = csvOfRows(context.db, run)
        return download('text/csv; charset=utf-8', `import-${run.source}.csv`, content)
      },
    }),

    'POST /imports/:id/resume': endpoint({
      summary: 'Go on with an import that stopped, or do what was only tried',
      scope: 'links:write',
      body: z.strictObject({
        settings: settingsSchema.optional(),
        options: optionsSchema.optional(),
      }),
      answer,
      async handle({ caller, params: { id = '' }, body }, context) {
        const run = await find(context, caller, id)
        if (!run) return undefined
        const source = sourceOf(run)
        if (!source) return unknownSource
        if (run.state === 'waiting' || run.state === 'running') return runsAlready
        if (run.state === 'done' && !run.isDry) return nothingLeft
        const asksAgain = body.settings !== undefined || hasSecrets(source.settings)
        const given = asksAgain
          ? readSettings(source.settings, { ...run.settings, ...body.settings })
          : { settings: run.settings, secrets: {} }
        if (isRefusal(given)) return given
        const missing =
          run.fileBytes === null ? refuseMissing(source, given) : refuseReading(source)
        if (missing) return missing
        const options = body.options ?? run.options
        const refused = refuseOptions(caller, options)
        if (refused) return refused
        // What a dry import said is of no use any more.
        if (run.isDry) await deleteReport(context.db, run)
        const hasFile =
          run.fileBytes === null || existsSync(context.unstable.files.pathOf(fileOf(run.id)))
        const began = await reopenRun(context.db, run, {
          state: hasFile ? 'running' : 'waiting',
          ...{ is_dry: 0, sentence: hasFile ? null : fileIsElsewhere },
          settings: JSON.stringify(given.settings),
          secrets: hide(given.secrets, context.unstable.secrets),
          options: JSON.stringify(options),
          ...(run.isDry && { made: 0, changed: 0, kept: 0, refused: 0, visits: 0 }),
        })
        if (!began) return another
        if (hasFile) void (context as unknown as OwnContext).state.runner.pickUp()
        return shown(context, run)
      },
    }),

    'DELETE /imports/:id': endpoint({
      summary: 'Stop an import; what came stays',
      scope: 'links:write',
      answer,
      async handle({ caller, params: { id = '' } }, context) {
        const run = await find(context, caller, id)
        if (!run) return undefined
        const unsent = endOfRun('stopped', 'You stopped it before its file came.', context.now())
        const waited = await changeRun(context.db, run.id, ['waiting'], unsent)
        if (!waited && run.state === 'running') {
          await (context as unknown as OwnContext).state.runner.askToStop(run.id)
        }
        return shown(context, run)
      },
    }),
  }
}

async function find({ db }: Pick<Context, 'db'>, { accountId }: Caller, id: string) {
  return findOwnRun(db, accountId, readPublicId('imp', id))
}

async function shown({ db }: Pick<Context, 'db'>, { accountId, id }: Run) {
  const run = await findOwnRun(db, accountId, id)
  return run && { data: showRun(run) }
}

function refuseOptions(
  { isAdmin, scopes }: Caller,
  { byOwner, keys }: z.output<typeof optionsSchema>,
): Refusal | undefined {
  const isWhole = scopes.includes('*')
  if (byOwner && !(isAdmin && (isWhole || scopes.includes('admin')))) return notForAll
  return keys && !isWhole ? notForKeys : undefined
}

function refuseFile({ label, file }: Source, withFile: boolean | undefined): Refusal | undefined {
  const wrong = (sentence: string) => refuse('validation_failed', sentence, 422, 'withFile')
  if (withFile && !file) return wrong(`${label} is read from its server, and not from a file.`)
  if (withFile === false && file && !file.orSettings) return wrong(`${label} is read from a file.`)
  return undefined
}

function refuseReading(source: Source | undefined): Refusal | undefined {
  const refusal = source?.file?.refusal
  return refusal === undefined ? undefined : refuse('too_little_memory', refusal, 409)
}

function refuseMissing(source: Source, given: Given): Refusal | undefined {
  const name = missingWithoutFile(source, given)
  if (name === undefined) return undefined
  const detail = `${source.settings[name]?.label} is missing: without it, ${source.label} is read from a file alone, with \`with_file\`.`
  return refuse('validation_failed', detail, 422, `settings.${name}`)
}
