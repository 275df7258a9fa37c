import type { SignedIn } from '../../accounts/account.ts'
import { batchConcurrent } from '../../lib/async/batch-concurrent.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import { currentActor } from '../../storage/acting.ts'
import { pace } from '../../storage/database-kind.ts'
import { inCodeForm } from '../codes/wide-code.ts'
import type { GivenFields } from '../hooks.ts'
import { fieldsText } from '../link.ts'
import { checkOriginalUrl } from '../original-url.ts'
import type { LinkDeps } from './link-deps.ts'
import { type MadeOrFound, saveUnlessThere } from './reuse-link.ts'
import {
  type CheckedLink,
  type OnVisible,
  type Past,
  type SaveWithLink,
  saveLinks,
} from './save-links.ts'
import { refuseForm } from './take-code.ts'

/** A link as a request asks for it, already validated. */
export interface NewLink {
  readonly originalUrl: string
  readonly title: string | null
  readonly notes: string | null
  readonly archived: boolean
  /** Values for plugin fields. */
  readonly given: GivenFields
  /** What it brings from elsewhere. */
  readonly past: Past
  /** Whether a link that is the same will do. */
  readonly reuse?: boolean | undefined
}

/**
 * Create a link; a link that is returned is durable. Refused: by the plan, by the quota, because the code is
 * taken, or by a plugin. What `saveWithLink` writes is part of the same transaction, and its refusal undoes all
 * of it.
 */
export type CreateLink = (
  caller: SignedIn,
  wanted: NewLink,
  saveWithLink: SaveWithLink,
) => Promise<MadeOrFound | Refusal>

export function linkCreation(deps: LinkDeps, onVisible: OnVisible): CreateLink {
  const save = batchConcurrent({
    ...pace(deps.db),
    // What is only tried is saved alone.
    ...(deps.trial && { atMost: 1, inTurn: false }),
    keyOf: ({ caller }: CheckedLink) => caller.accountId,
    work: links => saveLinks(deps, links, onVisible),
  })
  return async (caller, wanted, saveWithLink) => {
    const actor = currentActor()
    const isChosen = typeof wanted.given.shortCode === 'string'
    for (let attempt = 1; ; attempt++) {
      const checked = await check(deps, caller, wanted, attempt - 1)
      if (isRefusal(checked)) return checked
      const saveAs = async (shortCode: string | undefined) => {
        const whole = { ...checked, ...wanted, shortCode, caller, saveWithLink, actor }
        if (wanted.reuse) return saveUnlessThere(deps, whole, onVisible)
        const link = await save(whole)
        return isRefusal(link) ? link : { link, isNew: true }
      }
      let saved = await saveAs(checked.shortCode)
      const isTaken = isRefusal(saved) && isOfCode(saved) && !isChosen
      if (isTaken && attempt < maxAttempts) continue
      // Better a link with a random code than none.
      if (isTaken) saved = await saveAs(undefined)
      if (!isRefusal(saved) && saved.isNew) {
        deps.hooks.announceCreated(saved.link, caller.account.plan)
      }
      return saved
    }
  }
}

function isOfCode({ code, field }: Refusal): boolean {
  return code === 'short_code_taken' && field === 'shortCode'
}

/** How many short codes plugins may make up for a link, one after another, because all before were taken. */
const maxAttempts = 8

/** Ask the plugins about a link before it is saved. */
async function check(
  deps: LinkDeps,
  caller: SignedIn,
  { originalUrl, title, notes, archived, given, past: { hashed = {} } }: NewLink,
  attempt: number,
): Promise<Pick<CheckedLink, 'row' | 'shortCode'> | Refusal> {
  const { hooks } = deps
  const { accountId } = caller
  const draft = await hooks.prepare(
    {
      kind: 'create',
      attempt,
      accountId,
      link: undefined,
      domain: '',
      originalUrl,
      shortCode: undefined,
      given,
      before: {},
    },
    caller,
  )
  if (isRefusal(draft)) return draft
  const shortCode = draft.shortCode === undefined ? undefined : inCodeForm(draft.shortCode)
  const unfit = shortCode === undefined ? undefined : refuseForm(deps, draft.domain, shortCode)
  if (unfit) return unfit
  const isChanged = draft.originalUrl !== originalUrl
  const address = isChanged ? checkOriginalUrl(draft.originalUrl, deps) : { href: originalUrl }
  if ('problem' in address) return refuse('validation_failed', address.problem, 422, 'originalUrl')

  const stored = await hooks.store({}, given, 'create', accountId)
  if (isRefusal(stored)) return stored
  const fields = await hooks.keepHashed(stored, hashed, caller)
  if (isRefusal(fields)) return fields
  const text = fieldsText(fields)
  if (isRefusal(text)) return text
  return {
    shortCode,
    row: {
      account_id: accountId,
      domain: draft.domain,
      original_url: address.href,
      title,
      notes,
      archived: archived ? 1 : 0,
      fields: text,
      guarded_by: JSON.stringify(hooks.guardsFor(fields)),
      version: 1,
    },
  }
}
