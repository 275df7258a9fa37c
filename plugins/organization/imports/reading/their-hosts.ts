import type { LinkItem } from '../source.ts'
import { quoted } from './texts.ts'

/** A service with hosts that nobody else can have. */
export interface Owner {
  readonly label: string
  isTheirs(host: string): boolean
}

/** The link without a host, if only the service can have that: its code is for a host of yours then. */
export function offTheirHost(item: LinkItem, owner: Owner): LinkItem {
  const { host, code, changes = [] } = item
  if (host === null || !owner.isTheirs(host)) return item
  return { ...item, host: null, changes: [...changes, endsThere(owner, `${host}/${code ?? ''}`)] }
}

/** What is said of a link on such a host. */
export function endsThere({ label }: Owner, shortUrl: string): string {
  return `${quoted(shortUrl)} itself ends with ${label}, whose host it is.`
}
