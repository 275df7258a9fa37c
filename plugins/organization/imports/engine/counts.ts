import { type Context, isRefusal, type LinkPast, type PastCounts } from '../../../../core/plugin.ts'
import { digestOf } from '../digest.ts'
import type { Run } from '../runs/run.ts'
import type { Counts, LinkItem } from '../source.ts'
import {
  addBrought,
  addDated,
  type Earlier,
  earlierLinks,
  type ItemRow,
  metItems,
  noteBrought,
  type Rest,
  restsAfter,
} from './items.ts'
import type { Report } from './report.ts'
import { isAboutAccount, Stopped } from './stop.ts'

/** How many numbers are brought at once: checking them takes some milliseconds, which redirects wait for. */
const maxNumbers = 2_000

/** How many links get their rest at the same moment. */
const together = 64

/** Adds the visits of links, each part once, however often it is read. */
export interface VisitBatches {
  add(counts: readonly Counts[]): Promise<void>
  /** Adds what is left of each total, of which nobody knows the time. */
  addRests(check: () => void): Promise<void>
}

/** The link that gets visits, and where they are in the source. */
interface To extends Pick<ItemRow, 'accountId' | 'lastVisitAt'> {
  readonly link: string
  readonly place: string
}

export function visitBatches(
  run: Run,
  context: Context,
  report: Report,
  write: (rows: (db: Context['db']) => Promise<void>) => Promise<void>,
): VisitBatches {
  const { db, links } = context
  /** Dimensions that an account cannot have, each with whether that was said. */
  const dropped = new Map<number, Set<string>>()
  const withoutVisits = new Set<number>()

  function noteOnce(place: string, sentence: string): void {
    report.add({ outcome: place === allVisits ? 'note' : 'changed', place, sentence })
  }

  /** The link whose counts are read, and how many of them do not come because an earlier import brought them. */
  let reading = { sourceId: '', brought: 0 }

  /** Says it once of a link, if these are more than those that the earlier import had by day. */
  function noteBroughtBefore(sourceId: string, { dated }: Earlier, visits: number, place: string) {
    if (reading.sourceId !== sourceId) reading = { sourceId, brought: 0 }
    const before = reading.brought
    reading.brought += visits
    if (before <= dated && reading.brought > dated) noteOnce(place, broughtAsSum)
  }

  /** Adds some numbers, without what the account cannot have. */
  async function addPart(
    { link, accountId, place, lastVisitAt }: To,
    key: string,
    counts: readonly PastCounts[],
  ): Promise<boolean> {
    const now = context.now().getTime()
    let last = lastVisitAt === null ? undefined : new Date(Math.min(lastVisitAt, now))
    for (;;) {
      if (withoutVisits.has(accountId)) return false
      const left = dropped.get(accountId)
      const kept = left ? counts.map(it => without(it, left)) : counts
      const visits = { counts: kept, ...(last && { lastVisitAt: last }) }
      const added = await links.addVisits(accountId, link, key, visits)
      if (!isRefusal(added)) {
        if (added) report.tally.visits += sumOf(counts)
        return added
      }
      const fields = [added.field ?? '', ...(added.errors ?? []).map(({ field }) => field)]
      // Of another source than the counts, it may be before them.
      if (last && fields.some(it => it.endsWith('lastVisitAt'))) {
        last = undefined
        continue
      }
      const name = fields.map(it => /\.by\.(\w+)/.exec(it)?.[1]).find(it => it !== undefined)
      if (name !== undefined && !left?.has(name)) {
        dropped.set(accountId, new Set([...(left ?? []), name]))
        noteOnce(allVisits, `Numbers of ${name} were left out: ${saidOf(added)}`)
        continue
      }
      if (added.code === 'feature_disabled' || added.code === 'feature_not_in_plan') {
        withoutVisits.add(accountId)
        noteOnce(allVisits, `Visits were left out: ${saidOf(added)}`)
        return false
      }
      if (isAboutAccount(added)) throw new Stopped(added.detail)
      noteOnce(place, `Some visits were left out: ${saidOf(added)}`)
      return false
    }
  }

  /** Adds those of which nobody knows the time: once, and what came since with each later import. */
  async function addRest({ item, link, undated }: Rest): Promise<void> {
    const { sourceId, accountId, lastVisitAt, before } = item
    if (undated === 0 || withoutVisits.has(accountId)) return
    const now = context.now().getTime()
    const at = lastVisitAt === null ? undefined : new Date(Math.min(lastVisitAt, now))
    const key = keyOf(run.source, sourceId, before === null ? restOnce : `rest ${run.id}`)
    const add = (lastVisitAt?: Date) =>
      links.addVisits(accountId, link, key, { undated, ...(lastVisitAt && { lastVisitAt }) })
    const first = await add(at)
    const added = isRefusal(first) && at ? await add() : first
    if (added === true) report.tally.visits += undated
    else if (isRefusal(added)) noteOnce(link, `Some visits were left out: ${saidOf(added)}`)
  }

  return {
    async add(all) {
      const met = await metItems(
        db,
        run,
        all.map(({ link }) => link),
      )
      const sums = new Map<string, number>()
      const earlier = await earlierLinks(
        db,
        run,
        [...met.values()].flatMap(({ before, digest }) => (before === null ? [] : [digest])),
      )
      const wanted = all.flatMap(({ link: sourceId, part, counts, row: place }) => {
        const item = met.get(sourceId)
        if (item?.state !== 'made' || item.link === null) return []
        sums.set(sourceId, (sums.get(sourceId) ?? 0) + sumOf(counts))
        const before = earlier.get(`${item.accountId} ${item.digest}`)
        const { accountId, lastVisitAt } = item
        const to: To = { link: item.link, accountId, place, lastVisitAt }
        const room = roomFor(item)
        const all = chunksOf(counts).map((chunk, index) => {
          const key = keyOf(run.source, sourceId, index === 0 ? part : `${part} ${index}`)
          return { sourceId, to, key, chunk, visits: sumOf(chunk), isCounted: item.before !== null }
        })
        const fresh = all.filter(it => it.visits <= room && isAfter(it.chunk, before))
        const left = sumOf(counts) - fresh.reduce((sum, { visits }) => sum + visits, 0)
        if (before && left > 0) noteBroughtBefore(sourceId, before, left, place)
        return fresh
      })
      // Noted before it comes: if the server is killed in between, rather some are missing than some come twice.
      const coming = wanted.filter(({ isCounted }) => isCounted)
      if (coming.length > 0) await write(tx => addBrought(tx, run, coming))
      const came = new Set<object>()
      const addAll = async (parts: typeof wanted) => {
        let room = roomFor(met.get(parts[0]?.sourceId ?? ''))
        for (const part of parts) {
          if (part.visits > room || !(await addPart(part.to, part.key, part.chunk))) continue
          came.add(part)
          room -= part.visits
        }
      }
      await Promise.all([...Map.groupBy(wanted, it => it.sourceId).values()].map(addAll))
      const were = coming.filter(it => !came.has(it))
      const dated = [...sums].flatMap(([sourceId, visits]) => {
        const item = met.get(sourceId)
        return item ? [{ item, visits }] : []
      })
      await write(async tx => {
        await addDated(tx, run, dated)
        const back = were.map(({ sourceId, visits }) => ({ sourceId, visits: -visits }))
        await addBrought(tx, run, back)
      })
    },

    async addRests(check) {
      for (let after = ''; ; ) {
        const { rests, last } = await restsAfter(db, run, after, together)
        check()
        await Promise.all(rests.map(addRest))
        await write(tx => noteBrought(tx, run, rests))
        if (last === undefined) return
        after = last
      }
    },
  }
}

/** Where what is said of all visits stands. */
const allVisits = 'visits'

const broughtAsSum =
  'An earlier import brought its visits as a sum, so their days do not come along: they would count twice.'

/** Visits that come with a link when it is made. */
export interface Along {
  readonly past: Pick<LinkPast, 'visits' | 'visitKeys'>
  readonly counts: readonly Counts[]
  readonly dated: number
  readonly undated: number
}

/** Those that can be given at once, of those that were read behind it: each call for itself takes longer. */
export function visitsAlong(
  run: Pick<Run, 'source'>,
  { id, undated = 0, lastVisitAt }: LinkItem,
  read: readonly Counts[],
): Along | undefined {
  let numbers = 0
  const counts = read.filter(({ counts }) => {
    for (const one of counts) numbers += numbersIn(one)
    return numbers <= maxNumbers
  })
  if (counts.length === 0 && undated === 0) return undefined
  const parts = [...counts.map(({ part }) => part), ...(undated > 0 ? [restOnce] : [])]
  const all = counts.flatMap(({ counts }) => counts)
  return {
    past: {
      visits: { undated, counts: all, ...(lastVisitAt && { lastVisitAt }) },
      visitKeys: parts.map(part => keyOf(run.source, id, part)),
    },
    ...{ counts, dated: sumOf(all), undated },
  }
}

/** What is the part of visits that have no time. */
const restOnce = 'rest'

/** Which visits these are, of a link of the source. */
function keyOf(source: string, sourceId: string, part: string): string {
  return `imports ${digestOf(source, sourceId, part)}`
}

function sumOf(counts: readonly PastCounts[]): number {
  return counts.reduce((sum, { visits }) => sum + visits, 0)
}

/** How many visits it may get, so that it has no more from all imports than the source says. */
function roomFor(item: ItemRow | undefined): number {
  if (!item || item.before === null) return Number.POSITIVE_INFINITY
  return item.visits - item.before - item.added
}

/** Whether visits are from after an earlier import that brought a sum alone, which has all up to then. */
function isAfter(counts: readonly PastCounts[], earlier: Earlier | undefined): boolean {
  if (!earlier || earlier.dated > 0) return true
  return counts.every(({ at }) => new Date(at).getTime() > earlier.at)
}

function without(counts: PastCounts, names: ReadonlySet<string>): PastCounts {
  const by = Object.entries(counts.by ?? {}).filter(([name]) => !names.has(name))
  return { ...counts, by: Object.fromEntries(by) }
}

/** Parts of at most so many numbers; the counts of one day or hour stay together. */
function chunksOf(counts: readonly PastCounts[]): readonly (readonly PastCounts[])[] {
  const chunks: PastCounts[][] = [[]]
  let size = 0
  for (const one of counts) {
    const numbers = numbersIn(one)
    if (size > 0 && size + numbers > maxNumbers) {
      chunks.push([])
      size = 0
    }
    chunks.at(-1)?.push(one)
    size += numbers
  }
  return chunks
}

function numbersIn({ by = {} }: PastCounts): number {
  let numbers = 1
  for (const values of Object.values(by))
    numbers += typeof values === 'number' ? 1 : Object.keys(Object(values)).length
  return numbers
}

function saidOf({
  detail,
  errors = [],
}: {
  readonly detail: string
  readonly errors?: readonly { readonly message: string }[]
}) {
  return errors[0]?.message ?? detail
}
