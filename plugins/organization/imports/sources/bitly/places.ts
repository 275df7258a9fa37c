import { readShortUrl, type ShortUrl } from '../../reading/short-url.ts'
import { endsThere, type Owner } from '../../reading/their-hosts.ts'
import type { LinkItem } from '../../source.ts'

const hosts: ReadonlySet<string> = new Set(['bit.ly', 'bitly.com', 'j.mp', 'on.bit.ly'])

export const owner: Owner = { label: 'Bitly', isTheirs: host => hosts.has(host) }

type Codes = Pick<LinkItem, 'host' | 'code' | 'formerCodes'>

/**
 * Where a link of Bitly is, on each host of its own, the main one first: the last name that it got is its code, the others are former
 * codes. A link that is only on a host of Bitly keeps its code, on no host in particular.
 */
export function placesOf(
  id: string,
  names: readonly string[],
  changes: string[],
): readonly [Codes, ...Codes[]] {
  const all = [id, ...names].flatMap(it => readShortUrl(it) ?? []).filter(({ code }) => code !== '')
  const byHost = Map.groupBy(all, ({ host }) => (owner.isTheirs(host) ? null : host))
  const [last, ...others] = [...byHost].filter(([host]) => host !== null).reverse()
  const atBitly = byHost.get(null) ?? []
  for (const { host, code } of atBitly) changes.push(endsThere(owner, `${host}/${code}`))
  return [placeOn(...(last ?? [null, atBitly])), ...others.map(it => placeOn(...it))]
}

function placeOn(host: string | null, all: readonly ShortUrl[]): Codes {
  const codes = [...new Set(all.map(({ code }) => code))]
  const formerCodes = codes.slice(0, -1)
  return { host, code: codes.at(-1) ?? '', ...(formerCodes.length > 0 && { formerCodes }) }
}
