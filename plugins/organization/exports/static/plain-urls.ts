import type { Context, KnownAccount, WholeLink } from '../../../../core/plugin.ts'
import { baseUrlOf } from '../read-things.ts'
import type { PlainUrl } from './format.ts'

/** A link that is left out. */
export interface LeftOut {
  readonly shortUrl: string
  /** The end of a sentence that begins with `Left out, because`. */
  readonly because: string
}

/** What of these features keeps a link from leading everybody to one address. */
const reasons: Readonly<Record<string, string>> = {
  'link.passwordProtection': 'it asks for a password',
  'link.linkExpiration': 'it has dates, or a limit of visits',
  'link.dynamicRouting': 'it has routing rules',
  'link.queryForwarding': 'it passes the query on',
  'link.confirmation': 'it has a page before leaving',
  'link.paths': 'it takes paths after its code',
  'link.urlScanning': 'its address is blocked',
}

/** With this, a link chooses its status, and still leads everybody alike. */
const alike = 'link.redirectStatus'

/** The links of accounts, some at a time: all short URLs of those that lead plainly, and why the others do not. */
export async function* plainUrls(
  {
    accounts,
    status,
  }: { readonly accounts: AsyncIterable<readonly KnownAccount[]>; readonly status: number },
  context: Context,
): AsyncGenerator<readonly (PlainUrl | LeftOut)[]> {
  const { unstable, links, signal } = context
  const base = new URL(baseUrlOf(context)).host
  const inUse = new Set(['', ...unstable.hosts.all().map(({ name }) => name)])
  for await (const page of accounts) {
    for (const { accountId } of page) {
      for await (const some of unstable.links.whole(accountId)) {
        signal.throwIfAborted()
        const parts = await unstable.links.partsOf(some.map(({ link }) => link))
        yield some.flatMap(whole => {
          const { link } = whole
          const { guards = [], targets = [] } = parts.get(link.rowId) ?? {}
          const [feature] = [...guards, ...targets].filter(it => it !== alike)
          const because =
            feature !== undefined ? (reasons[feature] ?? `${feature} acts on it`) : undefined
          return because !== undefined
            ? [{ shortUrl: links.shortUrl(link), because }]
            : [...urlsOf(whole, { base, inUse, status: statusOf(whole, status) })]
        })
      }
    }
  }
}

function* urlsOf(
  { link, formerCodes }: WholeLink,
  {
    base,
    inUse,
    status,
  }: { readonly base: string; readonly inUse: ReadonlySet<string>; readonly status: number },
): Generator<PlainUrl | LeftOut> {
  for (const { domain, code } of [{ domain: link.domain, code: link.shortCode }, ...formerCodes]) {
    const host = domain || base
    if (inUse.has(domain)) yield { host, path: `/${code}`, url: link.originalUrl, status }
    else yield { shortUrl: `https://${host}/${code}`, because: 'its domain is not in use' }
  }
}

function statusOf({ settable: { redirectStatus } }: WholeLink, usual: number): number {
  return typeof redirectStatus === 'number' ? redirectStatus : usual
}
