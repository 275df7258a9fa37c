import { codesTexts } from '../../../texts/link-form.ts'
import type { Draft, Said } from './drafts.ts'
import { type Conflicts, codeKey } from './read-conflicts.ts'

/** What to do with a row whose short code is not available: skip it, or give it another code. */
export type OnConflict = 'skip' | 'other'

/** A row as it will be sent, or why it will not be. */
export interface Planned {
  readonly draft: Draft
  readonly said: Said
  readonly problem: string | undefined
  /** The requested short code, if the link gets another one. */
  readonly instead: string | undefined
}

/** What to do with each row. */
export function planOf(
  drafts: readonly Draft[],
  conflicts: Conflicts,
  onConflict: OnConflict,
): readonly Planned[] {
  const given = new Set(drafts.filter(it => !it.problem).map(codeKey))
  return drafts.map(draft => {
    const { said, problem } = draft
    const conflict = problem ? undefined : conflicts.get(codeKey(draft))
    if (!conflict?.reason) return { draft, said, problem, instead: undefined }
    if (onConflict === 'skip') {
      return { draft, said, problem: codesTexts[conflict.reason], instead: undefined }
    }
    const { code: instead, ...others } = said
    const other = { ...others, ...(conflict.suggestion && { code: conflict.suggestion }) }
    // If an earlier row has been given the same code, this one gets a random code.
    const isGiven = given.has(codeKey({ ...draft, said: other }))
    given.add(codeKey({ ...draft, said: other }))
    return { draft, said: isGiven ? others : other, problem: undefined, instead }
  })
}
