import { createHash } from 'node:crypto'
import {
  DummyDriver,
  Kysely,
  type LogEvent,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { within } from '../../lib/async/within.ts'
import { messageForPeople } from '../../lib/message-for-people.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Migration, Plugin } from '../../plugin.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { isStorageTrouble } from '../../storage/files/damage.ts'
import { isOfStorage } from '../../storage/files/out-of-reach.ts'
import type { Schema } from '../../storage/schema.ts'
import { ownTables } from './own-tables.ts'

/** A migration was edited after its release. Continuing would lead to two different schemas. */
class ChangedMigration extends UserError {
  override readonly name = 'ChangedMigration'
}

/**
 * Runs the migrations of a plugin that this database has not run yet, each in a transaction.
 *
 * @param bounded runs the plugin's code, and rejects if that takes too long
 */
export async function migratePlugin(
  db: Database,
  plugin: Plugin,
  now: () => Date,
  bounded: <T>(work: () => Promise<T>) => Promise<T> = work => work(),
): Promise<void> {
  for (const { name, migration, checksum } of await pendingSteps(db, plugin, bounded)) {
    await db.transaction().execute(async tx => {
      // Two processes may set it up at the same moment.
      if ((await appliedChecksums(tx, plugin.feature)).has(name)) return
      // The time limit applies inside the transaction, so that the transaction ends too.
      await bounded(() => migration(ownTables(tx, plugin.feature)))
      await remember(tx, { feature: plugin.feature, name, checksum, applied_at: now().getTime() })
    })
  }
}

/** How long a migration may take when it is tried, in milliseconds. Without tables it has nothing to do. */
const patience = { dryMs: 10_000, trialMs: 60_000 }

/**
 * Tries the migrations that this database has not run yet, and undoes them; returns why they cannot be run. Throws if
 * that is the fault of the database.
 */
export async function whyNotMigrated(
  db: Database,
  plugin: Plugin,
  { dryMs, trialMs } = patience,
): Promise<string | undefined> {
  const done = new Error('Undo it')
  try {
    const steps = await pendingSteps(db, plugin, inTime(dryMs))
    if (steps.length === 0) return undefined
    await db.transaction().execute(async tx => {
      const own = ownTables(tx, plugin.feature)
      for (const { migration } of steps) await inTime(trialMs)(() => migration(own))
      throw done
    })
  } catch (error) {
    if (error === done) return undefined
    if (isOfStorage(error) && isStorageTrouble(error)) throw error
    return `its migration failed: ${messageForPeople(error).replace(/\.$/, '')}`
  }
}

const late = Symbol('late')

function inTime(ms: number) {
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const answer = await within(ms, Promise.resolve(work()), late)
    if (answer === late) throw new Error(`it did not end within ${ms / 1_000} seconds`)
    return answer
  }
}

interface Step {
  readonly name: string
  readonly migration: Migration
  readonly checksum: string
}

/** The migrations that this database has not run yet, in order. Throws `ChangedMigration`. */
async function pendingSteps(
  db: Database,
  { feature, migrations = {} }: Plugin,
  bounded: <T>(work: () => Promise<T>) => Promise<T> = work => work(),
): Promise<readonly Step[]> {
  const steps = Object.entries(migrations).sort(([a], [b]) => (a < b ? -1 : 1))
  if (steps.length === 0) return []
  const applied = await appliedChecksums(db, feature)
  const pending: Step[] = []
  for (const [name, migration] of steps) {
    const checksum = await bounded(() => checksumOf(migration, feature))
    const before = applied.get(name)
    if (before === undefined) pending.push({ name, migration, checksum })
    else if (before !== checksum) {
      throw new ChangedMigration(
        `${feature} changed its migration ${name}, which this database has already run. ` +
          'Restore the old one, and write a new migration for the change.',
      )
    }
  }
  return pending
}

/** The plugins whose tables were changed by migrations of a newer version, as on another server. */
export async function changedByNewer(
  db: Database,
  plugins: readonly Plugin[],
): Promise<readonly Plugin['feature'][]> {
  const applied = await db.selectFrom('plugin_migrations').select(['feature', 'name']).execute()
  return plugins
    .filter(({ feature, migrations = {} }) =>
      applied.some(it => it.feature === feature && !Object.hasOwn(migrations, it.name)),
    )
    .map(({ feature }) => feature)
}

/**
 * Creates the tables that plugins have in one database in another one, by running exactly the migrations that the first
 * has run.
 *
 * @param find returns the plugin of a feature; throws if there is none
 */
export async function repeatMigrations(
  from: Database,
  to: Database,
  find: (feature: string) => Promise<Plugin>,
): Promise<void> {
  const applied = await from
    .selectFrom('plugin_migrations')
    .selectAll()
    .orderBy('applied_at')
    .execute()
  for (const feature of new Set(applied.map(({ feature }) => feature))) {
    const plugin = await find(feature)
    const own = applied.filter(it => it.feature === feature)
    const migrations = Object.entries(plugin.migrations ?? {}).filter(([name]) =>
      own.some(it => it.name === name),
    )
    const at = new Date(own[0]?.applied_at ?? 0)
    await migratePlugin(to, { ...plugin, migrations: Object.fromEntries(migrations) }, () => at)
    const made = await appliedChecksums(to, feature)
    const other = own.find(({ name, checksum }) => made.get(name) !== checksum)
    if (other === undefined) continue
    throw new ChangedMigration(
      `${feature} has no migration ${other.name} as this database has run it. Install the version of the plugin that has.`,
    )
  }
}

/** By migration and feature. The SQL of a migration does not change while its code is loaded. */
const checksums = new WeakMap<Migration, Map<string, string>>()

/**
 * The SHA-256 of the SQL of a migration, found by running it on a database that does nothing. So comments and
 * formatting do not change it, but a new column does.
 */
export async function checksumOf(migration: Migration, feature: string): Promise<string> {
  const byFeature = checksums.get(migration) ?? new Map<string, string>()
  checksums.set(migration, byFeature)
  const checksum = byFeature.get(feature) ?? (await findChecksum(migration, feature))
  byFeature.set(feature, checksum)
  return checksum
}

async function findChecksum(migration: Migration, feature: string): Promise<string> {
  const statements: string[] = []
  const dry = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: db => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    log: ({ query }: LogEvent) => {
      statements.push(`${query.sql} ${JSON.stringify(query.parameters)}`)
    },
  })
  await migration(ownTables(dry, feature))
  return createHash('sha256').update(statements.join('\n')).digest('hex')
}

async function appliedChecksums(db: Database | Tx, feature: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('plugin_migrations')
    .select(['name', 'checksum'])
    .where('feature', '=', feature)
    .execute()
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

async function remember(tx: Tx, row: Schema['plugin_migrations']): Promise<void> {
  await tx.insertInto('plugin_migrations').values(row).execute()
}
