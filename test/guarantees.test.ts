import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { pages } from './browser/vitest.config.ts'
import { onServerAtNight } from './postgres/vitest.config.ts'
import { titlesIn } from './titles-in.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')
const promises = [
  ...read('docs/guarantees.md').matchAll(/^\| (.+) \| `(test\/\S+)`: (.+) \| (.+) \|$/gm),
].map(([, promise = '', file = '', test = '', runs = '']) => ({ promise, file, test, runs }))

const shared = ['test/conformance.ts', 'test/core/storage/open/migrating.ts']

/** The script that runs a test of a file. */
function scriptOf(file: string, test = ''): string | undefined {
  if (file.endsWith('.test.ts') && isAtNight(read(file), test)) return 'npm run test:night'
  if (file.startsWith('test/postgres/') && onServerAtNight.includes(file))
    return 'npm run test:night'
  if (file.startsWith('test/faults/')) return 'npm run test:faults'
  if (pages.includes(file)) return 'npm run test:pages'
  // The checks in them are run on every plugin, and on both databases.
  if (shared.includes(file)) return 'npm test'
  return file.endsWith('.test.ts') ? 'npm test' : undefined
}

/** When CI runs a script: the CI script that has it on a line. */
function runOf(script: string | undefined): string | undefined {
  if (script === undefined) return undefined
  const has = (path: string) => read(path).split('\n').includes(script)
  if (has('.ci/run')) return 'every run'
  return has('.ci/nightly') ? 'every night' : undefined
}

it('reads the promises', () => {
  const rows = read('docs/guarantees.md').match(/^\| .+ \|$/gm) ?? []
  expect(promises.length).toBeGreaterThan(15)
  // The header row does not count.
  expect(promises.length).toBe(rows.length - 1)
})

it.each(promises)('$promise: the test is there', ({ file, test }) => {
  expect(titlesIn(read(file))).toContain(test)
})

const threats = [
  ...read('docs/threats.md').matchAll(/^\| (.+) \| .+ \| `(test\/\S+)`: (.+) \|$/gm),
].map(([, threat = '', file = '', test = '']) => ({ threat, file, test }))

it('reads the threats', () => {
  expect(threats.length).toBeGreaterThan(25)
})

it.each(threats)('$threat: the test is there', ({ file, test }) => {
  expect(titlesIn(read(file))).toContain(test)
})

it.each(promises)('$promise: the test is run when the row says so', ({ file, test, runs }) => {
  expect(runs).toBe(runOf(scriptOf(file, test)))
})

it('takes no row whose test no script of CI runs', () => {
  expect(runOf(scriptOf('test/bench/run.mjs'))).toBeUndefined()
  expect(runOf('npm run screenshots')).toBeUndefined()
})

it('tells a test of the night from those of every run beside it', () => {
  const source = "itAtNight('waits for all', () => 1)\nit('waits for one', () => 1)"
  expect(isAtNight(source, 'a server waits for all')).toBe(true)
  expect(isAtNight(source, 'a server waits for one')).toBe(false)
})

/** Whether a test is one of `itAtNight`. */
function isAtNight(source: string, test: string): boolean {
  const titles = [...source.matchAll(/itAtNight(?:\.\w+)?\(\s*'([^']+)'/g)]
  return titles.some(([, title = '']) => test.endsWith(title))
}
