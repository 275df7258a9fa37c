/**
 * Where to go after signing in: always a path of this dashboard. An invalid value becomes undefined instead of
 * being left out, because the router would keep the original one otherwise.
 */
export function signInSearch({ next }: Record<string, unknown>): {
  readonly next?: string | undefined
} {
  return { next: typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : undefined }
}
