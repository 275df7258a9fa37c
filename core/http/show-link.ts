import type { LinkFields } from '../kernel/link-fields.ts'
import type { Link } from '../links/link.ts'

/** Visits of a link, all and those that came by its QR code. */
export interface Totals {
  readonly visits: number
  readonly fromQrCodes: number
  readonly lastVisitAt: Date | null
}

/** A link as the API shows it; `baseUrl` is the origin of short URLs. */
export function showLink(
  link: Link,
  totals: Totals | undefined,
  fields: LinkFields,
  baseUrl: string,
) {
  const { host } = new URL(baseUrl)
  return {
    id: link.id,
    shortCode: link.shortCode,
    shortUrl: `${baseUrl}/${link.shortCode}`,
    originalUrl: link.originalUrl,
    domain: link.domain || host,
    title: link.title,
    notes: link.notes,
    archived: link.archived,
    status: link.archived ? 'archived' : 'active',
    visits: { total: totals?.visits ?? 0, fromQrCodes: totals?.fromQrCodes ?? 0 },
    lastVisitAt: totals?.lastVisitAt?.toISOString() ?? null,
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.updatedAt.toISOString(),
    ...fields.show(link.fields),
  }
}
