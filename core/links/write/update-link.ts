import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../accounts/account.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import { inCodeForm } from '../codes/wide-code.ts'
import type { GivenFields, LinkHooks } from '../hooks.ts'
import { fieldsText, type Link, readLink, type StoredFields } from '../link.ts'
import { renewLinkText } from '../link-text.ts'
import { checkOriginalUrl } from '../original-url.ts'
import { tellOfLinks } from '../tell-of-links.ts'
import { type LinkDeps, writeLinks } from './link-deps.ts'
import { refuseForm, refuseMany, refuseReserved, refuseTaken, takeCode } from './take-code.ts'

/** What a request changes about a link: absent fields stay, null clears. */
export interface LinkChange {
  readonly title?: string | null
  readonly notes?: string | null
  readonly archived?: boolean
  /** Values for plugin fields. */
  readonly given: GivenFields
}

/**
 * Change a link; `before` is the link as the caller knows it. A change that changes nothing makes no new
 * version. The link's former short URLs still lead to it, also those on another host. Refused, besides a
 * plugin's no: 412 if somebody changed it meanwhile.
 */
export async function updateLink(
  deps: LinkDeps,
  caller: SignedIn,
  before: Link,
  change: LinkChange,
): Promise<Link | Refusal> {
  const { hooks, cache } = deps
  const draft = await hooks.prepare(
    {
      kind: 'edit',
      attempt: 0,
      accountId: before.accountId,
      link: before,
      domain: before.domain,
      originalUrl: before.originalUrl,
      shortCode: before.shortCode,
      given: change.given,
      before: before.fields,
    },
    caller,
  )
  if (isRefusal(draft)) return draft
  const { domain } = draft
  const shortCode = draft.shortCode === undefined ? before.shortCode : inCodeForm(draft.shortCode)
  const hasOtherCode = shortCode !== before.shortCode || domain !== before.domain
  const unfit = hasOtherCode ? refuseForm(deps, domain, shortCode) : undefined
  if (unfit) return unfit
  // One that was allowed when it was saved does not keep people from changing the rest.
  const isChanged = draft.originalUrl !== before.originalUrl
  const address = isChanged
    ? checkOriginalUrl(draft.originalUrl, deps)
    : { href: before.originalUrl }
  if ('problem' in address) return refuse('validation_failed', address.problem, 422, 'originalUrl')

  const fields = await hooks.store(before.fields, change.given, 'edit', before.accountId)
  if (isRefusal(fields)) return fields
  const text = fieldsText(fields)
  if (isRefusal(text)) return text
  const after = {
    ...before,
    domain,
    shortCode,
    originalUrl: address.href,
    title: change.title === undefined ? before.title : change.title,
    notes: change.notes === undefined ? before.notes : change.notes,
    archived: change.archived ?? before.archived,
    fields,
  }
  const guardedBy = guardsAfter(hooks, before, after.fields)
  const isSame = isDeepStrictEqual({ ...after, guardedBy }, before)
  let changed = changedBy(before, after)

  const link = await writeLinks(deps, async tx => {
    const kept = await hooks.save(tx, after, change.given, 'edit')
    if (isRefusal(kept)) return kept
    if (isSame && kept.changed.length === 0) return before
    changed = [...changed, ...kept.changed]
    const at = deps.now().getTime()
    if (hasOtherCode) {
      const { accountId: account_id, rowId: link_id } = before
      const reserved = refuseReserved(domain, shortCode, deps.paths)
      if (reserved) return reserved
      const wanted = { domain, code: shortCode, link_id, account_id, created_at: at }
      if (!(await takeCode(tx, wanted))) return refuseTaken(domain, shortCode)
      const many = await refuseMany(tx, link_id)
      if (many) return many
    }
    const row = await tx
      .updateTable('links')
      .set({
        domain,
        short_code: shortCode,
        original_url: after.originalUrl,
        title: after.title,
        notes: after.notes,
        archived: after.archived ? 1 : 0,
        fields: text,
        guarded_by: JSON.stringify(guardedBy),
        version: before.version + 1,
        updated_at: at,
      })
      .where('id', '=', before.rowId)
      .where('version', '=', before.version)
      .returningAll()
      .executeTakeFirst()
    if (!row) return staleLink()
    const saved = readLink(row)
    if (searched.some(name => saved[name] !== before[name])) await renewLinkText(tx, saved)
    await tellOfLinks(tx, deps, [{ before, after: saved, changed, kept }])
    await deps.trial?.look(tx, [saved])
    return saved
  })

  if (!isRefusal(link) && link !== before) {
    cache.forget(before.rowId)
    hooks.announceUpdated(link, changed)
  }
  return link
}

/** The names of members and fields whose values differ. */
function changedBy(before: Link, after: Link): readonly string[] {
  const features = Object.keys({ ...before.fields, ...after.fields })
  const fields = features.flatMap(feature => {
    const [old, now] = [before.fields[feature], after.fields[feature]]
    return Object.keys({ ...old, ...now }).filter(key => !isDeepStrictEqual(old?.[key], now?.[key]))
  })
  return [...plain.filter(name => after[name] !== before[name]), ...fields]
}

const plain = ['domain', 'shortCode', 'originalUrl', 'title', 'notes', 'archived'] as const

const searched = ['shortCode', 'originalUrl', 'title', 'notes'] as const

/** What was guarded for another reason than its fields stays guarded, and what a plugin guards that is off. */
function guardsAfter(hooks: LinkHooks, before: Link, fields: StoredFields): readonly string[] {
  const byFields = hooks.guardsFor(before.fields)
  const stays = before.guardedBy.filter(feature => !byFields.includes(feature))
  return [...new Set([...hooks.guardsFor(fields), ...stays])]
}

/** Somebody else was faster. */
function staleLink(): Refusal {
  return refuse(
    'stale',
    'The link was changed in the meantime. Read it again, then repeat your change.',
    412,
  )
}
