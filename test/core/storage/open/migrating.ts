import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Storage } from '../../../../core/storage/database.ts'
import type { SchemaHistory, Step } from '../../../../core/storage/tables.ts'

const addMoods: Step = async ({ schema }) => {
  await schema
    .createTable('moods')
    .addColumn('link_id', 'bigint', c => c.primaryKey().references('links.id').onDelete('cascade'))
    .addColumn('mood', 'text', c => c.notNull())
    .execute()
  await schema.createIndex('moods_mood').on('moods').column('mood').execute()
  await schema.alterTable('links').addColumn('moody', 'bigint').execute()
}

/** What the next release would have: a table, an index and a column more, in the tables and as a step. */
export function withMoods({ tables, steps }: SchemaHistory, step = addMoods): SchemaHistory {
  const text = tables.find(it => it.includes('value text collate "C"'))
    ? 'text collate "C"'
    : 'text'
  return {
    tables: [
      ...tables.map(it => it.replace('create table links (', '$&moody bigint,')),
      `create table moods (
        link_id bigint primary key references links (id) on delete cascade, mood ${text} not null)`,
      'create index moods_mood on moods (mood)',
    ],
    steps: [...steps, step],
  }
}

/** Makes a part of what the step makes, and fails. */
const failing: Step = async ({ schema }) => {
  await schema.alterTable('links').addColumn('moody', 'bigint').execute()
  throw new Error('power cut')
}

interface Place {
  /** Opens the database of this test, which has this history and is made if there is none. */
  open(history: SchemaHistory): Promise<Storage>
  /** Another one, new. */
  openFresh(history: SchemaHistory): Promise<Storage>
  /** Puts the database of the first release there. */
  fill(): Promise<void>
  readonly history: SchemaHistory
}

/** What holds for the schema of both databases. */
export function itMigrates({ open, openFresh, fill, history }: Place): void {
  const later = withMoods(history)

  it('a database of the first release becomes what a new one is, and keeps its rows', async () => {
    await fill()
    await (await expectSame(history)).close()
    const storage = await expectSame(later)
    const links = await storage.db.selectFrom('links').select('short_code').execute()
    expect(links.map(it => it.short_code)).toContain('plain-1')
    await storage.close()
  })

  it('tells a database that was brought up by steps from a new one whose tables have not all that is in the steps', async () => {
    const forgotten = { ...later, tables: history.tables }
    await (await open(history)).close()
    const [fresh, stepped] = [await openFresh(forgotten), await open(later)]
    const found = await differences(fresh, stepped)
    const things = found.map(line => line.split(' ', 2).join(' '))
    expect(things).toEqual(expect.arrayContaining(['links moody', 'moods mood', 'moods link_id']))
    expect(found.filter(line => !/^links moody|^moods /.test(line))).toEqual([])
    await Promise.all([fresh.close(), stepped.close()])
  })

  it('a step that fails is undone, and runs again at the next start', async () => {
    const storage = await open(history)
    const before = await structureOf(storage)
    await storage.close()
    await expect(open(withMoods(history, failing))).rejects.toThrow('power cut')
    const after = await open(history)
    expect(await structureOf(after)).toEqual(before)
    await after.close()
    await (await expectSame(later)).close()
  })

  it('refuses a database of a newer version, and leaves it as it is', async () => {
    const newer = await open(later)
    const before = await structureOf(newer)
    await newer.close()
    await expect(open(history)).rejects.toThrow(
      /was written by a newer Linnet \(schema 2; this version knows up to 1\)/,
    )
    const again = await open(later)
    expect(await structureOf(again)).toEqual(before)
    await again.close()
  })

  it('a change of the schema is done once, by whoever of several comes first', async () => {
    await (await open(history)).close()
    const opened: Promise<Storage>[] = []
    const slow = withMoods(history, async tx => {
      await addMoods(tx)
      // Others come while the first one is at it, and wait.
      if (opened.length === 1) opened.push(open(slow), open(slow))
      await delay(100)
    })
    opened.push(open(slow))
    await opened[0]
    const storages = await Promise.all(opened)
    expect(storages).toHaveLength(3)
    for (const storage of storages) {
      expect(await versionOf(storage)).toBe(2)
      await storage.close()
    }
  })

  async function expectSame(history: SchemaHistory): Promise<Storage> {
    const [fresh, stepped] = [await openFresh(history), await open(history)]
    expect(await differences(fresh, stepped)).toEqual([])
    expect(await versionOf(stepped)).toBe(await versionOf(fresh))
    await fresh.close()
    return stepped
  }
}

/** All that a database has besides rows, a line for each thing, whatever the order in which it was made. */
export async function structureOf({ db, file }: Storage): Promise<readonly string[]> {
  const { rows } = await sql<object>`${sql.raw(file ? ofSqlite : ofPostgres)}`.execute(db)
  return rows.map(row => Object.values(row).join(' ')).sort()
}

/** What only one of two databases has, not counting the tables of plugins in the second one. */
async function differences(fresh: Storage, other: Storage): Promise<readonly string[]> {
  const features = await other.db.selectFrom('plugin_migrations').select('feature').execute()
  const prefixes = features.map(({ feature }) =>
    feature
      .replaceAll(/[A-Z]/g, it => `_${it}`)
      .replace('.', '_')
      .toLowerCase(),
  )
  const isOfPlugin = (line: string) => prefixes.some(it => line.startsWith(it))
  const [ofFresh, ofOther] = [await structureOf(fresh), await structureOf(other)]
  const missing = ofFresh.filter(line => !ofOther.includes(line))
  return [...missing, ...ofOther.filter(line => !ofFresh.includes(line) && !isOfPlugin(line))]
}

/** The version of the schema that a database says it has. */
export async function versionOf({ db, file }: Storage): Promise<number> {
  const { rows } = file
    ? await sql<{
        version: number
      }>`select user_version as version from pragma_user_version`.execute(db)
    : await sql<{
        version: string
      }>`select value as version from meta where key = 'schema'`.execute(db)
  return Number(rows[0]?.version)
}

const ofSqlite = `
  with tables as (select * from pragma_table_list where schema = 'main' and name not like 'sqlite_%')
  select name as a, 'rowid' as b, not wr as c, (
    select sql like '%autoincrement%' from sqlite_master where sqlite_master.name = tables.name
  ) as d from tables
  union all
  select tables.name, columns.name, lower(columns.type), columns."notnull" || coalesce(columns.dflt_value, '-') || columns.pk
  from tables, pragma_table_xinfo(tables.name) as columns
  union all
  select tables.name, indexes.origin || indexes."unique" || indexes.partial, replace(coalesce(made.sql, ''), '"', ''),
    (select group_concat(coalesce(name, '-') || coll || "desc" || key) from pragma_index_xinfo(indexes.name))
  from tables, pragma_index_list(tables.name) as indexes
  left join sqlite_master as made on made.name = indexes.name
  union all
  select tables.name, "table", "from" || ' ' || "to", on_update || on_delete
  from tables, pragma_foreign_key_list(tables.name) as keys
  union all
  select tbl_name, type, name, sql from sqlite_master where type in ('trigger', 'view')`

const ofPostgres = `
  with tables as (
    select oid, relname as name, relpersistence from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
  )
  select name as a, 'table' as b, relpersistence::text as c, '' as d from tables
  union all
  select name, attname, concat(format_type(atttypid, atttypmod), attcollation::regcollation, attnotnull, attidentity),
    coalesce(pg_get_expr(adbin, adrelid), '')
  from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  union all
  select name, 'index', '', pg_get_indexdef(indexrelid) from tables join pg_index on indrelid = tables.oid
  union all
  select name, 'constraint', conname, pg_get_constraintdef(pg_constraint.oid)
  from tables join pg_constraint on conrelid = tables.oid
  union all
  select name, 'trigger', '', pg_get_triggerdef(pg_trigger.oid)
  from tables join pg_trigger on tgrelid = tables.oid and not tgisinternal
  union all
  select proname, 'function', '', prosrc from pg_proc where pronamespace = current_schema()::regnamespace`
