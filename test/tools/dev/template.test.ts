import { expect, it } from 'vitest'
import { filesOf } from '../../../tools/dev/template.ts'

it('a new plugin imports what Linnet, Node and its own files have, and nothing else', () => {
  const names = { packageName: 'linnet-plugin-hours', name: 'hours' }
  const files = filesOf({ ...names, linnet: '^0.1.0', version: '0.1.0' })
  const imported = Object.values(files).flatMap(text =>
    [...text.matchAll(/from '([^']+)'/g)].map(([, name = '']) => name),
  )
  expect(new Set(imported)).toEqual(
    new Set([
      ...['linnet/plugin', 'linnet/conformance', 'linnet/harness', './index.js'],
      ...['node:assert/strict', 'node:test'],
    ]),
  )
  expect(Object.keys(files)).toContain('src/index.ts')
})
