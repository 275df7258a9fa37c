import type { LinkStatus } from '../../../kernel/hooks/link-statuses.ts'
import type { Link } from '../../../links/link.ts'
import type { ShortUrls } from '../../../links/read/short-urls.ts'
import type { Json } from '../../../plugin/fields.ts'
import type { LinkTotals } from '../../../visits/read/link-totals.ts'

/** What is known of a link besides its row. */
export interface LinkExtras {
  readonly totals: LinkTotals | undefined
  readonly status: LinkStatus
  /** What plugins add. */
  readonly added: Readonly<Record<string, Json>>
}

/** A link as the API shows it. */
export function showLink(link: Link, { totals, status, added }: LinkExtras, urls: ShortUrls) {
  return {
    id: link.id,
    shortCode: link.shortCode,
    shortUrl: urls.of(link),
    originalUrl: link.originalUrl,
    domain: urls.hostOf(link),
    title: link.title,
    notes: link.notes,
    archived: link.archived,
    status,
    visits: { total: totals?.visits ?? 0, ...totals?.others },
    lastVisitAt: totals?.lastVisitAt?.toISOString() ?? null,
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.updatedAt.toISOString(),
    ...added,
  }
}
