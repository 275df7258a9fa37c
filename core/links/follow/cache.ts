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
  const codes = new Map<number, readonly string[]>()
  let generation = 0

  function codesOf(rowId: number): readonly string[] {
    return codes.get(rowId) ?? []
  }

  function drop(code: string): void {
    const link = links.get(code)
    if (!link) return
    links.delete(code)
    const others = codesOf(link.tracked.id).filter(other => other !== code)
    if (others.length === 0) codes.delete(link.tracked.id)
    else codes.set(link.tracked.id, others)
  }

  function keep(code: string, link: CompiledLink): void {
    drop(code)
    const oldest = links.size >= max ? links.keys().next() : undefined
    if (oldest && !oldest.done) drop(oldest.value)
    links.set(code, link)
    codes.set(link.tracked.id, [...codesOf(link.tracked.id), code])
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
