import { queryOptions } from '@tanstack/react-query'
import { isProblem } from '../../../api/client/problem.ts'
import { type CodeState, maxCodesAtOnce, readCodeStates } from '../../../api/links/short-codes.ts'
import type { Draft } from './drafts.ts'

/** Short codes that are not available, by `codeKey`. */
export type Conflicts = ReadonlyMap<string, CodeState>

/** A short code with its host. */
export function codeKey({ said: { domain = '', short_code = '' } }: Draft): string {
  return `${domain}/${short_code}`
}

/** Which of the short codes in drafts are not available. */
export function conflictsQuery(drafts: readonly Draft[]) {
  const asking = drafts.filter(({ said, problem }) => said.short_code && !problem)
  return queryOptions({
    queryKey: ['short-codes', 'import', asking.map(codeKey)],
    queryFn: ({ signal }) => readConflicts(asking, signal),
    gcTime: 0,
  })
}

async function readConflicts(asking: readonly Draft[], signal: AbortSignal): Promise<Conflicts> {
  const conflicts = new Map<string, CodeState>()
  for (const domain of new Set(asking.map(({ said }) => said.domain))) {
    const drafts = asking.filter(({ said }) => said.domain === domain)
    for (let from = 0; from < drafts.length; from += maxCodesAtOnce) {
      const some = drafts.slice(from, from + maxCodesAtOnce)
      const codes = some.map(({ said }) => said.short_code ?? '')
      const states = await readCodeStates(codes, domain, signal).catch(unlessHostIsWrong)
      for (const [index, draft] of some.entries()) {
        const state = states[index]
        if (state && !state.isFree) conflicts.set(codeKey(draft), state)
      }
    }
  }
  return conflicts
}

/** On a host that cannot have links nothing conflicts: each of these links is refused with its reason later. */
function unlessHostIsWrong(error: unknown): readonly CodeState[] {
  if (isProblem(error, 'validation_failed')) return []
  throw error
}
