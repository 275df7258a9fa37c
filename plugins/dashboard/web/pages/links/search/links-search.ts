import type { LinkStatus, LinksQuestion } from '../../../api/links/links.ts'
import { texts } from '../../../texts.ts'

/** The search parameters of the list: which links, in which order, which page. */
export interface LinksSearch {
  readonly q?: string | undefined
  readonly status?: LinkStatus | undefined
  readonly tag?: string | undefined
  readonly campaign?: string | undefined
  readonly domain?: string | undefined
  /** What is chosen in the filters of plugins, as a query: `mood=calm`. */
  readonly by?: string | undefined
  readonly sort?: LinksSort | undefined
  readonly page?: number | undefined
  /** Links per page; `usualPerPage` by default. */
  readonly per?: PerPage | undefined
}

export type LinksSort = keyof typeof texts.links.sorts

export const usualSort: LinksSort = '-created_at'

/** The allowed numbers of links per page. */
export const perPages = [25, 50, 100] as const

type PerPage = (typeof perPages)[number]

export const usualPerPage: PerPage = 25

/**
 * Parses the search parameters. Invalid values and defaults become undefined instead of being left out, because
 * the router would keep the original ones otherwise.
 */
export function linksSearch(raw: Record<string, unknown>): LinksSearch {
  const { q, status, tag, campaign, domain, by, sort, page, per } = raw
  return {
    q: textIn(q),
    status: textIn(status) as LinkStatus | undefined,
    tag: textIn(tag),
    campaign: textIn(campaign),
    domain: textIn(domain),
    by: textIn(by),
    sort: isKeyOf(texts.links.sorts, sort) && sort !== usualSort ? sort : undefined,
    page: Number.isInteger(page) && Number(page) > 1 ? Number(page) : undefined,
    per: perPages.find(it => it === per && it !== usualPerPage),
  }
}

/** The same as a query for the API. */
export function questionOf(search: LinksSearch): LinksQuestion {
  const { q, status, tag, campaign, domain, sort, page, per } = search
  return {
    ...chosenIn(search),
    per_page: per ?? usualPerPage,
    page: page ?? 1,
    sort: sort ?? usualSort,
    ...(q && { search: q }),
    ...(status && { status }),
    ...(tag && { tag_ids: [tag] }),
    ...(campaign && { campaign_id: campaign }),
    ...(domain && { domain }),
  }
}

/** What is chosen in the filters of plugins, by the name of the filter. */
export function chosenIn({ by }: LinksSearch): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(by))
}

/** The same as a search parameter, without what is empty. */
export function searchBy(chosen: Readonly<Record<string, string | null>>): Pick<LinksSearch, 'by'> {
  const by = new URLSearchParams()
  for (const [name, value] of Object.entries(chosen)) if (value) by.set(name, value)
  return { by: by.toString() || undefined }
}

/** The range of links on a page, counted from 1. */
export function spanOf(
  { page = 1, per = usualPerPage }: LinksSearch,
  shown: number,
): { readonly from: number; readonly to: number } {
  return { from: (page - 1) * per + 1, to: (page - 1) * per + shown }
}

/** The router parses a searched number as a number. */
function textIn(value: unknown): string | undefined {
  const isText = typeof value === 'string' || typeof value === 'number'
  return isText && value !== '' ? String(value) : undefined
}

function isKeyOf<T extends object>(object: T, key: unknown): key is keyof T {
  return typeof key === 'string' && Object.hasOwn(object, key)
}

/** Whether any filter is set. */
export function isNarrowed({ q, status, tag, campaign, domain, by }: LinksSearch): boolean {
  return [q, status, tag, campaign, domain, by].some(it => it !== undefined)
}

/** The number of filters that are set, plus one for an order, besides the search text. */
export function choicesIn(search: LinksSearch): number {
  const { status, tag, campaign, domain, sort } = search
  const chosen = Object.keys(chosenIn(search))
  return [status, tag, campaign, domain, sort, ...chosen].filter(it => it !== undefined).length
}
