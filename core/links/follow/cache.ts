import { memoryShares } from '../../lib/memory/memory-shares.ts'
import type { CompiledLink } from './compile.ts'

/** The compiled links of one host that were followed lately, by code. */
export interface CodeCache {
  get(code: string): CompiledLink | undefined
  /**
   * Call before reading a link. The function it returns keeps the compiled link, unless anything was forgotten
   * meanwhile: the link may then be out of date.
   */
  prepare(): (code: string, link: CompiledLink) => void
}

/** The links on the host of the base URL, and those on every other host. */
export interface LinkCache extends CodeCache {
  /** The links of another place where links are followed. The name of each place must be unique. */
  on(place: string): CodeCache
  forget(rowId: number): void
  forgetAll(): void
  /** How many links are in it. */
  size(): number
}

/** Keeps at most `max` links of usual size. While `isEnabled` returns false, no more links are kept. */
export function createLinkCache(isEnabled: () => boolean, max = memoryShares.links): LinkCache {
  const links = new Map<string, CompiledLink>()
  /** By row. Most links have one code, and a list for each of a hundred thousand links would take 18 MiB. */
  const codes = new Map<number, string | readonly string[]>()
  let generation = 0
  let size = 0

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
    size -= link.size
    const { id } = link.tracked
    keepCodes(
      id,
      codesOf(id).filter(other => other !== code),
    )
  }

  function keep(code: string, link: CompiledLink): void {
    drop(code)
    for (const oldest of links.keys()) {
      if (size + link.size <= max) break
      drop(oldest)
    }
    links.set(code, link)
    size += link.size
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
      // The path of a request has no line break, so no path on the host of the base URL equals such a key.
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
      size = 0
      codes.clear()
    },
    size: () => links.size,
  }
  return cache
}
