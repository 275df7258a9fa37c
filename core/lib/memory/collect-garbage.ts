import { getHeapStatistics } from 'node:v8'
import { memoryShares } from './memory-shares.ts'

/**
 * Has V8 give back at once the memory that this thread no longer needs. By itself V8 only does so when more
 * memory is asked for, so a thread with little to do would hold the most that it ever had.
 */
export async function collectGarbage(): Promise<void> {
  try {
    const { Session } = await import('node:inspector/promises')
    const session = new Session()
    session.connect()
    await session.post('HeapProfiler.collectGarbage')
    session.disconnect()
  } catch {
    // Built or started without its inspector, Node only keeps more memory.
  }
}

/** Buffers of this size and more are counted: of smaller ones, many share their memory. */
const countedBytes = 4 * 1024

let madeBytes = 0

/**
 * Notes that a buffer was made for a moment, of so many bytes. V8 knows little of their memory, and by itself collects the
 * garbage that they become only after some 64 MiB.
 */
export function noteBuffer(bytes: number): void {
  if (bytes < countedBytes) return
  madeBytes += bytes
  if (madeBytes < memoryShares.bodiesBytes / 4) return
  madeBytes = 0
  void collectGarbage()
}

/** The same, if buffers take much of the memory there is: V8 knows little of them. */
export async function collectBuffers(): Promise<void> {
  if (getHeapStatistics().external_memory > memoryShares.limitBytes / 16) await collectGarbage()
}
