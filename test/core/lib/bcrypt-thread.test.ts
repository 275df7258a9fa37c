import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import bcrypt from 'bcryptjs'
import { expect, it } from 'vitest'
import { compareBcryptIn, matchesBcrypt } from '../../../core/lib/bcrypt-thread.ts'

const worker = pathToFileURL(resolve(import.meta.dirname, '../../../dist/bcrypt-worker.js'))

/** Which part of the time this thread was busy, while the work was done. */
async function busyDuring(work: () => Promise<unknown>): Promise<number> {
  const before = performance.eventLoopUtilization()
  await work()
  return performance.eventLoopUtilization(before).utilization
}

it('a guess at a hash of bcrypt is compared in a thread of its own, and leaves this one to redirects', async () => {
  const hash = await bcrypt.hash('open sesame', 11)
  const guess = (attempt: string) => matchesBcrypt(attempt, hash)
  expect(await busyDuring(() => guess('open sesame'))).toBeGreaterThan(0.8)
  compareBcryptIn(worker)
  const right: boolean[] = []
  const busy = await busyDuring(async () => {
    right.push(...(await Promise.all([guess('open sesame'), guess('open barley')])))
  })
  expect(right).toEqual([true, false])
  expect(busy).toBeLessThan(0.5)
})
