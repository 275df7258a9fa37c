import { z } from 'zod'
import type { Entitlements } from '../../accounts/entitlements.ts'
import type { LinkAnswers } from '../../kernel/link-answers.ts'
import type { LinkFields } from '../../kernel/link-fields.ts'
import type { LinkFilters } from '../../kernel/link-filters.ts'
import { type LinkStatuses, linkStatuses } from '../../kernel/link-statuses.ts'
import { createLink } from '../../links/create-link.ts'
import { deleteLink } from '../../links/delete-link.ts'
import { findLink } from '../../links/find-link.ts'
import type { Link } from '../../links/link.ts'
import type { LinkDeps } from '../../links/link-deps.ts'
import { listLinks, sortKeys } from '../../links/list-links.ts'
import { updateLink } from '../../links/update-link.ts'
import { isRefusal, type Refusal, refuse } from '../../outcomes.ts'
import { linkTotals } from '../../visits/link-totals.ts'
import { checkIfMatch, etagOf } from '../etag.ts'
import { linkChangeSchema, linkSchema, newLinkSchema } from '../link-schemas.ts'
import { listSchema, pageOf, pageQuery, sliceOf } from '../paging.ts'
import { type Call, type Reply, type Route, route } from '../route.ts'
import { showLink } from '../show-link.ts'

export interface LinkRouteDeps {
  readonly links: LinkDeps
  readonly fields: LinkFields
  readonly answers: LinkAnswers
  readonly statuses: LinkStatuses
  readonly filters: LinkFilters
  readonly entitlements: Pick<Entitlements, 'features'>
  readonly baseUrl: string
  /** Bring the numbers up to date before they are shown. */
  settle(): Promise<void>
}

const notFound = refuse('not_found', 'There is no such link.', 404)

const moment = z.iso.datetime({ offset: true }).optional()

const listQuery = pageQuery.extend({
  search: z.string().trim().min(1).max(200).optional(),
  status: z.enum(linkStatuses).optional(),
  createdFrom: moment,
  createdTo: moment,
  sort: z
    .enum(sortKeys.flatMap(key => [key, `-${key}` as const]))
    .default('-created_at')
    .meta({ description: 'What to sort by; a minus turns the order round.' }),
})

/** A link's life: create, list, read, change, delete. */
export function linkRoutes(deps: LinkRouteDeps): readonly Route[] {
  const { links, fields, baseUrl } = deps
  const shown = linkSchema(deps.answers.shape())
  const answer = z.object({ data: shown })

  async function showAll(rows: readonly Link[]) {
    const [totals, statuses, additions] = await Promise.all([
      linkTotals(
        links.db,
        rows.map(({ rowId }) => rowId),
      ),
      deps.statuses.of(rows),
      deps.answers.of(rows),
    ])
    return rows.map((link, index) =>
      showLink(
        link,
        {
          totals: totals.get(link.rowId),
          status: statuses.get(link.rowId) ?? 'active',
          added: additions[index] ?? {},
        },
        baseUrl,
      ),
    )
  }

  async function show(link: Link, headers: Record<string, string> = {}): Promise<Reply> {
    const [data] = await showAll([link])
    return { body: { data }, headers: { ETag: etagOf(link.version), ...headers } }
  }

  const find = ({ caller, params }: Pick<Call, 'caller' | 'params'>) =>
    findLink(links.db, caller.accountId, params.id ?? '')

  return [
    route({
      method: 'POST',
      path: '/links',
      name: 'links.create',
      group: 'Links',
      summary: 'Create a short link',
      scope: 'links:write',
      body: newLinkSchema(fields, links.ownHosts),
      answer,
      status: 201,
      async handle({ body, caller }) {
        if (!deps.entitlements.features().linkCreationEnabled) {
          return refuse('feature_disabled', 'New links are switched off on this instance.', 403)
        }
        const { originalUrl, title = null, notes = null, archived = false, ...given } = body
        const link = await createLink(links, caller, { originalUrl, title, notes, archived, given })
        if (isRefusal(link)) return link
        return show(link, { Location: `/api/v1/links/${link.id}` })
      },
    }),

    route({
      method: 'GET',
      path: '/links',
      name: 'links.list',
      group: 'Links',
      summary: 'List links',
      scope: 'links:read',
      // What plugins add is theirs to read: only they know its type.
      query: listQuery.extend(deps.filters.shape()) as typeof listQuery,
      answer: listSchema(shown),
      status: 200,
      async handle({ query, caller }) {
        await deps.settle()
        const { search, status, createdFrom, createdTo, sort } = query
        const { rows, total } = await listLinks(links.db, {
          ...sliceOf(query),
          accountId: caller.accountId,
          search,
          shows: status && deps.statuses.is(status),
          within: deps.filters.rows(query),
          createdFrom: createdFrom === undefined ? undefined : new Date(createdFrom),
          createdTo: createdTo === undefined ? undefined : new Date(createdTo),
          sort: readSort(sort),
        })
        return pageOf(await showAll(rows), total, query, '/api/v1/links')
      },
    }),

    route({
      method: 'GET',
      path: '/links/:id',
      name: 'links.show',
      group: 'Links',
      summary: 'Read a link',
      scope: 'links:read',
      answer,
      status: 200,
      async handle(call) {
        const link = await find(call)
        if (!link) return notFound
        await deps.settle()
        return show(link)
      },
    }),

    route({
      method: 'PATCH',
      path: '/links/:id',
      name: 'links.update',
      group: 'Links',
      summary: 'Change a link',
      scope: 'links:write',
      body: linkChangeSchema(fields),
      answer,
      status: 200,
      async handle(call) {
        const changed = await change(call)
        return isRefusal(changed) ? changed : show(changed)
      },
    }),

    route({
      method: 'DELETE',
      path: '/links/:id',
      name: 'links.destroy',
      group: 'Links',
      summary: 'Delete a link and its visits',
      scope: 'links:write',
      status: 204,
      async handle(call) {
        const link = await find(call)
        if (!link) return notFound
        const stale = checkIfMatch(call.ifMatch, link.version)
        if (stale) return stale
        await deleteLink(links, link)
        return {}
      },
    }),
  ]

  /** Who did not say which version is meant means the newest: try again when somebody was faster. */
  async function change(
    call: Call<z.output<ReturnType<typeof linkChangeSchema>>>,
  ): Promise<Link | Refusal> {
    const { title, notes, archived, ...given } = call.body
    const wanted = {
      ...(title !== undefined && { title }),
      ...(notes !== undefined && { notes }),
      ...(archived !== undefined && { archived }),
      given,
    }
    for (let attempt = 1; ; attempt++) {
      const link = await find(call)
      if (!link) return notFound
      const stale = checkIfMatch(call.ifMatch, link.version)
      if (stale) return stale
      const changed = await updateLink(links, call.caller, link, wanted)
      const retry = isRefusal(changed) && changed.code === 'stale' && call.ifMatch === undefined
      if (!retry || attempt === 5) return changed
    }
  }
}

function readSort(sort: string): { key: (typeof sortKeys)[number]; descending: boolean } {
  const descending = sort.startsWith('-')
  return { key: (descending ? sort.slice(1) : sort) as (typeof sortKeys)[number], descending }
}
