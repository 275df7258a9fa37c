import { type Context, isRefusal } from '../../../../core/plugin.ts'
import type { Run } from '../runs/run.ts'
import type { Key } from '../source.ts'
import type { Report } from './report.ts'

/** What keys of others open: links, their tags and hosts, and sums of visits. */
const writing = ['links:write', 'tags:write', 'domains:read', 'analytics:read']
const reading = ['links:read', 'tags:read', 'domains:read', 'analytics:read']
/** A plugin that is off has no scopes: what to leave out then, in turn. */
const leftOut = [/^$/, /^domains:/, /^tags:/, /^(domains|tags):/]

/** Lets a key of the source go on to work here, or says why not. */
export async function adoptKey(
  { row: place, name, sha256, owner, readsOnly, tellsOwner, expiresAt = null }: Key,
  {
    context,
    run,
    report,
  }: {
    readonly context: Context
    readonly run: Run
    readonly report: Report
  },
): Promise<void> {
  const leave = (sentence: string) => report.add({ outcome: 'note', place, sentence })
  if (!run.options.keys)
    return leave(`The API key ${name} was left out: choose that keys come, too.`)
  if (expiresAt !== null && expiresAt <= context.now())
    return leave(`The API key ${name} has expired.`)
  const accountId = await accountOf(owner, run, context)
  if (accountId === undefined) {
    const where = run.options.byOwner ? 'here' : 'to which this import goes'
    const why = owner ? `${owner} has no account ${where}` : 'its owner has no e-mail address'
    return leave(`The API key ${name} was left out: ${why}.`)
  }
  if (run.isDry) return
  const all = [...(readsOnly ? reading : writing), ...(tellsOwner ? ['profile:read'] : [])]
  for (const without of leftOut) {
    const adopted = await context.unstable.tokens.adopt(accountId, {
      name: name.slice(0, 100),
      sha256,
      scopes: all.filter(scope => !without.test(scope)),
      expiresAt,
    })
    if (!isRefusal(adopted)) return
    if (adopted.field !== 'scopes')
      return leave(`The API key ${name} could not come: ${adopted.detail}`)
  }
}

/**
 * The account that a key may open: that of its owner alone, since whoever has it there would get what others have here. One without an
 * owner is of the whole source, and opens what comes of it.
 */
async function accountOf(
  owner: string | null | undefined,
  { accountId, options }: Run,
  { unstable }: Context,
): Promise<number | undefined> {
  if (owner === undefined) return accountId
  const account = owner ? await unstable.accounts.byEmail(owner) : undefined
  return account?.accountId === accountId || options.byOwner ? account?.accountId : undefined
}
