import {
  CreateIndexNode,
  type Kysely,
  type KyselyPlugin,
  type OperationNode,
  ReferencesNode,
  type RootOperationNode,
  SchemableIdentifierNode,
  type UnknownRow,
  ValueNode,
} from 'kysely'
import type { Tables } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { isOwnName, tablePrefix } from '../load/names.ts'

/** The database as a plugin may use it: statements that name tables of others throw. */
export function ownTables(db: Database, feature: string): Kysely<Tables> {
  return (db as unknown as Kysely<Tables>).withPlugin(new OwnTables(feature))
}

class OwnTables implements KyselyPlugin {
  readonly #feature: string
  readonly #prefix: string

  constructor(feature: string) {
    this.#feature = feature
    this.#prefix = tablePrefix(feature)
  }

  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    if (node.kind === 'RawNode') this.#refuse('a raw statement')
    this.#check(node)
    return node
  }

  async transformResult<R extends { rows: UnknownRow[] }>({ result }: { result: R }): Promise<R> {
    return result
  }

  /** Walks a statement and refuses every table and index that is not the plugin's own. */
  #check(node: OperationNode): void {
    // A foreign key may refer to the core's links and accounts, so that deleting these deletes the plugin's rows too.
    if (ValueNode.is(node) || ReferencesNode.is(node)) return
    if (CreateIndexNode.is(node)) this.#checkName(node.name.name)
    if (SchemableIdentifierNode.is(node)) this.#checkName(node.identifier.name)
    for (const part of Object.values(node)) this.#checkPart(part)
  }

  #checkPart(part: unknown): void {
    if (Array.isArray(part)) for (const it of part) this.#checkPart(it)
    else if (isNode(part)) this.#check(part)
  }

  #checkName(name: string): void {
    if (!isOwnName(name, this.#prefix)) this.#refuse(name)
  }

  #refuse(what: string): never {
    throw new Error(
      `${this.#feature} used ${what}: a plugin may only use tables named ${this.#prefix}_….`,
    )
  }
}

function isNode(it: unknown): it is OperationNode {
  return typeof it === 'object' && it !== null && 'kind' in it
}
