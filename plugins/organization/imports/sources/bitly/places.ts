import { readShortUrl, type ShortUrl } from '../../reading/short-url.ts'
import type { LinkItem } from '../../source.ts'

/** Hosts that belong to Bitly, and lead there for ever. */
const hosts: ReadonlySet<string> = new Set(['bit.ly', 'bitly.com', 'j.mp', 'on.bit.ly'])

/** Whether a host is one that only Bitly can have. */
export function isOfBitly(host: string): boolean {
  return hosts.has(host)
}

/** What is said of a link there. */
export function endsThere(shortUrl: string): string {
  return `“${shortUrl}” itself ends with Bitly, whose host it is.`
}

type Place = Pick<LinkItem, 'host' | 'code' | 'formerCodes'>

/**
 * Where a link of Bitly is, on each host of its own, the main one first: the last name that it got is its code, the others are former
 * codes. A link that is only on a host of Bitly keeps its code, on no host in particular.
 */
export function placesOf(
  id: string,
  names: readonly string[],
  changes: string[],
): readonly [Place, ...Place[]] {
  const all = [id, ...names].flatMap(it => readShortUrl(it) ?? []).filter(({ code }) => code !== '')
  const byHost = Map.groupBy(all, ({ host }) => (isOfBitly(host) ? null : host))
  const [last, ...others] = [...byHost].filter(([host]) => host !== null).reverse()
  const atBitly = byHost.get(null) ?? []
  for (const { host, code } of atBitly) changes.push(endsThere(`${host}/${code}`))
  return [placeOn(...(last ?? [null, atBitly])), ...others.map(it => placeOn(...it))]
}

function placeOn(host: string | null, all: readonly ShortUrl[]): Place {
  const codes = [...new Set(all.map(({ code }) => code))]
  const formerCodes = codes.slice(0, -1)
  return { host, code: codes.at(-1) ?? null, ...(formerCodes.length > 0 && { formerCodes }) }
}
