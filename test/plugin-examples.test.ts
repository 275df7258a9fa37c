import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import * as api from '../core/plugin.ts'

const core = resolve(import.meta.dirname, '../core')
const surface = readFileSync(resolve(core, 'plugin.ts'), 'utf8')
const files = [...surface.matchAll(/ from '\.\/(\S+)'/g)].map(([, path = '']) => path)
const sources = [...new Set(['plugin.ts', ...files])].map(path =>
  readFileSync(resolve(core, path), 'utf8'),
)
const functions = Object.entries(api).flatMap(([name, value]) =>
  typeof value === 'function' ? [{ name, example: exampleOf(name) }] : [],
)

it.each(functions)('$name has an example', ({ name, example }) => {
  expect(example).toMatch(new RegExp(`\\b${name}\\(`))
})

/** The text after // is the expected result. Longer examples need a database, or are whole modules. */
it.each(functions.filter(({ example }) => !example.includes('\n')))(
  '$name does what its example says',
  ({ example }) => {
    const [code = '', outcome] = example.split(' // ')
    const result = runInNewContext(code, { ...api })
    if (outcome !== undefined) expect(String(result)).toBe(outcome)
  },
)

/** The interfaces that authors implement or call: one with a function in it is of no use without an example. */
const interfaces = sources.flatMap(source =>
  [...source.matchAll(/^(\/\*\*(?:(?!\*\/).)*\*\/\n)?export interface (\w+).*?^}$/gms)].map(
    ([whole, comment = '', name = '']) => ({ name, comment, body: whole.slice(comment.length) }),
  ),
)
const exported = [...surface.matchAll(/^export (?:type )?\{([^}]*)\}/gms)].flatMap(
  ([, names = '']) => names.split(/,| type /).map(name => name.trim()),
)
const called = interfaces.filter(
  ({ name, body }) =>
    (exported.includes(name) || surface.includes(`export interface ${name}`)) &&
    /^ {2}(readonly )?\w+\??(\(|: .*=>)/m.test(body),
)

it.each(called)('$name has an example', ({ comment }) => {
  expect(comment).toContain(' * @example\n')
})

it('finds the interfaces', () => {
  const names = called.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['Plugin', 'Context', 'Store', 'Endpoint', 'Mount']))
})

/** The example in the comment directly above a function or a class. */
function exampleOf(name: string): string {
  const declared = new RegExp(`^export (async )?(function|class) ${name}\\b`, 'm')
  const source = sources.find(it => declared.test(it)) ?? ''
  const above = source.slice(0, declared.exec(source)?.index)
  const comment = above.slice(above.lastIndexOf('/**'))
  const [, example = ''] = /@example\n(.*)\n \*\/\n$/s.exec(comment) ?? []
  return example.replace(/^ \* /gm, '')
}
