import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('lists in a release what runs, and Node, but not what builds or tests it', () => {
  const program = `
    import { listParts } from './.ci/release/release.mjs'
    process.stdout.write(JSON.stringify(listParts('24.21.0')))`
  const args = ['--input-type=module', '--eval', program]
  const list = execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  const { components } = JSON.parse(list) as {
    readonly components: readonly { readonly name: string; readonly version: string }[]
  }
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['better-sqlite3', 'pg', 'polka', 'react']))
  expect(names).not.toEqual(expect.arrayContaining(['vitest']))
  expect(names).not.toEqual(expect.arrayContaining(['vite']))
  expect(components).toContainEqual(expect.objectContaining({ name: 'node', version: '24.21.0' }))
})
