import {
  type Context,
  type Json,
  parseUrl,
  publicId,
  readPublicId,
  type SavedLink,
} from '../../../../core/plugin.ts'
import type { Run } from '../runs/run.ts'
import type { Counts, LinkItem } from '../source.ts'
import { type Along, visitsAlong } from './counts.ts'
import {
  digestOfLink,
  earlierLinks,
  type ItemRow,
  type ItemState,
  madeLinks,
  metItems,
  writeItems,
} from './items.ts'
import { hrefOf, type Making, makeLink, wantedLink } from './make-link.ts'
import type { Report, ReportRow } from './report.ts'

/**
 * Makes some links at the same moment, since these share a commit, with the visits that were read behind them, and notes what became
 * of them. Returns the visits that have not come.
 */
export type LinkBatch = (
  items: readonly LinkItem[],
  counts: readonly Counts[],
) => Promise<readonly Counts[]>

/** What happened to a link in this pass. */
interface Happened {
  readonly row: ItemRow
  readonly report: readonly ReportRow[]
  readonly counts: 'made' | 'kept' | 'refused'
  readonly isChanged: boolean
  /** The visits that came with it, and how many they are. */
  readonly visits?: readonly Counts[]
  readonly sum?: number
}

/** Links that are made at the same moment have numbers that are at most so far apart, with those that others make meanwhile. */
const apart = 10_000

/** How many characters such codes and addresses may have. */
const maxTaking = 16_000_000

export function linkBatches(
  run: Run,
  making: Making,
  report: Report,
  write: (rows: (db: Context['db']) => Promise<void>) => Promise<void>,
): LinkBatch {
  const { context } = making
  const { db } = context
  /** Where links lead that this import made, or would have made, by their codes. */
  const taken = new Map<string, string>()
  let taking = 0
  let lost: ReadonlyMap<string, SavedLink[]> | undefined

  function note(code: string, { shortCode, originalUrl }: Readonly<Record<string, Json>>): void {
    const url = hrefOf(String(originalUrl))
    if (shortCode === undefined || taken.has(code)) return
    taking += code.length + url.length
    if (taking < maxTaking) taken.set(code, url)
  }

  return async (all, counts) => {
    const met = await metItems(
      db,
      run,
      all.map(({ id }) => id),
    )
    const items = all.filter(({ id }) => (met.get(id)?.state ?? 'pending') === 'pending')
    if (items.length === 0) return counts
    const countsOf = Map.groupBy(counts, ({ link }) => link)
    const wanted = await Promise.all(items.map(item => wantedLink(item, making)))
    const rows = items.map((item, index) =>
      rowOf(item, {
        digest: digestOfLink(run.source, item),
        accountId: wanted[index]?.accountId ?? 0,
      }),
    )
    if (!run.isDry)
      await writeItems(
        db,
        run,
        rows.filter(({ sourceId }) => !met.has(sourceId)),
      )
    const earlier = await earlierLinks(
      db,
      run,
      rows.map(({ digest }) => digest),
    )
    if (met.size > 0) lost ??= await findLost()

    const carryOut = async (item: LinkItem, index: number): Promise<Happened> => {
      const row = rows[index] as ItemRow
      const want = wanted[index]
      if (!want || 'refused' in want) return refused(item, row, want?.refused ?? '')
      const before = earlier.get(`${want.accountId} ${row.digest}`)
      const there = before && (await context.links.find(before.link))
      // On another host it is another link.
      if (there?.accountId === want.accountId && there.domain === (want.domain ?? ''))
        return kept(item, { ...row, before: before?.brought ?? null }, there, 'made')
      const along =
        run.isDry || !run.options.counts
          ? undefined
          : visitsAlong(run, item, countsOf.get(item.id) ?? [])
      // It was made just before the server was killed, and neither it nor its visits were counted.
      const cameBefore = (link: SavedLink): Happened => ({
        ...came(item, row, link, want.changes),
        sum: along ? along.dated + along.undated : 0,
      })
      const wasPending = met.has(item.id)
      const found = wasPending ? lost?.get(lostKey(want.accountId, item))?.shift() : undefined
      if (found) return cameBefore(found)
      const code = `${want.domain ?? ''} ${want.body.shortCode}`
      const whole = { ...want, past: { ...want.past, ...along?.past } }
      const made = await makeLink(whole, making, taken.get(code))
      if ('refused' in made) return refused(item, row, made.refused)
      if (!('there' in made)) {
        note(code, want.body)
        const happened = came(item, row, made.link, made.changes)
        if (run.isDry && run.options.counts) return { ...happened, sum: row.visits }
        return along && made.hasVisits ? withVisits(happened, along) : happened
      }
      if (wasPending && made.there) return cameBefore(made.there)
      return kept(item, row, made.there, 'foreign')
    }
    // Of two with one code the first one gets it, whatever the database does first.
    const codes = new Set<string>()
    const isFirst = items.map(({ host, code }) => {
      const key = `${host} ${code}`
      return code === null || (!codes.has(key) && Boolean(codes.add(key)))
    })
    const some = (areFirst: boolean) =>
      Promise.allSettled(
        items.flatMap((item, index) =>
          isFirst[index] === areFirst ? [carryOut(item, index).then(it => ({ ...it, item }))] : [],
        ),
      )
    const settled = [...(await some(true)), ...(await some(false))]

    // What came stays, whatever became of the others.
    const happened = settled.flatMap(it => (it.status === 'fulfilled' ? [it.value] : []))
    const arrived = new Set<Counts>()
    for (const { item, report: rows, counts, isChanged, visits = [], sum = 0 } of happened) {
      report.tally[counts] += 1
      report.tally.visits += sum
      for (const one of visits) arrived.add(one)
      if (isChanged) report.tally.changed += 1
      report.addOfLink(rows, item)
    }
    await write(async tx => {
      if (!run.isDry)
        await writeItems(
          tx,
          run,
          happened.map(({ row }) => row),
        )
    })
    const failed = settled.find(it => it.status === 'rejected')
    if (failed) throw failed.reason
    return counts.filter(one => !arrived.has(one))
  }

  /** The links without a code of their own that were made when the server was killed, and not noted. */
  async function findLost(): Promise<ReadonlyMap<string, SavedLink[]>> {
    const made = await madeLinks(db, run)
    let newest = 0
    for (const id of made) newest = Math.max(newest, readPublicId('lnk', id) ?? 0)
    const after = newest > apart ? publicId('lnk', newest - apart) : undefined
    const found = new Map<string, SavedLink[]>()
    for await (const links of context.links.all(after)) {
      for (const link of links.filter(({ id }) => !made.has(id))) {
        const key = `${link.accountId} ${link.originalUrl}`
        found.set(key, [...(found.get(key) ?? []), link])
      }
    }
    return found
  }
}

function lostKey(accountId: number, { code, fields }: LinkItem): string {
  const { originalUrl } = fields
  const href = parseUrl(originalUrl)?.href ?? originalUrl
  return code === null ? `${accountId} ${href}` : ''
}

function rowOf(
  { id, visits = 0, lastVisitAt }: LinkItem,
  own: Pick<ItemRow, 'digest' | 'accountId'>,
): ItemRow {
  return {
    ...{ sourceId: id, ...own, visits, lastVisitAt: lastVisitAt?.getTime() ?? null },
    ...{ state: 'pending', link: null, before: null, added: 0, dated: 0, brought: null },
  }
}

function withVisits(happened: Happened, { counts, dated, undated }: Along): Happened {
  const { row } = happened
  const sum = dated + undated
  const brought = sum >= row.visits ? sum : null
  return { ...happened, visits: counts, sum, row: { ...row, dated, brought } }
}

function refused({ row: place }: LinkItem, row: ItemRow, sentence: string): Happened {
  return {
    row: { ...row, state: 'refused' },
    report: [{ outcome: 'refused', place, sentence }],
    ...{ counts: 'refused', isChanged: false },
  }
}

function kept(
  { row: place, visits = 0 }: LinkItem,
  row: ItemRow,
  link: SavedLink | null,
  state: ItemState,
): Happened {
  const left =
    state === 'foreign' && visits > 0
      ? ', by no import from there: its visits stay as they are'
      : ''
  return {
    row: { ...row, state, link: link?.id ?? null },
    report: [
      { outcome: 'kept', place, link: link?.id ?? null, sentence: `It is here already${left}.` },
    ],
    ...{ counts: 'kept', isChanged: false },
  }
}

function came(
  { row: place }: LinkItem,
  row: ItemRow,
  link: SavedLink | null,
  changes: readonly string[],
): Happened {
  const id = link?.id ?? null
  return {
    row: { ...row, state: 'made', link: id },
    report: changes.map(sentence => ({ outcome: 'changed', place, link: id, sentence })),
    ...{ counts: 'made', isChanged: changes.length > 0 },
  }
}
