import {
  type Context,
  definePlugin,
  endpoint,
  file,
  line,
  listOf,
  listSchema,
  notFound,
  pageQuery,
  refuse,
  sliceOf,
  z,
} from '../../core/plugin.ts'
import { drawPage } from './public-numbers/draw-page.ts'
import {
  addPage,
  changePage,
  draftPage,
  findOpenPage,
  findPage,
  handOverPages,
  listPages,
  makePagesTable,
  type PublicPage,
  pathOf,
  removePage,
} from './public-numbers/pages.ts'
import { spans } from './public-numbers/spans.ts'
import { pageLanguage } from './public-numbers/words.ts'

/** The first segment of the path of every page. */
const mount = 'public-numbers'

const title = line(100).nullable().meta({
  description:
    'The heading of the page. Without one, the page only says whether it shows a link, a tag or a campaign.',
})
const shownPage = z
  .strictObject({
    id: z.string(),
    of: z.string().meta({ description: 'Id of the link, tag or campaign.' }),
    title,
    open: z.boolean().meta({ description: 'While it is false the address answers 404.' }),
    url: z.url().meta({ description: 'Whoever knows it sees the numbers.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'PublicNumbers' })
const answer = z.strictObject({ data: shownPage })

const nothing = refuse('validation_failed', 'There is no such link, tag or campaign.', 422, 'of')

export default definePlugin({
  feature: 'analytics.publicNumbers',
  label: 'Public numbers',
  about: 'Show the analytics of a link, tag or campaign to everyone who knows a secret address.',
  needs: ['analytics.visitsTracking'],
  migrations: { '001-pages': makePagesTable },
  unstable: { handOver: (what, { db }) => handOverPages(db, what) },
  endpoints: {
    'GET /public-numbers': endpoint({
      summary: 'List your public pages of numbers, newest first',
      scope: 'analytics:read',
      query: pageQuery.extend({
        of: z
          .string()
          .max(64)
          .optional()
          .meta({ description: 'List only the page of this link, tag or campaign.' }),
      }),
      answer: listSchema(shownPage),
      async handle({ caller, query }, context) {
        const asked = { ...sliceOf(query), of: query.of }
        const { rows, total, next } = await listThere(caller.accountId, asked, context)
        const pages = rows.map(page => shown(page, context.links))
        return listOf(pages, total, query, '/api/v1/public-numbers', next)
      },
    }),
    'POST /public-numbers': endpoint({
      summary: 'Make the numbers of a link, tag or campaign public',
      scope: 'analytics:write',
      body: z.strictObject({ of: z.string().max(64), title: title.optional() }),
      answer,
      status: 201,
      unstable: { tries: true },
      async handle({ caller: { accountId }, body, isDry }, { db, links, now, unstable }) {
        const path = pathOf(body.of)
        if (!path || !(await unstable.hasNumbers({ accountId, path }))) return nothing
        const page = await (isDry ? draftPage : addPage)(db, accountId, body, now())
        return page ? { data: shown(page, links) } : taken
      },
    }),
    'GET /public-numbers/:id': endpoint({
      summary: 'Show a public page of numbers',
      scope: 'analytics:read',
      answer,
      version: page => page,
      async handle({ caller, params: { id = '' } }, context) {
        const { db, links } = context
        const page = await findPage(db, caller.accountId, id)
        if (!page || (await forgetGone([page], context))) return undefined
        return { data: shown(page, links) }
      },
    }),
    'PATCH /public-numbers/:id': endpoint({
      summary: 'Open, close or rename a public page of numbers',
      scope: 'analytics:write',
      body: z.strictObject({ open: z.boolean().optional(), title: title.optional() }),
      answer,
      async handle({ caller, params: { id = '' }, body }, { db, links }) {
        const page = await changePage(db, caller.accountId, id, body)
        return page && { data: shown(page, links) }
      },
    }),
    'DELETE /public-numbers/:id': endpoint({
      summary: 'Revoke a public page of numbers: its address never opens again',
      scope: 'analytics:write',
      answer: z.strictObject({}),
      status: 204,
      handle: async ({ caller, params: { id = '' } }, { db }) =>
        (await removePage(db, caller.accountId, id)) ? undefined : notFound,
    }),
  },
  mounts: {
    [mount]: {
      async handle({ path, input, language: preferred }, { db, links, unstable }) {
        const page = await findOpenPage(db, path)
        const of = page && pathOf(page.of)
        if (!page || !of) return undefined
        const interval = spans.find(span => span === input.interval) ?? '30d'
        const asked = { accountId: page.account_id, path: of, interval, limit: 10 }
        const numbers = await unstable.readNumbers(asked)
        if (!numbers) return undefined
        const link = page.of.startsWith('lnk_') ? await links.find(page.of) : undefined
        const heading = page.title ?? (link ? links.shortUrl(link) : undefined)
        const language = pageLanguage(preferred)
        const frame = { heading, interval, language, brand: unstable.brand() }
        return file('text/html; charset=utf-8', drawPage(numbers, frame), 60)
      },
    },
  },
})

const taken = refuse('already_public', 'These numbers have a public page already.', 409, 'of')

/** Lists pages of what is there. Those that turn out to be of what is gone are deleted, and the list is read again. */
async function listThere(
  accountId: number,
  asked: Parameters<typeof listPages>[2],
  context: Context,
): ReturnType<typeof listPages> {
  for (;;) {
    const found = await listPages(context.db, accountId, asked)
    if (!(await forgetGone(found.rows, context))) return found
  }
}

/** Deletes those of these pages whose tag or campaign is gone, and says whether any is: nobody tells of it, unlike with links. */
async function forgetGone(
  pages: readonly PublicPage[],
  { db, unstable }: Context,
): Promise<boolean> {
  let isAnyGone = false
  for (const { account_id: accountId, of, link_id, publicId } of pages) {
    const path = link_id === null ? pathOf(of) : undefined
    if (!path || (await unstable.hasNumbers({ accountId, path })) !== false) continue
    isAnyGone = true
    await removePage(db, accountId, publicId)
  }
  return isAnyGone
}

function shown(page: PublicPage, links: Context['links']) {
  const url = new URL(`/${mount}/${page.secret}`, links.apiUrl('/'))
  return {
    id: page.publicId,
    of: page.of,
    title: page.title,
    open: page.is_open === 1,
    url: url.href,
    createdAt: new Date(Number(page.created_at)).toISOString(),
  }
}
