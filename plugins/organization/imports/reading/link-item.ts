import type { Json } from '../../../../core/plugin.ts'
import type { LinkItem } from '../source.ts'
import { campaignOf, notesOf, tagsOf, titleOf } from './texts.ts'

/** A link as a source has it, before its texts and dates are as Linnet takes them. */
export interface FoundLink {
  readonly row: string
  readonly id: string
  readonly host: string | null
  readonly code: string | null
  readonly formerCodes?: readonly string[]
  readonly originalUrl: string
  readonly title?: string | null | undefined
  readonly notes?: string | null | undefined
  readonly tags?: readonly string[]
  readonly campaign?: string | null
  /** Other members of the body of `POST /links`. */
  readonly fields?: Readonly<Record<string, Json>>
  readonly password?: LinkItem['password'] | undefined
  readonly owner?: string | null
  readonly createdAt?: Date | undefined
  readonly updatedAt?: Date | undefined
  readonly lastVisitAt?: Date | undefined
  readonly isArchived?: boolean
  readonly isClosed?: boolean
  readonly visits?: number | undefined
  /** What could not come as it was, so far. */
  readonly changes?: readonly string[]
}

/** The link as an import takes it. */
export function linkItem(found: FoundLink, now: Date): LinkItem {
  const changes = [...(found.changes ?? [])]
  const { row, id, host, password, owner, isArchived, isClosed } = found
  const code = found.code || null
  const formerCodes = (found.formerCodes ?? []).filter(it => it !== '')
  if (found.code === '') changes.push('It has no short code there, and gets one.')
  const title = titleOf(found.title, changes)
  const notes = notesOf(found.notes, changes)
  const tags = tagsOf(found.tags ?? [], changes)
  const campaign = campaignOf(found.campaign, changes)
  const createdAt = past(found.createdAt, 'was made', now, changes)
  const updatedAt = past(found.updatedAt, 'was changed', now, changes)
  const lastVisitAt = past(found.lastVisitAt, 'was last visited', now, changes)
  // As browsers write them.
  const escaped = found.originalUrl.trim().replaceAll(' ', '%20')
  const originalUrl = withScheme(escaped, changes)
  const visits = totalOf(found.visits, changes)
  return {
    ...{ kind: 'link', row, id, host, code },
    ...(formerCodes.length > 0 && { formerCodes }),
    fields: { originalUrl, ...(title && { title }), ...(notes && { notes }), ...found.fields },
    ...(tags.length > 0 && { tags }),
    ...(campaign && { campaign }),
    ...(password && { password }),
    ...(owner && { owner }),
    ...(createdAt && { createdAt }),
    ...(updatedAt && { updatedAt: createdAt && updatedAt < createdAt ? createdAt : updatedAt }),
    ...(isArchived && { isArchived }),
    ...(isClosed && { isClosed }),
    ...(visits !== undefined && { visits }),
    ...(lastVisitAt && { lastVisitAt }),
    ...(changes.length > 0 && { changes }),
  }
}

/** As many visits without a date as a link can bring. */
const mostVisits = 1_000_000_000

function totalOf(visits: number | undefined, changes: string[]): number | undefined {
  if (visits === undefined || !Number.isSafeInteger(visits) || visits < 0) return undefined
  if (visits <= mostVisits) return visits
  const [said, most] = [visits, mostVisits].map(it => it.toLocaleString('en'))
  changes.push(`It had ${said} visits there, of which ${most} come along.`)
  return mostVisits
}

function past(at: Date | undefined, what: string, now: Date, changes: string[]): Date | undefined {
  if (at === undefined || (at > new Date(0) && at <= now)) return at
  changes.push(`When it ${what} does not come along: ${at.toISOString()} cannot be.`)
  return undefined
}

/** A host with or without a port. */
const bareHost = /^[^\s:@]+\.[^\s:@.]+(:\d+)?$/

/** The longest that a host with its port can be. */
const maxHost = 260

function withScheme(url: string, changes: string[]): string {
  const [start = ''] = url.slice(0, maxHost + 1).split(/[/?#]/, 1)
  if (start.length > maxHost || !bareHost.test(start)) return url
  changes.push('The original URL has no scheme there. It gets https:// before it.')
  return `https://${url}`
}
