import { z } from 'zod'
import { readPublicId } from '../../../lib/public-id.ts'
import { type DeletedLink, listDeleted } from '../../../links/read/list-deleted.ts'
import { forgetLinks } from '../../../links/write/deleted-links.ts'
import { shownAddress } from '../../../plugin/fields.ts'
import { listOf, listSchema, pageQuery, sliceOf } from '../../../plugin/lists/paging.ts'
import { isRefusal } from '../../../plugin/outcomes.ts'
import { type Database, doOrTry } from '../../../storage/database.ts'
import { versionedReply } from '../../api/etag.ts'
import { type Route, route } from '../../api/route/route.ts'
import { noSuchLink } from './link-actions.ts'
import type { LinkRouteDeps } from './link-routes.ts'
import { linkSchema } from './link-schemas.ts'

const deletedLink = z
  .object({
    id: z.string().meta({ examples: ['lnk_Gv8J65Sx'] }),
    shortCode: z.string().meta({ examples: ['spring'] }),
    shortUrl: z.url().meta({ examples: ['https://go.example.org/spring'] }),
    originalUrl: shownAddress.meta({ examples: ['https://example.com/?q=1'] }),
    domain: z.string().meta({ description: 'Host of the short URL.' }),
    title: z.string().nullable(),
    visits: z.int().min(0),
    deletedAt: z.iso.datetime(),
    keptUntil: z.iso.datetime().meta({
      description: 'It can be restored until then; in the night after that, it is gone for good.',
    }),
  })
  .meta({ id: 'DeletedLink' })

const dayMs = 86_400_000

/** Links that were deleted: list them, bring one back, or delete it for good. */
export function deletedLinkRoutes({ links, actions, ...deps }: LinkRouteDeps): readonly Route[] {
  const { db, shortUrls, deletedDays } = links

  function shown({ link, deletedAt, visits }: DeletedLink) {
    const { id, shortCode, originalUrl, title } = link
    return {
      ...{ id, shortCode, shortUrl: shortUrls.of(link), originalUrl },
      ...{ domain: shortUrls.hostOf(link), title, visits },
      deletedAt,
      keptUntil: new Date(deletedAt.getTime() + deletedDays * dayMs),
    }
  }

  return [
    route('GET /links/deleted', {
      name: 'links.deleted',
      group: 'Links',
      summary: 'List deleted links that can be restored, the last one first',
      scope: 'links:read',
      query: pageQuery,
      answer: listSchema(deletedLink),
      async handle({ caller, query }) {
        const { rows, total, next } = await listDeleted(db, caller.accountId, sliceOf(query))
        return { body: listOf(rows.map(shown), total, query, '/api/v1/links/deleted', next) }
      },
    }),

    route('POST /links/:id/restore', {
      name: 'links.restore',
      group: 'Links',
      summary: 'Restore a deleted link with its visits',
      tool: 'Restore a link that was deleted in the last days, with its visits. It needs the id that the link had.',
      scope: 'links:write',
      answer: z.lazy(() => z.object({ data: linkSchema(deps) })),
      isVersioned: true,
      tries: true,
      async handle({ caller, params: { id = '' }, isDry }) {
        const doing = isDry ? actions.tried() : actions
        const link = await doing.restore(caller, id)
        if (isRefusal(link)) return link
        await deps.catchUp()
        return versionedReply(link.version, await deps.show.one(link))
      },
    }),

    route('DELETE /links/deleted/:id', {
      name: 'links.forget',
      group: 'Links',
      summary: 'Delete a deleted link for good',
      scope: 'links:write',
      status: 204,
      tries: true,
      async handle({ caller: { accountId }, params: { id = '' }, isDry }) {
        const rowId = readPublicId('lnk', id)
        if (rowId === undefined) return noSuchLink
        const forget = (tx: Database) => forgetLinks(tx, [{ id: rowId, account_id: accountId }])
        const isDone = await doOrTry(db, isDry, forget)
        if (!isDone) return noSuchLink
        if (!isDry) links.remover.wake()
        return {}
      },
    }),
  ]
}
