import { readFileSync } from 'node:fs'
import { memoryShares } from './memory-shares.ts'

/** Whether memory is short now. */
export type IsMemoryShort = () => boolean

export interface MemoryWatch {
  /** Above this, memory is short; it is enough again once a tenth less is in use. In bytes. */
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

/** Looks ten times a second whether memory is short; does not keep the process alive. */
export function watchMemory({
  shortBytes = memoryShares.shortBytes,
  inUse = anonymousBytes,
  onShort,
  onEnough,
}: MemoryWatch): { readonly isShort: IsMemoryShort; stop(): void } {
  let isShort = false
  let toldAt = Number.NEGATIVE_INFINITY

  function look(): void {
    const bytes = inUse()
    const before = isShort
    isShort = bytes > (before ? 0.9 * shortBytes : shortBytes)
    const now = performance.now()
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
 * https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html; elsewhere than on Linux, all that is resident.
 */
function anonymousBytes(): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync('/proc/self/statm', 'latin1')
      .split(' ')
      .map(Number)
    return (resident - shared) * pageBytes
  } catch {
    return process.memoryUsage.rss()
  }
}
