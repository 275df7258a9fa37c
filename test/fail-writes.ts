import { type Kysely, sql } from 'kysely'

/**
 * Have the database fail what is done to the rows of a table, as if its disk were full, until what this gives is
 * called.
 */
export async function failWrites<DB>(
  db: Kysely<DB>,
  event: 'insert' | 'update' | 'delete',
  table: string,
  why = 'disk full',
): Promise<() => Promise<void>> {
  const name = `failing_${event}_${table}`
  const trigger = sql.id(name)
  // A test may have a file of its own, whatever the others have.
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
