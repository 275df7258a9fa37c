import type { Json } from '../../../../core/plugin.ts'
import { digestOf } from '../digest.ts'
import type { LinkItem, Refused } from '../source.ts'
import type { Target } from './column-names.ts'
import type { Columns } from './columns.ts'
import { linkItem } from './link-item.ts'
import { readMoment } from './moments.ts'
import { routingOf } from './rules.ts'
import { readCode, readShortUrl, type ShortUrl } from './short-url.ts'
import type { Row } from './table.ts'
import { quoted } from './texts.ts'

/** How a row is read. */
export interface RowReading {
  readonly columns: Columns
  /** In which dates without a time zone are. */
  readonly zone: string
  readonly now: Date
  /** Which one of several rows with the same URL and without a code the next one is. */
  readonly which: (originalUrl: string, row: string) => string
}

/** The link of a row, or why it has none. */
export function readRowLink(
  { line, cells }: Row,
  { columns, zone, now, which }: RowReading,
): LinkItem | Refused {
  const row = `line ${line}`
  const changes: string[] = []
  const cell = (target: Target): string => {
    const index = columns[target]
    return index === undefined ? '' : (cells[index] ?? '').trim()
  }
  const refused = (reason: string): Refused => ({ kind: 'refused', row, reason })

  const originalUrl = cell('originalUrl')
  if (originalUrl === '') return refused('The row has no original URL.')
  // What says neither yes nor no may mean yes: a link that comes without its password is open to everybody.
  if (!isNo(cell('hasPassword')) && cell('password') === '') {
    return refused(
      'It has a password, which the table does not say. Make the link anew, with a password.',
    )
  }
  if (isYes(cell('hasRules'))) changes.push('Its routing rules are not in the table.')
  const moments = new Map<Target, Date>()
  for (const target of dates) {
    const text = cell(target)
    if (text === '') continue
    const moment = readMoment(text, zone)
    if (moment) moments.set(target, moment)
    else if (target === 'startsAt' || target === 'expiresAt') {
      // A link that should have ended must not come back.
      return refused(`${quoted(text)} is no date and time that everybody reads alike. ${writeItSo}`)
    } else changes.push(`The date ${quoted(text)} does not come along. ${writeItSo}`)
  }
  const maxVisits = cell('maxVisits')
  if (maxVisits !== '' && numberOf(maxVisits) === undefined) {
    return refused(`${quoted(maxVisits)} is no number of visits.`)
  }
  const { host, code, others, unread } = placeOf(cell)
  const said = codes.map(cell).find(it => it !== '')
  // With another code it would lead nobody on who has this one.
  if (code === null && said !== undefined) return refused(`${quoted(said)} has no short code.`)
  if (host !== null && host.length > 253) return refused('Its host is longer than any host can be.')
  const elsewhere = others.filter(it => it.host !== host)
  for (const it of elsewhere) {
    changes.push(
      `${quoted(`${it.host}/${it.code}`)} leads to the same link, and does not come along.`,
    )
  }
  for (const text of unread)
    changes.push(`${quoted(text)} is no short URL, and does not come along.`)
  const seconds = cell('redirectCacheSeconds')
  if (seconds !== '' && numberOf(seconds) === undefined)
    changes.push(`${quoted(seconds)} is no number of seconds, and does not come along.`)
  const visits = cell('visits')
  if (visits !== '' && numberOf(visits) === undefined) {
    changes.push(`${quoted(visits)} is no number of visits, and does not come along.`)
  }
  const isClosed = /^(disabled|inactive)$/i.test(cell('isArchived'))
  if (isClosed) changes.push('It was disabled there, and has ended here.')
  if (isLikeHash(cell('password'))) {
    changes.push(
      'Its password looks like the hash of one. A table has plain text: the link opens only with the hash itself, so give it a new password.',
    )
  }
  const item = linkItem(
    {
      ...{ row, host, code, originalUrl, changes },
      id: digestOf(host, code, originalUrl, code === null ? which(originalUrl, row) : null),
      formerCodes: others.filter(it => it.host === host).map(it => it.code),
      title: cell('title'),
      notes: cell('notes'),
      tags: splitTags(cell('tags')),
      campaign: cell('campaign'),
      fields: fieldsOf(cell, moments, changes),
      ...(cell('password') && { password: { text: cells[columns.password ?? -1] ?? '' } }),
      owner: isAddress(cell('owner')) ? cell('owner') : null,
      createdAt: moments.get('createdAt'),
      updatedAt: moments.get('updatedAt'),
      lastVisitAt: moments.get('lastVisitAt'),
      visits: numberOf(visits),
      isArchived: isYes(cell('isArchived')) || /^archived$/i.test(cell('isArchived')),
      isClosed,
    },
    now,
  )
  return item.visits === undefined ? item : { ...item, undated: item.visits }
}

function isYes(text: string): boolean {
  return /^(yes|true|1)$/i.test(text)
}

function isNo(text: string): boolean {
  return /^(no|false|0)?$/i.test(text)
}

const codes = ['code', 'customUrl', 'shortUrl'] as const
const dates = ['createdAt', 'updatedAt', 'lastVisitAt', 'startsAt', 'expiresAt'] as const
const writeItSo = 'Write it as 2024-05-31 18:00.'

/** Whether it may be an e-mail address. */
function isAddress(text: string): boolean {
  return text.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(text)
}

/** Whether it begins as hashes of crypt, PHC, Django, Linnet or Sink do. */
function isLikeHash(password: string): boolean {
  return (
    /^\$[a-z0-9-]{1,20}\$\S{20}/i.test(password) ||
    /^(bcrypt|pbkdf2|scrypt|argon2|sink-pwd)[\w-]*[$:]\S{20}/i.test(password)
  )
}

/** A number that programs may write as `1,234` or `12.0`. In `1.000`, the dot may part thousands. */
function numberOf(text: string): number | undefined {
  const plain = text.replace(/^(\d{1,3})((?:,\d{3})+)$/, it => it.replaceAll(',', ''))
  return /^\d{1,15}(\.00?)?$/.test(plain) ? Number(plain) : undefined
}

/** Where the link is: its host and code, and other places that lead to it. */
function placeOf(cell: (target: Target) => string): {
  readonly host: string | null
  readonly code: string | null
  readonly others: readonly ShortUrl[]
  readonly unread: readonly string[]
} {
  const given = cell('code')
  // Some write the whole URL there.
  const whole = /^https?:\/\//i.test(given) ? given : ''
  const bare = cell('shortUrl')
  const texts = [...cell('customUrl').split(/[\s,;|]+/), whole, bare].filter(it => it !== '')
  const urls = texts.flatMap(text => {
    const read = readShortUrl(text)
    return read && read.code !== '' ? [read] : []
  })
  const [first] = urls
  const host = cell('host').toLowerCase() || first?.host || null
  // A column of short URLs may have codes alone.
  const alone = /:\/\//.test(bare) || readShortUrl(bare) ? '' : readCode(bare)
  const code = (whole === '' && readCode(given)) || first?.code || alone || null
  const isMain = (it: ShortUrl) => it.host === host && it.code === code
  return {
    host,
    code,
    others: urls.filter(it => !isMain(it) && !(it === first && code === it.code)),
    unread: texts.filter(text => !readShortUrl(text) && readCode(text) !== code),
  }
}

function fieldsOf(
  cell: (target: Target) => string,
  moments: ReadonlyMap<Target, Date>,
  changes: string[],
): Readonly<Record<string, Json>> {
  const date = (target: Target) => moments.get(target)?.toISOString()
  const number = (target: Target) => numberOf(cell(target))
  return given({
    startsAt: date('startsAt'),
    expiresAt: date('expiresAt'),
    expiredUrl: cell('expiredUrl'),
    maxVisits: number('maxVisits') || undefined,
    redirectStatus: statusOf(cell('redirectStatus'), changes),
    redirectCacheSeconds: number('redirectCacheSeconds'),
    paths: cell('paths'),
    externalId: cell('externalId'),
    forwardQuery: isYes(cell('forwardQuery')) || undefined,
    confirm: isYes(cell('confirm')) || undefined,
    crawlable: isYes(cell('crawlable')) || undefined,
    ...utmOf({
      source: cell('utmSource'),
      medium: cell('utmMedium'),
      campaign: cell('utmCampaign'),
      term: cell('utmTerm'),
      content: cell('utmContent'),
    }),
    ...routingOf(
      {
        ...{ ios: cell('ios'), ipad: cell('ipad'), android: cell('android') },
        desktop: cell('desktop'),
      },
      changes,
    ),
  })
}

/** One that links can have. The usual one need not be said. */
function statusOf(text: string, changes: string[]): number | undefined {
  const status = numberOf(text)
  if (text === '' || status === 302) return undefined
  if (status !== undefined && [301, 307, 308].includes(status)) return status
  changes.push(`${quoted(text)} is no redirect status here, and does not come along.`)
  return undefined
}

/** The fields that are there. */
export function given(
  fields: Readonly<Record<string, Json | undefined>>,
): Readonly<Record<string, Json>> {
  const there = Object.entries(fields).filter(
    (field): field is [string, Json] =>
      field[1] !== undefined && field[1] !== null && field[1] !== '',
  )
  return Object.fromEntries(there)
}

/** UTM parameters as a link has them; nothing if there are none. */
export function utmOf(
  utm: Readonly<
    Record<'source' | 'medium' | 'campaign' | 'term' | 'content', string | null | undefined>
  >,
): { readonly utm?: Json } {
  const parts = Object.entries(utm).map(([name, value]) => [name, value?.trim() || null] as const)
  return parts.some(([, value]) => value !== null) ? { utm: Object.fromEntries(parts) } : {}
}

/** Whichever of these a cell has first to split at. */
function splitTags(text: string): readonly string[] {
  const separator = ['|', ',', ';'].find(it => text.includes(it))
  return separator === undefined ? [text] : text.split(separator)
}
