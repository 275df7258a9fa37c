import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { ownTables } from '../../../../core/kernel/run/own-tables.ts'
import type { Tables } from '../../../../core/plugin.ts'
import { openStorage } from '../../../open-storage.ts'

let own: Kysely<Tables>

beforeEach(async () => {
  const { db } = await openStorage()
  own = ownTables(db, 'acme.moods')
  for (const table of ['acme_moods', 'acme_moods_days']) {
    await own.schema
      .createTable(table)
      .addColumn('id', 'integer', it => it.primaryKey())
      .addColumn('mood', 'text')
      .execute()
  }
  await own.insertInto('acme_moods').values({ id: 1, mood: 'calm' }).execute()
  await own.insertInto('acme_moods_days').values({ id: 1, mood: 'sunny' }).execute()
})

type Query = { execute(): Promise<unknown> }
type Eb = ExpressionBuilder<Tables, string>

describe("a plugin's database", () => {
  it.each<[string, (own: Kysely<Tables>) => Query]>([
    ['its own tables', own => own.selectFrom('acme_moods').select(['acme_moods.id', 'mood'])],
    [
      'them under other names, even names of other tables',
      own =>
        own
          .selectFrom('acme_moods as m')
          .innerJoin('acme_moods_days as accounts', 'accounts.id', 'm.id')
          .where('accounts.mood', '=', 'sunny')
          .select(['m.id', 'm.mood']),
    ],
    [
      'what a query before it found, also in a query within',
      own =>
        own
          .with('found', db => db.selectFrom('acme_moods as m').select(['m.id', 'm.mood']))
          .with('again(id, mood)', db => db.selectFrom('found as f').select(['f.id', 'f.mood']))
          .selectFrom('again')
          .where('again.id', 'in', (eb: Eb) => eb.selectFrom('found').select('found.id'))
          .selectAll(),
    ],
    [
      'what a recursive query found before',
      own =>
        own
          .withRecursive('grown(id, mood)', db =>
            db
              .selectFrom('acme_moods')
              .select(['id', 'mood'])
              .union(db.selectFrom('grown as g').select(['g.id', 'g.mood'])),
          )
          .selectFrom('grown')
          .selectAll(),
    ],
  ])('reads %s', async (_, query) => {
    expect(await query(own).execute()).toEqual([{ id: 1, mood: 'calm' }])
  })

  it('writes its own tables with what it read', async () => {
    await own
      .insertInto('acme_moods')
      .values({ id: 1, mood: 'wild' })
      .onConflict(it => it.column('id').doUpdateSet({ mood: (eb: Eb) => eb.ref('excluded.mood') }))
      .execute()
    await own
      .with('sunny', db => db.selectFrom('acme_moods_days as d').select('d.id'))
      .deleteFrom('acme_moods_days')
      .where('acme_moods_days.id', 'in', (eb: Eb) => eb.selectFrom('sunny').select('sunny.id'))
      .execute()
    expect(await own.selectFrom('acme_moods').selectAll().execute()).toEqual([
      { id: 1, mood: 'wild' },
    ])
    expect(await own.selectFrom('acme_moods_days').selectAll().execute()).toEqual([])
  })

  it.each<[string, (own: Kysely<Tables>) => Query]>([
    ['read accounts', own => own.selectFrom('accounts').selectAll()],
    ['read accounts of a schema', own => own.selectFrom('main.accounts').selectAll()],
    [
      'read accounts under an own name',
      own => own.selectFrom('accounts as acme_moods').selectAll(),
    ],
    [
      'join accounts',
      own => own.selectFrom('acme_moods').innerJoin('accounts', 'accounts.id', 'acme_moods.id'),
    ],
    [
      'join accounts by an alias',
      own => own.selectFrom('acme_moods as m').innerJoin('accounts as m2', 'm2.id', 'm.id'),
    ],
    [
      'read accounts in a query within, where an alias has that name',
      own =>
        own
          .selectFrom('acme_moods as accounts')
          .where('accounts.id', 'in', (eb: Eb) => eb.selectFrom('accounts').select('id'))
          .selectAll(),
    ],
    [
      'read accounts in a common table expression',
      own =>
        own
          .with('acme_moods_all', db => db.selectFrom('accounts').selectAll())
          .selectFrom('acme_moods_all'),
    ],
    [
      'read accounts in a common table expression of that name',
      own =>
        own.with('accounts', db => db.selectFrom('accounts').selectAll()).selectFrom('accounts'),
    ],
    [
      'read accounts before the common table expression of that name',
      own =>
        own
          .with('found', db => db.selectFrom('accounts').selectAll())
          .with('accounts', db => db.selectFrom('acme_moods').selectAll())
          .selectFrom('found')
          .selectAll(),
    ],
    [
      'read accounts beside a query within that gives a common table expression that name',
      own =>
        own
          .with('found', db =>
            db
              .with('accounts', db => db.selectFrom('acme_moods').selectAll())
              .selectFrom('accounts')
              .selectAll(),
          )
          .selectFrom(['found', 'accounts'])
          .selectAll(),
    ],
    [
      'read accounts of a schema behind a common table expression',
      own =>
        own
          .with('accounts', db => db.selectFrom('acme_moods').selectAll())
          .selectFrom('main.accounts')
          .selectAll(),
    ],
    [
      'read accounts in a union',
      own =>
        own
          .selectFrom('acme_moods as accounts')
          .select('accounts.id')
          .unionAll(db => db.selectFrom('accounts').select('accounts.id')),
    ],
    [
      'name accounts in a piece of SQL',
      own => own.selectFrom(sql`${sql.table('accounts')}`.as('acme_moods')).selectAll(),
    ],
    ['delete links', own => own.deleteFrom('links')],
    ['delete links by an alias', own => own.deleteFrom('links as acme_moods')],
    [
      'delete links behind a common table expression',
      own => own.with('links', db => db.selectFrom('acme_moods').selectAll()).deleteFrom('links'),
    ],
    [
      'delete links in a common table expression',
      own =>
        own
          .with('gone', db => db.deleteFrom('links').returning('id'))
          .selectFrom('gone')
          .selectAll(),
    ],
    [
      'change links behind a common table expression',
      own =>
        own
          .with('links', db => db.selectFrom('acme_moods').selectAll())
          .updateTable('links')
          .set({ title: 'mine' }),
    ],
    [
      'add links behind a common table expression',
      own =>
        own
          .with('links', db => db.selectFrom('acme_moods').selectAll())
          .insertInto('links')
          .values({ title: 'mine' }),
    ],
    [
      'copy accounts into its own table',
      own =>
        own
          .insertInto('acme_moods')
          .columns(['mood'])
          .expression(db => db.selectFrom('accounts as a').select('a.email')),
    ],
    [
      'return accounts from a change of its own table',
      own =>
        own
          .deleteFrom('acme_moods')
          .returning(eb => eb.selectFrom('accounts').select('email').limit(1).as('email')),
    ],
  ])('cannot %s', async (_, query) => {
    await expect((async () => query(own).execute())()).rejects.toThrow(/may only use tables named/)
  })
})
