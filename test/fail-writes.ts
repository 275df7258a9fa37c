import { type Kysely, sql } from 'kysely'

/** Makes the database fail every write to a table, as if its disk were full, until the returned function is called. */
export async function failWrites<DB>(
  db: Kysely<DB>,
  event: 'insert' | 'update' | 'delete',
  table: string,
  why = 'disk full',
): Promise<() => Promise<void>> {
  const name = `failing_${event}_${table}`
  const trigger = sql.id(name)
  // A test may use a database file of its own, whatever the other tests use.
  if ('kind' in db.getExecutor().adapter) {
    await sql`create function ${trigger}() returns trigger language plpgsql as
      ${sql.lit(`begin raise exception '${why}'; end`)}`.execute(db)
    await sql`create trigger ${trigger} before ${sql.raw(event)} on ${sql.table(table)}
      for each row execute function ${trigger}()`.execute(db)
    return async () => {
      await sql`drop function ${trigger} cascade`.execute(db)
    }
  }
  await sql`create trigger ${trigger} before ${sql.raw(event)} on ${sql.table(table)}
    begin select raise(abort, ${sql.lit(why)}); end`.execute(db)
  return async () => {
    await sql`drop trigger ${trigger}`.execute(db)
  }
}
