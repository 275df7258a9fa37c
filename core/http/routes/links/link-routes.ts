import { z } from 'zod'
import type { LinkAnswers } from '../../../kernel/hooks/link-answers.ts'
import type { LinkFields } from '../../../kernel/hooks/link-fields.ts'
import type { LinkFilters } from '../../../kernel/hooks/link-filters.ts'
import type { LinkStatuses } from '../../../kernel/hooks/link-statuses.ts'
import { yieldToRedirects } from '../../../lib/async/yield-to-redirects.ts'
import { checkAddress, maxUrlLength } from '../../../lib/net/web-address.ts'
import { momentOrDay } from '../../../lib/schema/moment.ts'
import { queryBoolean } from '../../../lib/schema/query-values.ts'
import type { Link } from '../../../links/link.ts'
import type { Targets } from '../../../links/original-url.ts'
import { findLink, findLinkByCode } from '../../../links/read/find-link.ts'
import { listLinks, readLinks, sortKeys } from '../../../links/read/list-links.ts'
import type { LinkDeps } from '../../../links/write/link-deps.ts'
import { listOf, listSchema, pageQuery, sliceOf } from '../../../plugin/lists/paging.ts'
import { isRefusal, type Refusal } from '../../../plugin/outcomes.ts'
import { versionedReply } from '../../api/etag.ts'
import { attemptWithoutKey, type Reply, type Route, route } from '../../api/route/route.ts'
import { allWrong } from './all-wrong.ts'
import { type InTurnDeps, inTurn } from './in-turn.ts'
import { type LinkActions, noSuchLink } from './link-actions.ts'
import { hostQuery, linkChangeSchema, linkSchema, newLinkSchema } from './link-schemas.ts'
import type { ShowLinks } from './show-links.ts'

export interface LinkRouteDeps extends InTurnDeps {
  readonly links: LinkDeps
  readonly actions: LinkActions
  readonly show: ShowLinks
  readonly fields: LinkFields
  readonly answers: LinkAnswers
  readonly statuses: LinkStatuses
  readonly filters: LinkFilters
  /** Brings the numbers up to date before they are shown. */
  catchUp(): Promise<void>
}

/** How many links of a list are read and shown at a time. */
const atOnce = 16

const created = momentOrDay
  .meta({ description: 'A moment, or a day that begins at midnight UTC.' })
  .optional()

const listQueryWith = (statuses: LinkStatuses['names']) =>
  pageQuery.extend({
    search: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'Words of short code, URL, title and notes, in any order and case.' }),
    shortCode: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ description: 'Only links with just this short code, on whatever host.' }),
    originalUrl: z
      .string()
      .min(1)
      .max(maxUrlLength)
      .optional()
      .meta({ description: 'Only links that lead to just this URL.' }),
    status: z.enum(statuses).optional().meta({ description: 'Only links with this status.' }),
    domain: z.string().min(1).max(253).optional().meta({ description: 'Host of the short URL.' }),
    archived: queryBoolean.optional().meta({
      description: 'Only archived links, or only links that are not archived. Default: both.',
    }),
    createdFrom: created,
    createdTo: created,
    sort: z
      .enum(sortKeys.flatMap(key => [key, `-${key}` as const]))
      .default('-created_at')
      .meta({ description: 'What to sort by; a leading minus reverses the order.' }),
  })

const reuse = z.boolean().optional().meta({
  description:
    'Answer 200 with the oldest link of yours that leads to this URL with the same fields, if there is one, and make none.',
})

const lookUpQuery = z.strictObject({
  shortCode: z
    .string()
    .min(1)
    .max(255)
    .meta({ description: 'The current short code or a former one.' }),
  domain: hostQuery,
})

/** A link's life: create, list, read, change, delete. */
export function linkRoutes(deps: LinkRouteDeps): readonly Route[] {
  const { links, fields, actions, show } = deps
  const doInTurn = inTurn(deps)
  const schema = z.lazy(() => linkSchema(deps))
  const answer = z.lazy(() => z.object({ data: schema }))
  const listQuery = listQueryWith(deps.statuses.names)

  async function reply(link: Link, headers?: Reply['headers']): Promise<Reply> {
    return versionedReply(link.version, await show.one(link), headers)
  }

  async function shown(link: Link | undefined): Promise<Reply | Refusal> {
    if (!link) return noSuchLink
    await deps.catchUp()
    return reply(link)
  }

  return [
    route('POST /links', {
      name: 'links.create',
      group: 'Links',
      summary: 'Create a short link',
      tool: 'Make a short link to a URL. Leave the short code out unless the user wants a certain one. The answer has the short URL to give to the user.',
      scope: 'links:write',
      body: z.lazy(() => newLinkSchema(fields, links).extend({ reuse })),
      answer,
      status: 201,
      also: 200,
      isVersioned: true,
      resumes: true,
      tries: true,
      async handle(call) {
        const { reuse, ...body } = call.body
        const doing = call.isDry ? actions.tried() : actions
        const made = reuse
          ? await doing.createUnlessThere(call, body)
          : await doing.create(call, body)
        if (isRefusal(made)) {
          const as = { caller: call.caller, attempt: attemptWithoutKey }
          return allWrong(made, body, call.sent, it => actions.tried().create(as, it))
        }
        const { link, isNew } = 'isNew' in made ? made : { link: made, isNew: true }
        if (!isNew) await deps.catchUp()
        const answered = await reply(link, { Location: `/api/v1/links/${link.id}` })
        return isNew ? answered : { ...answered, status: 200 }
      },
    }),

    route('GET /links', {
      name: 'links.list',
      group: 'Links',
      summary: 'List links',
      tool: 'Find links of the account by words, status, time and so on, newest first. Each has its number of visits. For the next page, send the cursor of the answer.',
      scope: 'links:read',
      // Parameters that plugins add are read by them: only they know the type.
      query: listQuery.extend(deps.filters.shape()) as typeof listQuery,
      answer: z.lazy(() => listSchema(schema)),
      async handle({ query, caller: { accountId } }) {
        await deps.catchUp()
        const { search, shortCode, originalUrl, status, domain, archived, sort } = query
        const { createdFrom, createdTo } = query
        const hasStatus =
          status === undefined ? undefined : await deps.statuses.is(status, accountId)
        if (isRefusal(hasStatus)) return hasStatus
        const within = await deps.filters.rows(query, accountId)
        if (isRefusal(within)) return within
        const { rows, total, next } = await listLinks(links.db, {
          ...sliceOf(query),
          accountId,
          search,
          shortUrl: search === undefined ? undefined : links.shortUrls.read(search),
          shortCode,
          originalUrl: originalUrl === undefined ? undefined : asStored(originalUrl, links),
          domain: domain === undefined ? undefined : links.shortUrls.domainOf(domain),
          hasStatus,
          archived,
          within,
          createdFrom: createdFrom === undefined ? undefined : new Date(createdFrom),
          createdTo: createdTo === undefined ? undefined : new Date(createdTo),
          sort: readSort(sort),
        })
        return doInTurn({ accountId, rowIds: rows }, async () => {
          const shown = []
          const late = new Set<string>()
          // Some at a time, because links take several times as much while they are made into what is shown.
          for (let from = 0; from < rows.length; from += atOnce) {
            const some = await readLinks(links.db, rows.slice(from, from + atOnce))
            shown.push(...(await show.all(some, late)))
            await yieldToRedirects()
          }
          return { body: listOf(shown, total, query, '/api/v1/links', next) }
        })
      },
    }),

    route('GET /links/lookup', {
      name: 'links.lookup',
      group: 'Links',
      summary: 'Find a link by its short code',
      tool: 'Find one link by its short code, such as spring for https://go.example.org/spring. Its id is what other tools need.',
      scope: 'links:read',
      query: lookUpQuery,
      answer,
      isVersioned: true,
      problems: [404],
      async handle({ caller, query: { shortCode, domain: host } }) {
        const place = links.shortUrls.placeOf(host, shortCode)
        const link = await findLinkByCode(links.db, caller.accountId, place)
        return shown(link)
      },
    }),

    route('GET /links/:id', {
      name: 'links.show',
      group: 'Links',
      summary: 'Read a link',
      scope: 'links:read',
      answer,
      isVersioned: true,
      handle: async ({ caller, params: { id = '' } }) =>
        shown(await findLink(links.db, caller.accountId, id)),
    }),

    route('PATCH /links/:id', {
      name: 'links.update',
      group: 'Links',
      summary: 'Change a link',
      tool: 'Change a link, such as its title. Only the fields that are sent change; null empties one.',
      scope: 'links:write',
      body: z.lazy(() => linkChangeSchema(fields)),
      answer,
      isVersioned: true,
      tries: true,
      async handle({ caller, params: { id = '' }, body, ifMatch, isDry, sent }) {
        const doing = isDry ? actions.tried() : actions
        const link = await doing.change(caller, id, body, ifMatch)
        return isRefusal(link)
          ? allWrong(link, body, sent, it => actions.tried().change(caller, id, it, ifMatch))
          : shown(link)
      },
    }),

    route('DELETE /links/:id', {
      name: 'links.destroy',
      group: 'Links',
      summary: 'Delete a link and its visits',
      tool: 'Delete a link and its visits. Deleted links can be restored for some days.',
      scope: 'links:write',
      status: 204,
      isVersioned: true,
      tries: true,
      async handle({ caller, params: { id = '' }, ifMatch, isDry }) {
        const doing = isDry ? actions.tried() : actions
        const link = await doing.delete(caller, id, ifMatch)
        return isRefusal(link) ? link : {}
      },
    }),
  ]
}

/** An address as links have it; what is none leads nowhere. */
function asStored(text: string, { targetSchemes }: Targets): string {
  const address = checkAddress(text, targetSchemes)
  return 'href' in address ? address.href : text
}

function readSort(sort: string): { key: (typeof sortKeys)[number]; descending: boolean } {
  const descending = sort.startsWith('-')
  return { key: (descending ? sort.slice(1) : sort) as (typeof sortKeys)[number], descending }
}
