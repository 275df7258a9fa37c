import type { Context } from '../../../../core/plugin.ts'
import type { Options } from '../runs/options.ts'
import type { Run } from '../runs/run.ts'
import type { Host } from '../source.ts'
import { setPages } from './host-pages.ts'
import type { Report } from './report.ts'

/** Where links of a host of the source go: a host here, null for that of the base URL, or why they cannot come. */
export type Placed = { readonly domain: string | null } | { readonly problem: string }

/** Finds where links go. */
export type PlaceHost = (host: string | null, accountId: number) => Placed

export function placeHosts({ links, unstable }: Context, options: Options): PlaceHost {
  const { hosts, host: usual } = options
  const own = new URL(links.apiUrl('/')).host
  const isBase = (name: string) => {
    const base = new URL(links.mainUrl()).host
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

/** Takes over what a host has besides links, and says what has to be chosen here by hand. */
export async function noteHost(
  item: Host,
  placed: Placed,
  {
    run,
    context,
    report,
  }: {
    readonly run: Pick<Run, 'accountId' | 'isDry'>
    readonly context: Pick<Context, 'unstable'>
    readonly report: Pick<Report, 'add'>
  },
): Promise<void> {
  const { row, host, anyCase, rules } = item
  const name = host ?? 'The default host'
  const note = (sentence: string) => report.add({ outcome: 'note', place: row, sentence })
  if ('problem' in placed) return
  const domain = placed.domain ?? ''
  for (const sentence of await setPages(item, domain, run, context)) note(sentence)
  const here = context.unstable.codes.rulesOf(domain)
  const wants = rules ?? (anyCase ? { ...here, codes: 'any_case' as const } : here)
  if (wants.codes === 'any_case' && here.codes !== 'any_case') {
    note(
      `${name} takes codes in any case, and here codes have to be exact. Change the code rules of the host.`,
    )
  }
  if (wants.hyphens === 'ignored' && here.hyphens !== 'ignored') {
    note(`${name} ignores hyphens in codes. Change the code rules of the host.`)
  }
  if (wants.grammar === 'wide' && here.grammar !== 'wide') {
    note(
      `${name} has codes with slashes or other letters, which are refused here. Change the code rules of the host first.`,
    )
  }
}
