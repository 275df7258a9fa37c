import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import * as api from '../core/plugin.ts'

const core = resolve(import.meta.dirname, '../core')
const surface = readFileSync(resolve(core, 'plugin.ts'), 'utf8')
const files = [...surface.matchAll(/ from '\.\/(\S+)'/g)].map(([, path = '']) => path)
const sources = ['plugin.ts', ...files].map(path => readFileSync(resolve(core, path), 'utf8'))
const functions = Object.entries(api).flatMap(([name, value]) =>
  typeof value === 'function' ? [{ name, example: exampleOf(name) }] : [],
)

it.each(functions)('$name has an example', ({ name, example }) => {
  expect(example).toMatch(new RegExp(`\\b${name}\\(`))
})

/** What follows a // is what comes out. Longer ones need a database, or are whole modules. */
it.each(functions.filter(({ example }) => !example.includes('\n')))(
  '$name does what its example says',
  ({ example }) => {
    const [code = '', outcome] = example.split(' // ')
    const result = runInNewContext(code, { ...api })
    if (outcome !== undefined) expect(String(result)).toBe(outcome)
  },
)

/** The end of the comment right above a function or a class. */
function exampleOf(name: string): string {
  const declared = new RegExp(`^export (async )?(function|class) ${name}\\b`, 'm')
  const source = sources.find(it => declared.test(it)) ?? ''
  const above = source.slice(0, declared.exec(source)?.index)
  const comment = above.slice(above.lastIndexOf('/**'))
  const [, example = ''] = /@example\n(.*)\n \*\/\n$/s.exec(comment) ?? []
  return example.replace(/^ \* /gm, '')
}
