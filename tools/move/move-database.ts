import { UserError } from '../../core/lib/user-error.ts'
import type { Address, Database } from '../../core/storage/database.ts'
import { nameOfInstance } from '../../core/storage/meta.ts'
import { compareTable, copyTable, isSameTable } from './copy-table.ts'
import { anyTablesOf, type End, FinishedMove, type Source, type Target } from './ends.ts'
import { openPostgresSource, openPostgresTarget } from './postgres-ends.ts'
import { progressIn } from './progress.ts'
import { openSqliteSource, openSqliteTarget } from './sqlite-ends.ts'
import { countRows, type Table } from './table.ts'

export interface MoveOptions {
  readonly from: Address
  readonly to: Address
  /** Called when the source is open: what the target needs is not made for a source that cannot be reached. */
  makeReady?(): void
  /** Create in one database the plugin tables that the other has. */
  makePluginTables(to: Database, from: Database): Promise<void>
  /** Called when all rows are copied, before the target is usable: for files that belong next to it. */
  onCopied(from: Database): Promise<void>
  /** Whether those files are there already, with the same content. */
  hasFiles(from: Database): Promise<boolean>
  /** Called with the progress after each of many small steps. */
  onStep(step: Step): void
}

export interface Step {
  readonly doing: 'Copying' | 'Comparing'
  readonly table: string
  /** Rows copied and compared so far, and the number at the end. */
  readonly done: number
  readonly all: number
}

export interface Moved {
  /** The number of rows of each table. */
  readonly counts: ReadonlyMap<string, number>
  /** Whether an earlier move had copied all of them. */
  readonly wasThere: boolean
}

/**
 * Copies everything from one database into an empty one of the other kind, and compares every row. The source stays
 * as it is. If this is interrupted, the next attempt continues; if it is finished, the next one compares.
 */
export async function moveDatabase(options: MoveOptions): Promise<Moved> {
  const source = await openSource(options)
  try {
    options.makeReady?.()
    const target = await openTarget(options, await nameOfInstance(source.db))
    try {
      return { counts: await move({ source, target }, options), wasThere: false }
    } finally {
      await target.close()
    }
  } catch (error) {
    if (!(error instanceof FinishedMove)) throw error
    return { counts: await compare(source, error, options), wasThere: true }
  } finally {
    await source.close()
  }
}

/** Compares what an earlier move has copied. Throws a `UserError` that names what differs. */
async function compare(source: Source, finished: FinishedMove, { hasFiles }: MoveOptions) {
  const target = await finished.open()
  try {
    const [from, to] = [await tablesOf(source), await tablesOf(target)]
    const differing = differingShapes(from, to)
    const counts = new Map<string, number>()
    for (const table of to.values()) {
      if (differing.includes(table.name)) continue
      if (!(await isSameTable(source, target, table))) differing.push(table.name)
      counts.set(table.name, await countRows(anyTablesOf(source.db), table))
    }
    if (!(await hasFiles(source.db))) differing.push('settings.json')
    if (differing.length === 0) return counts
    throw new UserError(`${finished.message} Since that move, ${differing.join(', ')} changed.`)
  } finally {
    await target.close()
  }
}

function openSource({ from }: MoveOptions): Promise<Source> {
  return 'file' in from ? openSqliteSource(from.file) : openPostgresSource(from.url)
}

function openTarget({ to }: MoveOptions, name: string): Promise<Target> {
  return 'file' in to ? openSqliteTarget(to.file, name) : openPostgresTarget(to.url, name)
}

async function move(
  ends: { readonly source: Source; readonly target: Target },
  { makePluginTables, onCopied, onStep }: MoveOptions,
): Promise<ReadonlyMap<string, number>> {
  const { source, target } = ends
  const isClear = await progressIn(target.db).isClear()
  if (!isClear) await makePluginTables(target.db, source.db)
  const tables = await tablesOfBoth(source, target)
  if (!isClear) await target.clear()
  let rows = 0
  for (const table of tables) rows += await countRows(anyTablesOf(source.db), table)
  let done = 0
  const tell = (doing: Step['doing'], table: Table) => (more: number) => {
    done += more
    onStep({ doing, table: table.name, done, all: 2 * rows })
  }
  for (const table of tables) await copyTable(ends, table, tell('Copying', table))
  // Rows that an earlier attempt copied count too.
  done = rows
  const counts = new Map<string, number>()
  for (const table of tables) {
    counts.set(table.name, await compareTable(ends, table, tell('Comparing', table)))
  }
  await onCopied(source.db)
  await source.expectUnchanged()
  await target.finish(await source.numbers())
  return counts
}

async function tablesOfBoth(source: End, target: End): Promise<readonly Table[]> {
  const [from, to] = [await tablesOf(source), await tablesOf(target)]
  const [name] = differingShapes(from, to)
  if (name === undefined) return [...to.values()]
  const why = from.has(name)
    ? to.has(name)
      ? 'has other columns than its plugin gives it'
      : 'belongs neither to Linnet nor to a plugin that is installed'
    : 'is missing'
  throw new UserError(
    `The table ${name} ${why}. Install the version of the plugin that made it, or delete what it left: linnet plugins purge`,
  )
}

type Tables = ReadonlyMap<string, Table>

/** The names of tables that only one of the databases has, or that have other columns there. */
function differingShapes(from: Tables, to: Tables): string[] {
  return [...new Set([...from.keys(), ...to.keys()])].filter(
    name => shapeOf(from.get(name)) !== shapeOf(to.get(name)),
  )
}

const shapeOf = (table: Table | undefined) => table && [...table.columns].sort().join(' ')

async function tablesOf(end: End): Promise<Tables> {
  const columns = await end.columns()
  const names = [...new Set(columns.map(({ table }) => table))].sort()
  return new Map(
    names.map(name => {
      const ofTable = columns.filter(({ table }) => table === name)
      const key = ofTable.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place)
      const names = ofTable.map(({ column }) => column)
      return [name, { name, columns: names, key: key.map(({ column }) => column) }]
    }),
  )
}
