import { queryOptions } from '@tanstack/react-query'
import { isProblem } from '../../../api/client/problem.ts'
import { type CodeState, maxCodesAtOnce, readCodeStates } from '../../../api/links/short-codes.ts'
import type { Draft } from './drafts.ts'

/** Short codes that are not available, by `codeKey`. */
export type Conflicts = ReadonlyMap<string, CodeState>

/** A short code with its host. */
export function codeKey({ said: { host = '', code = '' } }: Draft): string {
  return `${host}/${code}`
}

/** Which of the short codes in drafts are not available. */
export function conflictsQuery(drafts: readonly Draft[]) {
  const asking = drafts.filter(({ said, problem }) => said.code && !problem)
  return queryOptions({
    queryKey: ['short-codes', 'import', asking.map(codeKey)],
    queryFn: ({ signal }) => readConflicts(asking, signal),
    gcTime: 0,
  })
}

async function readConflicts(asking: readonly Draft[], signal: AbortSignal): Promise<Conflicts> {
  const conflicts = new Map<string, CodeState>()
  for (const host of new Set(asking.map(({ said }) => said.host))) {
    const drafts = asking.filter(({ said }) => said.host === host)
    for (let from = 0; from < drafts.length; from += maxCodesAtOnce) {
      const some = drafts.slice(from, from + maxCodesAtOnce)
      const codes = some.map(({ said }) => said.code ?? '')
      const states = await readCodeStates(codes, host, signal).catch(unlessHostIsWrong)
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
