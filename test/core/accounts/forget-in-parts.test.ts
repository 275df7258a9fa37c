import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { deleteAccount } from '../../../core/accounts/access/change-account.ts'
import { forgetKeys } from '../../../core/accounts/idempotency-keys.ts'
import { noteAccountCounts } from '../../../core/visits/upkeep/remove-counts.ts'
import { addAccount, openTestDb, stoppedClock, testTokens } from './fixtures.ts'

const { now } = stoppedClock()
const day = 86_400_000
const numbers = Array.from({ length: 1_000 }, (_, at) => at)

it('forgets keys of yesterday a few hundred at a time, and redirects in between', async () => {
  const db = await openTestDb()
  const { id } = await addAccount(db)
  const key = (name: string, ago: number) => {
    const at = now().getTime() - ago
    return { account_id: id, key: name, request: '', created_at: at, started_at: at }
  }
  const old = numbers.map(it => key(`old ${it}`, 2 * day))
  await db.insertInto('idempotency_keys').values(old).execute()
  await db
    .insertInto('idempotency_keys')
    .values([key('a', 0), key('z', 0)])
    .execute()
  expect(await turnsWhile(() => forgetKeys(db, now().getTime()))).toBeGreaterThanOrEqual(5)
  const left = await db.selectFrom('idempotency_keys').select('key').orderBy('key').execute()
  expect(left).toEqual([{ key: 'a' }, { key: 'z' }])
})

it('forgets tokens that ended long ago a few hundred at a time, and redirects in between', async () => {
  const db = await openTestDb()
  const { id } = await addAccount(db)
  const token = (name: string, endsAt: number | null) => ({
    ...{ account_id: id, name, token_hash: name, prefix: 'lnt_abcdef', scopes: '["links:read"]' },
    ...{ is_bootstrap: 0 as const, created_at: 0, expires_at: endsAt },
  })
  const old = numbers.map(it => token(`old ${it}`, now().getTime() - 2 * day))
  await db.insertInto('api_tokens').values(old).execute()
  await db
    .insertInto('api_tokens')
    .values([token('a', null)])
    .execute()
  const yesterday = new Date(now().getTime() - day)
  const { forgetExpired } = testTokens(db, now)
  expect(await turnsWhile(() => forgetExpired(yesterday))).toBeGreaterThanOrEqual(5)
  const left = await db.selectFrom('api_tokens').select('name').execute()
  expect(left).toEqual([{ name: 'a' }])
})

it('forgets all that an account has when it is deleted some at a time, in tables of plugins too, and redirects in between', async () => {
  const db = await openTestDb()
  const [{ id }, other] = [
    await addAccount(db, { email: 'gone@example.org' }),
    await addAccount(db),
  ]
  for (const account_id of [id, other.id]) {
    const keys = numbers.map(it => {
      const at = { created_at: 0, started_at: 0 }
      return { account_id, key: `key ${it}`, request: '', ...at }
    })
    await db.insertInto('idempotency_keys').values(keys).execute()
  }
  const owner = sql`account_id integer references accounts (id) on delete cascade`
  const tables = ['acme_things', 'acme_parts', 'acme_lone', 'acme_notes']
  /** A row of each account for each key, and each refers to that in the table before. */
  async function makeTable(name: string, isFound: boolean, to?: string) {
    const table = sql.table(name)
    const of =
      to === undefined ? sql`of_id integer` : sql`of_id integer references ${sql.table(to)}`
    await sql`create table ${table} (id integer primary key, ${owner}, ${of})`.execute(db)
    if (isFound)
      await sql`create index ${sql.id(`${name}_of`)} on ${table} (account_id)`.execute(db)
    const number = sql`row_number() over (order by account_id, key)`
    await sql`insert into ${table} select ${number}, account_id, ${number} from idempotency_keys`.execute(
      db,
    )
  }
  await makeTable('acme_things', true)
  await makeTable('acme_parts', true, 'acme_things')
  await makeTable('acme_lone', true)
  // Its rows are found by nothing but a look at all, and keep those of the table before until the account itself goes.
  await makeTable('acme_notes', false, 'acme_lone')
  const deleting = () => deleteAccount(db, id, now)
  expect(await turnsWhile(deleting)).toBeGreaterThanOrEqual(40)
  for (const table of ['idempotency_keys', ...tables]) {
    const { rows } =
      await sql`select account_id as id, count(*) as count from ${sql.table(table)} group by 1`.execute(
        db,
      )
    expect(rows).toEqual([{ id: other.id, count: 1_000 }])
  }
})

it('forgets what refers to what an account has, and to that, some at a time, and redirects in between', async () => {
  const db = await openTestDb()
  const [gone, other] = [await addAccount(db, { email: 'gone@example.org' }), await addAccount(db)]
  const statements = [
    `create table acme_shelves (id integer primary key, owner bigint references accounts on delete cascade, kind text, unique (kind, id))`,
    `create index acme_shelves_owner on acme_shelves (owner)`,
    // Found by the second of the columns, and kept without a key of its own.
    `create table acme_boxes (kind text, shelf integer, number integer unique,
      foreign key (kind, shelf) references acme_shelves (kind, id) on delete cascade)`,
    `create index acme_boxes_shelf on acme_boxes (shelf)`,
    `create table acme_things (id text primary key, box integer references acme_boxes (number) on delete cascade,
      inside text references acme_things on delete cascade)`,
    `create index acme_things_box on acme_things (box)`,
    `create index acme_things_inside on acme_things (inside)`,
    // These stay, with nothing to refer to.
    `create table acme_finds (thing text references acme_things on delete set null)`,
    `create index acme_finds_thing on acme_finds (thing)`,
    `insert into acme_shelves values (1, ${gone.id}, 'a'), (2, ${gone.id}, 'b'), (3, ${other.id}, 'a')`,
    `insert into acme_boxes values ('a', 1, 1), ('b', 2, 2), ('a', 3, 3)`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
  const things = numbers.flatMap(it =>
    [1, 2, 3].map(box => {
      const inside = it % 2 === 0 ? null : `${box} ${it - 1}`
      return sql`(${`${box} ${it}`}, ${box}, ${inside})`
    }),
  )
  await sql`insert into acme_things values ${sql.join(things)}`.execute(db)
  await sql`insert into acme_finds (thing) select id from acme_things`.execute(db)
  // 2,000 things, and what was found of each.
  expect(await turnsWhile(() => deleteAccount(db, gone.id, now))).toBeGreaterThanOrEqual(60)
  const countOf = async (rows: string) =>
    (await sql<{ count: number }>`select count(*) as count from ${sql.raw(rows)}`.execute(db))
      .rows[0]?.count
  expect([
    await countOf('acme_shelves'),
    await countOf('acme_boxes'),
    await countOf('acme_things where box = 3'),
    await countOf('acme_things'),
    await countOf('acme_finds where thing is null'),
    await countOf('acme_finds'),
  ]).toEqual([1, 1, 1_000, 1_000, 2_000, 3_000])
})

it('notes what was counted of the deleted links of an account some at a time, and redirects in between', async () => {
  const db = await openTestDb()
  const { id: account_id } = await addAccount(db)
  const deleted = numbers.map(it => ({
    ...{ id: it + 1, account_id, deleted_at: 0, link: '{}', codes: '[]', rows: '{}' },
  }))
  await db.insertInto('deleted_links').values(deleted).execute()
  const aside = { owner: 'set_aside' as const, id: 7, account_id }
  await db.insertInto('counts_to_remove').values(aside).execute()
  const noting = () => db.transaction().execute(tx => noteAccountCounts(tx, account_id))
  expect(await turnsWhile(noting)).toBeGreaterThanOrEqual(15)
  const notes = await db.selectFrom('counts_to_remove').select(['owner', 'id']).execute()
  expect(notes).toHaveLength(2 * deleted.length + 1)
  expect(notes.filter(({ owner }) => owner !== 'link')).toEqual([
    { owner: 'account', id: account_id },
  ])
})

/** How many turns others have had until it is done. */
async function turnsWhile(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    await setImmediate()
    turns += 1
  }
  await working
  return turns
}
