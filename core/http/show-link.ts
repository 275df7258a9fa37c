import type { Json } from '../fields.ts'
import type { LinkStatus } from '../kernel/link-statuses.ts'
import type { Link } from '../links/link.ts'
import type { LinkTotals } from '../visits/link-totals.ts'

/** What is known of a link besides its row. */
export interface Known {
  readonly totals: LinkTotals | undefined
  readonly status: LinkStatus
  /** What plugins add. */
  readonly added: Readonly<Record<string, Json>>
}

/** A link as the API shows it; `baseUrl` is the origin of short URLs. */
export function showLink(link: Link, { totals, status, added }: Known, baseUrl: string) {
  return {
    id: link.id,
    shortCode: link.shortCode,
    shortUrl: `${baseUrl}/${link.shortCode}`,
    originalUrl: link.originalUrl,
    domain: link.domain || new URL(baseUrl).host,
    title: link.title,
    notes: link.notes,
    archived: link.archived,
    status,
    visits: { total: totals?.visits ?? 0, fromQrCodes: totals?.fromQrCodes ?? 0 },
    lastVisitAt: totals?.lastVisitAt?.toISOString() ?? null,
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.updatedAt.toISOString(),
    ...added,
  }
}
