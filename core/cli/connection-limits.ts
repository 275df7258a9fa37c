import { readFileSync } from 'node:fs'
import type { ConnectionLimits } from '../http/server/limit-connections.ts'
import { baseBytes, memoryShares, shareMemory } from '../lib/memory/memory-shares.ts'

/** Descriptors for all that is not a connection: the database, files, threads, outgoing requests. */
const otherDescriptors = 128
/** What a connection may take: itself, and what was read of a body that nobody wants, twice. */
const bytesEach = 48 * 1024

/**
 * How many connections there may be, and how much that nobody reads: as the system's limits of open files and
 * memory allow. Each connection may need a second descriptor, for a file that it is sent.
 */
export function connectionLimits({
  openFiles = openFilesAllowed(),
  memoryBytes = memoryShares.limitBytes,
} = {}): Pick<ConnectionLimits, 'maxConnections' | 'maxUnsentBytes'> {
  const free = memoryBytes - baseBytes
  const byFiles = Math.max(16, Math.floor((openFiles - otherDescriptors) / 2))
  return {
    maxConnections: Math.min(byFiles, Math.max(256, Math.floor(free / bytesEach))),
    maxUnsentBytes: 2 * shareMemory(memoryBytes).answerBytes,
  }
}

/** Linux says how many; elsewhere Node asks for as many as there are, which is more than anybody needs. */
function openFilesAllowed(): number {
  try {
    const [, soft = ''] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === '' ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
