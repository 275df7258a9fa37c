import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { pages } from './browser/vitest.config.ts'
import { onServerAtNight } from './postgres/vitest.config.ts'
import { testsIn, titlesIn } from './titles-in.ts'

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
  if (file.startsWith('test/deploy/')) return 'npm run test:deploy'
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
  const run = runOf(scriptOf(file, test))
  const hasMore = run === 'every run' && hasMoreAtNight(read(file), test)
  expect(runs).toBe(hasMore ? 'every run, more at night' : run)
})

it('takes no row whose test no script of CI runs', () => {
  expect(runOf(scriptOf('test/bench/run.mjs'))).toBeUndefined()
  expect(runOf('npm run screenshots')).toBeUndefined()
})

it('tells a test of the night, and one with more cases then, from those of every run beside it', () => {
  const source = `const few = firstOf(2, cases)

itAtNight('waits for all', () => 1)
it.runIf(canMount && isNight)(
  'waits for a disk',
  () => 1,
)
describe('a server', () => {
  it.each(few)('waits for %s', () => 1)
  it('waits for one', () => 1)
})`
  const of = (test: string) => [isAtNight(source, test), hasMoreAtNight(source, test)]
  expect(of('waits for all')).toEqual([true, false])
  expect(of('waits for a disk')).toEqual([true, false])
  expect(of('a server waits for …')).toEqual([false, true])
  expect(of('a server waits for one')).toEqual([false, false])
})

/** Whether a test is run at night alone. */
function isAtNight(source: string, test: string): boolean {
  return /^ *(?:itAtNight\b|it\.runIf\([^)]*\bisNight\))/m.test(textOf(source, test))
}

/** Whether a test has more cases at night, or what it takes from the top of its file. */
function hasMoreAtNight(source: string, test: string): boolean {
  const asks = /\b(?:firstOf|oneOf|tries|fc\.assert)\(|\bisNight\b/
  const text = textOf(source, test)
  if (isAtNight(source, test)) return false
  const named = source
    .split('\n\n')
    .filter(it => asks.test(it))
    .flatMap(it =>
      [...it.matchAll(/^(?:async )?(?:const|function) (\w+)/gm)].map(([, name]) => name),
    )
  return asks.test(text) || named.some(name => new RegExp(`\\b${name}\\b`).test(text))
}

function textOf(source: string, test: string): string {
  return testsIn(source).find(({ title }) => title === test)?.text ?? ''
}
