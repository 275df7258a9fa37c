import type { Context, Json } from '../../../core/plugin.ts'

/** A thing as the API shows it. */
type Shown = Readonly<Record<string, Json>>

/** All things of an account at a path of the API, such as its tags; none if there is no such path. */
export async function listAll(
  { unstable }: Context,
  accountId: number,
  path: string,
): Promise<readonly Shown[]> {
  const found: Shown[] = []
  for (let page = 1; ; page += 1) {
    const { status, body } = await unstable.callApi(
      accountId,
      'GET',
      `${path}?per_page=100&page=${page}`,
    )
    if (status === 404) return []
    const things = status === 200 && isRecord(body ?? null) ? (body as Shown).data : undefined
    if (!Array.isArray(things)) throw new Error(`${path} could not be read: it answered ${status}.`)
    found.push(...things.filter(isRecord))
    if (things.length < 100) return found
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
