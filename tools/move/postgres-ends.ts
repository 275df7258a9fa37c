import pg from 'pg'
import { UserError } from '../../core/lib/user-error.ts'
import { belongsTo, tableOfMove } from '../../core/storage/meta.ts'
import { connectKeeper, keepFromServing, lock } from '../../core/storage/open/keeper.ts'
import {
  checkServer,
  joinPostgres,
  openPostgres,
  preparePostgres,
} from '../../core/storage/open/postgres.ts'
import {
  failureOfServer,
  whyNotOpened,
  withoutSecrets,
} from '../../core/storage/open/postgres-failure.ts'
import { type Column, type End, FinishedMove, type Source, type Target } from './ends.ts'
import { makeProgressTable, progressIn } from './progress.ts'

/** The database on a server, brought up to date; everybody else who writes to it waits. */
export async function openPostgresSource(url: string): Promise<Source> {
  await (await openPostgres(url, { expected: true })).close()
  const keeper = await connectKeeper(url)
  const end = endOn(url, keeper)
  try {
    await keepFromServing(keeper, url)
    await lock(
      keeper,
      'write',
      `Another program is writing to ${withoutSecrets(url)}. Try again later.`,
    )
  } catch (error) {
    await end.close()
    throw error
  }
  return {
    ...end,
    async numbers() {
      const numbers = new Map<string, number>()
      for (const { table, sequence } of await ask<Numbered>(keeper, numberedSql)) {
        const last = `select case when is_called then last_value else 0 end as number from ${sequence}`
        const [row] = await ask<{ number: string }>(keeper, last)
        numbers.set(table, Number(row?.number ?? 0))
      }
      return numbers
    },
    async expectUnchanged() {
      // The locks are gone if the connection was lost.
      await ask(keeper, 'select')
    },
  }
}

/** An empty database on a server, which no Linnet opens until the move is complete; an interrupted move continues. */
export async function openPostgresTarget(url: string, source: string): Promise<Target> {
  let keeper: pg.Client
  try {
    keeper = await connectKeeper(url)
  } catch (error) {
    throw whyNotOpened(error, withoutSecrets(url))
  }
  const end = endOn(url, keeper)
  try {
    await checkServer(keeper, url)
    await lock(keeper, 'move', `Another process is moving data to ${withoutSecrets(url)}.`)
    await startProgress(url, end, source)
    await preparePostgres(url, { isMovedTo: true })
  } catch (error) {
    await end.close()
    throw whyNotOpened(error, withoutSecrets(url))
  }
  return {
    ...end,
    async clear() {
      const tables = new Set((await end.columns()).map(({ table }) => table))
      tables.delete('meta')
      const names = [...tables].map(it => pg.escapeIdentifier(it))
      const references = await ask<Reference>(keeper, referencesSql)
      await inTransaction(keeper, async () => {
        for (const { table, name, definition } of references) {
          const again = `alter table ${table} add constraint ${name} ${definition}`
          await ask(keeper, `insert into ${tableOfMove} values ($1, $2)`, [
            `${referenceKey}${table} ${name}`,
            again,
          ])
          await ask(keeper, `alter table ${table} drop constraint ${name}`)
        }
        await ask(keeper, `truncate ${names.join(', ')}`)
      })
      await progressIn(end.db).setClear()
    },
    async finish(numbers) {
      const references = await ask<{ value: string }>(
        keeper,
        `select value from ${tableOfMove} where key like '${referenceKey}%' order by key`,
      )
      await inTransaction(keeper, async () => {
        for (const { value } of references) await refer(keeper, value)
        for (const it of await ask<Numbered>(keeper, numberedSql)) {
          await setNumber(keeper, it, numbers.get(it.table) ?? 0)
        }
        await ask(keeper, `drop table ${tableOfMove}`)
      })
    },
  }
}

/** Prefix of the rows with the SQL that recreates the removed foreign keys. */
const referenceKey = 'reference '

/** Marks an empty database as the target of a move; one that is marked already must have the same source. */
async function startProgress(url: string, { db, columns }: End, source: string): Promise<void> {
  const isStarted = await db.introspection
    .getTables()
    .then(tables => tables.some(({ name }) => name === tableOfMove))
  if (!isStarted) {
    const there = await columns()
    if (there.length > 0) {
      const where = withoutSecrets(url)
      const has = (name: string) =>
        there.some(({ table, column }) => table === 'meta' && column === name)
      const isMoved = has('key') && has('value') && (await belongsTo(db, source))
      if (isMoved) {
        throw new FinishedMove(
          `${where} already contains this instance: an earlier move there is finished. If that is the one you wanted, set DATABASE_URL and start Linnet. To move again, name an empty database.`,
          async () => endOn(url, await connectKeeper(url)),
        )
      }
      throw new UserError(
        `${where} is not empty. Create an empty database for Linnet, for example with createdb, and name that one.`,
      )
    }
    await makeProgressTable(db)
  }
  await progressIn(db).start(
    source,
    `${withoutSecrets(url)} contains part of another instance, whose move was interrupted. Create an empty database and name that one.`,
  )
}

function endOn(url: string, keeper: pg.Client): End {
  const { db, close } = joinPostgres(url, { statementMs: 0 })
  return {
    db,
    columns: () => ask<Column>(keeper, columnsSql, [tableOfMove]),
    async close() {
      await close()
      await keeper.end()
    },
  }
}

async function ask<R extends pg.QueryResultRow>(
  keeper: pg.Client,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<readonly R[]> {
  try {
    return (await keeper.query<R>(sql, [...parameters])).rows
  } catch (error) {
    throw failureOfServer(error)
  }
}

async function inTransaction(keeper: pg.Client, work: () => Promise<void>): Promise<void> {
  await ask(keeper, 'begin')
  try {
    await work()
    await ask(keeper, 'set local synchronous_commit = on')
    await ask(keeper, 'commit')
  } catch (error) {
    await ask(keeper, 'rollback').catch(() => undefined)
    throw error
  }
}

async function refer(keeper: pg.Client, sql: string): Promise<void> {
  try {
    await ask(keeper, sql)
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError) || cause.code !== '23503') throw cause
    throw new UserError(
      `A row refers to another that does not exist: ${cause.message}, ${cause.detail} The database that was moved is unchanged: keep using it.`,
      { cause },
    )
  }
}

/** A column for which the server generates numbers. */
interface Numbered {
  readonly table: string
  readonly column: string
  readonly sequence: string
}

async function setNumber(
  keeper: pg.Client,
  { table, column, sequence }: Numbered,
  number: number,
): Promise<void> {
  const of = `${pg.escapeIdentifier(column)}`
  await ask(
    keeper,
    `select setval($1, greatest(last, 1), last > 0)
     from (select greatest($2::bigint, max(${of})) as last from ${pg.escapeIdentifier(table)}) as numbers`,
    [sequence, number],
  )
}

const numberedSql = `
  select table_name as "table", column_name as "column",
    pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
  from information_schema.columns
  where table_schema = current_schema() and is_identity = 'YES'`

interface Reference {
  readonly table: string
  readonly name: string
  readonly definition: string
}

const referencesSql = `
  select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
  from pg_constraint
  where contype = 'f' and connamespace = current_schema()::regnamespace`

const columnsSql = `
  select pg_class.relname as "table", attname as "column", coalesce(array_position(indkey::int2[], attnum) + 1, 0) as place
  from pg_class
  join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
  left join pg_index on indrelid = pg_class.oid and indisprimary
  where relkind in ('r', 'p') and relpersistence = 'p' and not relispartition and relnamespace = current_schema()::regnamespace and relname <> $1
  order by relname, attnum`
