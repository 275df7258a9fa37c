import type { Link } from '../../../api/links/links.ts'
import { csvStart, writeCsv } from '../../../shared/text/csv.ts'

/** How to write links to a file in parts: the beginning, some links at a time, the end. */
export interface LinksFile {
  readonly type: string
  readonly start: string
  readonly end: string
  /** `isFirst`: no links were written before these. */
  part(links: readonly Link[], isFirst: boolean): string
}

export type LinksFormat = keyof typeof linksFiles

/** The columns of a link in a spreadsheet; the import knows these names. */
const columns: Readonly<Record<string, (link: Link) => string | number | null | undefined>> = {
  short_url: it => it.shortUrl,
  original_url: it => it.originalUrl,
  domain: it => it.domain,
  short_code: it => it.shortCode,
  title: it => it.title,
  notes: it => it.notes,
  tags: it => joined(it.tags?.map(({ name }) => name) ?? []),
  campaign: it => it.campaign?.name,
  status: it => it.status,
  visits: it => it.visits.total,
  visits_without_date: it => it.visits.undated ?? 0,
  visits_from_qr_codes: it => it.visits.fromQrCodes,
  last_visit_at: it => it.lastVisitAt,
  starts_at: it => it.startsAt,
  expires_at: it => it.expiresAt,
  max_visits: it => it.maxVisits,
  visits_left: it => it.visitsLeft,
  redirect_status: it => it.redirectStatus,
  redirect_cache_seconds: it => it.redirectCacheSeconds,
  paths: it => it.paths,
  external_id: it => it.externalId,
  expired_url: it => it.expiredUrl,
  forward_query: it => whether(it.forwardQuery),
  confirm: it => whether(it.confirm),
  crawlable: it => whether(it.crawlable),
  // What no cell has: whoever imports the file leaves such a link out, or says that it comes without.
  has_password: it => whether(it.hasPassword),
  has_rules: it => whether(it.dynamicRouting?.rules.length),
  created_at: it => it.createdAt,
  updated_at: it => it.updatedAt,
}

/** Parted by commas, or by bars where names have commas. A single name has one behind it, so that it is not parted. */
function joined(names: readonly string[]): string {
  if (!names.some(name => /[,;]/.test(name))) return names.join(', ')
  return names.map(name => `${name}|`).join(' ')
}

function whether(value: unknown): string {
  return value ? 'true' : ''
}

const csv: LinksFile = {
  type: 'text/csv;charset=utf-8',
  start: csvStart + writeCsv([Object.keys(columns)]),
  end: '',
  part: links =>
    writeCsv(links.map(link => Object.values(columns).map(of => String(of(link) ?? '')))),
}

/** Links as the API shows them, one per line. */
const json: LinksFile = {
  type: 'application/json',
  start: '[\n',
  end: '\n]\n',
  part: (links, isFirst) =>
    links
      .map((link, index) => (isFirst && index === 0 ? '' : ',\n') + JSON.stringify(link))
      .join(''),
}

export const linksFiles = { csv, json } as const
