import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../core/outside/temporary-folder.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'linnet-sweep-'))
})
afterEach(() => rmSync(parent, { recursive: true }))

it('making a temporary folder removes what killed processes left behind, and nothing else', () => {
  const hourAgo = Date.now() / 1_000 - 3_700
  for (const name of ['linnet-check-old', 'linnet-check-new', 'other-old']) {
    mkdirSync(join(parent, name))
    writeFileSync(join(parent, name, 'file'), '')
    if (name.endsWith('old')) utimesSync(join(parent, name), hourAgo, hourAgo)
  }
  const made = makeTemporaryFolder('linnet-check-', { parent })
  expect(readdirSync(parent).sort()).toEqual(
    [basename(made), 'linnet-check-new', 'other-old'].sort(),
  )
})
