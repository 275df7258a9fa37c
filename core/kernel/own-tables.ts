import {
  type CreateIndexNode,
  type Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  type ReferencesNode,
  type RootOperationNode,
  type SchemableIdentifierNode,
  type UnknownRow,
} from 'kysely'
import type { Tables } from '../plugin.ts'
import type { Database } from '../storage/database.ts'
import { isOwnName, tablePrefix } from './names.ts'

/** The database as a plugin may use it: any statement that names a table not its own throws. */
export function ownTables(db: Database, feature: string): Kysely<Tables> {
  return (db as unknown as Kysely<Tables>).withPlugin(new OwnTables(feature))
}

class OwnTables implements KyselyPlugin {
  readonly #check: NameCheck

  constructor(feature: string) {
    this.#check = new NameCheck(feature)
  }

  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    if (node.kind === 'RawNode') this.#check.refuse('a raw statement')
    return this.#check.transformNode(node)
  }

  async transformResult<R extends { rows: UnknownRow[] }>({ result }: { result: R }): Promise<R> {
    return result
  }
}

/** Walks a statement and refuses every table and index that is not the plugin's. */
class NameCheck extends OperationNodeTransformer {
  readonly #feature: string
  readonly #prefix: string

  constructor(feature: string) {
    super()
    this.#feature = feature
    this.#prefix = tablePrefix(feature)
  }

  refuse(what: string): never {
    throw new Error(
      `${this.#feature} used ${what}: a plugin may only use tables named ${this.#prefix}_….`,
    )
  }

  /** A foreign key may point at the core's links and accounts, so that deletion reaches the plugin. */
  protected override transformReferences(node: ReferencesNode): ReferencesNode {
    return node
  }

  protected override transformCreateIndex(node: CreateIndexNode): CreateIndexNode {
    if (!isOwnName(node.name.name, this.#prefix)) this.refuse(node.name.name)
    return super.transformCreateIndex(node)
  }

  protected override transformSchemableIdentifier(
    node: SchemableIdentifierNode,
    ...rest: [] | [never]
  ): SchemableIdentifierNode {
    if (!isOwnName(node.identifier.name, this.#prefix)) this.refuse(node.identifier.name)
    return super.transformSchemableIdentifier(node, ...rest)
  }
}
