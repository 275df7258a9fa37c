import { Resolver } from 'node:dns/promises'

/** The TXT records of a name, each whole; none when there is no such name. Throws when nobody answers. */
export type ResolveTxt = (name: string) => Promise<readonly string[]>

/** What a name server says when there is nothing: no failure. */
const nothing = new Set(['ENOTFOUND', 'ENODATA'])

/** Ask name servers, those of the system unless given; never on after the stop. */
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
