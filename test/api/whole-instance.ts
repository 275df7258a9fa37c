import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { boot, type Harness, type HarnessOptions } from '../harness.ts'
import { plugins } from './every-plugin.ts'

export { plugins } from './every-plugin.ts'

/** For files of plugins: such as those that `GET /export/static` packs. */
export const filesFolder = mkdtempSync(join(tmpdir(), 'linnet-files-'))
afterAll(() => rmSync(filesFolder, { recursive: true }))

/** Starts Linnet with all its plugins. */
export function bootAll(options: HarnessOptions = {}): Promise<Harness> {
  return boot(plugins, { filesFolder, ...options })
}
