import { type Context, isRefusal, type PastCounts } from '../../../../core/plugin.ts'
import { digestOf, type Run } from '../runs/run.ts'
import type { Counts } from '../source.ts'
import { addDated, metItems, restsAfter } from './items.ts'
import type { Report } from './report.ts'

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
    report.add({ outcome: 'changed', place, sentence })
  }

  /** Adds some numbers, without what the account cannot have. */
  async function addPart(
    { link, accountId, place }: { link: string; accountId: number; place: string },
    key: string,
    counts: readonly PastCounts[],
  ): Promise<void> {
    for (;;) {
      if (withoutVisits.has(accountId)) return
      const left = dropped.get(accountId)
      const visits = { counts: left ? counts.map(it => without(it, left)) : counts }
      const added = await links.addVisits(accountId, link, key, visits)
      if (!isRefusal(added)) {
        if (added) report.tally.visits += counts.reduce((sum, it) => sum + it.visits, 0)
        return
      }
      const fields = [added.field ?? '', ...(added.errors ?? []).map(({ field }) => field)]
      const name = fields.map(it => /\.by\.(\w+)/.exec(it)?.[1]).find(it => it !== undefined)
      if (name !== undefined && !left?.has(name)) {
        dropped.set(accountId, new Set([...(left ?? []), name]))
        noteOnce('visits', `Numbers of ${name} were left out: ${saidOf(added)}`)
        continue
      }
      if (added.code === 'feature_disabled' || added.code === 'feature_not_in_plan') {
        withoutVisits.add(accountId)
        noteOnce('visits', `Visits were left out: ${saidOf(added)}`)
        return
      }
      noteOnce(place, `Some visits were left out: ${saidOf(added)}`)
      return
    }
  }

  return {
    async add(all) {
      const met = await metItems(
        db,
        run,
        all.map(({ link }) => link),
      )
      const sums = new Map<string, number>()
      await Promise.all(
        all.map(async ({ link: sourceId, part, counts, row: place }) => {
          const item = met.get(sourceId)
          if (item?.state !== 'made' || item.link === null) return
          const sum = counts.reduce((all, { visits }) => all + visits, 0)
          sums.set(sourceId, (sums.get(sourceId) ?? 0) + sum)
          const to = { link: item.link, accountId: item.accountId, place }
          for (const [index, chunk] of chunksOf(counts).entries()) {
            const key = keyOf(run.source, sourceId, index === 0 ? part : `${part} ${index}`)
            await addPart(to, key, chunk)
          }
        }),
      )
      const dated = [...sums].flatMap(([sourceId, visits]) => {
        const item = met.get(sourceId)
        return item ? [{ item, visits }] : []
      })
      await write(tx => addDated(tx, run, dated))
    },

    async addRests(check) {
      for (let after = ''; ; ) {
        const { rests, last } = await restsAfter(db, run, after, together)
        check()
        await Promise.all(
          rests.map(async ({ sourceId, accountId, link, undated, lastVisitAt }) => {
            if (withoutVisits.has(accountId)) return
            const now = context.now().getTime()
            const at = lastVisitAt === null ? undefined : new Date(Math.min(lastVisitAt, now))
            const key = keyOf(run.source, sourceId, 'rest')
            const add = (lastVisitAt?: Date) =>
              links.addVisits(accountId, link, key, {
                undated,
                ...(lastVisitAt && { lastVisitAt }),
              })
            const first = await add(at)
            const added = isRefusal(first) && at ? await add() : first
            if (added === true) report.tally.visits += undated
            else if (isRefusal(added)) noteOnce(link, `Some visits were left out: ${saidOf(added)}`)
          }),
        )
        await write(async () => undefined)
        if (last === undefined) return
        after = last
      }
    },
  }
}

/** Which visits these are, of a link of the source. */
function keyOf(source: string, sourceId: string, part: string): string {
  return `imports ${digestOf(source, sourceId, part)}`
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
    numbers += typeof values === 'number' ? 1 : Object.keys(values).length
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
