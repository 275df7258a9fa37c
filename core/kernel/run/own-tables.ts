import {
  CreateIndexNode,
  DeleteQueryNode,
  InsertQueryNode,
  type Kysely,
  type KyselyPlugin,
  MergeQueryNode,
  type OperationNode,
  ReferenceNode,
  ReferencesNode,
  type RootOperationNode,
  SchemableIdentifierNode,
  type UnknownRow,
  UpdateQueryNode,
  ValueNode,
  type WithNode,
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
    this.#check(node, none)
    return node
  }

  async transformResult<R extends { rows: UnknownRow[] }>({ result }: { result: R }): Promise<R> {
    return result
  }

  /**
   * Walks a statement and refuses every table and index that is not the plugin's own. `named` are the common table
   * expressions that it may read.
   */
  #check(node: OperationNode, named: Names): void {
    // A foreign key may refer to the core's links and accounts, so that deleting these deletes the plugin's rows too.
    if (ValueNode.is(node) || ReferencesNode.is(node)) return
    // The table of a column is one that the statement reads from, which is checked there, or an alias of it.
    if (ReferenceNode.is(node)) return
    if (CreateIndexNode.is(node)) this.#checkName(node.name.name)
    if (SchemableIdentifierNode.is(node)) {
      const { identifier, schema } = node
      if (schema || !named.has(identifier.name)) this.#checkName(identifier.name)
    }
    const inside = this.#checkWith(node, named)
    const written = partWritten(node)
    for (const [key, part] of Object.entries(node)) {
      // What a statement writes to is never a common table expression, even if it has the same name.
      if (key !== 'with') this.#checkPart(part, key === written ? none : inside)
    }
  }

  #checkPart(part: unknown, named: Names): void {
    if (Array.isArray(part)) for (const it of part) this.#checkPart(it, named)
    else if (isNode(part)) this.#check(part, named)
  }

  /**
   * Checks the common table expressions of a statement, and returns all that it may read. Each may read those before it, and
   * itself if it is recursive: elsewhere its name means the table of that name.
   */
  #checkWith(node: OperationNode & { with?: WithNode }, named: Names): Names {
    let known = named
    for (const { name, expression } of node.with?.expressions ?? []) {
      const more = new Set([...known, name.table.table.identifier.name])
      this.#check(expression, node.with?.recursive ? more : known)
      known = more
    }
    return known
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

type Names = ReadonlySet<string>
const none: Names = new Set()

/** The member of a statement that names the table that it writes to. */
function partWritten(node: OperationNode): string | undefined {
  if (InsertQueryNode.is(node) || MergeQueryNode.is(node)) return 'into'
  if (UpdateQueryNode.is(node)) return 'table'
  return DeleteQueryNode.is(node) ? 'from' : undefined
}

function isNode(it: unknown): it is OperationNode {
  return typeof it === 'object' && it !== null && 'kind' in it
}
