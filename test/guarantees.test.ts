import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const promises = [
  ...readFileSync(resolve(root, 'docs/guarantees.md'), 'utf8').matchAll(
    /^\| (.+) \| `(test\/\S+)`: (.+) \|$/gm,
  ),
].map(([, promise = '', file = '', test = '']) => ({ promise, file, test }))

it('reads the promises', () => {
  expect(promises.length).toBeGreaterThan(15)
})

it.each(promises)('$promise: the test is there', ({ file, test }) => {
  expect(readFileSync(resolve(root, file), 'utf8')).toContain(`'${test}'`)
})
