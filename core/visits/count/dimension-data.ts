import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isThenable } from '../../lib/async/thenable.ts'
import { caught } from '../../lib/caught.ts'
import { openRegularFileSync, readToEndSync } from '../../lib/files/regular-file.ts'
import { memoryShares } from '../../lib/memory/memory-shares.ts'
import type { DimensionData } from '../../plugin/dimension.ts'
import type { NamedDimension } from '../facts/dimensions.ts'

/** How often to look whether a file was replaced, in milliseconds. */
const lookMs = 1_000

/** How much all data files may have together: what is made of them takes several times as much of this thread's heap. */
const maxBytes = Math.floor(memoryShares.counting.oldBytes / 8)

interface Opened {
  readonly version: string
  readonly bytes: number
  /** What `open` made of it, or why that failed. */
  readonly result: { readonly value: unknown } | { readonly error: Error }
}

/**
 * The same dimensions, but those with a data file get what `open` made of it. A file that cannot be opened fails its
 * dimensions until it is replaced, and no others.
 */
export function withData(
  dimensions: readonly NamedDimension[],
  folder: string | undefined,
  { most = maxBytes, monotonicMs = () => performance.now() } = {},
): readonly NamedDimension[] {
  const opened = new Map<DimensionData, Opened>()

  function open(data: DimensionData, path: string | URL, bytes: number): Opened['result'] {
    try {
      opened.delete(data)
      const others = [...opened.values()].reduce((sum, it) => sum + it.bytes, 0)
      if (others + bytes > most) {
        throw new Error(`data files may have ${most} bytes together, and this one has ${bytes}`)
      }
      const value = data.open(readToEndSync(openRegularFileSync(path), most - others))
      if (isThenable(value)) {
        void Promise.resolve(value).catch(() => undefined)
        throw new Error('open returned a promise: read the file in one go')
      }
      return { value }
    } catch (error) {
      return { error: new Error(`its data cannot be opened: ${caught(error).message}`) }
    }
  }

  const looked = new Map<DimensionData, { readonly version: string; readonly at: number }>()

  /** Differs for each version of the file; empty if there is none. */
  function versionOf(data: DimensionData, path: string | URL): string {
    const at = monotonicMs()
    const known = looked.get(data)
    if (known && at - known.at < lookMs) return known.version
    let version = ''
    try {
      const { ino, mtimeMs, size } = statSync(path)
      version = `${ino} ${mtimeMs} ${size}`
    } catch {
      // Reading it says why.
    }
    looked.set(data, { version, at })
    return version
  }

  function dataOf(data: DimensionData, path: string | URL): unknown {
    const version = versionOf(data, path)
    let known = opened.get(data)
    if (known?.version !== version) {
      const bytes = Number(version.split(' ')[2] ?? 0)
      const result = open(data, path, bytes)
      known = { version, result, bytes: 'value' in result ? bytes : 0 }
      opened.set(data, known)
    }
    if ('error' in known.result) throw known.result.error
    return known.result.value
  }

  return dimensions.map(dimension => {
    const data = dimension.unstable?.data
    if (data === undefined) return dimension
    const { feature = '' } = dimension
    const path = data.file instanceof URL ? data.file : join(folder ?? '', feature, data.file)
    return {
      ...dimension,
      of: visit => dimension.of(visit, dataOf(data, path)),
      dataVersion: () => versionOf(data, path),
    }
  })
}
