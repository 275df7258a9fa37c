import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Log } from '../../../core/plugin.ts'
import { unlimited } from '../../../core/settings/plan.ts'
import type { Database, Storage } from '../../../core/storage/database.ts'
import { openSqlite } from '../../../core/storage/open/sqlite.ts'
import type { NamedDimension } from '../../../core/visits/facts/dimensions.ts'
import type { Owner, RawVisit, TrackedLink } from '../../../core/visits/facts/open-visit.ts'
import { createVisitPacker, type PackedVisits } from '../../../core/visits/wire/packed-visits.ts'
import { openStorage } from '../../open-storage.ts'
import { sums } from './counted.ts'

/** 2026-11-20 12:00 UTC, a Friday. */
export const noon = Date.UTC(2026, 10, 20, 12)
export const hourMs = 3_600_000
export const noonHour = noon / hourMs

export const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0'
export const robot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

/** Counts people, robots, and what `?from=` says. */
export const dimensions: readonly NamedDimension[] = [
  { name: 'visits', label: 'Visits', chart: 'number', total: true, of: () => '' },
  { name: 'bots', label: 'Bots', chart: 'number', total: true, bots: true, of: () => '' },
  { name: 'overTime', label: 'Over time', chart: 'line', total: true, of: () => '' },
  { name: 'from', label: 'From', of: ({ query }) => query.get('from') ?? undefined },
]

/** An empty database in memory with an account and its link, closed after the test. */
export async function bootInMemory(): Promise<Instance> {
  return fillInstance(await openStorage())
}

/** The same in a file of a folder that goes after the test. */
export async function bootInFile(): Promise<Instance & { readonly file: string }> {
  const file = join(temporaryFolder(), 'linnet.db')
  return { ...(await fillInstance(await openSqlite(file))), file }
}

export interface Instance {
  readonly storage: Storage
  readonly db: Database
  readonly owner: Owner
  readonly link: TrackedLink
}

async function fillInstance(storage: Storage): Promise<Instance> {
  onTestFinished(() => storage.close())
  const owner = await addAccount(storage.db)
  return { storage, db: storage.db, owner, link: await addLink(storage.db, owner) }
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-visits-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

let made = 0

/** The owner of links, whose plan allows everything. */
export async function addAccount(db: Database): Promise<Owner> {
  made += 1
  const { id } = await db
    .insertInto('accounts')
    .values({
      email: `${made}@example.org`,
      is_admin: 0,
      plan: 'unlimited',
      created_at: noon,
      updated_at: noon,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    accountId: id,
    collect: dimensions.map(({ name }) => name),
    maxTrackedVisits: unlimited,
  }
}

export async function addLink(db: Database, owner: Owner): Promise<TrackedLink> {
  made += 1
  const shortCode = `code${made}`
  const { id } = await db
    .insertInto('links')
    .values({
      account_id: owner.accountId,
      domain: '',
      short_code: shortCode,
      original_url: 'https://example.com/',
      archived: 0,
      fields: '{}',
      guarded_by: '[]',
      version: 1,
      created_at: noon,
      updated_at: noon,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const view = {
    id: `lnk_${id}`,
    rowId: id,
    accountId: 1,
    domain: '',
    shortCode,
    originalUrl: 'https://example.com/',
  }
  return { id, view, owner }
}

/** A visit by a person at noon, unless said otherwise. */
export function visitOf(link: TrackedLink, differing: Partial<RawVisit> = {}): RawVisit {
  return {
    link,
    at: noon,
    ip: '203.0.113.7',
    userAgent: browser,
    referer: '',
    language: 'en',
    query: '',
    totalsOnly: false,
    ...differing,
  }
}

/** Visits as a batch. */
export function batchOf(visits: readonly RawVisit[]): PackedVisits {
  const batch = createVisitPacker().newBatch()
  for (const visit of visits) batch.add(visit)
  return batch.packed()
}

/** The link of an owner whose plan differs. */
export function ownedBy(link: TrackedLink, differing: Partial<Owner>): TrackedLink {
  return { ...link, owner: { ...link.owner, ...differing } }
}

/** All counts as text, `from=news 3` or `visits 4`, summed over links and hours. */
export async function countsIn(db: Database): Promise<string[]> {
  return Array.from(await sums(db), ([name, count]) => `${name} ${count}`)
}

/** Totals by link. */
export async function totalsIn(db: Database): Promise<Record<number, number>> {
  const rows = await db.selectFrom('link_totals').selectAll().execute()
  return Object.fromEntries(rows.map(({ link_id, visits }) => [link_id, visits]))
}

/** Tracked visits by period, of all accounts. */
export async function usageIn(db: Database): Promise<Record<string, number>> {
  const rows = await db.selectFrom('usage').selectAll().execute()
  return Object.fromEntries(rows.map(({ period, visits_tracked }) => [period, visits_tracked]))
}

/** Keeps what it is told. */
export function listeningLog(): Log & { readonly lines: string[] } {
  const lines: string[] = []
  const keep = (message: string) => {
    lines.push(message)
  }
  return { lines, info: keep, warn: keep, error: keep }
}
