import { type Context, isRefusal } from '../../../../core/plugin.ts'
import type { Key } from '../source.ts'
import type { FindOwner } from './owners.ts'
import type { Report } from './report.ts'

const reading = ['links:read', 'analytics:read']

/** Lets a key of the source go on to work here, or says why not. */
export async function adoptKey(
  { row: place, name, sha256, owner, readsOnly, expiresAt = null }: Key,
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
  const scopes = readsOnly ? reading : ['links:write', ...reading]
  const adopted = await context.unstable.tokens.adopt(accountId, {
    name: name.slice(0, 100),
    sha256,
    scopes,
    expiresAt,
  })
  if (isRefusal(adopted)) refused(`The API key ${name} could not come: ${adopted.detail}`)
}
