import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sources } from '../../../../plugins/organization/imports/sources.ts'

const testOf = (name: string) => new URL(`./sources/${name}.test.ts`, import.meta.url)

it('no two sources have one name', () => {
  const names = sources.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

it('each source is tried by a test of its own, `sources/<name>.test.ts`, which calls `conforms`', () => {
  const untried = sources.filter(
    ({ name }) =>
      !existsSync(testOf(name)) || !readFileSync(testOf(name), 'utf8').includes('conforms('),
  )
  expect(untried.map(({ name }) => name)).toEqual([])
})
