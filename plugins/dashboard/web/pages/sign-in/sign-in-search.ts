/**
 * Where to go after signing in: only ever a path of this dashboard. What makes no sense is undefined and not
 * left out, or the router would keep it as it came.
 */
export function signInSearch({ next }: Record<string, unknown>): {
  readonly next?: string | undefined
} {
  return { next: typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : undefined }
}
