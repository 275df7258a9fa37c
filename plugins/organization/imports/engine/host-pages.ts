import type { Context, Json } from '../../../../core/plugin.ts'
import type { Run } from '../runs/run.ts'
import type { Host } from '../source.ts'
import { detailOf } from './named.ts'

const kinds = [
  ['rootUrl', 'at its bare address'],
  ['notFoundUrl', 'for unknown codes'],
] as const

/**
 * Lets a domain of the account lead where the host led in the source besides its links, unless something else was chosen for it.
 * Those of the instance are for admins, whom no import acts for. Returns what happened, as sentences.
 */
export async function setPages(
  host: Host,
  domain: string,
  { accountId, isDry }: Pick<Run, 'accountId' | 'isDry'>,
  { unstable }: Pick<Context, 'unstable'>,
): Promise<readonly string[]> {
  const wanted = kinds.flatMap(([kind, where]) => {
    const url = host[kind]
    return url ? [{ kind, url, where }] : []
  })
  if (wanted.length === 0) return []
  const own = domain === '' ? undefined : await findDomain(domain, accountId, unstable)
  const sentences: string[] = []
  for (const { kind, url, where } of wanted) {
    const led = `${host.host ?? 'The default host'} led to ${url} ${where}`
    if (!own) {
      const page = domain === '' ? 'Front page' : 'Shared domains'
      sentences.push(`${led}. An admin can choose that on the page ${page}.`)
    } else if (typeof own[kind] !== 'string') {
      const changed = isDry
        ? undefined
        : await unstable.callApi(accountId, 'PATCH', `/domains/${own.id}`, { [kind]: url })
      const isDone = changed === undefined || changed.status === 200
      sentences.push(
        isDone ? `${led}, and does so here.` : `${led}, and cannot here: ${detailOf(changed)}`,
      )
    } else if (own[kind] !== url) {
      sentences.push(`${led}. Something else was chosen here, which stays.`)
    }
  }
  return sentences
}

type Listed = Readonly<Record<string, Json>>

/** A domain of the account. */
async function findDomain(
  domain: string,
  accountId: number,
  { callApi }: Context['unstable'],
): Promise<Listed | undefined> {
  for (let page = 1; ; page += 1) {
    const { body } = await callApi(accountId, 'GET', `/domains?per_page=100&page=${page}`)
    const { data } = (body ?? {}) as { readonly data?: readonly Listed[] }
    const found = data?.find(it => it.host === domain)
    if (found || !data || data.length < 100) return found
  }
}
