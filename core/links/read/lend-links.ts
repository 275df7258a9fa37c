import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import { readPublicId } from '../../lib/public-id.ts'
import { isSeen } from '../../lib/schema/lines.ts'
import type { AddressedLink, LinkOwner, Links, LinkWriting, UnstableLinks } from '../../plugin.ts'
import { actAs, changeAs } from '../../storage/acting.ts'
import { type Database, inTransaction } from '../../storage/database.ts'
import { afterHosts } from '../codes/code-rules.ts'
import type { LinkCache } from '../follow/cache.ts'
import type { LinkHooks } from '../hooks.ts'
import { type Link, readLink, type StoredFields, shownToPlugins, viewOf } from '../link.ts'
import { renewLinkText } from '../link-text.ts'
import { leadsBack, type OwnHosts } from '../original-url.ts'
import { type TellDeps, tellOfLinks } from '../tell-of-links.ts'
import { findAnyByCode, findAnyLink, findLink } from './find-link.ts'
import { setGuard } from './guarded-links.ts'
import type { ShortUrls } from './short-urls.ts'

/** How many links are read at once when all are read: reading them holds up redirects. */
const pageSize = 100

export interface Deps {
  readonly db: Database
  readonly cache: LinkCache
  /** Origin of the API. */
  readonly dashboardUrl: string
  readonly shortUrls: ShortUrls
  readonly ownHosts: OwnHosts
  addressesOf(link: Link): AddressedLink['addresses']
  hooks(): Pick<LinkHooks, 'guardsFor' | 'targetsFor'>
  /** Makes every server compile the link anew. */
  tellOfLink(db: Database, rowId: number): Promise<void>
  /** Brings visits up to date. Never wait for it within a transaction: it waits for the transaction to end. */
  catchUp(): Promise<void>
  /** How often links were visited in the hour that contains a moment, by row id. */
  visitsIn(db: Database, hour: Date): AsyncIterable<ReadonlyMap<number, number>>
  writing(): LinkWriting
  /** Reads links with all that plugins show of them. */
  reading(): Pick<UnstableLinks, 'whole' | 'histories'>
  /** What telling of links needs. */
  told(): TellDeps
}

/** What the plugin of a feature can do with links. */
export function lendLinks(
  {
    db,
    cache,
    dashboardUrl,
    shortUrls,
    ownHosts,
    addressesOf,
    hooks,
    catchUp,
    visitsIn,
    tellOfLink,
    writing,
    reading,
    told,
  }: Deps,
  feature: string,
): { readonly stable: Links; readonly unstable: UnstableLinks } {
  const asPlugin = <T>(work: () => T) => actAs({ kind: 'plugin', feature }, work)
  /** A caller acts in the caller's own name, and has no part in a chain of changes. */
  const acting = <T>(owner: LinkOwner, work: () => T) =>
    typeof owner === 'number' ? changeAs(feature, { kind: 'plugin', feature }, work) : work()
  const stable: Links = {
    create: async (owner, ...given) => acting(owner, () => writing().create(owner, ...given)),
    update: async (owner, ...given) => acting(owner, () => writing().update(owner, ...given)),
    addVisits: async (owner, ...given) => acting(owner, () => writing().addVisits(owner, ...given)),
    remove: async (owner, ...given) => acting(owner, () => writing().remove(owner, ...given)),
    restore: async (owner, ...given) => acting(owner, () => writing().restore(owner, ...given)),
    async find(id) {
      const link = await findAnyLink(db, id)
      return link && shownToPlugins(link)
    },
    async findOwn({ accountId }, id) {
      const link = await findLink(db, accountId, id)
      return link && shownToPlugins(link)
    },
    async findByCode(code, host) {
      const place = shortUrls.placeOf(host, code)
      // PostgreSQL refuses such a text.
      if (`${place.domain}${code}`.includes('\0')) return undefined
      const link = await findAnyByCode(db, place)
      if (!link) return undefined
      const now = shortUrls.placeOf(link.domain, link.shortCode)
      const isFormer =
        now.domain !== place.domain ||
        (now.form === undefined ? now.code !== place.code : now.form !== place.form)
      return { ...shownToPlugins(link), isFormer }
    },
    async ownFields({ rowId }) {
      const { fields } = await db
        .selectFrom('links')
        .select('fields')
        .where('id', '=', rowId)
        .executeTakeFirstOrThrow()
      return (JSON.parse(fields) as StoredFields)[feature] ?? {}
    },
    shortUrl: shortUrls.of,
    mainUrl: (path = '/') => new URL(path, shortUrls.of({ domain: '', shortCode: '' })).href,
    leadsBack: url => leadsBack(url, ownHosts),
    apiUrl: path => `${dashboardUrl}/api/v1${path}`,

    async *all(after) {
      let last = after === undefined ? 0 : readPublicId('lnk', after)
      if (last === undefined) throw new Error(`${after} is not the id of a link.`)
      for (;;) {
        const rows = await db
          .selectFrom('links')
          .selectAll()
          .where('id', '>', last)
          .orderBy('id')
          .limit(pageSize)
          .execute()
        const links = rows.map(readLink)
        if (links.length > 0) {
          yield links.map(link => ({ ...shownToPlugins(link), addresses: addressesOf(link) }))
        }
        last = links.at(-1)?.rowId ?? last
        await yieldToRedirects()
        if (links.length < pageSize) return
      }
    },

    recompile(id) {
      const rowId = readPublicId('lnk', id)
      if (rowId === undefined) return
      cache.forget(rowId)
      void tellOfLink(db, rowId).catch(() => undefined)
    },
  }
  const unstable: UnstableLinks = {
    async formerCodes(links) {
      if (links.length === 0) return new Map()
      const current = new Map(links.map(({ rowId, shortCode }) => [rowId, shortCode]))
      const { rows } = await selectCodes(db, { linkIds: [...current.keys()] })
      const former = new Map<number, string[]>()
      for (const { link_id, code } of rows) {
        if (link_id === null || current.get(link_id) === code) continue
        former.set(link_id, [...(former.get(link_id) ?? []), code])
      }
      return former
    },

    async visitsBy(groups) {
      if (!db.isTransaction) await catchUp()
      const rows = await db
        .selectFrom(groups.as('grouped'))
        .innerJoin('link_totals', 'link_totals.link_id', 'grouped.link_id')
        .select(({ fn }) => ['grouped.group_id', fn.sum('link_totals.visits').as('visits')])
        .groupBy('grouped.group_id')
        .execute()
      return new Map(rows.map(({ group_id, visits }) => [group_id, Number(visits)]))
    },

    async *visitsIn(hour) {
      if (!db.isTransaction) await catchUp()
      for await (const visits of visitsIn(db, hour)) {
        const rows = await db
          .selectFrom('links')
          .selectAll()
          .where('id', 'in', [...visits.keys()])
          .orderBy('id')
          .execute()
        yield rows.map(row => ({ link: viewOf(row), visits: visits.get(row.id) ?? 0 }))
      }
    },

    whole: accountId => reading().whole(accountId),
    histories: links => reading().histories(links),

    async partsOf(links) {
      if (links.length === 0) return new Map()
      const rowIds = links.map(({ rowId }) => rowId)
      const rows = await db
        .selectFrom('links')
        .select(['id', 'fields', 'guarded_by'])
        .where('id', 'in', rowIds)
        .execute()
      const { guardsFor, targetsFor } = hooks()
      return new Map(
        rows.map(({ id, fields, guarded_by }) => {
          const stored = JSON.parse(fields) as StoredFields
          const guards = [...(JSON.parse(guarded_by) as string[]), ...guardsFor(stored)]
          const parts = { guards: [...new Set(guards)], targets: targetsFor(stored) }
          return [id, { ...parts, own: stored[feature] ?? {} }]
        }),
      )
    },

    async nameLink({ rowId }, title) {
      if (!isSeen(title)) return
      await inTransaction(db, async tx => {
        const row = await tx
          .updateTable('links')
          .set(({ eb }) => ({ title, version: eb('version', '+', 1) }))
          .where('id', '=', rowId)
          .where('title', 'is', null)
          .returningAll()
          .executeTakeFirst()
        if (!row) return
        const after = readLink(row)
        await renewLinkText(tx, after)
        const named = { before: { ...after, title: null }, after, changed: ['title'] }
        await asPlugin(() => tellOfLinks(tx, told(), [named]))
      })
    },

    async markGuarded({ rowId }, isGuarded) {
      await setGuard(db, rowId, feature, isGuarded)
      cache.forget(rowId)
    },
  }
  return { stable, unstable }
}

/** All codes that lead to some links, oldest first. */
const selectCodes = compileOnce(
  (db: Database, { linkIds }: Places<{ linkIds: readonly number[] }>) =>
    db
      .selectFrom('short_codes')
      .select(['link_id', 'code'])
      .where('link_id', 'in', linkIds)
      .where('domain', '<', afterHosts)
      .orderBy('created_at'),
)
