import { type Context, isRefusal } from '../../../../core/plugin.ts'
import type { Key } from '../source.ts'
import type { FindOwner } from './owners.ts'
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
    find,
    report,
    isOn,
    isDry,
  }: {
    readonly context: Context
    readonly find: FindOwner
    readonly report: Report
    readonly isOn: boolean
    readonly isDry: boolean
  },
): Promise<void> {
  const refused = (sentence: string) => report.add({ outcome: 'refused', place, sentence })
  if (!isOn) return refused(`The API key ${name} was left out: choose that keys come, too.`)
  if (expiresAt !== null && expiresAt <= context.now())
    return refused(`The API key ${name} has expired.`)
  if (isDry) return
  const { accountId } = await find(owner)
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
      return refused(`The API key ${name} could not come: ${adopted.detail}`)
  }
}
