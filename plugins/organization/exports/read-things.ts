import { type Context, type Json, z } from '../../../core/plugin.ts'

/** A thing as the API shows it. */
type Shown = Readonly<Record<string, Json>>

const list = z.object({
  data: z.array(z.record(z.string(), z.json())),
  meta: z.object({ nextCursor: z.string().nullable() }),
})

/** The things of an account at a path of the API, such as its tags, a page at a time; none if there is no such path. */
export async function* pagesOf(
  { unstable }: Context,
  accountId: number,
  path: string,
): AsyncGenerator<readonly Shown[]> {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const asked = `${path}?per_page=100${cursor && `&cursor=${cursor}`}`
    const { status, body } = await unstable.callApi(accountId, 'GET', asked)
    if (status === 404) return
    const { success, data: read } = list.safeParse(body)
    if (!success) throw new Error(`${path} could not be read: it answered ${status}.`)
    yield read.data
    cursor = read.meta.nextCursor
  }
}

function isRecord(value: Json): value is Shown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The name of a thing that is shown with a link; null if there is none. */
export function nameOf(thing: Json): string | null {
  return isRecord(thing) && typeof thing.name === 'string' ? thing.name : null
}

/** The origin of short URLs that are on no domain of an account. */
export function baseUrlOf({ links }: Pick<Context, 'links'>): string {
  return new URL(links.mainUrl()).origin
}
