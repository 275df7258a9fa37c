import type { SignedIn } from '../../accounts/account.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import { inTransactionUnlessRefused, type Tx } from '../../storage/database.ts'
import { guardsOf } from '../follow/compile.ts'
import type { GivenFields } from '../hooks.ts'
import { type Link, readLink } from '../link.ts'
import { checkOriginalUrl } from '../original-url.ts'
import { insertLink } from './insert-link.ts'
import type { LinkDeps } from './link-deps.ts'

/** A link as a request asks for it, checked at the edge. */
export interface NewLink {
  readonly originalUrl: string
  readonly title: string | null
  readonly notes: string | null
  readonly archived: boolean
  /** Values for plugin fields. */
  readonly given: GivenFields
}

/**
 * Make a link; what is returned is durable. Refused: plan, quota, code taken, a plugin's no. What `note`
 * writes is written in the same transaction, and its refusal undoes all of it.
 */
export async function createLink(
  deps: LinkDeps,
  caller: SignedIn,
  wanted: NewLink,
  note: (tx: Tx, link: Link) => Promise<Refusal | undefined> = async () => undefined,
): Promise<Link | Refusal> {
  const { hooks, db, ownHosts } = deps
  const draft = await hooks.prepare(
    {
      kind: 'create',
      accountId: caller.accountId,
      link: undefined,
      domain: '',
      originalUrl: wanted.originalUrl,
      shortCode: undefined,
      given: wanted.given,
      before: {},
    },
    caller,
  )
  if (isRefusal(draft)) return draft
  const address = checkOriginalUrl(draft.originalUrl, ownHosts)
  if ('problem' in address) return refuse('validation_failed', address.problem, 422, 'originalUrl')

  const fields = await hooks.store({}, wanted.given, 'create')
  const { domain } = draft
  const unsaved = {
    id: '',
    rowId: 0,
    domain,
    shortCode: draft.shortCode ?? '',
    originalUrl: address.href,
  }
  const guardedBy = await guardsOf(hooks, unsaved, fields, caller.accountId)
  if (isRefusal(guardedBy)) return guardedBy

  const link = await inTransactionUnlessRefused(db, async tx => {
    const overQuota = await deps.countCreated(tx, caller)
    if (overQuota) return overQuota
    const at = deps.now().getTime()
    const unnamed = {
      account_id: caller.accountId,
      domain,
      original_url: address.href,
      title: wanted.title,
      notes: wanted.notes,
      archived: wanted.archived ? 1 : 0,
      fields: JSON.stringify(fields),
      guarded_by: JSON.stringify(guardedBy),
      version: 1,
      created_at: at,
      updated_at: at,
    }
    const row = await insertLink(tx, unnamed, draft.shortCode, deps.paths)
    if (isRefusal(row)) return row
    const saved = readLink(row)
    const kept = await hooks.save(tx, saved, wanted.given, 'create')
    return isRefusal(kept) ? kept : ((await note(tx, saved)) ?? saved)
  })

  if (!isRefusal(link)) hooks.announceCreated(link, caller.account.plan)
  return link
}
