import { type Linnet, List, NotFoundError, type Page } from '../client/linnet.ts'
import { UserError } from '../core/lib/user-error.ts'

/** How Linnet writes ids: what kind of thing it is, then letters. */
const id = /^[a-z]{3}_[A-Za-z0-9]{6,}$/

/** By what people call things, in the order in which it is looked at. */
const names = ['name', 'host', 'email', 'slug', 'url', 'label'] as const

type Thing = Readonly<Record<string, unknown>>

/** The id of what somebody typed: an id itself, the short code or short URL of a link, or the name of anything else. */
export async function idOf(linnet: Linnet, list: string, typed: string): Promise<string> {
  if (list === '/links') return idOfLink(linnet, typed)
  if (id.test(typed)) return typed
  const same = (name: unknown) => `${name}`.toLowerCase() === typed.toLowerCase()
  const found: Thing[] = []
  for await (const thing of allOf(linnet, list)) {
    if (thing.id === typed) return typed
    if (names.some(name => same(thing[name]))) found.push(thing)
  }
  const [first, second] = found
  const kind = list.replace(/.*\//, '').replaceAll('-', ' ')
  if (first === undefined) throw new UserError(`There is no ${typed} among the ${kind}.`)
  if (second === undefined) return `${first.id}`
  const ids = found.map(thing => thing.id).join(', ')
  throw new UserError(`Several of the ${kind} are called ${typed}: name one by its id: ${ids}`)
}

const onlyPage = { currentPage: 1, perPage: 0, total: 0, lastPage: 1, nextCursor: null }

/** All of a list, also of one that comes whole: that takes no size of a page. */
function allOf(linnet: Linnet, list: string): List<Thing> {
  return new List({}, async asked => {
    const query = 'cursor' in asked ? asked : {}
    const page = await linnet.request<Pick<Page<Thing>, 'data'> & Partial<Page<Thing>>>(
      `GET /${list.slice(1)}`,
      { query },
    )
    return { data: page.data, meta: { ...onlyPage, ...page.meta } }
  })
}

/** A short code is looked up even if it looks like an id, because it is what people see. */
async function idOfLink(linnet: Linnet, typed: string): Promise<string> {
  if (/^lnk_/.test(typed)) return typed
  const [, host, code] = /^(?:https?:\/\/)?([^/]*[.:][^/]*|localhost)\/(.+)$/.exec(typed) ?? []
  const query =
    host === undefined || code === undefined
      ? { short_code: typed }
      : { short_code: decodeURI(code), domain: host }
  try {
    const { data } = await linnet.request<{ data: { id: string } }>('GET /links/lookup', { query })
    return data.id
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    throw new UserError(
      `You have no link ${typed}. Look for it: linnet links list --search ${typed}`,
    )
  }
}
