import type { Context, KnownAccount, WholeLink } from '../../../core/plugin.ts'
import { baseUrlOf, nameOf, pagesOf } from './read-things.ts'

/** What an export has. */
export interface Export {
  /** Whose links. Gone through twice. */
  accounts(): AsyncIterable<readonly KnownAccount[]>
  /** Whether they are all accounts of the instance. */
  readonly isWhole: boolean
  /** Whether hashes of passwords are among it. */
  readonly withHashes: boolean
}

/** Raised when a reader of the former lines would read the new ones wrongly. */
const version = 1

/** All lines of an export, some at a time: `docs/export.md` describes each kind. */
export async function* exportLines(
  { accounts, isWhole, withHashes }: Export,
  context: Context,
): AsyncGenerator<string> {
  const { now } = context
  let count = 0
  const lines = (values: readonly Readonly<Record<string, unknown>>[]) => {
    count += values.length
    return values.map(it => `${JSON.stringify(it)}\n`).join('')
  }
  const of = isWhole ? 'instance' : 'account'
  yield lines([{ kind: 'export', version, at: now(), of, baseUrl: baseUrlOf(context) }])
  yield lines(hostsOf(null, null, context))
  for await (const page of accounts()) {
    for (const account of page) {
      yield lines(hostsOf(account.accountId, account.email, context))
      for await (const some of tagsAndCampaigns(account, context)) yield lines(some)
    }
  }
  for await (const page of accounts()) {
    for (const account of page) yield* linesOfLinks(account, { withHashes, lines }, context)
  }
  yield lines([{ kind: 'end', lines: count }])
}

/** The hosts of an account, or those of the instance. */
function hostsOf(accountId: number | null, owner: string | null, { unstable }: Context) {
  const custom = unstable.hosts.all().filter(it => it.accountId === accountId)
  const known = custom.map(({ name, rootUrl, notFoundUrl }) => ({ name, rootUrl, notFoundUrl }))
  const own = accountId === null ? [{ name: '', rootUrl: null, notFoundUrl: null }] : []
  return [...own, ...known].map(({ name, rootUrl, notFoundUrl }) => ({
    ...{ kind: 'host', host: name || null, owner, rootUrl, notFoundUrl },
    rules: unstable.codes.rulesOf(name),
  }))
}

async function* tagsAndCampaigns(
  { accountId, email: owner }: KnownAccount,
  context: Context,
): AsyncGenerator<readonly Readonly<Record<string, unknown>>[]> {
  for await (const tags of pagesOf(context, accountId, '/tags'))
    yield tags.map(({ name, color }) => ({ kind: 'tag', owner, name, color }))
  for await (const campaigns of pagesOf(context, accountId, '/campaigns')) {
    yield campaigns.map(it => ({
      ...{ kind: 'campaign', owner, name: it.name, color: it.color, description: it.description },
      ...{ startsAt: it.startsAt, endsAt: it.endsAt },
    }))
  }
}

async function* linesOfLinks(
  { accountId, email }: KnownAccount,
  {
    withHashes,
    lines,
  }: {
    readonly withHashes: boolean
    lines(values: readonly Readonly<Record<string, unknown>>[]): string
  },
  { unstable, signal }: Context,
): AsyncGenerator<string> {
  /** Lines that are written together. */
  let text = ''
  for await (const page of unstable.links.whole(accountId)) {
    const links = page.map(({ link }) => link)
    let next = 0
    // Each link stands before its visits, and those without any between them.
    const upTo = (id: string | undefined) => {
      const end = id === undefined ? page.length : links.findIndex(it => it.id === id) + 1
      const some = page.slice(next, Math.max(next, end))
      next += some.length
      return some.map(whole => lineOf(whole, { owner: email, withHashes }))
    }
    let of: string | undefined
    let part = 0
    for await (const { link, counts } of unstable.links.histories(links)) {
      signal.throwIfAborted()
      part = link.id === of ? part + 1 : 1
      of = link.id
      text += lines([...upTo(of), { kind: 'counts', link: of, part: `${part}`, counts }])
      if (text.length < writtenTogether) continue
      yield text
      text = ''
    }
    signal.throwIfAborted()
    text += lines(upTo(undefined))
    yield text
    text = ''
  }
}

/** In characters. */
const writtenTogether = 65_536

/** What a line says of a link beside its settable fields. Of `shown`, it has what it does not say elsewhere. */
function lineOf(
  { link, settable, shown, hashed, formerCodes }: WholeLink,
  { owner, withHashes }: { readonly owner: string; readonly withHashes: boolean },
) {
  const { id, createdAt, updatedAt, archived, tags, campaign, lastVisitAt, visits, ...others } =
    shown
  const said = new Set([...Object.keys(settable), ...elsewhere])
  const { shortCode: _, domain: __, ...fields } = settable
  const here = formerCodes.filter(it => it.domain === link.domain).map(it => it.code)
  const onOthers = formerCodes.filter(it => it.domain !== link.domain)
  return {
    kind: 'link',
    id,
    owner,
    host: link.domain || null,
    code: link.shortCode,
    formerCodes: here,
    ...(onOthers.length > 0 && {
      formerCodesElsewhere: onOthers.map(({ domain, code }) => ({ host: domain || null, code })),
    }),
    ...{ createdAt, updatedAt, isArchived: archived, visits, lastVisitAt },
    tags: Array.isArray(tags) ? tags.map(tag => nameOf(tag)) : [],
    campaign: nameOf(campaign ?? null),
    fields: { originalUrl: link.originalUrl, ...fields },
    ...(withHashes && { hashed }),
    shown: Object.fromEntries(
      Object.entries(others).filter(([name, value]) => value !== null && !said.has(name)),
    ),
  }
}

/** What has a place of its own in a line, under another name. */
const elsewhere = ['shortCode', 'domain', 'originalUrl', 'formerShortCodes']
