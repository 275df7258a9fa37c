import type { Import } from '../../../api/links/imports.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { moveInTexts } from '../../../texts/many.ts'

/** How far an import is, in a word or two. */
export function stateOf({ state, isDry }: Pick<Import, 'state' | 'isDry'>): string {
  if (state === 'running') return isDry ? moveInTexts.trying : moveInTexts.running
  if (state === 'done') return isDry ? moveInTexts.tried : moveInTexts.done
  return moveInTexts.states[state]
}

/** What came of it so far, or would. */
export function sumsOf({ isDry, progress }: Pick<Import, 'isDry' | 'progress'>): string {
  const [made, changed, kept, refused, visits] = [
    progress.made,
    progress.changed,
    progress.kept,
    progress.refused,
    progress.visits,
  ].map(formatNumber) as [string, string, string, string, string]
  const said = isDry ? moveInTexts.wouldCome : moveInTexts.came
  return `${said(made, changed, kept, refused)} ${moveInTexts.visits(visits)}`
}
