import { once } from 'node:events'
import { join } from 'node:path'
import type { Address } from '../../core/storage/database.ts'
import { root, start } from './program.ts'

/** Kills a process that brings this database to the next schema, in the middle of the step. */
export async function killInStep(address: Address): Promise<void> {
  const program = join(root, 'test/e2e/fixtures/half-step.mjs')
  const { child, exit } = start([JSON.stringify(address)], { program })
  const [said] = await Promise.race([
    once(child.stdout, 'data'),
    once(child.stderr, 'data').then(([text]) => Promise.reject(new Error(String(text)))),
  ])
  if (String(said) !== 'half') throw new Error(String(said))
  child.kill('SIGKILL')
  await exit
}
