import type { Kysely, KyselyPlugin, RootOperationNode, UnknownRow } from 'kysely'
import { noteWork, yieldAfterLong } from '../../lib/async/yield-to-redirects.ts'
import type { Context, Tables } from '../../plugin.ts'

/**
 * The context of a plugin for work that no redirect waits for. On SQLite a statement is done when it is awaited, so that a loop
 * of thousands would be one turn of the event loop: here redirects have their turn in between. Statements of a transaction
 * that the plugin begins stay together, since others wait for it.
 */
export function unhurried(context: Context): Context {
  return { ...context, db: inTurns(context.db) }
}

function inTurns(db: Kysely<Tables>): Kysely<Tables> {
  return Object.assign(db.withPlugin(new InTurns()), {
    transaction: () => db.transaction(),
    startTransaction: () => db.startTransaction(),
    connection: () => db.connection(),
  })
}

class InTurns implements KyselyPlugin {
  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    noteWork()
    return node
  }

  async transformResult<R extends { rows: UnknownRow[] }>({ result }: { result: R }): Promise<R> {
    await yieldAfterLong()
    return result
  }
}
