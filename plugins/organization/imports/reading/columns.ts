import { SourceError } from '../source.ts'
import type { Row } from './table.ts'
import { oneLine, quoted } from './texts.ts'

/** What a column can have, with the names that programs and people give such columns, in small letters and digits alone. */
const names = {
  originalUrl: [
    ...['originalurl', 'longurl', 'destinationurl', 'destination', 'targeturl', 'target'],
    ...['originallink', 'longlink', 'deeplinklink', 'deeplink', 'redirectto', 'url', 'link'],
    ...['address', 'to'],
  ],
  shortUrl: ['shorturl', 'shortlink', 'short', 'bitlink', 'link', 'url'],
  customUrl: ['customlink', 'custombitlink', 'custombitlinks'],
  code: [
    ...['shortcode', 'code', 'slug', 'customslug', 'key', 'alias', 'keyword', 'backhalf'],
    ...['custombackhalf', 'slashtag', 'shortid', 'path', 'source', 'address'],
  ],
  host: ['domain', 'host', 'hostname', 'domainname'],
  title: ['title', 'linktitle', 'linkname', 'name'],
  notes: ['notes', 'note', 'description', 'comment', 'comments'],
  tags: ['tags', 'tag', 'labels'],
  campaign: ['campaign'],
  visits: ['visits', 'totalvisits', 'visitcount', 'clicks', 'totalclicks', 'clickcount', 'hits'],
  lastVisitAt: ['lastvisitat', 'lastvisit', 'lastclicked', 'lastclickat', 'lastclick'],
  createdAt: [
    ...['createdat', 'created', 'datecreated', 'createddate', 'creationdate'],
    ...['creationtimestamp', 'timestamp', 'date'],
  ],
  updatedAt: ['updatedat', 'updated', 'dateupdated', 'modifiedat', 'modified', 'lastmodified'],
  startsAt: ['startsat', 'validsince'],
  expiresAt: [
    ...['expiresat', 'expires', 'expirein', 'expiry', 'expirytime', 'expirydate', 'expiration'],
    ...['expirationdate', 'validuntil', 'endsat', 'ends'],
  ],
  expiredUrl: ['expiredurl'],
  maxVisits: ['maxvisits', 'clickslimit'],
  password: ['password'],
  isArchived: ['archived', 'isarchived', 'status'],
  owner: ['owneremail', 'owner', 'email'],
  id: ['linkid', 'id'],
  ios: ['iosurl', 'iphoneurl', 'ios', 'iosfallbacklinkifl', 'iosfallbacklink', 'ifl'],
  ipad: ['ipadfallbacklinkipfl', 'ipadfallbacklink', 'ipfl'],
  android: ['androidurl', 'android', 'androidfallbacklinkafl', 'androidfallbacklink', 'afl'],
  desktop: ['desktopfallbacklinkofl', 'desktopfallbacklink', 'ofl'],
  utmSource: ['utmsource'],
  utmMedium: ['utmmedium'],
  utmCampaign: ['utmcampaign'],
  utmTerm: ['utmterm'],
  utmContent: ['utmcontent'],
  redirectStatus: [
    ...['redirectstatus', 'redirecttype', 'redirectcode', 'statuscode', 'httpstatus'],
  ],
  redirectCacheSeconds: ['redirectcacheseconds'],
  paths: ['paths'],
  externalId: ['externalid'],
  forwardQuery: ['forwardquery'],
  confirm: ['confirm'],
  crawlable: ['crawlable'],
  hasPassword: ['haspassword'],
  hasRules: ['hasrules'],
} as const satisfies Record<string, readonly string[]>

/** What a column can have. */
export type Target = keyof typeof names

export const targets = Object.keys(names) as readonly Target[]

/** The place of what a row has, from 0. */
export type Columns = Readonly<Partial<Record<Target, number>>>

/** The columns of a table: those that people said, such as `code=Back half` or `code=#2`, and those whose names tell it. */
export function readColumns(head: readonly string[], said: readonly string[] = []): Columns {
  const plain = head.map(reduced)
  const columns: Partial<Record<Target, number>> = {}
  const isFree = (index: number) => !Object.values(columns).includes(index)
  for (const entry of said) {
    const [target = '', ...name] = entry.split('=')
    columns[target as Target] = placeOf(name.join('=').trim(), head)
  }
  for (const target of targets) {
    if (columns[target] !== undefined) continue
    const known: readonly string[] = names[target]
    const name = known.find(it => plain.some((other, index) => other === it && isFree(index)))
    if (name !== undefined) columns[target] = plain.findIndex((it, at) => it === name && isFree(at))
  }
  return columns
}

/** The columns of a table without names: the first that has a URL, and the one before or after it as the code. */
export function columnsWithoutNames({ cells }: Row, said: readonly string[]): Columns {
  const numbered = readColumns(
    cells.map(() => ''),
    said,
  )
  const originalUrl = numbered.originalUrl ?? cells.findIndex(isUrl)
  const free = cells.findIndex((_, index) => index !== originalUrl && index < 2)
  const isFree = !Object.values(numbered).includes(free)
  return { ...(free !== -1 && isFree && { code: free }), ...numbered, originalUrl }
}

/** Whether a row has names, and no link yet. */
export function isHead({ cells }: Row): boolean {
  return !cells.some(isUrl)
}

/** The names of columns that have nothing which Linnet has. */
export function leftOut(head: readonly string[], columns: Columns): readonly string[] {
  const read = new Set(Object.values(columns))
  return head.filter((name, index) => name.trim() !== '' && !read.has(index))
}

function isUrl(cell: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(cell.trim())
}

function reduced(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

function placeOf(name: string, head: readonly string[]): number {
  const number = /^#(\d+)$/.exec(name)?.[1]
  const index = number
    ? Number(number) - 1
    : head.findIndex(it => it.trim().toLowerCase() === name.toLowerCase())
  if (index >= 0 && index < head.length) return index
  const known = head.filter(it => it.trim() !== '').slice(0, 30)
  throw new SourceError(
    known.length > 0
      ? `The file has no column ${quoted(name)}. Its columns are: ${known.map(it => oneLine(it.slice(0, 60))).join(', ')}.`
      : `The file has no column ${quoted(name)}: it has ${head.length}, without names. Name them as #1 to #${head.length}.`,
  )
}
