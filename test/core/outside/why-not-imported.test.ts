import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findSyntaxError } from '../../../core/outside/why-not-imported.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-syntax-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function find(files: Readonly<Record<string, string>>): string | undefined {
  mkdirSync(join(folder, 'parts'), { recursive: true })
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code)
  return findSyntaxError(join(folder, 'index.js'))?.replace(`${folder}/`, '')
}

it('a syntax error is told with its file and line, and the line is shown', () => {
  const code = 'const it = 1\nexport default {\n  about: = it,\n}\n'
  expect(find({ 'index.js': code })).toMatch(/^index\.js:3\n.*\n {2}about: = it,\n {9}\^\n/)
})

it('a syntax error is found in what a plugin imports by a path, in a circle too', () => {
  const files = {
    'index.js': "import { a } from './parts/a.js'\nexport default a",
    'parts/a.js': "import b from '../gone.js'\nexport * from './b.js'\n",
    'parts/b.js': "await import('../index.js')\nexport const a = [\n",
  }
  expect(find(files)).toMatch(/^parts\/b\.js:\d\n/)
})

it('no syntax error is found where each file can be read, even if the whole is wrong', () => {
  expect(find({ 'index.js': "import 'somewhere'\nexport default {}" })).toBeUndefined()
  expect(find({ 'index.js': 'let a = 1\nlet a = 2\n' })).toBeUndefined()
})
