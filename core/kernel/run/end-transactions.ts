import { type DatabaseConnection, type Driver, Kysely } from 'kysely'
import type { Database } from '../../storage/database.ts'
import type { Borrowed } from '../../storage/open/lend-connections.ts'
import type { WritingTime } from '../contain/writing-time.ts'

/**
 * The same database for a plugin, whose transactions are undone if they take too long, in whatever way it begins them. What it
 * does in one afterwards fails.
 */
export function endTransactions(db: Database, feature: string, time: WritingTime): Database {
  const executor = db.getExecutor()
  const driver = timedDriver(feature, time)
  // Kysely takes the connections and the compiler from the executor, and only transactions from the driver.
  const dialect = {
    createAdapter: () => executor.adapter,
    createDriver: () => driver,
    createIntrospector: () => db.introspection,
    createQueryCompiler: () => executor as never,
  }
  return new Kysely({ config: { dialect }, dialect, driver, executor })
}

/** Ending it ends nothing: the database is that of all. */
function timedDriver(feature: string, time: WritingTime): Driver {
  const timers = new WeakMap<DatabaseConnection, NodeJS.Timeout>()
  return {
    init: async () => undefined,
    acquireConnection: () => Promise.reject(new Error('The executor has the connections.')),
    async beginTransaction(connection) {
      await (connection as Borrowed).begin()
      const ms = time.allowed(feature)
      const undo = () => {
        time.tookLonger(feature, ms)
        void undone(connection as Borrowed, `its transaction was undone after ${ms / 1_000} s`)
      }
      timers.set(connection, setTimeout(undo, ms))
    },
    async commitTransaction(connection) {
      clearTimeout(timers.get(connection))
      await (connection as Borrowed).commit()
      time.ended(feature)
    },
    async rollbackTransaction(connection) {
      clearTimeout(timers.get(connection))
      await (connection as Borrowed).rollback()
    },
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  }
}

/** Rolls back. A statement that comes later would be done by itself, so everything but another rollback fails. */
function undone(connection: Borrowed, why: string): Promise<void> {
  const fail = () => Promise.reject(new Error(why))
  Object.assign(connection, { begin: fail, commit: fail, executeQuery: fail, inOneGo: fail })
  return connection.rollback()
}
