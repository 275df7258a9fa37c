import type { Context } from '../../../../core/plugin.ts'
import type { Options } from '../runs/options.ts'
import type { Host } from '../source.ts'
import type { Report } from './report.ts'

/** Where links of a host of the source go: a host here, null for that of the base URL, or why they cannot come. */
export type Placed = { readonly domain: string | null } | { readonly problem: string }

/** Finds where links go. */
export type PlaceHost = (host: string | null, accountId: number) => Placed

export function placeHosts({ links, unstable }: Context, options: Options): PlaceHost {
  const { hosts, host: usual } = options
  const own = new URL(links.apiUrl('/')).host
  const isBase = (name: string) => {
    const base = new URL(links.shortUrl({ ...anyLink, domain: '' })).host
    return name === base || name === own
  }

  function find(name: string, accountId: number): Placed {
    if (isBase(name)) return { domain: null }
    const found = unstable.hosts.all().find(it => it.name === name.toLowerCase())
    const isOpen = found && (found.accountId === null || found.accountId === accountId)
    if (isOpen) return { domain: found.name }
    return {
      problem: `${name} is no domain of the account here. Add it and verify it, or say which host its links get instead.`,
    }
  }

  return (host, accountId) => {
    const mapped = host === null ? usual : Object.hasOwn(hosts, host) ? hosts[host] : host
    return mapped === null || mapped === undefined ? { domain: null } : find(mapped, accountId)
  }
}

const anyLink = { id: '', rowId: 0, accountId: 0, shortCode: 'a', originalUrl: '' }

/** Says what a host has in the source that has to be chosen here by hand. */
export function noteHost(
  { row, host, rootUrl, notFoundUrl, anyCase, rules }: Host,
  placed: Placed,
  { unstable: { codes } }: Context,
  report: Pick<Report, 'add'>,
): void {
  const name = host ?? 'The default host'
  const changed = (sentence: string) => report.add({ outcome: 'changed', place: row, sentence })
  if ('problem' in placed) return
  const domain = placed.domain ?? ''
  if (rootUrl)
    changed(`${name} leads to ${rootUrl} at its bare address. Set that here for the domain.`)
  if (notFoundUrl) {
    changed(`${name} leads to ${notFoundUrl} for unknown codes. Set that here for the domain.`)
  }
  const here = codes.rulesOf(domain)
  const wants = rules ?? (anyCase ? { ...here, codes: 'any_case' as const } : here)
  if (wants.codes === 'any_case' && here.codes !== 'any_case') {
    changed(
      `${name} takes codes in any case, and here codes have to be exact. Change the code rules of the host.`,
    )
  }
  if (wants.hyphens === 'ignored' && here.hyphens !== 'ignored') {
    changed(`${name} ignores hyphens in codes. Change the code rules of the host.`)
  }
  if (wants.grammar === 'wide' && here.grammar !== 'wide') {
    changed(
      `${name} has codes with slashes or other letters, which are refused here. Change the code rules of the host first.`,
    )
  }
}
