import { type LinksSearch, linksSearch, questionOf, searchBy } from './links-search.ts'

/** A search as a query for the API, without its page. */
export function queryOf(search: LinksSearch): string {
  const { page: _, per_page: __, ...question } = questionOf(search)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(question)) query.set(name, String(value))
  query.sort()
  return query.toString()
}

/** The search in such a query. What the list does not know is a filter of a plugin. */
export function searchOf(query: string): LinksSearch {
  const { search, status, tag_ids, campaign_id, domain, sort, ...others } = Object.fromEntries(
    new URLSearchParams(query),
  )
  const { by } = searchBy(others)
  return linksSearch({ q: search, status, tag: tag_ids, campaign: campaign_id, domain, by, sort })
}
