import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The path of a new file with this content. It is deleted with the end of the test. */
export function writtenFile(content: string | Uint8Array, name = 'dump.sql'): string {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
