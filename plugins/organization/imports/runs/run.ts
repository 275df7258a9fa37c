import { type Context, newRowId } from '../../../../core/plugin.ts'
import { type Options, optionsSchema } from './options.ts'
import type { Given } from './settings-of.ts'

type Db = Context['db']

export const runsTable = 'organization_imports'

/** `waiting`: for its file. `stopped` and `failed` ones can go on. */
export type State = 'waiting' | 'running' | 'done' | 'stopped' | 'failed'

/** What became of a row: `changed` ones came in another way, `kept` ones were here already, and a `note` is about no link. */
export const outcomes = ['refused', 'changed', 'kept', 'note'] as const
export type Outcome = (typeof outcomes)[number]

/** The column that says how many rows of an outcome the report of an import has, so that nobody counts them. */
export const reportedColumn = (outcome: Outcome) => `reported_${outcome}` as const
export const noneReported = Object.fromEntries(outcomes.map(it => [reportedColumn(it), 0]))

/** An import. */
export interface Run {
  readonly id: number
  readonly accountId: number
  readonly source: string
  readonly settings: Given['settings']
  /** Encrypted. */
  readonly secrets: string | null
  readonly options: Options
  readonly isDry: boolean
  readonly state: State
  readonly sentence: string | null
  readonly fileName: string | null
  readonly fileBytes: number | null
  /** Where a command found the file; null if it was sent. */
  readonly path: string | null
  readonly bytesRead: number
  readonly itemsRead: number
  readonly made: number
  readonly changed: number
  readonly kept: number
  readonly refused: number
  readonly visits: number
  /** How many rows its report has of each outcome. */
  readonly reported: Readonly<Record<Outcome, number>>
  readonly isStopping: boolean
  readonly pass: number
  /** How many processes died that worked at it, since somebody began it or went on with it. */
  readonly deaths: number
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

export function readRun(row: Readonly<Record<string, unknown>>): Run {
  const number = (value: unknown) => (value === null ? null : Number(value))
  const text = (value: unknown) => (value === null ? null : String(value))
  return {
    id: Number(row.id),
    accountId: Number(row.account_id),
    source: String(row.source),
    settings: JSON.parse(String(row.settings)),
    secrets: text(row.secrets),
    options: optionsSchema.parse(JSON.parse(String(row.options))),
    isDry: Number(row.is_dry) === 1,
    state: row.state as State,
    sentence: text(row.sentence),
    fileName: text(row.file_name),
    fileBytes: number(row.file_bytes),
    path: text(row.path),
    bytesRead: Number(row.bytes_read),
    itemsRead: Number(row.items_read),
    made: Number(row.made),
    changed: Number(row.changed),
    kept: Number(row.kept),
    refused: Number(row.refused),
    visits: Number(row.visits),
    reported: Object.fromEntries(
      outcomes.map(it => [it, Number(row[reportedColumn(it)])]),
    ) as Run['reported'],
    isStopping: Number(row.is_stopping) === 1,
    pass: Number(row.pass),
    deaths: Number(row.deaths),
    createdAt: Number(row.created_at),
    startedAt: number(row.started_at),
    endedAt: number(row.ended_at),
  }
}

export interface NewRun {
  readonly accountId: number
  readonly source: string
  readonly given: Given
  readonly options: Options
  readonly isDry: boolean
  readonly state: 'waiting' | 'running'
  readonly path?: string
  readonly fileName?: string
  readonly fileBytes?: number
}

/** Notes a new import; undefined if the account has one that has not ended. */
export async function addRun(
  { db, now, unstable: { secrets } }: Pick<Context, 'db' | 'now' | 'unstable'>,
  { accountId, source, given, options, isDry, state, path, fileName, fileBytes }: NewRun,
): Promise<Run | undefined> {
  const at = now().getTime()
  const row = {
    id: newRowId(),
    account_id: accountId,
    active_of: accountId,
    source,
    settings: JSON.stringify(given.settings),
    secrets: hide(given.secrets, secrets),
    options: JSON.stringify(options),
    is_dry: isDry ? 1 : 0,
    state,
    sentence: null,
    file_name: fileName ?? null,
    file_bytes: fileBytes ?? null,
    path: path ?? null,
    bytes_read: 0,
    items_read: 0,
    ...{ made: 0, changed: 0, kept: 0, refused: 0, visits: 0, ...noneReported },
    runner: null,
    beat_at: null,
    is_stopping: 0,
    ...{ pass: 0, deaths: 0 },
    created_at: at,
    started_at: null,
    ended_at: null,
  }
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto(runsTable)
    .values(row)
    .onConflict(conflict => conflict.column('active_of').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n ? readRun(row) : undefined
}

export function hide(
  given: Given['secrets'],
  secrets: Context['unstable']['secrets'],
): string | null {
  return Object.keys(given).length === 0 ? null : secrets.hide(JSON.stringify(given))
}

export async function findRun(db: Db, id: number | undefined): Promise<Run | undefined> {
  if (id === undefined) return undefined
  const row = await db.selectFrom(runsTable).selectAll().where('id', '=', id).executeTakeFirst()
  return row && readRun(row)
}

/** An import of an account. */
export async function findOwnRun(
  db: Db,
  accountId: number,
  id: number | undefined,
): Promise<Run | undefined> {
  const run = await findRun(db, id)
  return run?.accountId === accountId ? run : undefined
}

/** Changes an import, if it is in one of these states. False if it is not. */
export async function changeRun(
  db: Db,
  id: number,
  states: readonly State[],
  change: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(runsTable)
    .set(change)
    .where('id', '=', id)
    .where('state', 'in', states)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes an import up from its start, unless another process was faster. */
export async function claimRun(
  db: Db,
  run: Pick<Run, 'id' | 'pass' | 'deaths' | 'startedAt'>,
  runner: string,
  now: Date,
): Promise<boolean> {
  const at = now.getTime()
  const { numUpdatedRows } = await db
    .updateTable(runsTable)
    .set({
      ...{ runner, beat_at: at, pass: run.pass + 1, deaths: run.deaths },
      ...{ started_at: run.startedAt ?? at, items_read: 0, bytes_read: 0 },
    })
    .where('id', '=', run.id)
    .where('state', '=', 'running')
    .where('pass', '=', run.pass)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What changes when an import ends, whoever notes that. */
export function endOfRun(state: 'done' | 'stopped' | 'failed', sentence: string | null, now: Date) {
  return {
    ...{ state, sentence, ended_at: now.getTime() },
    ...{ active_of: null, secrets: null, runner: null, is_stopping: 0 },
  }
}

/**
 * Has an import that ended go on, or one that its process left. False if another process was faster, or another import of the
 * account has not ended.
 */
export async function reopenRun(
  db: Db,
  run: Run,
  change: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  try {
    return await reopen(db, run, change)
  } catch (error) {
    // Two of an account at the same moment: neither sees the other yet, and the index lets one alone.
    if (uniqueCodes.has(String((error as { readonly code?: unknown }).code))) return false
    throw error
  }
}

/** Of SQLite and PostgreSQL, for two rows with one value that each has alone. */
const uniqueCodes = new Set(['SQLITE_CONSTRAINT_UNIQUE', '23505'])

async function reopen(
  db: Db,
  { id, accountId, state, pass }: Run,
  change: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(runsTable)
    .set({
      ...{ active_of: accountId, state: 'running', sentence: null, ended_at: null },
      ...{ is_stopping: 0, runner: null, deaths: 0, ...change },
    })
    .where('id', '=', id)
    .where('state', '=', state)
    .where('pass', '=', pass)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom(`${runsTable} as other`)
            .select('other.id')
            .where('other.active_of', '=', accountId)
            .where('other.id', '!=', id),
        ),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The name of its file in the folder of the plugin. */
export function fileOf(id: number): string {
  return `import-${id}`
}
