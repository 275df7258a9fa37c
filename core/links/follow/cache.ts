import type { CompiledLink } from './compile.ts'

/** Compiled links of one host by code, the ones followed lately. */
export interface CodeCache {
  get(code: string): CompiledLink | undefined
  /**
   * Call before reading a link; what it returns keeps the compiled link, unless anything was forgotten
   * meanwhile, for then it may be old.
   */
  prepare(): (code: string, link: CompiledLink) => void
}

/** Those of the base URL's host, and of every other. */
export interface LinkCache extends CodeCache {
  /** Those of another place where links are followed, by a name that no other place has. */
  on(place: string): CodeCache
  forget(rowId: number): void
  forgetAll(): void
  /** How many links are in it. */
  size(): number
}

/** Keep at most `max` links; the switch turns it off at run time. */
export function createLinkCache(isEnabled: () => boolean, max = 100_000): LinkCache {
  const links = new Map<string, CompiledLink>()
  /** By row: most links have one code, and of a hundred thousand a list for each would take 18 MiB. */
  const codes = new Map<number, string | readonly string[]>()
  let generation = 0

  function codesOf(rowId: number): readonly string[] {
    const known = codes.get(rowId) ?? []
    return typeof known === 'string' ? [known] : known
  }

  function keepCodes(rowId: number, all: readonly string[]): void {
    const [first, ...others] = all
    if (first === undefined) codes.delete(rowId)
    else codes.set(rowId, others.length === 0 ? first : all)
  }

  function drop(code: string): void {
    const link = links.get(code)
    if (!link) return
    links.delete(code)
    const { id } = link.tracked
    keepCodes(
      id,
      codesOf(id).filter(other => other !== code),
    )
  }

  function keep(code: string, link: CompiledLink): void {
    drop(code)
    const oldest = links.size >= max ? links.keys().next() : undefined
    if (oldest && !oldest.done) drop(oldest.value)
    links.set(code, link)
    const { id } = link.tracked
    keepCodes(id, [...codesOf(id), code])
  }

  const cache: LinkCache = {
    get: code => links.get(code),
    prepare() {
      const before = generation
      return (code, link) => {
        if (before === generation && isEnabled()) keep(code, link)
      }
    },
    on(place) {
      // No address of a request has a line break in it: none on the base URL's host is such a key.
      const keyOf = (code: string) => `${code}\n${place}`
      return {
        get: code => links.get(keyOf(code)),
        prepare() {
          const keepAs = cache.prepare()
          return (code, link) => keepAs(keyOf(code), link)
        },
      }
    },
    forget(rowId) {
      generation += 1
      for (const code of codesOf(rowId)) drop(code)
    },
    forgetAll() {
      generation += 1
      links.clear()
      codes.clear()
    },
    size: () => links.size,
  }
  return cache
}
