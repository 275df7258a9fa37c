import { Resolver } from 'node:dns/promises'

/** The TXT records of a name, each joined to one text; none if there is no such name. Throws if no server answers. */
export type ResolveTxt = (name: string) => Promise<readonly string[]>

/** What a name server answers when it has nothing; this is not a failure. */
const nothing = new Set(['ENOTFOUND', 'ENODATA'])

/** Asks the name servers of the system, unless a resolver is given. Cancels all queries when `signal` aborts. */
export function createResolveTxt(
  signal: AbortSignal,
  resolver = new Resolver({ timeout: 2_000, tries: 2 }),
): ResolveTxt {
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  return async name => {
    try {
      const records = await resolver.resolveTxt(name)
      return records.map(parts => parts.join(''))
    } catch (error) {
      if (error instanceof Error && 'code' in error && nothing.has(String(error.code))) return []
      throw error
    }
  }
}
