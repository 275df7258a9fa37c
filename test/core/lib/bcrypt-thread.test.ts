import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import bcrypt from 'bcryptjs'
import { expect, it } from 'vitest'
import { compareBcryptIn, matchesBcrypt } from '../../../core/lib/bcrypt-thread.ts'

const worker = pathToFileURL(resolve(import.meta.dirname, '../../../dist/bcrypt-worker.js'))

/**
 * How often this thread came round to other things while the work was done. A busy machine makes both slower and leaves this
 * number alone: bcryptjs lets go of its thread ten times a second at most.
 */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let working = true
  const done = work().finally(() => {
    working = false
  })
  let turns = 0
  while (working) {
    await setImmediate()
    turns += 1
  }
  await done
  return turns
}

it('a guess at a hash of bcrypt is compared in a thread of its own, and leaves this one to redirects', async () => {
  const hash = await bcrypt.hash('open sesame', 11)
  const guess = (attempt: string) => matchesBcrypt(attempt, hash)
  await guess('the first one loads bcryptjs')
  const turnsHere = await turnsDuring(() => guess('open sesame'))
  compareBcryptIn(worker)
  const right: boolean[] = []
  const turns = await turnsDuring(async () => {
    right.push(...(await Promise.all([guess('open sesame'), guess('open barley')])))
  })
  expect(right).toEqual([true, false])
  expect(turns).toBeGreaterThan(100 * turnsHere)
})
