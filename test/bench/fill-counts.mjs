import { createHash, randomBytes } from 'node:crypto'
import BetterSqlite3 from 'better-sqlite3'
import { chance } from './chance.mjs'
import { template } from './imagined-counts.mjs'
import { packCounts } from './pack-counts.mjs'

/** Each of these accounts has a token and a hundredth of all links. */
const bigAccounts = { count: 20, part: 0.01 }
/** The other links belong to accounts with this many each. */
const smallAccounts = { links: 100, withToken: 100 }
/** A prime number, to spread the ranks over the links. */
const stride = 611_953

/**
 * Fills a fresh database with accounts, links and the counts that a year of `visits` leaves behind. The
 * popularity of links follows 1/rank; counts are hourly for the last 60 days and daily before. Returns what a
 * client needs to query them.
 */
export function fillCounts(file, { links, visits, now }) {
  const db = new BetterSqlite3(file)
  // Nothing is read before everything is written, and a file left by a crash is of no value.
  db.pragma('journal_mode = MEMORY')
  db.pragma('synchronous = OFF')
  db.pragma('foreign_keys = OFF')
  db.pragma('cache_size = -500000')
  db.pragma('temp_store = MEMORY')
  const filler = createFiller(db, { links, visits, now })
  db.exec('begin')
  const accounts = filler.makeAccounts()
  for (const account of accounts) filler.fillAccount(account)
  db.exec('commit')
  const rows = filler.written()
  db.pragma('journal_mode = WAL')
  db.close()
  return { accounts, rows }
}

function createFiller(db, { links, visits, now }) {
  const topVisits = visits / harmonic(links)
  const nowHour = Math.floor(now / 3_600_000)
  const random = chance(1)
  const ids = new Map()
  const templates = new Map()
  const rows = { link_counts: 0, account_counts: 0 }
  db.exec(
    `create temp table templates (template, bucket, packed, primary key (template, bucket))
     without rowid`,
  )
  const addToTemplate = db.prepare('insert into templates values (?, ?, ?)')
  const insertName = db.prepare(
    'insert into visit_names (name, used_in) values (?, 0) returning id',
  )
  const findName = db.prepare('select id from visit_names where name = ?').pluck()

  const idOf = name => {
    const id = ids.get(name) ?? findName.get(name) ?? insertName.get(name).id
    ids.set(name, id)
    return id
  }

  /** Links with a similar number of visits share a handful of patterns, and differ only in their owner. */
  function templateOf(rank) {
    const kind = Math.round(Math.log(topVisits / rank) / Math.log(1.25))
    const size = 1.25 ** kind
    const variants = size < 1_000 ? 30 : size < 30_000 ? 3 : 1
    const key = `${kind} ${rank % variants}`
    const known =
      templates.get(key) ?? keepTemplate(templates.size, template(size, { nowHour, idOf, random }))
    templates.set(key, known)
    return known
  }

  function keepTemplate(number, counts) {
    for (const [bucket, packed] of packHours(hoursOf(counts))) {
      addToTemplate.run(number, bucket, packed)
    }
    return { number, counts }
  }

  const addToLink = db.prepare(
    `insert into link_counts (owner_id, bucket, packed)
     select ?, bucket, packed from templates where template = ?`,
  )
  const addToAccount = db.prepare('insert into account_counts values (?, ?, ?)')

  const addAccount = db.prepare(
    `insert into accounts (email, is_admin, plan, created_at, updated_at)
     values (?, 0, 'unlimited', ?, ?) returning id`,
  )
  const addToken = db.prepare(
    `insert into api_tokens (account_id, name, token_hash, prefix, scopes, is_bootstrap, created_at)
     values (?, 'bench', ?, ?, '["*"]', 0, ?)`,
  )
  const addLink = db
    .prepare(
      `insert into links (account_id, domain, short_code, original_url, archived, fields, guarded_by,
       version, created_at, updated_at)
     values (?, '', ?, ?, 0, '{}', '[]', 1, ?, ?) returning id`,
    )
    .pluck()
  const addCode = db.prepare(
    `insert into short_codes (domain, code, link_id, account_id, created_at) values ('', ?, ?, ?, ?)`,
  )
  const addText = db.prepare('insert into link_texts (account_id, link_id, text) values (?, ?, ?)')
  const addTotal = db.prepare(
    'insert into link_totals (link_id, visits, last_visit_at) values (?, ?, ?)',
  )
  const yearAgo = now - 365 * 86_400_000

  return {
    written: () => rows,

    makeAccounts() {
      const { count: big } = bigAccounts
      const linksOfBig = Math.floor(links * bigAccounts.part)
      const small = Math.ceil((links - big * linksOfBig) / smallAccounts.links)
      return Array.from({ length: big + small }, (_, index) => {
        const { id } = addAccount.get(`bench-${index}@example.org`, yearAgo, yearAgo)
        const hasToken = index < big + smallAccounts.withToken
        const token = hasToken ? `lnt_${randomBytes(32).toString('base64url')}` : undefined
        if (token) {
          const hash = createHash('sha256').update(token).digest('hex')
          addToken.run(id, hash, token.slice(0, 8), yearAgo)
        }
        const size = index < big ? linksOfBig : smallAccounts.links
        return {
          id,
          token,
          isBig: index < big,
          first: index < big ? index * size : big * linksOfBig + (index - big) * size,
          size,
        }
      })
    },

    fillAccount({ id: account, first, size }) {
      const uses = new Map()
      for (let index = first; index < first + size; index += 1) {
        const rank = 1 + ((index * stride) % links)
        const { number, counts } = templateOf(rank)
        const code = `bench${index}`
        const originalUrl = `https://shop.example.org/products/${index}?campaign=autumn`
        const link = addLink.get(account, code, originalUrl, yearAgo, yearAgo)
        addCode.run(code, link, account, yearAgo)
        // Links are searched in upper case.
        addText.run(account, link, `${code}\n${originalUrl}`.toUpperCase())
        addTotal.run(link, Math.round(topVisits / rank), now - rank)
        rows.link_counts += addToLink.run(link, number).changes
        uses.set(counts, (uses.get(counts) ?? 0) + 1)
      }
      for (const [bucket, packed] of packHours(addUp(uses))) {
        rows.account_counts += addToAccount.run(account, bucket, packed).changes
      }
    },
  }
}

/** The hourly counts of a template, ordered by dimension and value within each hour. */
function hoursOf(counts) {
  const hours = new Map()
  for (let at = 0; at < counts.length; at += 4) {
    const [dimension, bucket, value, count] = counts.subarray(at, at + 4)
    const hour = hours.get(bucket) ?? []
    hours.set(bucket, hour)
    hour.push(dimension, value, count)
  }
  return hours
}

/** The counts of an account: the sum over its links. */
function addUp(uses) {
  const sums = new Map()
  for (const [counts, times] of uses) {
    for (let at = 0; at < counts.length; at += 4) {
      const [dimension, bucket, value, count] = counts.subarray(at, at + 4)
      const key = (bucket * 2 ** 12 + dimension) * 2 ** 20 + value
      sums.set(key, (sums.get(key) ?? 0) + times * count)
    }
  }
  const hours = new Map()
  for (const key of Float64Array.from(sums.keys()).sort()) {
    const [upper, value] = [Math.floor(key / 2 ** 20), key % 2 ** 20]
    const bucket = Math.floor(upper / 2 ** 12)
    const hour = hours.get(bucket) ?? []
    hours.set(bucket, hour)
    hour.push(upper % 2 ** 12, value, sums.get(key))
  }
  return hours
}

/** In the order of the table's primary key. */
function packHours(hours) {
  return [...hours]
    .sort(([a], [b]) => a - b)
    .map(([bucket, counts]) => [bucket, packCounts(bucket, counts)])
}

function harmonic(count) {
  let sum = 0
  for (let rank = 1; rank <= count; rank += 1) sum += 1 / rank
  return sum
}
