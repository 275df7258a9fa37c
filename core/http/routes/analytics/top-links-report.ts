import { linksOfRows } from '../../../links/read/find-link.ts'
import type { ShortUrls } from '../../../links/read/short-urls.ts'
import { isRefusal, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { Range } from '../../../visits/read/range.ts'
import type { Scope } from '../../../visits/read/scope.ts'
import { sumByHour, timeline } from '../../../visits/read/sum-up.ts'
import { type LinkSum, sumsOfLinks, topLinks } from '../../../visits/read/top-links.ts'
import { labelOf } from '../../../visits/read/top-values.ts'
import { type Weigh, weighOf } from '../../../visits/read/weigh.ts'
import {
  beginningOf,
  type ReportDeps,
  readSpans,
  type Subject,
  spanOf,
} from './analytics-report.ts'
import type { TopLinksData, TopLinksQuery } from './analytics-schemas.ts'

export interface TopLinksDeps extends ReportDeps {
  readonly shortUrls: ShortUrls
}

type SpanVisits = Pick<TopLinksData, 'from' | 'to' | 'visits' | 'points'>
type TopLink = TopLinksData['links'][number]

/** Returns the function that answers which links were visited most, of all visits or of those with a value. */
export function createTopLinksReport({ db, known, now, shortUrls }: TopLinksDeps) {
  return async function report(
    subject: Subject,
    query: TopLinksQuery,
  ): Promise<TopLinksData | Refusal> {
    const { scope, plan } = subject
    const spans = readSpans(query, now(), await beginningOf(db, subject, query))
    if (isRefusal(spans)) return spans
    const of = readValue(query, plan)
    if (isRefusal(of)) return of

    const { range, before } = spans
    const weigh = await weighOf(db, of)
    const asked = { scope, weigh, withPoints: known.hasLines(plan) }
    const since = await visitsIn(range, asked)
    const was = before && (await visitsIn(before, asked))
    const { limit } = query
    const ofRobots = of?.dimension.bots === true
    const top = await topLinks(db, scope, { hours: range.hours, limit, weigh, ofRobots })
    const { timezone, granularity } = range
    return {
      ...since,
      timezone,
      granularity,
      dimension: of?.dimension.name ?? null,
      value: of?.value ?? null,
      label: of ? labelOf(of.value, of.dimension) : null,
      links: await showLinks(top, since.visits, before && (ids => visitsBefore(ids, before))),
      previous: was ? { ...was, change: changeOf(was, since) } : null,
    }

    async function visitsBefore(linkIds: readonly number[], { hours }: Range) {
      const sums = await sumsOfLinks(db, linkIds, hours, weigh)
      return new Map(sums.map(({ linkId, visits }) => [linkId, visits]))
    }
  }

  /** The dimension and its value, if visits are narrowed to one. */
  function readValue({ dimension: name, value }: TopLinksQuery, plan: string) {
    if (name === undefined && value === undefined) return undefined
    if (name === undefined || value === undefined) {
      const missing = name === undefined ? 'dimension' : 'value'
      return refuse('validation_failed', 'Give a dimension and its value.', 422, missing)
    }
    const chosen = known.chosen(plan, [name])
    if (isRefusal(chosen)) return chosen
    const [dimension] = chosen
    return dimension && { dimension, value }
  }

  async function visitsIn(range: Range, { scope, weigh, withPoints }: Asked): Promise<SpanVisits> {
    const byHour = await sumByHour(db, scope, range.hours, weigh)
    let visits = 0
    for (const count of byHour.values()) visits += count
    const points = withPoints && { points: [...timeline(byHour, range.buckets)] }
    return { ...spanOf(range), visits, ...points }
  }

  async function showLinks(
    top: readonly LinkSum[],
    all: number,
    readBefore: ((linkIds: readonly number[]) => Promise<ReadonlyMap<number, number>>) | undefined,
  ): Promise<TopLink[]> {
    const ids = top.map(({ linkId }) => linkId)
    const links = await linksOfRows(db, ids)
    const before = await readBefore?.(ids)
    return top.flatMap(({ linkId, visits }) => {
      const link = links.get(linkId)
      if (!link) return []
      const { id, shortCode, originalUrl, title } = link
      return {
        ...{ id, shortUrl: shortUrls.of(link), shortCode, domain: shortUrls.hostOf(link) },
        ...{ originalUrl, title, visits, share: visits / all },
        ...(before && { previousVisits: before.get(linkId) ?? 0 }),
      }
    })
  }
}

interface Asked {
  readonly scope: Scope
  readonly weigh: Weigh
  readonly withPoints: boolean
}

function changeOf(was: SpanVisits, since: SpanVisits): number | null {
  return was.visits === 0 ? null : (since.visits - was.visits) / was.visits
}
