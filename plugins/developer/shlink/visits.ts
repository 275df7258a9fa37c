import { isRefusal } from '../../../core/plugin.ts'
import { json, problem, type Said } from './answers.ts'
import { type Asked, pageIn } from './asked.ts'
import { defaultHost, findNamed, hostNamed, isSaid, summary } from './called-link.ts'
import { hasDomain } from './domains.ts'
import { tagNotFound, tagsNamed } from './tags.ts'
import { totalOf } from './total-of.ts'

/**
 * Linnet keeps no single visits, so a list of them is empty. Its total is true. Numbers by hour and by country, which clients
 * could make rows of, would have to be combined to rows that nobody ever saw.
 */
function visitsAnswer(asked: Asked, total: number): Said {
  const { page, itemsPerPage } = pageIn(asked, 1_000)
  const pages = { currentPage: page, pagesCount: 1, itemsPerPage, itemsInCurrentPage: 0 }
  return json({ visits: { data: [], pagination: { ...pages, totalItems: total } } })
}

/** Those of a tag or of all links may be of a domain alone. */
async function answerTotal(asked: Asked, path: string, more = {}): Promise<Said> {
  const named = path.startsWith('/links/') ? null : asked.query.get('domain')
  const domain = named && (hostNamed(asked, named) ?? defaultHost(asked))
  const total = await totalOf(asked, path, { ...(domain && { domain }), ...more })
  return isRefusal(total) ? total : visitsAnswer(asked, total)
}

export async function shortUrlVisits(asked: Asked): Promise<Said> {
  const link = await findNamed(asked)
  if (isSaid(link)) return link
  const isInPeriod = asked.query.has('startDate') || asked.query.has('endDate')
  if (!isInPeriod) return visitsAnswer(asked, link.visits.total)
  return answerTotal(asked, `/links/${link.id}/analytics`)
}

export async function tagVisits(asked: Asked): Promise<Said> {
  const found = await tagsNamed(asked.call, [asked.named])
  if (isRefusal(found)) return found
  const [tag] = found
  return tag ? answerTotal(asked, `/tags/${tag.id}/analytics`) : tagNotFound(asked, asked.named)
}

export async function domainVisits(asked: Asked): Promise<Said> {
  const domain = hostNamed(asked, asked.named) ?? defaultHost(asked)
  const isKnown = await hasDomain(asked, domain)
  if (isRefusal(isKnown)) return isKnown
  if (isKnown) return answerTotal(asked, '/analytics', { domain })
  const detail = `Domain with authority "${asked.named}" could not be found`
  return problem(asked, 404, 'domain-not-found', detail, { authority: asked.named })
}

export const nonOrphanVisits = (asked: Asked) => answerTotal(asked, '/analytics')

/** Requests for unknown codes are not counted. The scope is checked all the same. */
export async function orphanVisits(asked: Asked): Promise<Said> {
  const owner = await asked.caller('analytics:read')
  return isRefusal(owner) ? owner : visitsAnswer(asked, 0)
}

export async function visitsOverview(asked: Asked): Promise<Said> {
  const total = await totalOf(asked, '/analytics')
  if (isRefusal(total)) return total
  const visits = {
    nonOrphanVisits: summary(total),
    orphanVisits: summary(0),
    ...{ visitsCount: total, orphanVisitsCount: 0 },
  }
  return json({ visits })
}

export async function deleteOrphanVisits(asked: Asked): Promise<Said> {
  const owner = await asked.caller('links:write')
  return isRefusal(owner) ? owner : json({ deletedVisits: 0 })
}
