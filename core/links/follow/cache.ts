import { memoryShares } from '../../lib/memory/memory-shares.ts'
import { trustMs } from '../../storage/news.ts'
import type { CompiledLink } from './compile.ts'

/** The compiled links of one host that were followed lately, by code. */
export interface CodeCache {
  get(code: string): CompiledLink | undefined
  /** A plain link that is to be looked up, and may be followed for now if the database does not answer. */
  doubtful(code: string): CompiledLink | undefined
  /** That link, if the database did not answer a moment ago: then nobody waits for it but one visitor every two seconds. */
  inSilence(code: string): CompiledLink | undefined
  /** The database did not answer. */
  noteSilence(): void
  /**
   * Call before reading a link. The function it returns keeps the compiled link, unless anything was forgotten
   * meanwhile: the link may then be out of date. Call it without a link, too, where there is none any more.
   */
  prepare(): (code: string, link: CompiledLink | undefined) => void
}

/** The links on the host of the base URL, and those on every other host. */
export interface LinkCache extends CodeCache {
  /** The links of another place where links are followed. The name of each place must be unique. */
  on(place: string): CodeCache
  forget(rowId: number): void
  /** Forgets the links of these accounts, because links follow what their accounts are. */
  forgetOf(accountIds: ReadonlySet<number>): void
  forgetAll(): void
  /** Has every link looked up anew, because others may have changed any. Until then, in `performance.now()`, plain ones are doubtful. */
  doubtAll(until: number): void
  /** How many links are in it. */
  size(): number
}

/** How long nobody else asks a database that did not answer for a doubtful link, in milliseconds. */
const silenceMs = 2_000

/**
 * Keeps at most `max` links of usual size. While `isEnabled` returns false, no more links are kept; while `isHeard` does,
 * changes by others are not heard, and what is read is doubtful.
 */
export function createLinkCache(
  isEnabled: () => boolean,
  isHeard = () => true,
  max = memoryShares.links,
): LinkCache {
  const links = new Map<string, CompiledLink>()
  /** Apart from the others, so that following those takes no longer. A code is in one of the two. */
  const doubtful = new Map<string, { readonly link: CompiledLink; readonly until: number }>()
  /** By row. Most links have one code, and a list for each of a hundred thousand links would take 18 MiB. */
  const codes = new Map<number, string | readonly string[]>()
  let generation = 0
  let size = 0
  /** When one visitor waits for the database again, in `performance.now()`; undefined while it answers. */
  let askAgainAt: number | undefined

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
    const link = links.get(code) ?? doubtful.get(code)?.link
    if (!link) return
    links.delete(code)
    doubtful.delete(code)
    size -= link.size
    const { id } = link.tracked
    keepCodes(
      id,
      codesOf(id).filter(other => other !== code),
    )
  }

  function keep(code: string, link: CompiledLink, readAt: number): void {
    drop(code)
    for (const all of [doubtful, links]) {
      for (const oldest of all.keys()) {
        if (size + link.size <= max) break
        drop(oldest)
      }
    }
    if (isHeard()) links.set(code, link)
    else doubtful.set(code, { link, until: readAt + trustMs })
    size += link.size
    const { id } = link.tracked
    keepCodes(id, [...codesOf(id), code])
  }

  const cache: LinkCache = {
    get: code => links.get(code),
    doubtful(code) {
      const { link, until = 0 } = doubtful.get(code) ?? {}
      return until > performance.now() ? link : undefined
    },
    inSilence(code) {
      if (askAgainAt === undefined) return undefined
      const link = cache.doubtful(code)
      if (link && performance.now() < askAgainAt) return link
      if (link) cache.noteSilence()
      return undefined
    },
    noteSilence() {
      askAgainAt = performance.now() + silenceMs
    },
    prepare() {
      const before = generation
      const readAt = performance.now()
      return (code, link) => {
        askAgainAt = undefined
        if (doubtful.has(code)) drop(code)
        if (!link || before !== generation || !isEnabled()) return
        if (isHeard() || link.redirect) keep(code, link, readAt)
      }
    },
    on(place) {
      // The path of a request has no line break, so no path on the host of the base URL equals such a key.
      const keyOf = (code: string) => `${code}\n${place}`
      return {
        get: code => links.get(keyOf(code)),
        doubtful: code => cache.doubtful(keyOf(code)),
        inSilence: code => cache.inSilence(keyOf(code)),
        noteSilence: () => cache.noteSilence(),
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
    forgetOf(accountIds) {
      generation += 1
      const isTheirs = ({ tracked }: CompiledLink) => accountIds.has(tracked.owner.accountId)
      for (const [code, link] of links) if (isTheirs(link)) drop(code)
      for (const [code, { link }] of doubtful) if (isTheirs(link)) drop(code)
    },
    forgetAll() {
      generation += 1
      links.clear()
      doubtful.clear()
      size = 0
      codes.clear()
    },
    doubtAll(until) {
      if (until <= performance.now()) return cache.forgetAll()
      generation += 1
      for (const [code, link] of links) {
        if (link.redirect) doubtful.set(code, { link, until })
        else drop(code)
      }
      links.clear()
    },
    size: () => links.size + doubtful.size,
  }
  return cache
}
