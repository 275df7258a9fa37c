import { createHash } from 'node:crypto'
import { siteOf } from '../../../../../core/plugin.ts'
import { linkItem } from '../../reading/link-item.ts'
import { readBounds, readPast } from '../../reading/moments.ts'
import type { Asked, Item, LinkItem } from '../../source.ts'
import { type Counting, createCounting } from '../../tables/counting.ts'
import { type Gathered, gather, type Row } from '../../tables/gather.ts'
import { isTrue, numberIn, visitsIn } from '../../tables/read-values.ts'
import { countryOf, utmOf } from '../../tables/values-of-visit.ts'
import { visitTimes } from '../../tables/visit-times.ts'
import { withCounts } from '../../tables/whole-link.ts'

const browsers = {
  br_chrome: 'Chrome',
  br_edge: 'Edge',
  br_firefox: 'Firefox',
  br_ie: 'IE',
  br_opera: 'Opera',
  br_safari: 'Safari',
} as const

const systems = {
  os_android: 'Android',
  os_ios: 'iOS',
  os_linux: 'Linux',
  os_macos: 'Mac OS',
  os_windows: 'Windows',
} as const

/** Links, visits by hour, domains and users of a database of Kutt. */
export async function* readKuttDatabase(asked: Asked, zone: string): AsyncGenerator<Item> {
  const tables = await gather(asked, 'Kutt', {
    links: {
      columns: ['id', 'address', 'target', 'visit_count', 'created_at'],
      more: [
        ...['uuid', 'description', 'banned', 'domain_id', 'password', 'expire_in', 'user_id'],
        'updated_at',
      ],
      key: 'id',
    },
    visits: {
      columns: ['link_id', 'created_at', 'total', 'countries', 'referrers'],
      more: [...Object.keys(browsers), ...Object.keys(systems)],
      isOptional: true,
      isLoose: true,
    },
    domains: { columns: ['id', 'address'], more: ['homepage', 'banned'], key: 'id' },
    users: { columns: ['id', 'email'], more: ['apikey', 'banned'], key: 'id' },
  })
  try {
    const counting = createCounting(tables.db, asked.now())
    await countVisits(tables, counting, zone)
    for await (const domain of tables.each('domains')) yield hostOf(domain)
    for await (const link of tables.each('links')) {
      const item = linkOf(link, { tables, counting, zone, now: asked.now() })
      yield* withCounts(item, counting, `${link.id}`)
    }
    for await (const user of tables.each('users')) yield* keysOf(user)
    yield* tables.refused()
  } finally {
    tables.close()
  }
}

function hostOf({ id, address, homepage }: Row): Item {
  const row = `domains id ${id}`
  return { kind: 'host', row, host: `${address}`.toLowerCase(), rootUrl: homepage || null }
}

interface Around {
  readonly tables: Gathered
  readonly counting: Counting
  readonly zone: string
  readonly now: Date
}

function linkOf(link: Row, { tables, counting, zone, now }: Around): LinkItem {
  const { id, uuid, address, target, description, password, expire_in: ends } = link
  const changes: string[] = []
  const [domain] = tables.all('SELECT address FROM domains WHERE id = ?', link.domain_id ?? null)
  const [user] = tables.all('SELECT email FROM users WHERE id = ?', link.user_id ?? null)
  const bounds = readBounds({ startsAt: null, expiresAt: ends }, zone, changes)
  const isBanned = isTrue(link.banned)
  if (isBanned) changes.push('It was banned there, and has ended here.')
  const said = visitsIn(link.visit_count, changes)
  return linkItem(
    {
      row: `links id ${id}`,
      id: uuid || `${id}`,
      host: domain ? `${domain.address}`.toLowerCase() : null,
      code: address ?? '',
      originalUrl: target ?? '',
      notes: description,
      fields: bounds.fields,
      password: password ? { hash: password } : undefined,
      owner: user?.email ?? null,
      createdAt: readPast(link.created_at, zone, changes),
      updatedAt: readPast(link.updated_at, zone, changes),
      isClosed: isBanned || bounds.isClosed,
      visits: Math.max(said, counting.dated(`${id}`).all),
      changes,
    },
    now,
  )
}

/** Each row has the visits of a link in an hour. Kutt counts none of robots. */
async function countVisits(tables: Gathered, counting: Counting, zone: string): Promise<void> {
  const timeOf = visitTimes(zone)
  const targetOf = tables.lookUp('links', 'target')
  for await (const visit of tables.each('visits')) {
    const at = timeOf(visit.created_at)
    const link = `${visit.link_id}`
    const visits = numberIn(visit.total)
    if (visits === 0) continue
    const target = targetOf(link)
    if (target === undefined) continue
    const utm = Object.entries(utmOf(target))
    counting.add({
      link,
      at,
      visits,
      by: [
        ...named(visit, browsers, 'visitsByBrowser'),
        ...named(visit, systems, 'visitsByOperatingSystem'),
        ...countsIn(visit.countries, 'visitsByCountry', countryOf),
        ...countsIn(visit.referrers, 'visitsByReferer', siteIn),
        ...utm.map(([name, value]) => [name, value, visits] as const),
      ],
    })
    if (counting.isFull()) await counting.store()
  }
  await counting.store()
}

function named(visit: Row, names: Readonly<Record<string, string>>, dimension: string) {
  return Object.entries(names).map(
    ([column, name]) => [dimension, name, numberIn(visit[column])] as const,
  )
}

/** Counts by value, as JSON such as `{"us":3,"unknown":1}`. */
function countsIn(
  json: string | null | undefined,
  dimension: string,
  nameOf: (value: string) => string | undefined,
): readonly (readonly [string, string, number])[] {
  let counts: unknown
  try {
    counts = JSON.parse(json || '{}')
  } catch {
    return []
  }
  return Object.entries(Object(counts)).flatMap(([value, count]) => {
    const name = nameOf(value)
    const isNumber = typeof count === 'number' && name !== undefined
    return isNumber ? [[dimension, name, numberIn(`${count}`)] as const] : []
  })
}

/** Kutt writes `t[dot]co`, and `direct` for none. */
function siteIn(referrer: string): string | undefined {
  return referrer === 'direct' ? undefined : siteOf(`https://${referrer.replaceAll('[dot]', '.')}`)
}

function* keysOf({ id, email, apikey, banned }: Row): Generator<Item> {
  if (!apikey) return
  const row = `users id ${id}`
  if (isTrue(banned)) {
    const sentence = `The API key of ${email} stays there: they were banned.`
    yield { kind: 'note', row, sentence }
    return
  }
  const sha256 = createHash('sha256').update(apikey).digest('hex')
  const [name, owner] = [`Kutt, ${email}`, email ?? null]
  yield { kind: 'key', row, name, sha256, owner, tellsOwner: true }
}
