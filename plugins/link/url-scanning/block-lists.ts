import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Log } from '../../../core/plugin.ts'
import type { HashSet } from './hash-set.ts'
import { keysOfUrl } from './keys-of-url.ts'
import { readList } from './read-list.ts'

/** Lists of harmful addresses in files. */
export interface BlockLists {
  /** Returns the file name of a list that contains a URL; undefined if none does. */
  find(url: URL): string | undefined
  /** Reads all lists for the first time. Waits at most `maxWaitMs`, but goes on reading after that. */
  begin(maxWaitMs: number): Promise<void>
  /** Reads the files that changed since the last time. If one cannot be read, its entries stay and this is logged. */
  refresh(): Promise<void>
  /** Whether all files could be read the last time. */
  isComplete(): boolean
}

interface List {
  /** Modification time and size of the file, to notice changes. */
  readonly mark: string
  readonly keys: HashSet
}

/** Reads lists from files, and from all files in folders. Nothing is read before `begin` or `refresh`. */
export function createBlockLists(
  paths: readonly string[],
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): BlockLists {
  const lists = new Map<string, List>()
  let troubles: ReadonlyMap<string, string> = new Map()
  let refreshing: Promise<void> | undefined

  async function refresh(): Promise<void> {
    const found = new Map<string, string>()
    const files = (await Promise.all(paths.map(path => filesAt(path, found)))).flat()
    for (const file of files) await reread(file, found)
    for (const path of lists.keys()) {
      // A file removed from a folder is no longer used. A missing file that the settings name may come back.
      if (!files.includes(path) && !paths.includes(path) && found.size === 0) lists.delete(path)
    }
    if (signal.aborted) return
    for (const [path, trouble] of found) {
      if (troubles.get(path) !== trouble) log.warn(`The list ${path} cannot be used: ${trouble}.`)
    }
    troubles = found
  }

  async function reread(path: string, found: Map<string, string>): Promise<void> {
    try {
      const file = await stat(path)
      // A device or a pipe may have no end, or never begin.
      if (!file.isFile()) throw new Error('it is not a regular file')
      const { mtimeMs, size } = file
      const mark = `${mtimeMs} ${size}`
      if (lists.get(path)?.mark === mark) return
      const keys = await readList(path, signal)
      if (keys.size === 0 && size > 0) throw new Error('it contains neither domains nor URLs')
      lists.set(path, { mark, keys })
      log.info(`Read ${keys.size} entries from the list ${path}`)
    } catch (error) {
      found.set(path, reasonOf(error))
    }
  }

  const blockLists: BlockLists = {
    async begin(maxWaitMs) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<'late'>(resolve => {
        timer = setTimeout(resolve, maxWaitMs, 'late')
      })
      const first = await Promise.race([blockLists.refresh(), late])
      clearTimeout(timer)
      if (first === 'late')
        log.warn('Lists are still being read. Until then URLs are not checked against them.')
    },
    find(url) {
      const keys = lists.size === 0 ? [] : keysOfUrl(url)
      for (const [path, list] of lists) {
        if (keys.some(key => list.keys.has(key))) return basename(path)
      }
      return undefined
    },
    refresh() {
      refreshing ??= refresh().finally(() => {
        refreshing = undefined
      })
      return refreshing
    },
    isComplete: () => troubles.size === 0,
  }
  return blockLists
}

async function filesAt(path: string, found: Map<string, string>): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const entries = await readdir(path, { withFileTypes: true })
    return entries
      .filter(entry => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => join(path, name))
      .sort()
  } catch (error) {
    found.set(path, reasonOf(error))
    return []
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
