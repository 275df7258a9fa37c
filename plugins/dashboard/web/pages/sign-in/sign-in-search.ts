/**
 * Where to go after signing in: always a path of this dashboard. And the code of the problem with which a provider sent
 * somebody back. An invalid value becomes undefined instead of being left out, because the router would keep the original
 * one otherwise.
 */
export function signInSearch({ next, problem }: Record<string, unknown>): {
  readonly next?: string | undefined
  readonly problem?: string | undefined
} {
  const isPath = typeof next === 'string' && /^\/(?![/\\])/.test(next)
  const isCode = typeof problem === 'string' && /^[a-z][a-z0-9_]{0,49}$/.test(problem)
  return {
    // Who was away at a provider comes back with the whole path.
    next: isPath ? next.replace(/^\/dashboard(?=\/(?![/\\])|$)/, '') || '/' : undefined,
    problem: isCode ? problem : undefined,
  }
}
