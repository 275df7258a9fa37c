import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What is older was left by a process that was killed: nothing takes so long, in milliseconds. */
const staleMs = 3_600_000

/** A folder to work in, named with a prefix as `linnet-check-`; those that were left behind are swept. */
export function makeTemporaryFolder(prefix: string, parent = tmpdir()): string {
  for (const name of readdirSync(parent).filter(it => it.startsWith(prefix))) {
    const folder = join(parent, name)
    const { mtimeMs = Number.NaN } = statSync(folder, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs < Date.now() - staleMs) removeIfOurs(folder)
  }
  return mkdtempSync(join(parent, prefix))
}

/** What belongs to another user is not ours to sweep. */
function removeIfOurs(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EACCES', 'EPERM'].includes(code)) throw error
  }
}
