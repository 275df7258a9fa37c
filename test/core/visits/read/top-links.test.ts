import { describe, expect, it } from 'vitest'
import type { LinkRows } from '../../../../core/plugin.ts'
import type { Database } from '../../../../core/storage/database.ts'
import { createRecorder } from '../../../../core/visits/collect/recorder.ts'
import { hourOf } from '../../../../core/visits/facts/buckets.ts'
import type { TrackedLink } from '../../../../core/visits/facts/open-visit.ts'
import { portionsOf } from '../../../../core/visits/read/counts-within.ts'
import { sumByHour } from '../../../../core/visits/read/sum-up.ts'
import {
  sumsOfLinks,
  type TopLinksQuestion,
  topLinks,
} from '../../../../core/visits/read/top-links.ts'
import { weighOf } from '../../../../core/visits/read/weigh.ts'
import { ageCounts } from '../../../../core/visits/upkeep/age-counts.ts'
import {
  addLink,
  bootInMemory,
  dimensions,
  hourMs,
  type Instance,
  listeningLog,
  noon,
  visitOf,
} from '../fixtures.ts'

const dayMs = 24 * hourMs
const [first, end] = [noon - 7 * dayMs, noon + hourMs].map(hourOf) as [number, number]

describe('the links that were visited most', () => {
  it('are those that counting link by link finds, in that order', async () => {
    const linnet = await bootInMemory()
    const links = await addLinks(linnet, 60)
    const visits = links.flatMap((link, number) => [
      ...times((number * 7) % 23, { link, at: noon - (number % 9) * dayMs }),
      ...times((number * 5) % 31, { link, at: noon - 40 * dayMs, from: 'old' }),
    ])
    await record(linnet, visits)
    const expected = links
      .map(link => ({
        linkId: link.id,
        visits: visits.filter(visit => visit.link === link && isWithin(visit.at)).length,
      }))
      .filter(it => it.visits > 0)
      .sort((a, b) => b.visits - a.visits || a.linkId - b.linkId)
    for (const limit of [1, 5, 20, 100]) {
      expect(await ask(linnet, { limit })).toEqual(expected.slice(0, limit))
    }
    const scope = { accountId: linnet.owner.accountId + 1 }
    expect(await topLinks(linnet.db, scope, await question(linnet.db, {}))).toEqual([])
  })

  it('are found where old hours were folded into the noon of their day', async () => {
    const linnet = await bootInMemory()
    const at = noon - 7 * dayMs - 3 * hourMs
    await record(linnet, times(3, { link: linnet.link, at }))
    expect(await ask(linnet)).toEqual([])
    const clock = { now: () => new Date(noon), signal: new AbortController().signal }
    await ageCounts(linnet.db, { hourly: 1, counts: undefined }, clock)
    expect(await ask(linnet)).toEqual([{ linkId: linnet.link.id, visits: 3 }])
  })

  it('are the same where those with many visits are read alone', async () => {
    const linnet = await bootInMemory()
    const { db } = linnet
    const links = await addLinks(linnet, 9)
    const linkRows = db.selectFrom('links').select('id as link_id') as unknown as LinkRows
    const hours = { first, end }
    await record(
      linnet,
      links.flatMap((link, number) =>
        times(3 + number, { link, at: noon - (number % 7) * dayMs, from: `${number}` }),
      ),
    )
    const weigh = await weighOf(db, undefined)
    const ids = links.map(({ id }) => id)
    const read = async () => ({
      top: await ask(linnet),
      some: new Map((await sumsOfLinks(db, ids, hours, weigh)).map(it => [it.linkId, it.visits])),
      together: await sumByHour(db, { linkRows }, hours, weigh),
    })
    const before = await read()
    expect(before.top).toHaveLength(9)
    const busy = ids.filter((_, number) => number % 3 === 0)
    await db
      .updateTable('link_totals')
      .set({ visits: 50_000 })
      .where('link_id', 'in', busy)
      .execute()
    expect(await read()).toEqual(before)
  })

  it('are read in portions, in their order, with each of those with many visits alone', () => {
    const visits = [50_000, 3, 2_000, 20_001, 40_000, 1, 1]
    const links = visits.map((visits, id) => ({ id, visits }))
    const portions = [...portionsOf(links)].map(links => links.map(({ id }) => id))
    expect(portions).toEqual([[0], [1, 2], [3], [4], [5, 6]])
  })

  it('leave out those that only had a value before the span', async () => {
    const linnet = await bootInMemory()
    const [one, two] = (await addLinks(linnet, 2)) as [TrackedLink, TrackedLink]
    await record(linnet, [
      ...times(9, { link: one, at: noon - 40 * dayMs, from: 'a' }),
      ...times(1, { link: one, at: noon, from: 'b' }),
      ...times(2, { link: two, at: noon, from: 'a' }),
    ])
    const from = dimensions[3]
    if (!from) throw new Error('There is no dimension of values.')
    const weigh = await weighOf(linnet.db, { dimension: from, value: 'a' })
    expect(await ask(linnet, { weigh })).toEqual([{ linkId: two.id, visits: 2 }])
  })
})

interface Visited {
  readonly link: TrackedLink
  readonly at: number
  readonly from?: string
}

function times(count: number, visit: Visited): readonly Visited[] {
  return Array.from({ length: count }, () => visit)
}

async function addLinks({ db, owner }: Instance, count: number): Promise<readonly TrackedLink[]> {
  const links: TrackedLink[] = []
  for (let left = count; left > 0; left -= 1) links.push(await addLink(db, owner))
  return links
}

async function record({ storage }: Instance, visits: readonly Visited[]): Promise<void> {
  const recorder = createRecorder({ storage, features: [], dimensions, log: listeningLog() })
  for (const { link, at, from } of visits) {
    recorder.record(visitOf(link, { at, ...(from !== undefined && { query: `from=${from}` }) }))
  }
  await recorder.catchUp()
  await recorder.close()
}

function isWithin(at: number): boolean {
  return hourOf(at) >= first && hourOf(at) < end
}

async function question(db: Database, asked: Partial<TopLinksQuestion>): Promise<TopLinksQuestion> {
  const weigh = await weighOf(db, undefined)
  return { hours: { first, end }, limit: 10, weigh, ofRobots: false, ...asked }
}

async function ask({ db, owner }: Instance, asked: Partial<TopLinksQuestion> = {}) {
  return topLinks(db, { accountId: owner.accountId }, await question(db, asked))
}
