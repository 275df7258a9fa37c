import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { handOverNamed } from '../../../../plugins/organization/hand-over-named.ts'
import { openTestDb } from '../../../core/accounts/fixtures.ts'

const where = { table: 'shelves', linksTable: 'shelf_links', linksKey: 'shelf_id' }
const now = () => new Date(0)

/** A database with things of account 1, and some of account 2. */
async function withThings(theirs: readonly string[], taken: readonly string[]) {
  const db = (await openTestDb()) as never as Parameters<typeof handOverNamed>[0]['db']
  await db.schema
    .createTable('shelves')
    .addColumn('id', 'integer', it => it.primaryKey())
    .addColumn('account_id', 'integer')
    .addColumn('name', 'text')
    .addColumn('folded_name', 'text')
    .addColumn('updated_at', 'integer')
    .addUniqueConstraint('shelves_names', ['account_id', 'folded_name'])
    .execute()
  const row = (account_id: number) => (name: string) => ({
    ...{ account_id, name, folded_name: name.toLowerCase(), updated_at: 0 },
  })
  await db
    .insertInto('shelves')
    .values([...theirs.map(row(1)), ...taken.map(row(2))])
    .execute()
  const namesOf = async (account: number) => {
    const own = db.selectFrom('shelves').select('name').where('account_id', '=', account)
    return (await own.orderBy('id').execute()).map(({ name }) => name)
  }
  return { db, namesOf }
}

it('gives things other names where the account has such a thing, or has got one', async () => {
  const theirs = ['Spring', 'Summer', 'Spring 2', 'x'.repeat(100)]
  const { db, namesOf } = await withThings(theirs, ['spring', 'Spring 3', 'x'.repeat(100)])
  await handOverNamed({ db, now }, { from: 1, to: 2 }, where)
  expect(await namesOf(1)).toEqual([])
  expect(await namesOf(2)).toEqual([
    ...['Spring 4', 'Summer', 'Spring 2', `${'x'.repeat(98)} 2`],
    ...['spring', 'Spring 3', 'x'.repeat(100)],
  ])
})

it('looks up a few names alone where thousands are taken', async () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `Spring ${at + 2}`)
  const { db, namesOf } = await withThings(['Spring', ...names], ['Spring'])
  await handOverNamed({ db, now }, { from: 1, to: 2 }, where)
  expect((await namesOf(2))[0]).toMatch(/^Spring \d{6}$/)
})

it('gives some thousand things a few hundred at a time, and redirects in between', async () => {
  const names = Array.from({ length: 3_000 }, (_, at) => `thing ${at}`)
  const { db, namesOf } = await withThings(names, [])
  let turns = 0
  let isDone = false
  const given = handOverNamed({ db, now }, { from: 1, to: 2 }, where).finally(() => {
    isDone = true
  })
  for (; !isDone; turns += 1) await setImmediate()
  await given
  expect(turns).toBeGreaterThanOrEqual(6)
  expect(await namesOf(2)).toEqual(names)
})
