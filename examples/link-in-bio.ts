import {
  type Context,
  definePlugin,
  endpoint,
  file,
  type Links,
  line,
  notFound,
  refuse,
  type Store,
  z,
} from 'linnet/plugin'

const shownPage = z.strictObject({
  title: z.string(),
  links: z.array(z.strictObject({ id: z.string(), label: z.string() })),
})
const kept = shownPage.extend({ accountId: z.int() })

type Page = z.output<typeof kept>

const nameForm = /^[a-z0-9-]{1,40}$/
const answer = z.strictObject({ data: shownPage })
const noName = refuse('validation_failed', 'A name has 1 to 40 small letters, digits and hyphens.')
const taken = refuse('name_taken', 'Somebody else has a page of that name.', 409)
const notYours = refuse('validation_failed', 'Give links of your own.', 422, 'links')

export default definePlugin({
  feature: 'custom.linkInBio',
  label: 'Link in bio',
  group: 'Link',
  about: 'Show links of an account on a page of its own, at /bio/name.',
  scopes: ['bio:read', 'bio:write'],
  // A public page, made from what is stored under its name.
  mounts: {
    bio: {
      async handle({ path }, { store, links }) {
        const page = await readPage(store, path)
        const rows = page ? await linksOf(page, links) : []
        if (!page || rows.length === 0) return undefined
        return file('text/html; charset=utf-8', htmlOf(page.title, rows), 60)
      },
    },
  },
  // The dashboard's menu leads to a page that calls the endpoints below.
  site: {
    path: 'link-in-bio',
    label: 'Link in bio',
    folder: new URL('./link-in-bio/', import.meta.url),
  },
  endpoints: {
    'GET /bio/:name': endpoint({
      summary: 'Read a page of links',
      scope: 'bio:read',
      answer,
      // Makes `If-Match` work, so that two changes at once do not overwrite each other or take the same name.
      version: page => page,
      async handle({ caller, params: { name = '' } }, { store }) {
        const page = await readPage(store, name)
        return page?.accountId === caller.accountId ? { data: shown(page) } : undefined
      },
    }),
    'PATCH /bio/:name': endpoint({
      summary: 'Make or change a page of links',
      scope: 'bio:write',
      body: z.strictObject({
        title: line(100),
        links: z
          .array(z.strictObject({ id: z.string(), label: line(100) }))
          .min(1)
          .max(50),
      }),
      answer,
      async handle({ caller, params: { name = '' }, body }, { store, links }) {
        if (!nameForm.test(name)) return noName
        const before = await readPage(store, name)
        if (before && before.accountId !== caller.accountId) return taken
        for (const { id } of body.links) {
          if (!(await links.findOwn(caller, id))) return notYours
        }
        await store.set(name, { ...body, accountId: caller.accountId })
        return { data: body }
      },
    }),
    'DELETE /bio/:name': endpoint({
      summary: 'Delete a page of links',
      scope: 'bio:write',
      status: 204,
      async handle({ caller, params: { name = '' } }, { store }) {
        const page = await readPage(store, name)
        if (page?.accountId !== caller.accountId) return notFound
        await store.delete(name)
      },
    }),
  },
  jobs: {
    forgetEmpty: { label: 'Forget pages without links', every: '40 3 * * *', run: forgetEmpty },
  },
})

async function readPage(store: Store, name: string): Promise<Page | undefined> {
  return nameForm.test(name) ? kept.optional().parse(await store.get(name)) : undefined
}

function shown({ title, links }: Page) {
  return { title, links }
}

/** The links of a page that still exist. */
async function linksOf(page: Page, links: Links) {
  const found = await Promise.all(
    page.links.map(async ({ id, label }) => ({ label, link: await links.find(id) })),
  )
  return found.flatMap(({ label, link }) => (link ? [{ label, url: links.shortUrl(link) }] : []))
}

/** Links are deleted one by one, or with their account. Deletes pages that have no links left. */
async function forgetEmpty({ store, links }: Context): Promise<void> {
  let last: string | undefined
  do {
    const pages = await store.list('', last)
    for (const { key, value } of pages) {
      if ((await linksOf(kept.parse(value), links)).length === 0) await store.delete(key)
    }
    last = pages.at(-1)?.key
  } while (last !== undefined)
}

function htmlOf(title: string, links: readonly { label: string; url: string }[]): string {
  const items = links.map(({ label, url }) => `<li><a href="${safe(url)}">${safe(label)}</a></li>`)
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>${safe(title)}</title><style>body{font:1.1rem system-ui;max-width:30rem;margin:3rem auto}</style>
<h1>${safe(title)}</h1><ul>${items.join('')}</ul></html>`
}

function safe(text: string): string {
  return text.replace(/[<>&"]/g, letter => `&#${letter.charCodeAt(0)};`)
}
