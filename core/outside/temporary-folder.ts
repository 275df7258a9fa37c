import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Few things take this long: an older folder was left by a process that was killed. In milliseconds. */
const hourMs = 3_600_000

interface Old {
  readonly parent?: string
  readonly staleMs?: number
  /** Whether nobody uses an old folder any more. Default: true for all. */
  isLeft?(folder: string): boolean
}

/** Create a temporary folder, named with a prefix such as `linnet-check-`; remove old ones that were left behind. */
export function makeTemporaryFolder(
  prefix: string,
  { parent = tmpdir(), staleMs = hourMs, isLeft = () => true }: Old = {},
): string {
  for (const name of readdirSync(parent).filter(it => it.startsWith(prefix))) {
    const folder = join(parent, name)
    const { mtimeMs = Number.NaN } = statSync(folder, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs < Date.now() - staleMs && isLeft(folder)) removeIfOurs(folder)
  }
  return mkdtempSync(join(parent, prefix))
}

/** A folder of another user is not ours to remove. */
function removeIfOurs(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EACCES', 'EPERM'].includes(code)) throw error
  }
}
