import { describe, expect, it } from 'vitest'
import type { Database } from '../../../../core/storage/database.ts'
import type { TrackedLink } from '../../../../core/visits/facts/open-visit.ts'
import { createAccountRoom, forgetRoom } from '../../../../core/visits/fold/account-room.ts'
import { createValueCap, type ValueCap } from '../../../../core/visits/fold/value-cap.ts'
import { addAccount, addLink, bootInMemory, noonHour } from '../fixtures.ts'

const day = Math.floor(noonHour / 24)

/** How many of so many new values of a link are counted apart. */
async function admitted(
  db: Database,
  cap: ValueCap,
  { id, owner: { accountId } }: TrackedLink,
  values: number,
  { hour = noonHour, dimension = 'from' } = {},
): Promise<number> {
  return db.transaction().execute(async tx => {
    let apart = 0
    for (let value = 0; value < values; value += 1) {
      const name = { dimension, value: `v${value}`, bots: false, summed: false, marked: false }
      if ((await cap.admit(tx, { linkId: id, accountId }, name, hour)).value !== '(other)')
        apart += 1
    }
    return apart
  })
}

const roomFor = (max: number) => createValueCap(createAccountRoom(max))

describe('the values of a day', () => {
  it('are 1,000 for a link and dimension', async () => {
    const { db, link } = await bootInMemory()
    const cap = createValueCap()
    expect(await admitted(db, cap, link, 1_200)).toBe(1_000)
    expect(await admitted(db, cap, link, 1_200, { dimension: 'to' })).toBe(1_000)
  })

  it('are 100,000 for an account, over all of its links and dimensions', async () => {
    const { db, link, owner } = await bootInMemory()
    const cap = createValueCap()
    let apart = 0
    for (let links = 0; links < 26; links += 1) {
      const next = links === 0 ? link : await addLink(db, owner)
      for (const dimension of ['a', 'b', 'c', 'd']) {
        apart += await admitted(db, cap, next, 1_000, { dimension })
      }
    }
    expect(apart).toBe(100_000)
  })

  it('of one account leave those of another alone', async () => {
    const { db, link } = await bootInMemory()
    const other = await addLink(db, await addAccount(db))
    const cap = roomFor(10)
    expect(await admitted(db, cap, link, 20)).toBe(10)
    expect(await admitted(db, cap, other, 20)).toBe(10)
  })

  it('begin again with each UTC day', async () => {
    const { db, link } = await bootInMemory()
    const cap = roomFor(10)
    for (const hour of [day * 24 + 23, (day + 1) * 24]) {
      expect(await admitted(db, cap, link, 20, { hour })).toBe(10)
    }
  })

  it('are not stretched by a restart, nor by a second recorder', async () => {
    const { db, link, owner } = await bootInMemory()
    expect(await admitted(db, roomFor(10), link, 20)).toBe(10)
    expect(await admitted(db, roomFor(10), await addLink(db, owner), 20)).toBe(0)
  })

  it('are free again when their transaction failed', async () => {
    const { db, link } = await bootInMemory()
    const cap = roomFor(10)
    const failed = db.transaction().execute(async tx => {
      await cap.admit(
        tx,
        { linkId: link.id, accountId: link.owner.accountId },
        { dimension: 'from', value: 'a', bots: false, summed: false, marked: false },
        noonHour,
      )
      throw new Error('the disk is full')
    })
    await expect(failed).rejects.toThrow('the disk is full')
    cap.forget()
    expect(await admitted(db, cap, link, 20)).toBe(10)
  })

  it('cost no room twice', async () => {
    const { db, link } = await bootInMemory()
    const cap = roomFor(10)
    for (let time = 0; time < 3; time += 1) expect(await admitted(db, cap, link, 10)).toBe(10)
  })
})

it('room of days long past is forgotten', async () => {
  const { db, link } = await bootInMemory()
  for (const hour of [day * 24, (day + 1) * 24]) {
    await admitted(db, roomFor(10), link, 1, { hour })
  }
  await forgetRoom(db, day + 1)
  const rows = await db.selectFrom('account_values').select('day').execute()
  expect(rows).toEqual([{ day: day + 1 }])
})
