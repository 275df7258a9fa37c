import { openSync, readSync } from 'node:fs'
import { memoryShares } from './memory-shares.ts'

/** Whether memory is short now. */
export type IsMemoryShort = () => boolean

export interface MemoryWatch {
  /** Above this, memory is short; it is enough again once a tenth less is in use, or no more than this for ten seconds. In bytes. */
  readonly shortBytes?: number
  /** How much is in use; by default, what the kernel cannot take back of this process. In bytes. */
  readonly inUse?: () => number
  /** Called when memory begins to be short, and every three seconds while it is. */
  onShort(bytes: number): void
  onEnough?(): void
}

/** A flood takes a megabyte or two in this time. */
const lookMs = 100

/** Collecting garbage takes a tenth of a second on a busy machine. */
const againMs = 3_000

/** Whatever is not given back by now, after three collections, is what the process rests at: then its peak is over. */
const peakMs = 10_000

/** Looks ten times a second whether memory is short; does not keep the process alive. */
export function watchMemory({
  shortBytes = memoryShares.shortBytes,
  inUse = bytesOfProcess(),
  onShort,
  onEnough,
}: MemoryWatch): { readonly isShort: IsMemoryShort; stop(): void } {
  let isShort = false
  let toldAt = Number.NEGATIVE_INFINITY
  let aboveAt = Number.NEGATIVE_INFINITY

  function look(): void {
    const bytes = inUse()
    const before = isShort
    const now = performance.now()
    if (bytes > shortBytes) aboveAt = now
    isShort = bytes > shortBytes || (before && bytes > 0.9 * shortBytes && now - aboveAt < peakMs)
    if (isShort && (!before || now - toldAt >= againMs)) {
      toldAt = now
      onShort(bytes)
    }
    if (before && !isShort) onEnough?.()
  }

  const timer = setInterval(look, lookMs).unref()
  return { isShort: () => isShort, stop: () => clearInterval(timer) }
}

const pageBytes = 4_096

/**
 * Memory of this process without files, which the kernel can read again, from the second and third number of
 * https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html; elsewhere than on Linux, all that is resident. The file
 * stays open, because memory is watched when no other file can be opened, too.
 */
function bytesOfProcess(): () => number {
  statm ??= openStatm()
  if (statm === null) return process.memoryUsage.rss
  const file = statm
  const text = Buffer.alloc(256)
  return () => {
    const length = readSync(file, text, 0, text.length, 0)
    const [, resident = 0, shared = 0] = text.toString('latin1', 0, length).split(' ').map(Number)
    return (resident - shared) * pageBytes
  }
}

/** Its descriptor in this thread; null elsewhere than on Linux. */
let statm: number | null | undefined

function openStatm(): number | null {
  try {
    return openSync('/proc/self/statm', 'r')
  } catch {
    return null
  }
}
