import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../../../core/storage/database.ts'
import type { Owner, TrackedLink } from '../../../../core/visits/facts/open-visit.ts'
import { accountCounts } from '../../../../core/visits/tables/counts-table.ts'
import {
  noteAccountCounts,
  removeLinkCounts,
  removeSlice,
} from '../../../../core/visits/upkeep/remove-counts.ts'
import { removeWhenIdle } from '../../../../core/visits/upkeep/remove-when-idle.ts'
import { failWrites } from '../../../fail-writes.ts'
import { isOnServer } from '../../../open-storage.ts'
import { count, shownAccountCounts, shownCounts, sums } from '../counted.ts'
import { addAccount, addLink, bootInMemory, listeningLog, noonHour } from '../fixtures.ts'

/** More rows than a slice has time for, on any machine: on a server, each step of ten waits for several answers. */
const many = isOnServer ? 1_000 : 4_000

let db: Database
let owner: Owner
let link: TrackedLink
let other: TrackedLink
beforeEach(async () => {
  ;({ db, owner, link } = await bootInMemory())
  other = await addLink(db, owner)
  await count(db, other, [{ hour: noonHour, count: 7 }])
})

/** So many counts of a link, an hour apart, and as many sketches as there are days. */
async function countRows(rows: number, days = 0, of = link) {
  const hours = Array.from({ length: rows }, (_, index) => ({ hour: noonHour - index }))
  await count(db, of, hours)
  for (let day = 0; day < days; day += 1) {
    const row = { dimension: 1, day, visits: 1, sketch: Buffer.of(0) }
    await db
      .insertInto('link_sketches')
      .values({ link_id: of.id, ...row })
      .execute()
  }
}

/** Delete a link as the API does; false: some of its counts are left. */
function deleteLink({ id } = link): Promise<boolean> {
  return db.transaction().execute(async tx => {
    await tx.deleteFrom('links').where('id', '=', id).execute()
    return removeLinkCounts(tx, { rowId: id, accountId: owner.accountId })
  })
}

function deleteAccount(): Promise<void> {
  return db.transaction().execute(async tx => {
    await noteAccountCounts(tx, owner.accountId)
    await tx.deleteFrom('accounts').where('id', '=', owner.accountId).execute()
  })
}

const tables = ['link_counts', 'link_sketches', 'account_counts', 'account_sketches'] as const

async function rowsIn(...of: readonly (typeof tables)[number][]): Promise<number> {
  let rows = 0
  for (const table of of) {
    const { all } = await db
      .selectFrom(table as 'link_counts')
      .select(({ fn }) => fn.countAll<number>().as('all'))
      .executeTakeFirstOrThrow()
    rows += all
  }
  return rows
}

const noted = () => db.selectFrom('counts_to_remove').select(['owner', 'id']).execute()

/** At any moment an account has what its links have, and what is not removed yet. */
async function expectToAgree(): Promise<void> {
  expect(await sums(db, accountCounts)).toEqual(await sums(db))
}

describe('what was counted of a link that is deleted', () => {
  it('goes at once when it is little', async () => {
    await countRows(10, 3)
    expect(await deleteLink()).toBe(true)
    expect([await rowsIn('link_counts', 'link_sketches'), await noted()]).toEqual([1, []])
    await expectToAgree()
  })

  it('goes a slice at a time when it is much, and the sums of its account with it', async () => {
    await countRows(many, 5)
    expect(await deleteLink()).toBe(false)
    let before = many + 5 + 1
    let slices = 0
    for (; !(await removeSlice(db)); slices += 1) {
      const left = await rowsIn('link_counts', 'link_sketches')
      expect(left).toBeLessThan(before)
      before = left
      if (slices % 20 === 0) await expectToAgree()
    }
    expect(slices).toBeGreaterThan(1)
    expect(await shownCounts(db)).toEqual([`visits ${Math.floor(noonHour / 24)} 12h: 7`])
    expect(await noted()).toEqual([])
    expect(await shownAccountCounts(db)).toEqual(await shownCounts(db))
  })

  it('changes in a slice with what it is taken out of, or not at all', async () => {
    await countRows(many)
    await deleteLink()
    const mend = await failWrites(db, 'delete', 'link_counts', 'died')
    const before = await shownAccountCounts(db)
    await expect(removeSlice(db)).rejects.toThrow('died')
    expect(await shownAccountCounts(db)).toEqual(before)
    await mend()
    while (!(await removeSlice(db)));
    await expectToAgree()
  })

  it('may be of a link that two delete at the same moment', async () => {
    await countRows(many)
    expect([await deleteLink(), await deleteLink()]).toEqual([false, false])
    while (!(await removeSlice(db))) expect((await noted()).length).toBe(1)
    await expectToAgree()
    expect(await rowsIn('link_counts')).toBe(1)
  })

  it('does not go from an account that has gone in the meantime', async () => {
    await countRows(many)
    await deleteLink()
    await deleteAccount()
    while (!(await removeSlice(db))) expect((await noted()).length).toBeGreaterThan(0)
    expect(await rowsIn(...tables)).toBe(0)
  })
})

describe('what was counted for an account that is deleted', () => {
  it('goes with that of all its links, a slice at a time, and nobody else’s', async () => {
    const stranger = await addAccount(db)
    const theirs = await addLink(db, stranger)
    await count(db, theirs, [{ hour: noonHour, count: 3 }])
    await countRows(many, 5)
    await countRows(1_000, 0, other)
    await deleteAccount()
    // A slice may have time for nothing but a note.
    const left = async () => (await rowsIn(...tables)) + (await noted()).length
    let before = await left()
    while (!(await removeSlice(db))) {
      const after = await left()
      expect(after).toBeLessThan(before)
      before = after
    }
    const day = Math.floor(noonHour / 24)
    expect(await shownCounts(db)).toEqual([`visits ${day} 12h: 3`])
    expect(await shownAccountCounts(db)).toEqual([`visits ${day} 12h: 3`])
    expect(await rowsIn(...tables)).toBe(2)
    expect(await noted()).toEqual([])
  })

  it('is not noted for one that there is not', async () => {
    await db.transaction().execute(tx => noteAccountCounts(tx, 4_711))
    expect(await noted()).toEqual([])
  })
})

describe('removing', () => {
  function aRemover() {
    const log = listeningLog()
    const remover = removeWhenIdle({ db, log })
    onTestFinished(() => remover.close())
    return { remover, log }
  }

  it('goes on in the next process where the last one ended', async () => {
    await countRows(many)
    await deleteLink()
    const { remover: last } = aRemover()
    const settled = last.catchUp()
    await last.close()
    await settled
    expect(await noted()).toHaveLength(1)
    const { remover: next } = aRemover()
    await next.catchUp()
    expect([await rowsIn('link_counts'), await noted()]).toEqual([1, []])
    await expectToAgree()
  })

  it('has ended for everybody who waits for it, also for who comes while it is under way', async () => {
    await countRows(many)
    await deleteLink()
    const { remover } = aRemover()
    const first = remover.catchUp()
    await remover.catchUp()
    expect(await noted()).toEqual([])
    await first
  })

  it('begins by itself when something was deleted', async () => {
    const { remover } = aRemover()
    await remover.catchUp()
    await countRows(many)
    await deleteLink()
    remover.wake()
    await expect.poll(noted).toEqual([])
  })

  it('that fails says so once, and is tried again by itself', async () => {
    await countRows(many)
    await deleteLink()
    const mend = await failWrites(db, 'delete', 'link_counts', 'died')
    const { remover, log } = aRemover()
    await expect(remover.catchUp()).rejects.toThrow('died')
    await expect(remover.catchUp()).rejects.toThrow('died')
    await mend()
    await expect.poll(noted).toEqual([])
    expect(log.lines).toHaveLength(2)
  })
})
