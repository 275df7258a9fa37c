import { type LinksSearch, linksSearch, questionOf } from './links-search.ts'

/** A search as a query for the API, without its page. */
export function queryOf(search: LinksSearch): string {
  const { page: _, per_page: __, ...question } = questionOf(search)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(question)) query.set(name, String(value))
  query.sort()
  return query.toString()
}

/** The search in such a query, without what the list cannot show. */
export function searchOf(query: string): LinksSearch {
  const { search, status, tag_ids, campaign_id, domain, sort } = Object.fromEntries(
    new URLSearchParams(query),
  )
  return linksSearch({ q: search, status, tag: tag_ids, campaign: campaign_id, domain, sort })
}
